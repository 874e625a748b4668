//! Section 9.4: Tools created at run time

use std::collections::HashSet;
use std::future::{pending, poll_fn};
use std::sync::{Barrier, Mutex};
use std::task::Poll;
use std::thread;

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::json;
use tokio::sync::oneshot;

use super::support::*;

#[test]
fn test_ch9_equal_texts_are_interned_once() {
    let text = format!("made at run time, {}", 40 + 2);
    let first = intern(&text);
    let second = intern(&text.clone());
    assert_eq!(first, text, "the text is unchanged");
    assert!(
        std::ptr::eq(first, second),
        "the second call should return the same reference: a text is leaked once, not once per call"
    );
}

#[test]
fn test_ch9_different_texts_are_different() {
    for text in [
        "a text",
        "another text",
        "a text!",
        "A text",
        " a text ",
        "",
    ] {
        assert_eq!(intern(text), text, "every text comes back unchanged");
    }
}

#[test]
fn test_ch9_threads_share_interned_texts() {
    assert_eq!(intern("one thread"), "one thread");
    for round in 0..100 {
        let (text, start) = (format!("many threads, {round}"), Barrier::new(8));
        let addresses: HashSet<usize> = thread::scope(|scope| {
            let intern_text = || {
                start.wait();
                intern(&text).as_ptr() as usize
            };
            let threads: [_; 8] = std::array::from_fn(|_| scope.spawn(intern_text));
            let addresses = threads.map(|thread| thread.join().expect("no thread panics"));
            addresses.into()
        });
        assert_eq!(
            addresses.len(),
            1,
            "eight threads should get one text, even if they start together"
        );
    }
}

#[test]
fn test_ch9_dynamic_tool_has_the_given_definition() {
    let name = ["mcp", "Clock", "now"].join("__");
    let parameters = closed_object(json!({ "zone": { "type": "string" } }));
    let tool = DynamicTool::new(&name, "The time.", parameters.clone(), |_| async {
        Ok(ToolResult::text(""))
    });
    drop(name);
    assert_eq!(
        *tool.definition(),
        ToolDefinition {
            name: "mcp__Clock__now",
            description: "The time.",
            parameters,
        },
        "the definition is what `new` was given, and outlives the given texts"
    );
    for text in [tool.definition().name, tool.definition().description] {
        assert!(
            std::ptr::eq(text, intern(text)),
            "`new` should intern {text:?}, and not leak it again for each tool"
        );
    }
}

#[tokio::test]
async fn test_ch9_dynamic_tool_calls_its_handler() {
    let tool = DynamicTool::new("now", "The time.", object(json!({})), |args| async move {
        match args["zone"].as_str() {
            Some(zone) => Ok(ToolResult {
                is_truncated: true,
                ..ToolResult::error(format!("no clock in {zone}"))
            }),
            None => Err(anyhow::anyhow!("no power").context("the clock has stopped")),
        }
    });
    for _ in 0..2 {
        let result = tool.call(json!({ "zone": "Oslo" })).await;
        assert_eq!(
            result.expect("the handler returns a result"),
            ToolResult {
                is_truncated: true,
                ..ToolResult::error("no clock in Oslo")
            },
            "each call should run the handler with the call's arguments, and return its result"
        );
    }
    let failed = tool.call(json!({})).await;
    assert_eq!(
        failed.map_err(|error| format!("{error:#}")),
        Err("the clock has stopped: no power".to_string()),
        "an `Err` of the handler should come back unchanged, with its cause"
    );
}

#[test]
fn test_ch9_dynamic_tool_has_cautious_flags() {
    let tool = || {
        DynamicTool::new("t", "", object(json!({})), |_| async {
            Ok(ToolResult::text(""))
        })
    };
    assert_eq!(flags(&tool()), [false; 3], "no flag is set by default");
    let tool = tool().read_only().concurrent_safe().destructive();
    assert_eq!(flags(&tool), [true; 3], "each method sets its flag");
}

#[tokio::test]
async fn test_ch9_dynamic_tool_waits_for_its_handler() {
    let (sender, receiver) = oneshot::channel();
    let receiver = tokio::sync::Mutex::new(Some(receiver));
    let receiver = std::sync::Arc::new(receiver);
    let tool = DynamicTool::new("wait", "Waits.", object(json!({})), move |_| {
        let receiver = receiver.clone();
        async move {
            let receiver: oneshot::Receiver<&str> = receiver.lock().await.take().expect("one call");
            Ok(ToolResult::text(receiver.await?))
        }
    });
    let sending = async { sender.send("sent during the call") };
    let (result, _) = tokio::join!(tool.call(json!({})), sending);
    assert_eq!(
        result.expect("the handler returns a result").content,
        "sent during the call",
        "a handler may wait, and the thread should do other work meanwhile"
    );
}

#[tokio::test]
async fn test_ch9_dropped_call_drops_the_future_of_its_handler() {
    let (sender, mut receiver) = oneshot::channel::<()>();
    let sender = Mutex::new(Some(sender));
    let tool = DynamicTool::new("wait", "Waits.", object(json!({})), move |_| {
        let sender = sender.lock().expect("no panic").take();
        async move {
            let _sender = sender;
            pending().await
        }
    });
    let mut call = tool.call(json!({}));
    let is_waiting = poll_fn(|context| Poll::Ready(call.as_mut().poll(context).is_pending()));
    assert!(is_waiting.await, "the handler waits");
    drop(call);
    assert_eq!(
        receiver.try_recv(),
        Err(oneshot::error::TryRecvError::Closed),
        "the handler runs inside of the call: a task of its own would outlive it"
    );
}
