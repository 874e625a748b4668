//! A reply whose calls are being answered.

use super::{Events, OpenCall, QueryEvent};
use crate::types::{AssistantMessage, Message};

/// A reply that stands in the history while its calls are on their way.
///
/// However this value goes, every call has its result in the history afterwards, in
/// call order: dropping it settles whatever is still open. So the history is whole
/// after a cancel, after a panic, and after somebody drops the future that held it.
pub struct OpenReply<'a> {
    history: &'a mut Vec<Message>,
    events: &'a Events,
    limit: usize,
    /// The reply's calls, in its order.
    pub calls: Vec<OpenCall>,
}

impl<'a> OpenReply<'a> {
    /// Puts the reply into the history and opens each of its calls. Results will be
    /// truncated to `limit` bytes.
    pub fn new(
        history: &'a mut Vec<Message>,
        reply: AssistantMessage,
        limit: usize,
        events: &'a Events,
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

    /// Settles every call and puts its result into the history. A call that is still on
    /// the screen is offered to the reader as finished; nothing is waited for.
    fn close(&mut self) {
        for mut open in self.calls.drain(..) {
            let result = open.settle(self.limit);
            if open.on_screen {
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
