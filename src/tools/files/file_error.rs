//! The error type of the file tools.

use crate::types::ToolResult;

/// Why a file tool could not do its work. `?` converts a `String` to
/// [`Refused`](Self::Refused) and an [`anyhow::Error`] to [`Failed`](Self::Failed).
#[derive(Debug)]
pub enum FileError {
    /// The model can correct its call. The text says how.
    Refused(String),
    /// An I/O error or another failure that the model did not cause.
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

/// Converts the outcome of a file tool to what `Tool::call` returns: a refusal becomes an
/// error result for the model, a failure becomes an `Err`.
pub fn call_result(outcome: Result<ToolResult, FileError>) -> anyhow::Result<ToolResult> {
    match outcome {
        Ok(result) => Ok(result),
        Err(FileError::Refused(message)) => Ok(ToolResult::error(message)),
        Err(FileError::Failed(error)) => Err(error),
    }
}
