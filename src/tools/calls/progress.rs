//! Progress reports from a running tool.
//!
//! `Tool::call` takes the arguments and nothing else, so a report travels through a
//! task-local: the engine sets it around the call, and [`report`] finds it. A parameter
//! would be the better choice if every tool reported progress.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use crate::types::ProgressMessage;

tokio::task_local! {
    static CURRENT: Reporter;
}

/// Sends the progress of one running call.
#[derive(Clone)]
pub struct Reporter {
    call_id: String,
    send: Arc<dyn Fn(ProgressMessage) + Send + Sync>,
}

impl Reporter {
    /// A reporter for the call `call_id`. Each report is handed to `send`, which must not
    /// block.
    pub fn new(
        call_id: impl Into<String>,
        send: impl Fn(ProgressMessage) + Send + Sync + 'static,
    ) -> Self {
        Self {
            call_id: call_id.into(),
            send: Arc::new(send),
        }
    }

    /// The reporter of the call that this task runs; `None` outside a call. A task that a
    /// tool spawns has none: move a clone into it.
    pub fn current() -> Option<Self> {
        todo!("events-and-progress: write Reporter::current")
    }

    /// The id of the call that it reports for.
    pub fn call_id(&self) -> &str {
        &self.call_id
    }

    /// Runs `work` with this reporter as the current one.
    pub async fn during<F: Future>(self, work: F) -> F::Output {
        todo!("events-and-progress: write Reporter::during")
    }

    /// Sends `data` as progress of this call. It never waits: a slow reader does not slow
    /// the tool down, and misses reports instead.
    pub fn report(&self, data: impl Into<Value>) {
        todo!("events-and-progress: write Reporter::report")
    }
}

/// Reports `data` for the call that this task runs. Outside a call, as in a test that
/// calls a tool directly, it does nothing.
pub fn report(data: impl Into<Value>) {
    todo!("events-and-progress: write report")
}

impl fmt::Debug for Reporter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Reporter");
        debug
            .field("call_id", &self.call_id)
            .finish_non_exhaustive()
    }
}
