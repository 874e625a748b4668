//! The last event of a loop that panicked. The loop catches panics of tools, gates and
//! models where it calls them. What remains are bugs in other code of the application.

use crate::agent::run::panic_guard::catch_panic;
use crate::agent::steering::handle::Outcome;
use crate::agent::{AgentEvent, AgentLoop, AgentMessage};

/// Runs a loop to its end. If the loop panics, `AgentEnd` is still sent, with the messages
/// up to the panic. A turn or message that was in progress gets no end event.
pub(in crate::agent) async fn run_with_crash_report(
    mut work: AgentLoop,
    prompt: Vec<AgentMessage>,
) {
    let mut sink = work.sink.take();
    let (run, services) = (work.run.clone(), work.services.clone());
    if catch_panic(work.run(prompt)).await.is_ok() {
        return;
    }
    // The loop handed its history over when the panic dropped it.
    let Some(Outcome { added, record }) = run.outcome() else {
        return;
    };
    let event = AgentEvent::AgentEnd {
        loop_id: record.loop_id.clone(),
        messages: added.clone(),
        usage: record.usage,
        timestamp: services.event_time(),
        rejection: None,
    };
    sink.send(event).await;
    sink.finish().await;
}
