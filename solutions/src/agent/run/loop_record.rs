//! The record of a finished loop.

use serde::{Deserialize, Serialize};

use crate::agent::{StopReason, Usage};

/// A summary of a loop that has ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoopRecord {
    /// The loop's id.
    pub loop_id: String,
    /// The loop that it continued, or that started it as a tool.
    pub parent_loop_id: Option<String>,
    /// The reason why the loop ended.
    pub stop_reason: StopReason,
    /// The usage of all its replies, as in its `AgentEnd`.
    pub usage: Usage,
}
