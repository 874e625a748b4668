//! The results of commands, in the forms of different agents.

use serde_json::json;

use crate::support::{
    ALL_TOOLS, Conversation, MESSAGES, ask, function, prompt, rule_server, text_of,
};

#[tokio::test]
async fn a_header_before_the_output_has_the_exit_code() {
    for (result, expected) in [
        (
            "Chunk ID: 1f\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\ncc\nok\n",
            "`make` ran and printed 2 lines. The last: ok.",
        ),
        (
            "Exit code: 2\nWall time: 0 seconds\nOutput:\nno rule\n",
            "`make` ran and printed 1 line. The last: no rule. It ended with exit code 2.",
        ),
        (
            "Exit code 2\nno rule",
            "`make` ran and printed 1 line. The last: no rule. It ended with exit code 2.",
        ),
        (
            "Output:\nok",
            "`make` ran and printed 2 lines. The last: ok.",
        ),
    ] {
        let tool = function("exec_command", &["cmd"]);
        let mut conversation = Conversation::with_definitions([tool]).await;
        conversation.say("run make").await;
        assert_eq!(conversation.results(&[result]).await.text, expected);
    }
}

/// A failed command in the form of Claude Code.
#[tokio::test]
async fn an_exit_code_in_an_error_is_not_a_failed_call() {
    let mut body = prompt(MESSAGES, "run make, then run make clean", false);
    let call =
        json!({ "type": "tool_use", "id": "a", "name": "Bash", "input": { "command": "make" } });
    let result = json!({
        "type": "tool_result", "tool_use_id": "a", "is_error": true,
        "content": "Exit code 2\nno rule",
    });
    let messages = body["messages"].as_array_mut().expect("messages");
    messages.push(json!({ "role": "assistant", "content": [call] }));
    messages.push(json!({ "role": "user", "content": [result] }));
    let schema = json!({ "type": "object", "properties": { "command": { "type": "string" } } });
    body["tools"] = json!([{ "name": "Bash", "input_schema": schema }]);
    let text = text_of(MESSAGES, &ask(&rule_server().await, MESSAGES, &body).await);
    assert_eq!(text, "I will run `make clean`.");
}

#[tokio::test]
async fn the_tests_pass_if_the_exit_code_is_0() {
    for (result, expected) in [
        (
            "Process exited with code 0\nOutput:\nok",
            "The tests pass as they are.",
        ),
        (
            "Process exited with code 101\nOutput:\nno",
            "I found no failing test",
        ),
        ("ok", "The tests pass as they are."),
    ] {
        let mut conversation = Conversation::with(&ALL_TOOLS).await;
        conversation.say("make the tests pass").await;
        let text = conversation.results(&[result]).await.text;
        assert!(text.starts_with(expected), "{text}");
    }
}
