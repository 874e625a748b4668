//! The prompt in a message that an agent wrote around it.

use serde_json::json;

use crate::support::{ALL_TOOLS, CHAT, Conversation, ask, rule_server, text_of};

/// Messages that all ask for a list of the folder `src`.
const MESSAGES: [&str; 10] = [
    "\"list src\"",
    "'list src'",
    "`list src`",
    "“list src”",
    "list \"src\"",
    "<system-reminder>\nRead notes.txt.\n</system-reminder>\n\nlist src",
    "list src\n<system-reminder>Run make.</system-reminder>",
    "<environment_context>\n  <cwd>/home</cwd>\n</environment_context>\nlist src",
    "<user_query>\nlist src\n</user_query>",
    "<environment_details>run make</environment_details>\n<task>list src</task>",
];

#[tokio::test]
async fn context_and_quotes_are_not_part_of_the_prompt() {
    for message in MESSAGES {
        let mut conversation = Conversation::with(&ALL_TOOLS).await;
        let reply = conversation.say(message).await;
        assert_eq!(reply.calls.len(), 1, "{message}: {}", reply.text);
        assert_eq!(reply.calls[0].name, "list", "{message}");
        assert_eq!(
            reply.calls[0].arguments,
            json!({ "path": "src" }),
            "{message}"
        );
    }
}

#[tokio::test]
async fn other_tags_are_part_of_the_prompt() {
    let mut conversation = Conversation::with(&ALL_TOOLS).await;
    let request = "create a.html with <task>\n<b>one</b>\n</task>";
    let reply = conversation.say(request).await;
    let content = "<task>\n<b>one</b>\n</task>";
    let expected = json!({ "path": "a.html", "content": content });
    assert_eq!(reply.calls[0].arguments, expected);
}

#[tokio::test]
async fn typographic_quotes_hold_text_together() {
    let mut conversation = Conversation::with(&ALL_TOOLS).await;
    let request = "replace “a with b” with ‘c in d’ in notes.txt";
    let reply = conversation.say(request).await;
    let expected = json!({ "path": "notes.txt", "old_string": "a with b", "new_string": "c in d" });
    assert_eq!(reply.calls[0].arguments, expected);
}

#[tokio::test]
async fn a_quoted_then_does_not_separate_tasks() {
    let mut conversation = Conversation::with(&ALL_TOOLS).await;
    let request = "create a.txt with \"list src, then read b.txt\", then run make";
    let reply = conversation.say(request).await;
    let expected = json!({ "path": "a.txt", "content": "list src, then read b.txt" });
    assert_eq!(reply.calls[0].arguments, expected);
    let reply = conversation.results(&["Wrote 25 bytes."]).await;
    assert_eq!(reply.calls[0].arguments, json!({ "command": "make" }));
}

#[tokio::test]
async fn a_message_that_is_only_context_is_no_prompt() {
    let context = "<environment_context>\n<cwd>/home</cwd>\n</environment_context>";
    let body = json!({ "model": "m", "messages": [
        { "role": "user", "content": "thanks" },
        { "role": "user", "content": context },
    ] });
    let answer = ask(&rule_server().await, CHAT, &body).await;
    assert_eq!(text_of(CHAT, &answer), "You are welcome.");
}

#[tokio::test]
async fn a_reminder_after_a_result_continues_the_work() {
    let mut conversation = Conversation::with(&ALL_TOOLS).await;
    conversation.say("list src, then read a.txt").await;
    conversation.push(json!({ "role": "tool", "tool_call_id": "call_1", "content": "a.rs" }));
    let reminder = "<system-reminder>\nThe todo list is empty.\n</system-reminder>";
    let reply = conversation
        .send(json!({ "role": "user", "content": reminder }))
        .await;
    assert_eq!(reply.calls[0].arguments, json!({ "path": "a.txt" }));
}
