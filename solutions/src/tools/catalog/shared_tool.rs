//! A handle that lets several tool sets share one tool.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;

use crate::types::{Tool, ToolDefinition, ToolResult, ValidationResult};

/// A handle to a tool, so that several registries and tool sets can hold it at the same
/// time. A clone is a handle to the same tool. Every method calls that tool's method.
#[derive(Clone)]
pub struct SharedTool(Arc<dyn Tool>);

impl SharedTool {
    /// Wraps a tool in a handle.
    pub fn new(tool: impl Tool + 'static) -> Self {
        Self(Arc::new(tool))
    }
}

// Methods with a default are forwarded too: the default would answer for the handle
// instead of the tool.
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
