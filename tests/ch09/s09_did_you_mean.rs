//! Section 9.9: A word to the model

use std::sync::atomic::Ordering;

use claw_code::engine::*;
use claw_code::types::*;
use serde_json::json;

use super::support::*;

#[tokio::test]
async fn test_ch9_a_wrong_name_gets_a_hint() {
    for (name, hint) in [
        ("Read", "did you mean `read`?"),
        ("shell", "did you mean `bash`?"),
        ("raed", "did you mean `read`?"),
    ] {
        let said = answer_to(name).await;
        assert!(
            said.starts_with("error: there is no tool") && said.contains("bash, list, read"),
            "first what chapter 3 says of {name:?}; the model reads: {said}"
        );
        assert!(
            said.ends_with(&format!("\n\n{hint}")),
            "and behind it, as a note, {hint:?}; the model reads: {said}"
        );
    }
}

#[tokio::test]
async fn test_ch9_without_a_near_name_there_is_no_hint() {
    for name in ["deploy", "", "write"] {
        let said = answer_to(name).await;
        assert!(
            said.starts_with("error: there is no tool") && !said.contains("did you mean"),
            "no tool there comes near {name:?}, and a bad hint is worse than none; the model reads: {said}"
        );
    }
}

#[tokio::test]
async fn test_ch9_a_guess_is_not_run() {
    let special = Special::default();
    let runs = special.runs.clone();
    let tools = ToolSet::new().with(special);
    let said = dispatched(tools, "Special").await;
    assert!(said.contains("did you mean `special`?"), "{said}");
    assert_eq!(
        runs.load(Ordering::SeqCst),
        0,
        "the hint is for the model to act on: nothing runs on a guess"
    );
}

/// What a model reads that calls a tool of this name, with `bash`, `list` and `read` there.
async fn answer_to(name: &str) -> String {
    let tools = ["read", "bash", "list"];
    let tools = tools.into_iter().map(noop);
    dispatched(tools.fold(ToolSet::new(), ToolSet::with), name).await
}

async fn dispatched(tools: ToolSet, name: &str) -> String {
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
    dispatcher.dispatch(&mut open, &Events::nowhere()).await;
    open[0].settle(1000).content
}
