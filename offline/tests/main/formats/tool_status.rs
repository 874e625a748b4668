//! Whether the model takes a tool result for a failure.

use serde_json::{Value, json};

use crate::support::{CHAT, MESSAGES, RESPONSES, ask, rule_server, text_of};

/// The model's reply to a conversation in which this tool returned this text. `is_error` is
/// the field of Messages; the other formats have none.
async fn reply(path: &str, tool: &str, result: &str, is_error: bool) -> String {
    let arguments = match tool {
        "list" => json!({ "path": "src" }),
        _ => json!({ "command": "make" }),
    };
    let body = match path {
        CHAT => json!({ "model": "m", "messages": [
            { "role": "user", "content": "surprise me" },
            { "role": "assistant", "content": null, "tool_calls": [
                { "id": "c", "type": "function",
                  "function": { "name": tool, "arguments": arguments.to_string() } } ] },
            { "role": "tool", "tool_call_id": "c", "content": result },
        ] }),
        RESPONSES => json!({ "model": "m", "input": [
            { "role": "user", "content": "surprise me" },
            { "type": "function_call", "call_id": "c", "name": tool,
              "arguments": arguments.to_string() },
            { "type": "function_call_output", "call_id": "c", "output": result },
        ] }),
        _ => messages_body(tool, &arguments, result, is_error),
    };
    text_of(path, &ask(&rule_server().await, path, &body).await)
}

fn messages_body(tool: &str, arguments: &Value, result: &str, is_error: bool) -> Value {
    json!({ "model": "m", "max_tokens": 100, "messages": [
        { "role": "user", "content": "surprise me" },
        { "role": "assistant", "content": [
            { "type": "tool_use", "id": "c", "name": tool, "input": arguments } ] },
        { "role": "user", "content": [
            { "type": "tool_result", "tool_use_id": "c", "is_error": is_error,
              "content": result } ] },
    ] })
}

#[tokio::test]
async fn messages_uses_the_field() {
    assert_eq!(
        reply(MESSAGES, "list", "no such folder", true).await,
        "The `list` tool failed: no such folder."
    );
    assert_eq!(
        reply(MESSAGES, "list", "error: a file's name", false).await,
        "`src` holds 1 entry: error: a file's name."
    );
    assert_eq!(
        reply(MESSAGES, "bash", "error: x", false).await,
        "`make` ran and printed 1 line. The last: error: x."
    );
}

#[tokio::test]
async fn a_failure_in_messages_keeps_its_text() {
    assert_eq!(
        reply(MESSAGES, "list", "error: no such folder", true).await,
        "The `list` tool failed: error: no such folder."
    );
}

#[tokio::test]
async fn the_other_formats_use_the_prefix() {
    for path in [CHAT, RESPONSES] {
        assert_eq!(
            reply(path, "list", "error: no such folder", false).await,
            "The `list` tool failed: no such folder.",
            "{path}"
        );
        assert_eq!(
            reply(path, "list", "errors.log", false).await,
            "`src` holds 1 entry: errors.log.",
            "{path}"
        );
    }
}

#[tokio::test]
async fn shell_output_with_an_exit_code_is_not_a_failure() {
    for path in [CHAT, RESPONSES] {
        assert_eq!(
            reply(path, "bash", "error: x\nmake: stop\n[exit code 2]", false).await,
            "`make` ran and printed 2 lines. The last: make: stop. It ended with exit code 2.",
            "{path}"
        );
    }
}

#[tokio::test]
async fn shell_output_that_could_be_a_failure_is_quoted_as_it_is() {
    for path in [CHAT, RESPONSES] {
        for result in ["error: x", "error: x\nmore"] {
            assert_eq!(
                reply(path, "Bash", result, false).await,
                "The `Bash` tool answered: error: x.",
                "{path}"
            );
        }
    }
}
