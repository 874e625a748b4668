//! How a tool says something while it runs.
//!
//! `Tool::call` takes the arguments and nothing else. What a tool reports therefore goes
//! by a task-local: the engine sets it around the call, and [`report`] finds it. The
//! alternative, another parameter, would win if every tool had something to report.

use serde_json::Value;

use super::{Events, QueryEvent};
use crate::types::ProgressMessage;

tokio::task_local! {
    static CURRENT: Reporter;
}

/// Sends news of one running call to the screen.
#[derive(Debug, Clone)]
pub struct Reporter {
    call_id: String,
    events: Events,
}

impl Reporter {
    /// One for this call.
    pub fn new(call_id: impl Into<String>, events: &Events) -> Self {
        Self {
            call_id: call_id.into(),
            events: events.clone(),
        }
    }

    /// That of the call which is running here; `None` outside of any. A task that a
    /// tool spawns is outside: take the reporter along.
    pub fn current() -> Option<Self> {
        CURRENT.try_with(Self::clone).ok()
    }

    /// The id of the call that it reports for.
    pub fn call_id(&self) -> &str {
        &self.call_id
    }

    /// Does `work`, in which this reporter is the current one.
    pub async fn during<F: Future>(self, work: F) -> F::Output {
        CURRENT.scope(self, work).await
    }

    /// Offers `data` to the reader, as progress of this call. It never waits: a tool is
    /// not slowed down by a screen, and a reader who is behind misses it.
    pub fn report(&self, data: impl Into<Value>) {
        self.events.offer(QueryEvent::Progress(ProgressMessage {
            tool_use_id: self.call_id.clone(),
            data: data.into(),
        }));
    }
}

/// Reports `data` for the call that is running here. Outside of any, as in a test that
/// calls a tool by itself, nothing happens.
pub fn report(data: impl Into<Value>) {
    if let Some(reporter) = Reporter::current() {
        reporter.report(data);
    }
}
