//! Section 1.9: The Tool trait

use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use claw_code::types::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch1_tool_defaults_are_careful() {
    let plain: Box<dyn Tool> = Box::new(Plain::named("plain"));
    assert!(
        !plain.is_read_only(),
        "is_read_only() gave true for a tool that says nothing of itself; the default is false"
    );
    assert!(
        !plain.is_concurrent_safe(),
        "is_concurrent_safe() gave true for a tool that says nothing of itself; the default is false"
    );
    assert!(
        !plain.is_destructive(),
        "is_destructive() gave true for a tool that says nothing of itself; the default is false"
    );
    assert_eq!(
        plain.activity_description(&json!({ "command": "ls", "path": "src" })),
        None,
        "activity_description() has no words by default: None"
    );
}

#[test]
fn test_ch1_tool_summary_shows_each_key() {
    let plain = Plain::named("plain");
    for key in ["command", "path", "question", "pattern"] {
        assert_eq!(
            plain.summary(&json!({ key: "the detail", "other": "not this" })),
            "[plain: the detail]",
            "`{key}` is one of the four arguments shown"
        );
    }
}

#[test]
fn test_ch1_tool_summary_takes_the_first_string() {
    let plain = Plain::named("plain");
    let keys = ["command", "path", "question", "pattern"];
    for first in 0..keys.len() {
        let args: Value = keys[first..]
            .iter()
            .map(|key| (key.to_string(), json!(format!("the {key}"))))
            .collect::<serde_json::Map<_, _>>()
            .into();
        assert_eq!(
            plain.summary(&args),
            format!("[plain: the {}]", keys[first]),
            "of several, the earliest in the order command, path, question, pattern is shown; the arguments were {args}"
        );
    }
    for no_string in [json!(7), json!(null), json!(["ls"]), json!({ "a": "b" })] {
        let args = json!({ "command": no_string, "path": "src/lib.rs" });
        assert_eq!(
            plain.summary(&args),
            "[plain: src/lib.rs]",
            "a value that is no string is passed over and the next key is tried; the arguments were {args}"
        );
    }
}

#[test]
fn test_ch1_tool_summary_without_detail() {
    let plain = Plain::named("plain");
    for args in [
        json!({}),
        json!({ "other": "words" }),
        json!({ "command": 7, "pattern": null }),
        json!(null),
        json!(["command"]),
        json!("command"),
    ] {
        assert_eq!(
            plain.summary(&args),
            "[plain]",
            "without a string to show the name stands alone; the arguments were {args}"
        );
    }
}

#[test]
fn test_ch1_tool_works_across_threads() {
    let tool: Box<dyn Tool> = Box::new(CountLines::default());
    assert_eq!(
        tool.summary(&json!({ "path": "Cargo.toml" })),
        "[count_lines: Cargo.toml]"
    );
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let lines = std::fs::read_to_string(manifest)
        .expect("this package has a Cargo.toml")
        .lines()
        .count();

    let shared: Arc<dyn Tool> = Arc::from(tool);
    let workers: Vec<_> = [manifest, "no/such/file"]
        .into_iter()
        .map(|path| {
            let tool = Arc::clone(&shared);
            thread::spawn(move || {
                let result = block_on(tool.call(json!({ "path": path })));
                (tool.is_read_only(), result.expect("the tool answers"))
            })
        })
        .collect();
    let answers: Vec<_> = workers
        .into_iter()
        .map(|worker| worker.join().expect("a tool panicked on another thread"))
        .collect();

    assert_eq!(answers[0], (true, ToolResult::text(lines.to_string())));
    assert_eq!(
        answers[1],
        (true, ToolResult::error("cannot read no/such/file"))
    );
}

/// Runs a future to its end on this thread. Chapter 2 brings a real runtime.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = std::pin::pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}
