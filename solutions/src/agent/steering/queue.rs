//! Queues for input that arrives while a loop runs.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::agent::AgentMessage;

/// How many messages leave a queue at a time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum QueueMode {
    /// One, so that the model answers each message separately.
    #[default]
    OneAtATime,
    /// All queued messages.
    All,
}

/// A queue of messages, the oldest first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Queue {
    /// How many messages leave at a time.
    #[serde(default)]
    pub mode: QueueMode,
    /// The queued messages.
    #[serde(default)]
    pub waiting: VecDeque<AgentMessage>,
}

impl Queue {
    /// Takes the next messages, as many as the mode allows. An empty queue gives none.
    pub fn take(&mut self) -> Vec<AgentMessage> {
        let count = match self.mode {
            QueueMode::OneAtATime => self.waiting.len().min(1),
            QueueMode::All => self.waiting.len(),
        };
        self.waiting.drain(..count).collect()
    }

    /// Whether a message for the model is queued, and not only extensions.
    pub fn has_model_input(&self) -> bool {
        self.waiting
            .iter()
            .any(|message| message.as_llm().is_some())
    }
}

/// The two queues of an agent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Queues {
    /// Messages that redirect a loop. They take effect at the next tool boundary, and are taken
    /// when the turn has ended.
    #[serde(default)]
    pub steering: Queue,
    /// Messages that follow a loop's work, taken when the model has nothing left to do.
    #[serde(default)]
    pub follow_up: Queue,
}

impl Queues {
    /// Takes the next messages: steering messages or, if there are none and the loop is at a
    /// `natural` stop, follow-up messages. At a natural stop, the model has nothing left to do.
    pub fn take(&mut self, natural: bool) -> Vec<AgentMessage> {
        let steering = self.steering.take();
        match steering.is_empty() && natural {
            true => self.follow_up.take(),
            false => steering,
        }
    }
}
