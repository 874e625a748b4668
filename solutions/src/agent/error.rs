//! Why a loop can't be started.

use std::fmt;

/// Why an agent does not start a loop. Nothing has changed then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentError {
    /// A loop runs already.
    AlreadyStreaming,
    /// There is no message to go on from.
    EmptyHistory,
    /// The last message is the model's own: there is nothing to answer.
    NothingToAnswer,
}

impl fmt::Display for AgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AlreadyStreaming => "Agent is already streaming. Use steer() or follow_up().",
            Self::EmptyHistory => "the agent cannot go on: its history is empty. Use prompt().",
            Self::NothingToAnswer => {
                "the agent cannot go on: the last message is an assistant's. Use prompt()."
            }
        })
    }
}

impl std::error::Error for AgentError {}
