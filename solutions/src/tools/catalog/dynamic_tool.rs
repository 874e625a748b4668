//! Tools that are made while the program runs.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::types::{Tool, ToolDefinition, ToolResult};

/// What a dynamic tool does with its arguments.
type Handler = Box<dyn Fn(Value) -> BoxFuture<'static, anyhow::Result<ToolResult>> + Send + Sync>;

/// A tool whose name, description and schema are only known at run time, such as one
/// that another program offers. What it does is a closure.
///
/// The careful defaults of [`Tool`] hold until a method says otherwise.
pub struct DynamicTool {
    definition: ToolDefinition,
    handler: Handler,
    read_only: bool,
    concurrent_safe: bool,
    destructive: bool,
}

impl DynamicTool {
    /// A tool with this definition that answers each call by `handler`.
    ///
    /// Its name and description are [interned](intern): they stay in memory for good.
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

    /// Says that it leaves everything as it was.
    pub fn read_only(mut self) -> Self {
        self.read_only = true;
        self
    }

    /// Says that several calls may run at the same time.
    pub fn concurrent_safe(mut self) -> Self {
        self.concurrent_safe = true;
        self
    }

    /// Says that it does what can't be undone.
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

/// Every text that was interned.
static TEXTS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// The text, for as long as the program runs: equal texts are one and the same.
///
/// A [`ToolDefinition`] borrows its texts for good, so one that is made at run time has
/// to leak them. Each distinct text leaks once, however often it comes: a server that
/// starts anew and offers the same tools takes no more memory.
pub fn intern(text: &str) -> &'static str {
    // Whoever panicked with the lock in hand left a whole set behind.
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = texts.get(text) {
        return known;
    }
    let text: &'static str = Box::leak(text.into());
    texts.insert(text);
    text
}
