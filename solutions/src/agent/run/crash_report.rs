//! What is told of a loop that crashed: through a mistake in what the application gave it,
//! since its own work is caught where it is done.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::agent::run::panic_guard::caught;
use crate::agent::settings::{Clock, Equipment};
use crate::agent::steering::handle::Run;
use crate::agent::{AgentEvent, AgentLoop, AgentMessage, EventSink};

/// The last event of a loop that cannot send it any more.
pub(in crate::agent) struct LastWords {
    sink: EventSink,
    run: Arc<Run>,
    equipment: Arc<Equipment>,
    loop_id: String,
    /// How many messages the history had before.
    before: usize,
}

/// Runs a loop to its end. If it crashes, `AgentEnd` is told all the same, with the
/// messages that it had come to; what it was in the middle of has no end of its own.
pub(in crate::agent) async fn guarded(mut work: AgentLoop, prompt: Vec<AgentMessage>) {
    let last = LastWords {
        sink: work.sink.take(),
        run: work.run.clone(),
        equipment: work.equipment.clone(),
        loop_id: work.start.loop_id.clone(),
        before: work.before.len(),
    };
    if caught(work.run(prompt)).await.is_err() {
        last.tell().await;
    }
}

impl LastWords {
    async fn tell(mut self) {
        // The loop has handed its history over when it was dropped.
        let Some(outcome) = self.run.outcome() else {
            return;
        };
        let event = AgentEvent::AgentEnd {
            loop_id: self.loop_id,
            messages: outcome.messages[self.before..].to_vec(),
            usage: outcome.record.usage,
            timestamp: self.equipment.event_time(),
            rejection: None,
        };
        self.sink.send(event).await;
        self.sink.finish().await;
    }
}

/// The clock, and where it crashes the time that it told last.
pub(in crate::agent) fn steady(clock: Clock) -> Clock {
    let last = AtomicU64::new(0);
    Arc::new(move || {
        if let Ok(now) = catch_unwind(AssertUnwindSafe(|| clock())) {
            last.store(now, Ordering::Relaxed);
        }
        last.load(Ordering::Relaxed)
    })
}
