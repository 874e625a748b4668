//! A transcript that grows while an agent runs.

use std::collections::HashMap;

use serde_json::Value;

use super::narrate::Narrators;
use super::{AgentMessage, from_agent};
use crate::agent::{self, AgentEvent};

/// Makes the rows of a transcript from what an agent tells.
///
/// One recorder is for one agent, loop after loop. What stood in the agent's history before
/// is not told, and so is not in the rows; neither are the loops of its subagents.
pub struct Recorder {
    narrators: Narrators,
    /// The calls whose results have no row yet, by their ids.
    calls: HashMap<String, Told>,
    rows: Vec<AgentMessage>,
}

/// What events alone say of a call.
struct Told {
    /// What the tool was given.
    args: Value,
    /// What programs read of its result.
    details: Option<Value>,
}

impl Recorder {
    /// Without any row. These narrators make the sentences about results.
    pub fn new(narrators: Narrators) -> Self {
        Self {
            narrators,
            calls: HashMap::new(),
            rows: Vec::new(),
        }
    }

    /// Takes in the next event.
    ///
    /// A message has a row as soon as it is whole, once, at the end of those
    /// that are there. Of a call, what it ran with and the `details` of its result are kept
    /// for the result's row; `details` that are `null` are none.
    pub fn record(&mut self, event: &AgentEvent) {
        let Some(event) = event.known() else {
            return;
        };
        match event {
            AgentEvent::ToolExecutionStart {
                tool_call_id, args, ..
            } => {
                let told = Told {
                    args: args.clone(),
                    details: None,
                };
                self.calls.insert(tool_call_id.clone(), told);
            }
            AgentEvent::ToolExecutionEnd {
                tool_call_id,
                result,
                ..
            } => {
                if let Some(told) = self.calls.get_mut(tool_call_id) {
                    told.details = Some(result.details.clone()).filter(|it| !it.is_null());
                }
            }
            AgentEvent::MessageEnd { message, .. } => {
                let row = self.row(message);
                self.rows.extend(row);
            }
            _ => {}
        }
    }

    /// The row of a message: what [`from_agent`] makes of it and, if it is the result of a
    /// call that was told of, with the [sentence](Narrators::sentence) about the call as it
    /// ran and with its details. Nothing is kept of the call then.
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
            && let Some(told) = self.calls.remove(tool_call_id)
        {
            let text = content.text();
            let narrators = &self.narrators;
            *narration = Some(narrators.sentence(tool_name, &told.args, &text, *is_error));
            *details = told.details;
        }
        Some(row)
    }

    /// The rows so far.
    pub fn rows(&self) -> &[AgentMessage] {
        &self.rows
    }

    /// The rows, when nothing more is to be recorded.
    pub fn into_rows(self) -> Vec<AgentMessage> {
        self.rows
    }
}
