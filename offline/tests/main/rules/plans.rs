//! Plans, and the todo list of a plan that is approved.

use serde_json::json;

use crate::support::{ALL_TOOLS, Conversation, function};

/// A conversation with all tools, among them those of plan mode.
async fn conversation() -> Conversation {
    let tools = ALL_TOOLS
        .iter()
        .map(|name| function(name, &["path", "command"]));
    let plan = [
        function("exit_plan", &["plan"]),
        function("todo", &["items"]),
    ];
    Conversation::with_definitions(tools.chain(plan)).await
}

const PROMPT: &str = "plan to read a.txt, then run make\n\nPlan mode is on: propose a plan before you change anything.";

#[tokio::test]
async fn a_plan_is_proposed_and_carried_out_once_it_is_approved() {
    let mut conversation = conversation().await;
    let mut reply = conversation.say(PROMPT).await;
    let plan = json!({ "plan": "1. read `a.txt`\n2. run `make`" });
    for (tool, arguments, result) in [
        ("exit_plan", Some(plan), "The user approved this plan"),
        ("todo", None, "[>] read `a.txt`\n[ ] run `make`"),
        ("read", None, "hi"),
        ("bash", None, "done"),
        ("todo", None, "[x] read `a.txt`\n[x] run `make`"),
    ] {
        let call = &reply.calls[0];
        assert_eq!(call.name, tool, "{}", reply.text);
        if let Some(arguments) = arguments {
            assert_eq!(call.arguments, arguments);
        }
        reply = conversation.results(&[result]).await;
    }
    assert!(reply.calls.is_empty(), "the plan is carried out");
    assert!(reply.text.contains("The last: done."), "{}", reply.text);
}

#[tokio::test]
async fn the_list_has_the_first_step_in_progress_and_completes_all() {
    let mut conversation = conversation().await;
    conversation.say(PROMPT).await;
    let reply = conversation.results(&["The user approved this plan"]).await;
    let item = |content: &str, status: &str| json!({ "content": content, "status": status });
    let items = json!([
        item("read `a.txt`", "in_progress"),
        item("run `make`", "pending")
    ]);
    assert_eq!(reply.calls[0].arguments, json!({ "items": items }));
    for result in ["ok", "hi"] {
        conversation.results(&[result]).await;
    }
    let reply = conversation.results(&["done"]).await;
    let items = json!([
        item("read `a.txt`", "completed"),
        item("run `make`", "completed")
    ]);
    assert_eq!(reply.calls[0].arguments, json!({ "items": items }));
}

#[tokio::test]
async fn a_plan_that_is_not_approved_is_not_carried_out() {
    let mut conversation = conversation().await;
    conversation.say(PROMPT).await;
    let reply = conversation
        .results(&["error: the user rejected the plan"])
        .await;
    assert!(reply.calls.is_empty());
    let expected = "The `exit_plan` tool failed: the user rejected the plan.";
    assert_eq!(reply.text, expected);
}

#[tokio::test]
async fn a_notice_about_plan_mode_is_not_part_of_the_request() {
    let mut conversation = conversation().await;
    let prompt = "run make\n\nPlan mode is over: the user has turned it off.";
    let reply = conversation.say(prompt).await;
    assert_eq!(reply.calls[0].arguments, json!({ "command": "make" }));
}
