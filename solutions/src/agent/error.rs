//! Errors at the start of a loop.

use std::fmt;

/// The reason why an agent did not start a loop. The agent is unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentError {
    /// Another loop is running.
    AlreadyStreaming,
    /// The history has no message to answer.
    EmptyHistory,
    /// The last message is an assistant message, so there is nothing to answer.
    NothingToAnswer,
}

impl fmt::Display for AgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AlreadyStreaming => "Agent is already streaming. Use steer() or follow_up().",
            Self::EmptyHistory => {
                "the agent cannot continue: its history has no message for the model. Use prompt()."
            }
            Self::NothingToAnswer => {
                "the agent cannot continue: the last message is an assistant message. Use prompt()."
            }
        })
    }
}

impl std::error::Error for AgentError {}
