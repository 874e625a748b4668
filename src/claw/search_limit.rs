//! A time limit for the search tools.

use std::time::Duration;

use anyhow::Result;
use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::time::{Instant, interval_at, sleep};

use crate::tools::report;
use crate::types::{Tool, ToolDefinition, ToolResult};

/// How long one search may take.
pub const SEARCH_LIMIT: Duration = Duration::from_secs(60);

/// A search tool whose calls end after a time limit, and report progress each second. A
/// search of `/` could take hours, and a model that waits for it can't ask for less.
pub struct LimitedSearch<T> {
    tool: T,
    limit: Duration,
}

impl<T: Tool> LimitedSearch<T> {
    /// The search `tool`, each of whose calls may take `limit`.
    pub fn new(tool: T, limit: Duration) -> Self {
        Self { tool, limit }
    }
}

/// The methods that the search tools leave at their defaults have these here, too.
#[async_trait]
impl<T: Tool> Tool for LimitedSearch<T> {
    fn definition(&self) -> &ToolDefinition {
        self.tool.definition()
    }

    /// Dropping the tool's future stops its threads. What they found by then is lost.
    async fn call(&self, args: Value) -> Result<ToolResult> {
        let second = Duration::from_secs(1);
        let start = Instant::now();
        let mut ticks = interval_at(start + second, second);
        let mut search = self.tool.call(args);
        let limit = sleep(self.limit);
        tokio::pin!(limit);
        loop {
            tokio::select! {
                biased;
                result = &mut search => return result,
                () = &mut limit => return Ok(ToolResult::error(limit_message(self.limit))),
                _ = ticks.tick() => report(json!({ "seconds": start.elapsed().as_secs() })),
            }
        }
    }

    fn is_read_only(&self) -> bool {
        self.tool.is_read_only()
    }

    fn is_concurrent_safe(&self) -> bool {
        self.tool.is_concurrent_safe()
    }

    fn summary(&self, args: &Value) -> String {
        self.tool.summary(args)
    }
}

/// The error message of a search that took longer than `limit`.
fn limit_message(limit: Duration) -> String {
    format!(
        "the search was stopped after {} s, its time limit, and its result is lost; narrow it \
         with `path`, or with a glob or a type",
        limit.as_secs_f64()
    )
}
