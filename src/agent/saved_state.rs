//! An agent between two runs of the program.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Agent, AgentError, AgentMessage, LoopCounts, Queues, Usage, mend_messages};

/// What is left of an agent when nothing runs: what it needs to go on, and no model, tools
/// or settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentState {
    /// The agent's id.
    pub agent_id: String,
    /// The session's id.
    pub session_id: String,
    /// The history.
    pub messages: Vec<AgentMessage>,
    /// What waits in line.
    #[serde(default)]
    pub queues: Queues,
    /// How many loops there were, so that no loop id comes again.
    #[serde(default)]
    pub loops: LoopCounts,
    /// The last loop, the parent of the next one.
    #[serde(default)]
    pub last_loop_id: Option<String>,
    /// What all loops cost together.
    #[serde(default)]
    pub usage: Usage,
}

impl Agent {
    /// Everything that [`restore`](Self::restore) needs. While a loop runs it is the state
    /// before that loop, though with its id counted, and the lines as they are now.
    pub fn save(&self) -> AgentState {
        todo!("16.11: write Agent::save")
    }

    /// Takes over a saved state in place of its own; the model, the tools and the settings
    /// stay. Calls that the saved history left without a result get one: it returns how
    /// many.
    pub fn restore(&mut self, state: AgentState) -> Result<usize, AgentError> {
        todo!("16.11: write Agent::restore")
    }

    /// Goes on with another history: a branch, or one that was compacted. Calls without a
    /// result get one: it returns how many.
    pub fn replace_messages(
        &mut self,
        mut messages: Vec<AgentMessage>,
    ) -> Result<usize, AgentError> {
        todo!("16.11: write Agent::replace_messages")
    }
}
