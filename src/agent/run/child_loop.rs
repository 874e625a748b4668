//! How a tool that is an agent says which loop ran.
//!
//! In the manner of attachments: the loop that runs the call collects, and the tool that
//! runs a loop of its own says so.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::engine::Reporter;

tokio::task_local! {
    static CURRENT: ChildLoops;
}

/// The loops that ran as calls, by the call's id. Copies collect into the same place.
#[derive(Debug, Clone, Default)]
pub struct ChildLoops(Arc<Mutex<HashMap<String, String>>>);

impl ChildLoops {
    /// Does `work`, and collects what is said in it. A task that is spawned in it is
    /// outside.
    pub async fn during<F: Future>(&self, work: F) -> F::Output {
        CURRENT.scope(self.clone(), work).await
    }

    /// The loop that ran as this call, if one did.
    pub fn of(&self, call_id: &str) -> Option<String> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(call_id).cloned()
    }
}

/// Says that the call which is running here is the loop `loop_id`, so that its result
/// names it. Outside of an agent's call nothing happens.
pub fn runs_loop(loop_id: impl Into<String>) {
    let Some(reporter) = Reporter::current() else {
        return;
    };
    // An error means that nobody collects.
    let _ = CURRENT.try_with(|children| {
        let mut all = children.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(reporter.call_id().to_string(), loop_id.into());
    });
}
