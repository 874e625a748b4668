//! Saving and restoring an agent.

use serde::{Deserialize, Serialize};

use super::{Agent, AgentError, AgentMessage, LoopCounts, Queues, Usage, repair_history};

/// The state that an agent needs to continue in another process. It does not include the
/// model, the tools and the settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentState {
    /// The agent's id.
    pub agent_id: String,
    /// The session's id.
    pub session_id: String,
    /// The history.
    pub messages: Vec<AgentMessage>,
    /// The queued messages.
    #[serde(default)]
    pub queues: Queues,
    /// The number of loops so far, so that loop ids stay unique.
    #[serde(default)]
    pub loops: LoopCounts,
    /// The last loop, which is the parent of the next one.
    #[serde(default)]
    pub last_loop_id: Option<String>,
    /// The usage of all loops.
    #[serde(default)]
    pub usage: Usage,
}

impl Agent {
    /// The state that [`restore`](Self::restore) needs. While a loop runs, it is the state
    /// before that loop, except that its id is counted and the queues are current.
    pub fn save(&self) -> AgentState {
        AgentState {
            agent_id: self.agent_id.clone(),
            session_id: self.session_id.clone(),
            messages: self.messages().to_vec(),
            queues: self.handle.queues(),
            loops: self.counts.clone(),
            last_loop_id: self.last_loop_id.clone(),
            usage: self.usage(),
        }
    }

    /// Replaces the agent's state with a saved one. The model, the tools and the settings
    /// stay. Returns how many calls of the saved history had no result; each gets one.
    pub fn restore(&mut self, state: AgentState) -> Result<usize, AgentError> {
        let repaired = self.replace_messages(state.messages)?;
        self.agent_id = state.agent_id;
        self.session_id = state.session_id;
        self.counts = state.loops;
        self.last_loop_id = state.last_loop_id;
        self.usage = state.usage;
        self.handle.with_queues(|queues| *queues = state.queues);
        Ok(repaired)
    }

    /// Replaces the history, for instance with a branch or a compacted one. Returns how many
    /// of its calls had no result; each gets one.
    pub fn replace_messages(
        &mut self,
        mut messages: Vec<AgentMessage>,
    ) -> Result<usize, AgentError> {
        if self.is_streaming() {
            return Err(AgentError::AlreadyStreaming);
        }
        self.settle();
        let repaired = repair_history(&mut messages, (self.services.clock)());
        self.set_history(messages);
        Ok(repaired)
    }
}
