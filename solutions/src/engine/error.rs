//! The errors that end a turn, by what the caller does next.

use std::fmt;

use crate::provider::ProviderError;

/// Why a turn ended early. Every error leaves a history that the next turn can use, except
/// [`Unanswered`](Self::Unanswered), which reports one that was incomplete before the turn.
#[derive(Debug, Clone, PartialEq)]
pub enum QueryError {
    /// The request failed, or the connection broke during the reply. The history is as it
    /// was before that request: fix what the provider's error names, then ask again.
    Provider(ProviderError),
    /// The user cancelled: wait for the next prompt.
    Cancelled,
    /// The model was asked this many times and still calls tools: ask the user whether to
    /// continue.
    TurnLimit(usize),
    /// The calls with these ids have no result, so the history was not sent.
    /// [`repair_history`](super::repair_history) adds the missing results.
    Unanswered(Vec<String>),
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Provider(error) => write!(f, "the model gave no reply: {error}"),
            Self::Cancelled => write!(f, "cancelled"),
            Self::TurnLimit(limit) => write!(
                f,
                "the model has not finished after {limit} requests; send `go on` to continue, or raise max_turns"
            ),
            Self::Unanswered(ids) => write!(
                f,
                "the history has tool calls without a result ({}); engine::repair_history adds the missing results",
                ids.join(", ")
            ),
        }
    }
}

impl std::error::Error for QueryError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Provider(error) => Some(error),
            _ => None,
        }
    }
}

impl From<ProviderError> for QueryError {
    fn from(error: ProviderError) -> Self {
        Self::Provider(error)
    }
}
