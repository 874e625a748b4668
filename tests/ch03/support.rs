//! Chapter 3, The Tool Interface.
//!
//! Folders are real ones, made for the test and removed after it. The tools are small
//! and made by hand, so that each section is tested by itself.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::{Value, json};

/// A folder of its own for one test, removed at its end.
pub struct Folder(pub PathBuf);

impl Folder {
    /// With these empty files in it, and the folders that hold them.
    pub fn new(files: &[&str]) -> Self {
        let path = std::env::temp_dir().join(format!("claw-ch3-{}", uuid::Uuid::new_v4()));
        std::fs::create_dir_all(&path).expect("a new folder among the temporary files");
        for file in files {
            let file = path.join(file);
            let above = file.parent().expect("it lies in the new folder");
            std::fs::create_dir_all(above).expect("a new folder");
            std::fs::write(file, "").expect("a new file");
        }
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Its path without links: on some systems the temporary folder is behind one.
    pub fn real(&self) -> PathBuf {
        self.0.canonicalize().expect("it is there")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Makes a symbolic link, and says whether it could.
pub fn link(to: &str, at: &Path) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::symlink(to, at).is_ok();
    #[cfg(windows)]
    return std::os::windows::fs::symlink_dir(to, at).is_ok();
    #[cfg(not(any(unix, windows)))]
    return false;
}

#[track_caller]
pub fn refused(place: Result<PathBuf, String>, path: &str) -> String {
    match place {
        Err(message) => message,
        Ok(place) => panic!(
            "`{path}` should be refused, and leads to {}",
            place.display()
        ),
    }
}

pub fn name(name: &str) -> Step {
    Step::Name(name.to_string())
}

pub fn call(name: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: "call_1".to_string(),
        name: name.to_string(),
        arguments,
    }
}

/// What a [`Probe`] does when it is called.
pub enum Does {
    Echo,
    Fail,
    Panic,
    Flood,
}

/// A tool with one required string, `path`, that counts how often it is asked.
pub struct Probe {
    pub definition: ToolDefinition,
    pub does: Does,
    pub checks: AtomicUsize,
    pub calls: AtomicUsize,
}

impl Probe {
    pub fn new(does: Does) -> Self {
        Self {
            definition: ToolDefinition {
                name: "probe",
                description: "Does as the test says",
                parameters: json!({
                    "type": "object",
                    "properties": { "path": { "type": "string" } },
                    "required": ["path"]
                }),
            },
            does,
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

impl Tool for Probe {
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

    // Written without `async_trait`, so that it can panic before there is a future.
    fn call<'a: 'f, 'f>(
        &'a self,
        args: Value,
    ) -> std::pin::Pin<Box<dyn Future<Output = anyhow::Result<ToolResult>> + Send + 'f>> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let path = args["path"].as_str().unwrap_or_default().to_string();
        if path == "before the future" {
            panic!("no future here");
        }
        Box::pin(async move {
            tokio::task::yield_now().await;
            match (&self.does, path.as_str()) {
                (Does::Fail, _) => {
                    Err(anyhow::anyhow!("the disk is full").context(format!("cannot save {path}")))
                }
                (Does::Panic, "text") => panic!("index out of range"),
                (Does::Panic, "formatted") => panic!("bad path {path}"),
                (Does::Panic, "number") => std::panic::panic_any(7),
                (Does::Flood, "result") => Ok(ToolResult::text("x".repeat(2 * RESULT_LIMIT))),
                (Does::Flood, _) => Err(anyhow::anyhow!("x".repeat(2 * RESULT_LIMIT))),
                _ => Ok(ToolResult::text(args.to_string())),
            }
        })
    }
}
