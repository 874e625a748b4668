//! Section 9.9: A hint for the model

use std::sync::atomic::Ordering;

use claw_code::engine::*;
use claw_code::types::*;
use serde_json::json;

use super::support::*;

#[tokio::test]
async fn test_ch9_unknown_name_gets_a_hint() {
    for (name, hint) in [
        ("Read", "did you mean `read`?"),
        ("shell", "did you mean `bash`?"),
        ("raed", "did you mean `read`?"),
    ] {
        let result = call_unknown_tool(name).await;
        assert!(
            result.starts_with("error: there is no tool") && result.contains("bash, list, read"),
            "the result should begin with chapter 3's error message about {name:?}; it is: {result}"
        );
        assert!(
            result.ends_with(&format!("bash, list, read\n\n{hint}")),
            "the result should end with the note {hint:?}; it is: {result}"
        );
    }
}

#[tokio::test]
async fn test_ch9_hint_has_the_name_of_the_tool() {
    let tools = ToolSet::new().with(empty_tool("multi_edit"));
    let result = dispatch_call(tools, "MultiEdit").await;
    assert!(
        result.ends_with("did you mean `multi_edit`?"),
        "the model can call only this name; the result is: {result}"
    );
}

#[tokio::test]
async fn test_ch9_without_a_similar_name_there_is_no_hint() {
    for name in ["deploy", "", "write"] {
        let result = call_unknown_tool(name).await;
        assert!(
            result.starts_with("error: there is no tool") && !result.contains("did you mean"),
            "no tool has a name like {name:?}, and a wrong hint is worse than none; the result is: {result}"
        );
    }
}

#[tokio::test]
async fn test_ch9_suggested_tool_is_not_run() {
    let special = Special::default();
    let calls = special.calls.clone();
    let tools = ToolSet::new().with(special);
    let result = dispatch_call(tools, "Special").await;
    assert!(
        result.contains("did you mean `special`?"),
        "the result should suggest the tool; it is: {result}"
    );
    assert_eq!(
        calls.load(Ordering::SeqCst),
        0,
        "a hint is a guess, so the tool must not run"
    );
}

/// The result of a call with this name, where the tools are `bash`, `list` and `read`.
async fn call_unknown_tool(name: &str) -> String {
    let tools = ["read", "bash", "list"].map(empty_tool);
    let tools = tools.into_iter().fold(ToolSet::new(), ToolSet::with);
    dispatch_call(tools, name).await
}

/// The content of the result of a call that passes the gate [`DidYouMean`].
async fn dispatch_call(tools: ToolSet, name: &str) -> String {
    let dispatcher = Dispatcher {
        tools,
        gates: vec![Box::new(DidYouMean)],
        max_result_bytes: 1000,
        max_concurrent: 1,
    };
    let call = ToolCall {
        id: "a".into(),
        name: name.into(),
        arguments: json!({}),
    };
    let mut open = [OpenCall::new(call)];
    dispatcher
        .dispatch(&mut open, &QueryEventSender::none())
        .await;
    open[0].finalize(1000).content
}
