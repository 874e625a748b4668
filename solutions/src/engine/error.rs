//! Why a turn ends without a reply, by what the caller does next.

use std::fmt;

use crate::provider::ProviderError;

/// Why a turn ended early. The history can go on after each of them.
#[derive(Debug, Clone, PartialEq)]
pub enum QueryError {
    /// The model could not be asked, or its reply broke off. The history is as it was
    /// before that request: ask again, once what the provider says is mended.
    Provider(ProviderError),
    /// The user cancelled: wait for what they type next.
    Cancelled,
    /// The model was asked this many times and still wants to call tools: ask the user
    /// whether to go on.
    TurnLimit(usize),
    /// The history came in broken: these calls have no result.
    /// [`mend`](super::mend) adds what is missing.
    Unanswered(Vec<String>),
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Provider(error) => write!(f, "the model gave no reply: {error}"),
            Self::Cancelled => write!(f, "cancelled"),
            Self::TurnLimit(limit) => write!(
                f,
                "the model was asked {limit} times and has not finished; say `go on` to continue, or raise max_turns"
            ),
            Self::Unanswered(ids) => write!(
                f,
                "the history has tool calls without a result ({}); engine::mend adds them",
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
