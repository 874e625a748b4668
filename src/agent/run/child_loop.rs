//! Loops that tools start.
//!
//! A tool that runs an agent reports the id of its loop through a task-local, like an
//! attachment. The loop that runs the call collects the ids.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::engine::Reporter;

tokio::task_local! {
    static CURRENT: ChildLoops;
}

/// The ids of loops that tools started, by the call's id. Clones share one map.
#[derive(Debug, Clone, Default)]
pub struct ChildLoops(Arc<Mutex<HashMap<String, String>>>);

impl ChildLoops {
    /// Runs `work` and collects what it reports. A task that `work` spawns is not covered.
    pub async fn during<F: Future>(&self, work: F) -> F::Output {
        CURRENT.scope(self.clone(), work).await
    }

    /// The id of the loop that this call ran, if it ran one.
    pub fn of(&self, call_id: &str) -> Option<String> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(call_id).cloned()
    }
}

/// Reports that the current call runs the loop `loop_id`, so that its result carries the id.
/// Does nothing outside an agent's call.
pub fn runs_loop(loop_id: impl Into<String>) {
    let Some(reporter) = Reporter::current() else {
        return;
    };
    // An error means that no loop collects.
    let _ = CURRENT.try_with(|children| {
        let mut all = children.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(reporter.call_id().to_string(), loop_id.into());
    });
}
