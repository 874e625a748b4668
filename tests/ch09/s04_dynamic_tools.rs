//! Section 9.4: Tools made at run time

use std::collections::HashSet;
use std::sync::Arc;

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch9_equal_texts_are_kept_once() {
    let text = format!("made at run time, {}", 40 + 2);
    let one = intern(&text);
    let other = intern(&text.clone());
    assert_eq!(one, text, "the text itself");
    assert!(
        std::ptr::eq(one, other),
        "the second time it must be the very same text: leaked once, not once a call"
    );
    assert_ne!(intern("another text"), one);
    assert_eq!(intern(""), "", "an empty text is a text");
    let ends = intern("made at run time, 42!");
    assert_eq!(
        ends, "made at run time, 42!",
        "whole, and no part of another"
    );
}

#[test]
fn test_ch9_texts_are_kept_once_from_many_threads() {
    assert_eq!(intern("one thread"), "one thread");
    let threads: Vec<_> = (0..8)
        .map(|_| std::thread::spawn(|| intern(&["many", "threads"].join(" ")).as_ptr() as usize))
        .collect();
    let places: HashSet<usize> = threads
        .into_iter()
        .map(|thread| thread.join().expect("no thread panics"))
        .collect();
    assert_eq!(places.len(), 1, "eight threads, one text");
}

#[tokio::test]
async fn test_ch9_a_dynamic_tool_is_a_tool() {
    let name = ["mcp", "clock", "now"].join("__");
    let zone = object(json!({ "zone": { "type": "string" } }));
    let tool = DynamicTool::new(&name, "The time.", zone.clone(), |args| async move {
        match args["zone"].as_str() {
            Some(zone) => Ok(ToolResult::text(format!("noon in {zone}"))),
            None => anyhow::bail!("the clock has stopped"),
        }
    });
    drop(name);
    assert_eq!(
        *tool.definition(),
        ToolDefinition {
            name: "mcp__clock__now",
            description: "The time.",
            parameters: zone,
        },
        "the definition is what `new` was given"
    );
    for _ in 0..2 {
        let result = tool.call(json!({ "zone": "Oslo" })).await;
        assert_eq!(
            result.expect("the handler answers"),
            ToolResult::text("noon in Oslo"),
            "each call asks the handler, with the call's arguments"
        );
    }
    let failed = tool.call(json!({})).await;
    assert!(failed.is_err(), "an `Err` of the handler comes back as one");
    let flags = [
        tool.is_read_only(),
        tool.is_concurrent_safe(),
        tool.is_destructive(),
    ];
    assert_eq!(
        flags, [false; 3],
        "nothing was said, so the careful answers"
    );
}

#[tokio::test]
async fn test_ch9_a_dynamic_tool_waits_for_its_handler() {
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let receiver = Arc::new(tokio::sync::Mutex::new(Some(receiver)));
    let tool = DynamicTool::new("wait", "Waits.", object(json!({})), move |_| {
        let receiver = receiver.clone();
        async move {
            let receiver = receiver.lock().await.take().expect("called once");
            Ok(ToolResult::text(receiver.await.unwrap_or("nobody sent")))
        }
    })
    .read_only()
    .concurrent_safe()
    .destructive();
    let flags = [
        tool.is_read_only(),
        tool.is_concurrent_safe(),
        tool.is_destructive(),
    ];
    assert_eq!(flags, [true; 3], "what the methods said");
    let sending = async { sender.send("sent while it waits") };
    let (result, _) = tokio::join!(tool.call(json!({})), sending);
    assert_eq!(
        result.expect("the handler answers").content,
        "sent while it waits",
        "a handler may wait; the thread does other work meanwhile"
    );
}
