//! A reply while its calls are being answered.

use super::{OpenCall, QueryEvent, QueryEventSender};
use crate::types::{AssistantMessage, Message};

/// A reply in the history whose calls do not have their results yet.
///
/// Dropping this value appends one result per call, in call order, and finalizes the calls
/// that are still open. So the history is complete after a cancel, after a panic, and after
/// the future that held this value is dropped.
pub struct OpenReply<'a> {
    history: &'a mut Vec<Message>,
    events: &'a QueryEventSender,
    limit: usize,
    /// The reply's calls, in its order.
    pub calls: Vec<OpenCall>,
}

impl<'a> OpenReply<'a> {
    /// Appends the reply to the history and opens each of its calls. Results will be
    /// truncated to `limit` bytes.
    pub fn new(
        history: &'a mut Vec<Message>,
        reply: AssistantMessage,
        limit: usize,
        events: &'a QueryEventSender,
    ) -> Self {
        let calls = reply
            .tool_calls
            .iter()
            .cloned()
            .map(OpenCall::new)
            .collect();
        history.push(Message::Assistant(reply));
        Self {
            history,
            events,
            limit,
            calls,
        }
    }

    /// Finalizes every call and appends its result to the history. For a call that is still
    /// shown as running, a `ToolFinished` event is offered. Nothing here waits.
    fn close(&mut self) {
        for mut open in self.calls.drain(..) {
            let result = open.finalize(self.limit);
            if open.shown_as_running {
                self.events.offer(QueryEvent::ToolFinished {
                    call_id: open.call.id,
                    result: result.clone(),
                });
            }
            self.history.push(Message::ToolResult(result));
        }
    }
}

impl Drop for OpenReply<'_> {
    fn drop(&mut self) {
        self.close();
    }
}
