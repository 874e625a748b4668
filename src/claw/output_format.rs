//! What a single prompt prints for scripts.

use clap::ValueEnum;
use serde::Serialize;

use crate::agent::{StopReason, Usage};

/// The values of `--output-format`.
#[derive(Debug, Clone, Copy, Default, PartialEq, ValueEnum)]
pub enum OutputFormat {
    /// The text that a conversation shows
    #[default]
    Text,
    /// One JSON object with the result
    Json,
    /// A JSON object for each event except `MessageUpdate`, then the one with the result
    StreamJson,
}

/// The result of a single prompt, as JSON. Later versions may add fields.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PromptResult {
    /// Always `result`.
    pub r#type: &'static str,
    /// Whether the prompt failed or was stopped.
    pub is_error: bool,
    /// The text of the last reply; empty if there is none.
    pub result: String,
    /// The error message; `null` if there is none.
    pub error: Option<String>,
    /// Why the last reply ended; `null` if no request was sent.
    pub stop_reason: Option<StopReason>,
    /// Whether a call was refused, or a plan not reviewed, because nobody could be asked.
    pub lacked_permission: bool,
    /// The session, for `--resume`; `null` if it is not saved.
    pub session_id: Option<String>,
    /// The tokens of all requests.
    pub usage: Usage,
    /// The time from the start of the prompt, in milliseconds.
    pub duration_ms: u64,
}
