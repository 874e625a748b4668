//! From a path to an answer.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Router;
use axum::body::{Bytes, HttpBody, to_bytes};
use axum::extract::{Request as HttpRequest, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::Value;
use tokio::sync::watch;

use crate::answer::{Answer, until_closing};
use crate::model;
use crate::recorded::Recorded;
use crate::request::{BadRequest, Request, Sealed, Thought};
use crate::script::Step;
use crate::seal;
use crate::wire::{self, Api};

/// The longest body that is read: 32 MiB.
const BODY_LIMIT: usize = 32 << 20;

/// The header that every request of the Messages API has.
const MESSAGES_VERSION: &str = "anthropic-version";

/// What the requests share.
pub(crate) struct Shared {
    pub(crate) steps: Mutex<VecDeque<Step>>,
    pub(crate) chunk: Option<usize>,
    pub(crate) requests: Mutex<Vec<Recorded>>,
    /// The thoughts that were sent, in all APIs.
    pub(crate) thoughts: Mutex<Vec<Sealed>>,
    pub(crate) closing: watch::Receiver<bool>,
}

/// All the paths that there are.
pub(crate) fn routes(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/v1/chat/completions", post(chat_completions))
        .route("/v1/responses", post(responses))
        .route("/v1/messages", post(messages))
        .route("/v1/models", get(models))
        .fallback(unknown_path)
        .method_not_allowed_fallback(wrong_method)
        .with_state(shared)
}

async fn chat_completions(state: State<Arc<Shared>>, request: HttpRequest) -> Response {
    answer(&state, Api::ChatCompletions, request).await
}

async fn responses(state: State<Arc<Shared>>, request: HttpRequest) -> Response {
    answer(&state, Api::Responses, request).await
}

async fn messages(state: State<Arc<Shared>>, request: HttpRequest) -> Response {
    answer(&state, Api::Messages, request).await
}

async fn models(State(shared): State<Arc<Shared>>, request: HttpRequest) -> Response {
    let api = spoken(&request);
    match shared.read(api, request).await {
        Ok(_) => shared.json(200, &wire::models(api)),
        Err(refusal) => refusal,
    }
}

async fn unknown_path(State(shared): State<Arc<Shared>>, request: HttpRequest) -> Response {
    let message = format!(
        "nothing is at {}: there are POST /v1/chat/completions, /v1/responses and /v1/messages, and GET /v1/models",
        request.uri().path()
    );
    turn_away(&shared, request, 404, &message).await
}

async fn wrong_method(State(shared): State<Arc<Shared>>, request: HttpRequest) -> Response {
    let message = format!(
        "{} does not take {}",
        request.uri().path(),
        request.method()
    );
    turn_away(&shared, request, 405, &message).await
}

async fn turn_away(shared: &Shared, request: HttpRequest, status: u16, why: &str) -> Response {
    let api = spoken(&request);
    match shared.read(api, request).await {
        Ok(_) => shared.refuse(api, status, why),
        Err(refusal) => refusal,
    }
}

/// The API that is meant, where the path does not say.
fn spoken(request: &HttpRequest) -> Api {
    let is_messages = request.uri().path().starts_with("/v1/messages")
        || request.headers().contains_key(MESSAGES_VERSION);
    match is_messages {
        true => Api::Messages,
        false => Api::ChatCompletions,
    }
}

async fn answer(shared: &Shared, api: Api, request: HttpRequest) -> Response {
    let has_version = request.headers().contains_key(MESSAGES_VERSION);
    let body = match shared.read(api, request).await {
        Ok(body) => body,
        Err(refusal) => return refusal,
    };
    if api == Api::Messages && !has_version {
        return shared.refuse(api, 400, "anthropic-version: this header is required");
    }
    let request = match api.request(&body) {
        Ok(request) => request,
        Err(wrong) => return shared.refuse(api, 400, &wrong.0),
    };
    if let Err(wrong) = shared.check_thoughts(&request) {
        return shared.refuse(api, 400, &wrong.0);
    }
    let step = lock(&shared.steps).pop_front();
    let Step { reply, fault } = step.unwrap_or_else(|| Step {
        reply: model::reply(&request),
        fault: None,
    });
    lock(&shared.thoughts).extend(api.thoughts(&request, &reply));
    let answer = match fault {
        None => Some(Answer::reply(api, &request, &reply)),
        Some(fault) => Answer::faulty(api, &request, &reply, fault),
    };
    match answer {
        Some(answer) => answer.into_response(shared.chunk, shared.closing.clone()),
        None => {
            until_closing(&mut shared.closing.clone()).await;
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
    }
}

impl Shared {
    /// Reads a request's body and remembers the request.
    async fn read(&self, api: Api, request: HttpRequest) -> Result<Bytes, Response> {
        let (parts, body) = request.into_parts();
        // Told before it is sent: whoever waits for the answer first need not send it.
        if body.size_hint().lower() > BODY_LIMIT as u64 {
            return Err(self.refuse(api, 413, "the body is longer than 32 MiB"));
        }
        let body = to_bytes(body, BODY_LIMIT).await;
        let body = body
            .map_err(|error| self.refuse(api, 413, &format!("the body cannot be read: {error}")))?;
        lock(&self.requests).push(Recorded::of(&parts, &body));
        Ok(body)
    }

    /// A thought that comes back is one that was sent, to the byte. The rule model's are
    /// known by their seal, whichever process sent them. Of others, a server that has sent
    /// none takes any: it does not know what another has sealed.
    fn check_thoughts(&self, request: &Request) -> Result<(), BadRequest> {
        let sent = lock(&self.thoughts);
        let is_known = |thought: &Thought| {
            seal::is_whole(&thought.sealed)
                .unwrap_or_else(|| sent.is_empty() || sent.iter().any(|sent| thought.is(sent)))
        };
        match request.thoughts.iter().find(|thought| !is_known(thought)) {
            Some(thought) => Err(BadRequest(format!(
                "{}: this thought is not one that was sent: it must come back unchanged",
                thought.place
            ))),
            None => Ok(()),
        }
    }

    fn refuse(&self, api: Api, status: u16, message: &str) -> Response {
        self.json(status, &wire::error(api, status, message))
    }

    fn json(&self, status: u16, body: &Value) -> Response {
        Answer::json(status, body.to_string()).into_response(self.chunk, self.closing.clone())
    }
}

/// A lock whose holder panicked is as good as before: what it guards is a list.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
