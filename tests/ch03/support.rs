//! Helpers for chapter 3.
//!
//! Tests of paths and folders use temporary folders. The tools are written by hand, so that
//! each section is tested by itself.

use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::{Value, json};

pub use crate::support::{TempFolder, run_beside_busy_thread};

/// A temporary folder with these empty files.
pub fn folder_with(files: &[&str]) -> TempFolder {
    let folder = TempFolder::new();
    for file in files {
        folder.write(file, "");
    }
    folder
}

/// Creates the symbolic link `link` to `target`. Returns `false` if the system refuses.
pub fn symlink(target: &str, link: &Path) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::symlink(target, link).is_ok();
    #[cfg(windows)]
    return std::os::windows::fs::symlink_dir(target, link).is_ok();
    #[cfg(not(any(unix, windows)))]
    return false;
}

/// The error message of a path that must not resolve.
#[track_caller]
pub fn resolve_error(root: &Path, path: &str) -> String {
    match resolve(root, path) {
        Err(message) => message,
        Ok(resolved) => panic!(
            "`{path}` should be refused, and resolves to {}",
            resolved.display()
        ),
    }
}

/// Checks that a path resolves to `expected`.
#[track_caller]
pub fn assert_resolves(root: &Path, path: &str, expected: PathBuf) {
    assert_eq!(resolve(root, path), Ok(expected), "resolving `{path}`");
}

/// A tool definition with this schema.
pub fn definition(name: &'static str, parameters: Value) -> ToolDefinition {
    ToolDefinition {
        name,
        description: "A tool for tests",
        parameters,
    }
}

pub fn tool_call(name: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: "call_1".to_string(),
        name: name.to_string(),
        arguments,
    }
}

/// Checks that a result is an error whose content has the prefix and these parts.
#[track_caller]
pub fn assert_error_result(result: &ToolResult, parts: &[&str]) {
    let content = &result.content;
    assert!(
        result.is_error && content.starts_with("error: "),
        "the result should be an error result with its prefix: {result:?}"
    );
    for part in parts {
        assert!(
            content.contains(part),
            "the error result should contain {part:?}; it reads: {content}"
        );
    }
}

/// What a [`ProbeTool`] does when it is called.
pub enum Behavior {
    Echo,
    Fail,
    Panic,
    Flood,
    /// An error result that is marked as cut.
    CutError,
}

/// A tool with one required string, `path`, that counts its checks and its calls.
pub struct ProbeTool {
    definition: ToolDefinition,
    behavior: Behavior,
    checks: AtomicUsize,
    calls: AtomicUsize,
}

impl ProbeTool {
    pub fn new(behavior: Behavior) -> Self {
        let parameters = json!({
            "type": "object",
            "properties": { "path": { "type": "string" } },
            "required": ["path"]
        });
        Self {
            definition: definition("probe", parameters),
            behavior,
            checks: AtomicUsize::new(0),
            calls: AtomicUsize::new(0),
        }
    }

    pub fn checks(&self) -> usize {
        self.checks.load(Ordering::SeqCst)
    }

    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }
}

impl Tool for ProbeTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn validate_input(&self, args: &Value) -> ValidationResult {
        self.checks.fetch_add(1, Ordering::SeqCst);
        match args["path"].as_str() {
            Some("forbidden") => ValidationResult::Error {
                message: "`path` is taken".to_string(),
                code: 7,
            },
            Some("panic in check") => panic!("the check broke"),
            _ => ValidationResult::Ok,
        }
    }

    // Written without `async_trait`, so that it can panic before it returns a future.
    fn call<'a: 'f, 'f>(
        &'a self,
        args: Value,
    ) -> Pin<Box<dyn Future<Output = anyhow::Result<ToolResult>> + Send + 'f>> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let path = args["path"].as_str().unwrap_or_default().to_string();
        if path == "before the future" {
            panic!("no future here");
        }
        Box::pin(async move {
            tokio::task::yield_now().await;
            match (&self.behavior, path.as_str()) {
                (Behavior::CutError, _) => Ok(ToolResult {
                    is_truncated: true,
                    ..ToolResult::error("no such file")
                }),
                (Behavior::Fail, _) => {
                    Err(anyhow::anyhow!("the disk is full").context(format!("cannot save {path}")))
                }
                (Behavior::Panic, "text") => panic!("index out of range"),
                (Behavior::Panic, "formatted") => panic!("bad path {path}"),
                (Behavior::Panic, "number") => std::panic::panic_any(7),
                (Behavior::Flood, "result") => Ok(ToolResult::text("x".repeat(2 * RESULT_LIMIT))),
                // A panic that prints nothing.
                (Behavior::Flood, "panic") => {
                    std::panic::resume_unwind(Box::new("x".repeat(2 * RESULT_LIMIT)))
                }
                (Behavior::Flood, _) => Err(anyhow::anyhow!("x".repeat(2 * RESULT_LIMIT))),
                _ => Ok(ToolResult::text(args.to_string())),
            }
        })
    }
}
