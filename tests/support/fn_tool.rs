//! A tool made of a closure.

use std::future::Future;
use std::panic::resume_unwind;
use std::pin::Pin;
use std::time::Duration;

use async_trait::async_trait;
use claw_code::types::*;
use serde_json::{Value, json};
use tokio::time::sleep;

type ToolFuture = Pin<Box<dyn Future<Output = anyhow::Result<ToolResult>> + Send>>;

/// A tool that runs a closure and accepts any arguments.
pub struct FnTool {
    definition: ToolDefinition,
    is_concurrent_safe: bool,
    run: Box<dyn Fn(Value) -> ToolFuture + Send + Sync>,
}

impl FnTool {
    /// A tool that is not concurrent-safe.
    pub fn new<F>(name: &'static str, run: impl Fn(Value) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = anyhow::Result<ToolResult>> + Send + 'static,
    {
        let mut definition = ToolDefinition::new(name, "A tool for a test");
        definition.parameters["additionalProperties"] = json!(true);
        Self {
            definition,
            is_concurrent_safe: false,
            run: Box::new(move |args| Box::pin(run(args))),
        }
    }

    /// A tool that returns this text.
    pub fn text(name: &'static str, output: &'static str) -> Self {
        Self::new(name, move |_| async move { Ok(ToolResult::text(output)) })
    }

    /// A tool that returns this text after a delay.
    pub fn delayed(name: &'static str, milliseconds: u64, output: &'static str) -> Self {
        Self::new(name, move |_| async move {
            sleep(Duration::from_millis(milliseconds)).await;
            Ok(ToolResult::text(output))
        })
    }

    /// A tool that never returns.
    pub fn endless(name: &'static str) -> Self {
        Self::new(name, |_| std::future::pending())
    }

    /// A tool whose calls may run at the same time as others.
    pub fn concurrent_safe(mut self) -> Self {
        self.is_concurrent_safe = true;
        self
    }

    /// Adds a required string parameter.
    pub fn with_required(mut self, parameter: &str) -> Self {
        self.definition = self.definition.param(parameter, "string", "Required", true);
        self
    }
}

#[async_trait]
impl Tool for FnTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        (self.run)(args).await
    }

    fn is_concurrent_safe(&self) -> bool {
        self.is_concurrent_safe
    }

    fn activity_description(&self, _args: &Value) -> Option<String> {
        Some("Working...".into())
    }
}

/// Panics without printing a message, so that the output of a failed test begins with its
/// own message.
pub fn panic_silently(message: &str) -> ! {
    resume_unwind(Box::new(message.to_string()))
}
