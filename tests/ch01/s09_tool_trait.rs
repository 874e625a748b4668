//! Section 1.9: The Tool trait

use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::thread;

use claw_code::types::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch1_tool_defaults_are_safe() {
    let tool: Box<dyn Tool> = Box::new(MinimalTool::named("minimal"));
    for (method, value) in [
        ("is_read_only", tool.is_read_only()),
        ("is_concurrent_safe", tool.is_concurrent_safe()),
        ("is_destructive", tool.is_destructive()),
    ] {
        assert!(!value, "{method}() should be false by default");
    }
    let read_only = CountLinesTool::default();
    assert!(
        !read_only.is_concurrent_safe() && !read_only.is_destructive(),
        "is_concurrent_safe() and is_destructive() should be false by default, also for a read-only tool"
    );
    let args = json!({ "command": "ls", "path": "src", "description": "List the sources" });
    assert_eq!(
        tool.activity_description(&args),
        None,
        "activity_description() should be None by default"
    );
}

/// The arguments that a summary shows, in their order.
const KEYS: [&str; 4] = ["command", "path", "question", "pattern"];

#[test]
fn test_ch1_tool_summary_shows_each_key() {
    let tool = MinimalTool::named("minimal");
    for key in KEYS {
        assert_eq!(
            tool.summary(&json!({ key: "the detail", "other": "not this" })),
            "[minimal: the detail]",
            "`{key}` is one of the four arguments that a summary shows"
        );
        assert_eq!(
            tool.summary(&json!({ key: long_text() })),
            format!("[minimal: {}]", long_text()),
            "the summary shows `{key}` unchanged"
        );
    }
}

#[test]
fn test_ch1_tool_summary_takes_the_first_key() {
    let tool = MinimalTool::named("minimal");
    for first in 0..KEYS.len() {
        let args = KEYS[first..].iter();
        let args = args.map(|key| (key.to_string(), json!(format!("the {key}"))));
        let args = Value::Object(args.collect());
        assert_eq!(
            tool.summary(&args),
            format!("[minimal: the {}]", KEYS[first]),
            "the summary shows the first key in the order command, path, question, pattern; the arguments are {args}"
        );
    }
    assert_eq!(
        tool.summary(&json!({ "command": "", "path": "src/lib.rs" })),
        "[minimal: ]",
        "the summary shows the first string, even an empty one"
    );
}

#[test]
fn test_ch1_tool_summary_skips_values_that_are_not_strings() {
    let tool = MinimalTool::named("minimal");
    for value in [
        json!(7),
        json!(true),
        json!(null),
        json!(["ls"]),
        json!({ "a": "b" }),
    ] {
        let args = json!({ "command": value, "path": "src/lib.rs" });
        assert_eq!(
            tool.summary(&args),
            "[minimal: src/lib.rs]",
            "the summary skips a value that is not a string and tries the next key; the arguments are {args}"
        );
    }
}

#[test]
fn test_ch1_tool_summary_without_detail_is_the_name() {
    let tool = MinimalTool::named("minimal");
    for args in [
        json!({}),
        json!({ "other": "text" }),
        json!({
            "file": "a", "file_path": "a", "url": "a", "query": "a", "name": "a", "text": "a",
            "description": "a", "prompt": "a", "content": "a", "message": "a", "cmd": "a",
            "title": "a", "id": "a", "input": "a", "code": "a", "glob": "a", "type": "a",
            "old_string": "a", "task": "a", "skill": "a"
        }),
        json!({ "command": 7, "pattern": null }),
        json!({ "path": 7, "question": 7, "pattern": 7 }),
        json!([{ "command": "ls" }]),
        json!(null),
        json!(["command"]),
        json!("command"),
    ] {
        assert_eq!(
            tool.summary(&args),
            "[minimal]",
            "without a string to show, the summary is only the name; the arguments are {args}"
        );
    }
}

#[test]
fn test_ch1_tool_works_across_threads() {
    let shared: Arc<dyn Tool> = Arc::new(CountLinesTool::default());
    assert_eq!(
        shared.summary(&json!({ "path": "Cargo.toml" })),
        "[count_lines: Cargo.toml]"
    );
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let text = std::fs::read_to_string(manifest).expect("this package has a Cargo.toml");
    let lines = text.lines().count().to_string();
    for (path, expected) in [
        (manifest, ToolResult::text(lines)),
        (
            "no/such/file",
            ToolResult::error("cannot read no/such/file"),
        ),
    ] {
        let args = json!({ "path": path });
        let tool = Arc::clone(&shared);
        let worker = thread::spawn(move || (tool.is_read_only(), poll_once(tool.call(args))));
        let (is_read_only, result) = worker.join().expect("the tool does not panic");
        assert!(is_read_only, "a tool can override a default");
        assert_eq!(result.expect("the tool does not fail"), expected);
    }
}

/// The output of a future that waits for nothing. Chapter 2 adds a runtime.
fn poll_once<T>(future: impl Future<Output = T>) -> T {
    let mut context = Context::from_waker(Waker::noop());
    match std::pin::pin!(future).poll(&mut context) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the future should wait for nothing"),
    }
}
