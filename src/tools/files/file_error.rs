//! How the file tools fail.

use crate::types::ToolResult;

/// Why a file tool did not do its work. `?` makes the one of a `String`, and the other
/// of an [`anyhow::Error`].
#[derive(Debug)]
pub enum FileError {
    /// The model can mend it, by these words.
    Refused(String),
    /// The disk or the tool failed.
    Failed(anyhow::Error),
}

impl From<String> for FileError {
    fn from(message: String) -> Self {
        Self::Refused(message)
    }
}

impl From<anyhow::Error> for FileError {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(error)
    }
}

/// What `Tool::call` returns for such an outcome.
pub fn settle(outcome: Result<ToolResult, FileError>) -> anyhow::Result<ToolResult> {
    match outcome {
        Ok(result) => Ok(result),
        Err(FileError::Refused(message)) => Ok(ToolResult::error(message)),
        Err(FileError::Failed(error)) => Err(error),
    }
}
