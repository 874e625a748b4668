//! One call from its start to its result.

use crate::tools::truncate_result;
use crate::types::{ToolCall, ToolResult, ToolResultMessage};

/// The error message of a call that never started.
pub const NOT_RUN: &str = "the turn was cancelled before this call ran";

/// The error message of a call that started and did not finish.
pub const CUT_OFF: &str =
    "the turn was cancelled while this call ran; what it did until then was not undone";

/// A call that may not have its result yet, with its progress and the notes of gates.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenCall {
    /// The call that runs. A gate may have rewritten its arguments; the history keeps
    /// the model's own.
    pub call: ToolCall,
    /// The state of the call.
    pub state: CallState,
    /// Text that gates add to the result, in the order of the gates.
    pub notes: Vec<String>,
    /// Whether the reader shows the call as running: its start event was sent and its end
    /// event was not.
    pub shown_as_running: bool,
}

/// The state of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum CallState {
    /// The call has not started.
    Waiting,
    /// Its tool was called and has not returned.
    Running,
    /// The call has an output: the tool's, or an error that says why the tool did not run.
    Finished(ToolResult),
    /// The result is final.
    Answered(ToolResultMessage),
}

impl OpenCall {
    /// A call that has not started.
    pub fn new(call: ToolCall) -> Self {
        Self {
            call,
            state: CallState::Waiting,
            notes: Vec::new(),
            shown_as_running: false,
        }
    }

    /// Makes the result final, whatever the state, and returns it. A second call
    /// returns the same message.
    ///
    /// A call that did not start gets the error [`NOT_RUN`], one that did not finish
    /// the error [`CUT_OFF`]. The notes follow the content, with an empty line before
    /// each, and the whole text is truncated to `limit` bytes. Truncated output stays
    /// marked as truncated, and a failure stays a failure.
    pub fn finalize(&mut self, limit: usize) -> ToolResultMessage {
        let mut result = match &self.state {
            CallState::Waiting => ToolResult::error(NOT_RUN),
            CallState::Running => ToolResult::error(CUT_OFF),
            CallState::Finished(result) => result.clone(),
            CallState::Answered(message) => return message.clone(),
        };
        for note in &self.notes {
            result.content.push_str("\n\n");
            result.content.push_str(note);
        }
        let result = truncate_result(result, limit);
        let message = ToolResultMessage::new(&self.call.id, result);
        self.state = CallState::Answered(message.clone());
        message
    }
}
