//! What is kept of a loop.

use serde::{Deserialize, Serialize};

use crate::agent::{StopReason, Usage};

/// A loop that is over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoopRecord {
    /// Its id.
    pub loop_id: String,
    /// The loop that it went on from, or that started it as a tool.
    pub parent_loop_id: Option<String>,
    /// Why it ended.
    pub stop_reason: StopReason,
    /// What its replies cost together: the `usage` of its `AgentEnd`.
    pub usage: Usage,
}
