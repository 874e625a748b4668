//! A transcript of a running agent.

use std::collections::HashMap;

use serde_json::Value;

use super::narrate::Narrators;
use super::{AgentMessage, from_agent};
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
    /// the [sentence](Narrators::sentence) about the call with the arguments that it ran with,
    /// and the call's details. The stored call is removed.
    fn row(&mut self, message: &agent::AgentMessage) -> Option<AgentMessage> {
        todo!("transcript-rows: write Recorder::row")
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
