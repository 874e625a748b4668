//! The seam for checks that understand what a call does. Chapter 11 writes them.

use crate::types::{Tool, ToolCall};

/// A check that judges what a call would do, without running it.
///
/// It may read the file system, and changes nothing.
pub trait SafetyCheck: Send + Sync {
    /// The check's name, for explanations.
    fn name(&self) -> &str;

    /// The check's judgment of a call.
    fn assess(&self, call: &ToolCall, tool: &dyn Tool) -> Assessment;
}

/// What a [`SafetyCheck`] found.
#[derive(Debug, Clone, PartialEq)]
pub enum Assessment {
    /// The call changes nothing and reaches nothing outside.
    Harmless,
    /// The check knows nothing about the call.
    Unknown,
    /// The call needs a question, even in mode `auto`, for this reason.
    Risky(String),
    /// The call must not run, for this reason.
    Forbidden(String),
}
