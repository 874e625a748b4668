//! What the user says while a loop runs, in line.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::agent::AgentMessage;

/// How many messages leave a queue at a time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum QueueMode {
    /// One, so that the model answers each by itself.
    #[default]
    OneAtATime,
    /// All that there are.
    All,
}

/// Messages in line, the oldest first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Queue {
    /// How many leave at a time.
    #[serde(default)]
    pub mode: QueueMode,
    /// Those that wait.
    #[serde(default)]
    pub waiting: VecDeque<AgentMessage>,
}

impl Queue {
    /// Takes what is due, by the mode: nothing from an empty queue.
    pub fn take(&mut self) -> Vec<AgentMessage> {
        todo!("16.6: write Queue::take")
    }

    /// Whether there is something for the model in line, and not only extensions.
    pub fn speaks_to_model(&self) -> bool {
        todo!("16.6: write Queue::speaks_to_model")
    }
}

/// The two lines of an agent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Queues {
    /// What redirects a loop: taken at the next tool boundary.
    #[serde(default)]
    pub steering: Queue,
    /// What follows a loop's work: taken when the model has nothing left to do.
    #[serde(default)]
    pub follow_up: Queue,
}
