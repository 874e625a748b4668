//! Tools that are created at run time.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::types::{Tool, ToolDefinition, ToolResult};

/// The function that runs a dynamic tool's calls.
type Handler = Box<dyn Fn(Value) -> BoxFuture<'static, anyhow::Result<ToolResult>> + Send + Sync>;

/// A tool whose name, description and schema are known only at run time, such as a tool of
/// another program. A closure runs its calls.
///
/// The flags have the cautious defaults of [`Tool`]; each has a method that sets it.
pub struct DynamicTool {
    definition: ToolDefinition,
    handler: Handler,
    read_only: bool,
    concurrent_safe: bool,
    destructive: bool,
}

impl DynamicTool {
    /// A tool with this definition whose calls are run by `handler`.
    ///
    /// Name and description are [interned](intern): they stay in memory until the program
    /// ends.
    pub fn new<F, Fut>(name: &str, description: &str, parameters: Value, handler: F) -> Self
    where
        F: Fn(Value) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = anyhow::Result<ToolResult>> + Send + 'static,
    {
        Self {
            definition: ToolDefinition {
                name: intern(name),
                description: intern(description),
                parameters,
            },
            handler: Box::new(move |args| Box::pin(handler(args))),
            read_only: false,
            concurrent_safe: false,
            destructive: false,
        }
    }

    /// Marks the tool as read-only: it changes nothing.
    pub fn read_only(mut self) -> Self {
        self.read_only = true;
        self
    }

    /// Marks the tool as safe to run several times at once.
    pub fn concurrent_safe(mut self) -> Self {
        self.concurrent_safe = true;
        self
    }

    /// Marks the tool as destructive: its effects can't be undone.
    pub fn destructive(mut self) -> Self {
        self.destructive = true;
        self
    }
}

#[async_trait]
impl Tool for DynamicTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        (self.handler)(args).await
    }

    fn is_read_only(&self) -> bool {
        self.read_only
    }

    fn is_concurrent_safe(&self) -> bool {
        self.concurrent_safe
    }

    fn is_destructive(&self) -> bool {
        self.destructive
    }
}

/// All interned texts.
static INTERNED: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// Returns `text` with a static lifetime. Equal texts return the same reference.
///
/// A [`ToolDefinition`] holds `&'static str`, so a definition made at run time must leak
/// its texts. Each distinct text leaks only once, so a server that restarts and offers the
/// same tools again needs no more memory.
pub fn intern(text: &str) -> &'static str {
    // A panic while the lock was held left the set intact.
    let mut texts = INTERNED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = texts.get(text) {
        return known;
    }
    let text: &'static str = Box::leak(text.into());
    texts.insert(text);
    text
}
