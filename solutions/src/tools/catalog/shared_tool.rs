//! One tool in several sets.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;

use crate::types::{Tool, ToolDefinition, ToolResult, ValidationResult};

/// A tool that several registries and tool sets hold at the same time: a clone is the
/// same tool again. In all that it says and does it is the tool that is shared.
#[derive(Clone)]
pub struct SharedTool(Arc<dyn Tool>);

impl SharedTool {
    /// Makes a tool one that can be shared.
    pub fn new(tool: impl Tool + 'static) -> Self {
        Self(Arc::new(tool))
    }
}

// Every method is passed on, those with a default too: a default that is left in place
// answers for the wrapper and not for the tool.
#[async_trait]
impl Tool for SharedTool {
    fn definition(&self) -> &ToolDefinition {
        self.0.definition()
    }

    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        self.0.call(args).await
    }

    fn validate_input(&self, args: &Value) -> ValidationResult {
        self.0.validate_input(args)
    }

    fn is_read_only(&self) -> bool {
        self.0.is_read_only()
    }

    fn is_concurrent_safe(&self) -> bool {
        self.0.is_concurrent_safe()
    }

    fn is_destructive(&self) -> bool {
        self.0.is_destructive()
    }

    fn summary(&self, args: &Value) -> String {
        self.0.summary(args)
    }

    fn activity_description(&self, args: &Value) -> Option<String> {
        self.0.activity_description(args)
    }
}
