//! One call on its way to a result.

use crate::tools::bounded;
use crate::types::{ToolCall, ToolResult, ToolResultMessage, new_id};

/// What a call is told that was never started.
pub const NOT_RUN: &str = "the turn was cancelled before this call ran";

/// What a call is told that was started and not finished.
pub const CUT_OFF: &str =
    "the turn was cancelled while this call ran; what it did until then was not undone";

/// A call and all that is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenCall {
    /// What is to run. A gate may have rewritten its arguments; the history keeps the
    /// model's own.
    pub call: ToolCall,
    /// How far it is.
    pub state: CallState,
    /// What gates have to add to the result, in their order.
    pub notes: Vec<String>,
    /// Whether the screen shows it as running: its start was told and its end was not.
    pub on_screen: bool,
}

/// How far a call is.
#[derive(Debug, Clone, PartialEq)]
pub enum CallState {
    /// Nothing has happened yet.
    Waiting,
    /// It was handed to its tool.
    Running,
    /// There is an output: the tool's, or the reason why it was not run.
    Finished(ToolResult),
    /// There is a result, and it is final.
    Answered(ToolResultMessage),
}

impl OpenCall {
    /// A call of which nothing has happened yet.
    pub fn new(call: ToolCall) -> Self {
        Self {
            call,
            state: CallState::Waiting,
            notes: Vec::new(),
            on_screen: false,
        }
    }

    /// Makes the result final, whatever the state, and returns it; asked again, it
    /// returns the same message.
    ///
    /// A call that was not run gets the error [`NOT_RUN`], one that did not finish
    /// [`CUT_OFF`]. The notes follow the content, each behind an empty line, and all of
    /// it is truncated to `limit` bytes. Output that came truncated stays marked so.
    pub fn settle(&mut self, limit: usize) -> ToolResultMessage {
        todo!("4.3: write OpenCall::settle")
    }
}
