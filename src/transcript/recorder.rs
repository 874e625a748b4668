//! A transcript of a running agent.

use std::collections::HashMap;

use serde_json::Value;

use super::narrate::Narrators;
use super::{AgentMessage, ToolResultContent, from_agent};
use crate::agent::{self, AgentEvent};

/// Makes the rows of a transcript from an agent's events.
///
/// A recorder serves one agent, for all of its loops. The rows do not contain the history that
/// the agent had before, nor the loops of its subagents.
pub struct Recorder {
    narrators: Narrators,
    /// The calls whose results have no row yet, by call id.
    calls: HashMap<String, CallRecord>,
    rows: Vec<AgentMessage>,
}

/// Data about a call that only its events have.
struct CallRecord {
    /// The arguments that the tool got.
    args: Value,
    /// The details of its result, for programs.
    details: Option<Value>,
}

impl Recorder {
    /// A recorder without rows. `narrators` write the sentences about results.
    pub fn new(narrators: Narrators) -> Self {
        Self {
            narrators,
            calls: HashMap::new(),
            rows: Vec::new(),
        }
    }

    /// Records the next event.
    ///
    /// When a message ends, its row is added after the other rows. For a call, the arguments
    /// that it ran with and the `details` of its result are stored until the result's row is
    /// made. `details` of `null` become `None`.
    pub fn record(&mut self, event: &AgentEvent) {
        todo!("transcript-rows: write Recorder::record")
    }

    /// Converts a message to its row by [`from_agent`]. The result of a stored call also gets
    /// its [narration](Self::narration) and the call's details. The stored call is removed.
    fn row(&mut self, message: &agent::AgentMessage) -> Option<AgentMessage> {
        let mut row = from_agent(std::slice::from_ref(message)).messages.pop()?;
        if let AgentMessage::ToolResult {
            tool_call_id,
            tool_name,
            content,
            is_error,
            narration,
            details,
            ..
        } = &mut row
            && let Some(call) = self.calls.remove(tool_call_id)
        {
            *narration = Some(self.narration(tool_name, &call, content, *is_error));
            *details = call.details;
        }
        Some(row)
    }

    /// The [sentence](Narrators::sentence) about a call, with the arguments that it ran with.
    fn narration(
        &self,
        tool: &str,
        call: &CallRecord,
        content: &ToolResultContent,
        is_error: bool,
    ) -> String {
        todo!("transcript-rows: write Recorder::narration")
    }

    /// The rows so far.
    pub fn rows(&self) -> &[AgentMessage] {
        &self.rows
    }

    /// The rows, without the recorder.
    pub fn into_rows(self) -> Vec<AgentMessage> {
        self.rows
    }
}
