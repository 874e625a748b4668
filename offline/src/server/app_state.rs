//! The state that all requests of a server share.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::http::request::Parts;
use serde_json::Value;

use super::request_log::{LoggedRequest, RequestLog};
use super::sent_thoughts::SentThoughts;
use super::shutdown::Shutdown;
use crate::request_error::RequestError;
use crate::script::{Script, ScriptStep};
use crate::thought::{ReturnedThought, Thought};
use crate::wire::{RequestBody, ResponseStore};

/// The state of a server. Std mutexes, not tokio's: no lock is held across an await.
pub(super) struct AppState {
    /// The size of a body's HTTP chunks, if the script sets it.
    pub(super) chunk: Option<usize>,
    shutdown: Shutdown,
    steps: Mutex<VecDeque<ScriptStep>>,
    has_no_log: bool,
    log: Mutex<RequestLog>,
    thoughts: Mutex<SentThoughts>,
    responses: Mutex<ResponseStore>,
}

impl AppState {
    pub(super) fn new(script: Script, shutdown: Shutdown) -> Self {
        Self {
            chunk: script.chunk,
            shutdown,
            steps: Mutex::new(script.steps),
            has_no_log: script.has_no_log,
            log: Mutex::default(),
            thoughts: Mutex::default(),
            responses: Mutex::default(),
        }
    }

    /// A receiver for the shutdown signal.
    pub(super) fn shutdown(&self) -> Shutdown {
        self.shutdown.clone()
    }

    /// Removes and returns the script's next step.
    pub(super) fn next_step(&self) -> Option<ScriptStep> {
        lock(&self.steps).pop_front()
    }

    /// Logs a request, unless the script says not to.
    pub(super) fn log_request(&self, parts: &Parts, body: &[u8]) {
        if !self.has_no_log {
            lock(&self.log).push(parts, body);
        }
    }

    pub(super) fn logged_requests(&self) -> Vec<LoggedRequest> {
        lock(&self.log).requests()
    }

    pub(super) fn dropped_requests(&self) -> u64 {
        lock(&self.log).dropped()
    }

    pub(super) fn record_thoughts(&self, thoughts: Vec<Thought>) {
        lock(&self.thoughts).record(thoughts);
    }

    pub(super) fn check_thoughts(&self, returned: &[ReturnedThought]) -> Result<(), RequestError> {
        lock(&self.thoughts).check(returned)
    }

    pub(super) fn store_response(&self, request: &RequestBody, response: Value) {
        lock(&self.responses).insert(request, response);
    }

    pub(super) fn stored_response(&self, id: &str) -> Result<Value, RequestError> {
        lock(&self.responses).get(id).cloned()
    }

    /// Puts stored items into a Responses request.
    pub(super) fn expand(&self, request: &mut RequestBody) -> Result<(), RequestError> {
        lock(&self.responses).expand(request)
    }
}

/// Locks a mutex even if a holder panicked: the lists it guards are still valid.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
