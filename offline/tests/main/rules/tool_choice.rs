//! Which tool the model calls, and with which argument names.

use serde_json::json;

use crate::support::{Conversation, function};

/// The only tool, the request, and the argument of the call.
const FALLBACKS: [(&str, &str, &str, &str); 6] = [
    ("glob", "list src/", "pattern", "src/*"),
    ("glob", "list .", "pattern", "*"),
    ("bash", "list my/src", "command", "ls my/src"),
    (
        "bash",
        "list \"it's here\"",
        "command",
        "ls 'it'\\''s here'",
    ),
    ("bash", "read a.txt", "command", "cat a.txt"),
    (
        "bash",
        "search for fn main in src",
        "command",
        "grep -rnIE -e 'fn main' src",
    ),
];

#[tokio::test]
async fn the_next_best_tool_is_used() {
    for (tool, request, name, value) in FALLBACKS {
        let reply = Conversation::with(&[tool]).await.say(request).await;
        let call = &reply.calls[0];
        assert_eq!(call.name, tool, "{request}");
        assert_eq!(call.arguments, json!({ name: value }), "{request}");
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
