//! Which tool the model calls, and with which argument names.

use serde_json::json;

use crate::support::{Conversation, function};

#[tokio::test]
async fn the_next_best_tool_is_used() {
    for (tool, request, arguments) in [
        ("glob", "list src/", json!({ "pattern": "src/*" })),
        ("glob", "list .", json!({ "pattern": "*" })),
        ("bash", "list my/src", json!({ "command": "ls my/src" })),
        (
            "bash",
            "list \"it's here\"",
            json!({ "command": "ls 'it'\\''s here'" }),
        ),
        ("bash", "read a.txt", json!({ "command": "cat a.txt" })),
        (
            "bash",
            "search for fn main in src",
            json!({ "command": "grep -rnIE -e 'fn main' src" }),
        ),
    ] {
        let reply = Conversation::with(&[tool]).await.say(request).await;
        let call = &reply.calls[0];
        assert_eq!(
            (call.name.as_str(), &call.arguments),
            (tool, &arguments),
            "{request}"
        );
    }
}

#[tokio::test]
async fn arguments_have_the_names_in_the_schema() {
    let parameters = ["file_path", "old_string", "new_string", "replace_all"];
    let mut conversation = Conversation::with_definitions([function("Edit", &parameters)]).await;
    let reply = conversation.say("replace a with b in c.txt").await;
    assert_eq!(reply.calls[0].name, "Edit");
    assert_eq!(
        reply.calls[0].arguments,
        json!({ "file_path": "c.txt", "old_string": "a", "new_string": "b" })
    );
}

#[tokio::test]
async fn a_missing_tool_is_named() {
    for (tools, request, expected) in [
        (
            &["read", "list"][..],
            "run cargo build",
            "I lack the tool for that: `bash`. I have `read`, `list`.",
        ),
        (
            &[],
            "list src",
            "I lack the tool for that: `list` or `glob` or `bash`. I have no tools.",
        ),
    ] {
        let reply = Conversation::with(tools).await.say(request).await;
        assert!(reply.calls.is_empty());
        assert_eq!(reply.text, expected);
    }
}
