//! The last event of a loop that panicked. The loop catches panics of tools, gates and
//! models where it calls them. What remains are bugs in other code of the application.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::agent::run::panic_guard::catch_panic;
use crate::agent::settings::{Clock, Services};
use crate::agent::steering::handle::Run;
use crate::agent::{AgentEvent, AgentLoop, AgentMessage, EventSink};

/// The data for a loop's `AgentEnd` after the loop has panicked.
pub(in crate::agent) struct CrashReport {
    sink: EventSink,
    run: Arc<Run>,
    services: Arc<Services>,
    loop_id: String,
}

/// Runs a loop to its end. If the loop panics, `AgentEnd` is still sent, with the messages
/// up to the panic. A turn or message that was in progress gets no end event.
pub(in crate::agent) async fn run_with_crash_report(
    mut work: AgentLoop,
    prompt: Vec<AgentMessage>,
) {
    let crash = CrashReport {
        sink: work.sink.take(),
        run: work.run.clone(),
        services: work.services.clone(),
        loop_id: work.start.loop_id.clone(),
    };
    if catch_panic(work.run(prompt)).await.is_err() {
        crash.send().await;
    }
}

impl CrashReport {
    async fn send(mut self) {
        // The loop handed its history over when the panic dropped it.
        let Some(outcome) = self.run.outcome() else {
            return;
        };
        let event = AgentEvent::AgentEnd {
            loop_id: self.loop_id,
            messages: outcome.added.clone(),
            usage: outcome.record.usage,
            timestamp: self.services.event_time(),
            rejection: None,
        };
        self.sink.send(event).await;
        self.sink.finish().await;
    }
}

/// A clock that returns the last time that `clock` returned if `clock` panics.
pub(in crate::agent) fn panic_safe_clock(clock: Clock) -> Clock {
    let last = AtomicU64::new(0);
    Arc::new(move || {
        if let Ok(now) = catch_unwind(AssertUnwindSafe(|| clock())) {
            last.store(now, Ordering::Relaxed);
        }
        last.load(Ordering::Relaxed)
    })
}
