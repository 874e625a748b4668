//! The gate that applies the decisions of the permission engine to calls.

use std::sync::Arc;

use async_trait::async_trait;

use super::{Answer, Approver, NOBODY_TO_ASK, PermissionEngine};
use crate::engine::Gate;
use crate::types::{Permission, Tool, ToolCall};

/// A gate that lets a call run only if the engine or the user allows it.
pub struct PermissionGate {
    engine: Arc<PermissionEngine>,
    approver: Arc<dyn Approver>,
}

impl PermissionGate {
    /// A gate with the engine that decides and the approver that answers its questions.
    pub fn new(engine: Arc<PermissionEngine>, approver: Arc<dyn Approver>) -> Self {
        Self { engine, approver }
    }
}

#[async_trait]
impl Gate for PermissionGate {
    /// Refuses a call that the engine denies or the user refuses, with the reason. If nobody can
    /// answer, the reason is [`NOBODY_TO_ASK`].
    ///
    /// If the user agrees, the engine remembers the approval, and the call passes.
    async fn check(&self, call: &ToolCall, tool: &dyn Tool) -> Result<(), String> {
        todo!("permission-gate: write PermissionGate::check")
    }
}

/// The error of a call that the user refused: `the user refused this call`, then a colon and the
/// reason if there is one.
pub fn refusal(reason: Option<String>) -> String {
    todo!("permission-gate: write refusal")
}
