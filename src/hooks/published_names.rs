//! The names that published hooks know: of tools, arguments, results and modes.

use std::path::Path;

use serde_json::{Value, json};

use crate::permission::Places;
use crate::types::{PermissionMode, ToolCall, ToolResult};

/// Each tool's own name, and its name in published hooks.
const TOOL_NAMES: [(&str, &str); 8] = [
    ("bash", "Bash"),
    ("edit", "Edit"),
    ("glob", "Glob"),
    ("grep", "Grep"),
    ("list", "LS"),
    ("multi_edit", "MultiEdit"),
    ("read", "Read"),
    ("write", "Write"),
];

/// The tools whose `path` is named `file_path` in published hooks.
const FILE_TOOLS: [&str; 4] = ["edit", "multi_edit", "read", "write"];

/// A tool's name in published hooks. A tool that they don't know keeps its name.
pub fn published_name(tool: &str) -> &str {
    let known = TOOL_NAMES.iter().find(|(own, _)| *own == tool);
    known.map_or(tool, |(_, published)| published)
}

/// A call's arguments as published hooks know them: for `read`, `write`, `edit` and
/// `multi_edit`, `path` becomes `file_path`, an absolute path without `.` and `..` that starts in
/// `cwd` and whose links are not followed; for `bash`, `timeout` becomes milliseconds, rounded to a whole number. Everything else
/// stays, also arguments that are no object or have another type.
pub fn published_input(call: &ToolCall, cwd: &Path) -> Value {
    let mut input = call.arguments.clone();
    let Some(fields) = input.as_object_mut() else {
        return input;
    };
    if FILE_TOOLS.contains(&call.name.as_str())
        && let Some(path) = fields.get("path").and_then(Value::as_str)
    {
        let places = Places {
            workspace: cwd.to_path_buf(),
            home: None,
        };
        let path = places.absolute(path).display().to_string();
        fields.remove("path");
        fields.insert("file_path".into(), path.into());
    }
    if call.name == "bash"
        && let Some(seconds) = fields.get("timeout").and_then(Value::as_f64)
    {
        fields.insert("timeout".into(), json!((seconds * 1000.0).round() as u64));
    }
    input
}

/// The arguments for the tool with the own name `tool`, from arguments as published hooks know
/// them: the opposite of [`published_input`]. A `file_path` in `cwd` becomes a `path` relative to
/// it. One outside stays absolute, and the tool will refuse it. Everything else stays.
pub fn own_input(tool: &str, mut input: Value, cwd: &Path) -> Value {
    let Some(fields) = input.as_object_mut() else {
        return input;
    };
    if FILE_TOOLS.contains(&tool)
        && let Some(path) = fields.get("file_path").and_then(Value::as_str)
    {
        let path = Path::new(path);
        let path = path.strip_prefix(cwd).unwrap_or(path).display().to_string();
        fields.remove("file_path");
        fields.insert("path".into(), path.into());
    }
    if tool == "bash"
        && let Some(milliseconds) = fields.get("timeout").and_then(Value::as_f64)
    {
        fields.insert("timeout".into(), json!(milliseconds / 1000.0));
    }
    input
}

/// A call's result as an object: `content` is what the model reads, and `success` is true. For
/// `bash`, `stdout` is the content too, with standard error in it, and `stderr` is empty. For a
/// tool with a `file_path`, `filePath` is that path.
pub fn published_response(tool_input: &Value, call: &ToolCall, result: &ToolResult) -> Value {
    let mut response = json!({ "content": result.content, "success": true });
    if call.name == "bash" {
        response["stdout"] = json!(result.content);
        response["stderr"] = json!("");
        response["interrupted"] = json!(false);
    }
    if let Some(path) = tool_input.get("file_path") {
        response["filePath"] = path.clone();
    }
    response
}

/// A mode's name in published hooks.
pub fn published_mode(mode: &PermissionMode) -> &'static str {
    match mode {
        PermissionMode::Default => "default",
        PermissionMode::Auto => "auto",
        PermissionMode::Bypass => "bypassPermissions",
        PermissionMode::Plan => "plan",
        PermissionMode::DontAsk => "dontAsk",
    }
}
