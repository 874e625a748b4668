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
        todo!("results-after-cancel-or-panic: write OpenReply::new")
    }

    /// Finalizes every call and appends its result to the history. For a call that is still
    /// shown as running, a `ToolFinished` event is offered. Nothing here waits.
    fn close(&mut self) {
        todo!("results-after-cancel-or-panic: write OpenReply::close")
    }
}

impl Drop for OpenReply<'_> {
    fn drop(&mut self) {
        self.close();
    }
}
