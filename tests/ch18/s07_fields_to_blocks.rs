//! Section 18.7: From fields to blocks

use claw_code::provider::MAX_DEPTH;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch18_flat_fields_become_blocks() {
    assert_blocks(
        "thinking, then words, then calls: the order in which a model makes them",
        json!({
            "role": "assistant", "content": "Let me look.", "reasoning": "Hm.",
            "tool_calls": [bash_call(), call("call_2", "pwd", "")]
        }),
        json!([
            { "type": "thinking", "thinking": "Hm.", "redacted": false },
            text("Let me look."),
            tool_use("call_1", json!({ "command": "ls" })),
            { "type": "tool_use", "id": "call_2", "name": "pwd", "input": {} }
        ]),
    );
    for role in ["system", "developer", "user"] {
        assert_blocks(
            "words are one text block, whoever says them",
            json!({ "role": role, "content": "Hi.", "name": "ada", "id": "msg_1" }),
            json!([text("Hi.")]),
        );
    }
    assert_blocks(
        "a field that is there makes its block, whoever speaks",
        json!({ "role": "user", "reasoning": "Hm.", "tool_calls": [bash_call()] }),
        json!([
            { "type": "thinking", "thinking": "Hm.", "redacted": false },
            tool_use("call_1", json!({ "command": "ls" }))
        ]),
    );
}

#[test]
fn test_ch18_nothing_makes_no_block() {
    for message in [
        json!({ "role": "assistant" }),
        json!({ "role": "assistant", "tool_calls": [], "reasoning": "" }),
        json!({ "role": "user", "name": "ada" }),
    ] {
        assert_blocks("what is not there makes no block", message, json!([]));
    }
    assert_blocks(
        "`None` says nothing, and an empty text says an empty text: it is a block",
        json!({ "role": "user", "content": "" }),
        json!([text("")]),
    );
}

#[test]
fn test_ch18_torn_arguments_cross_to_the_letter() {
    for torn in ["{\"comm", "ls", " [1,  2]", "\"ls\"", "null", "{} {}"] {
        assert_blocks(
            "arguments that are no object cross as one string, to the letter",
            json!({ "role": "assistant", "tool_calls": [call("call_1", "bash", torn)] }),
            json!([tool_use("call_1", json!(torn))]),
        );
    }
    let deep = nested(MAX_DEPTH + 1);
    assert_blocks(
        "and so do arguments that are too deep",
        json!({ "role": "assistant", "tool_calls": [call("call_1", "bash", &deep)] }),
        json!([tool_use("call_1", json!(deep))]),
    );
}

#[test]
fn test_ch18_raw_blocks_take_precedence() {
    let raw = json!([signed("Other thoughts."), text("Other words."), image()]);
    for role in ["assistant", "user", "system"] {
        assert_blocks(
            "where there are raw blocks, they are the message, whatever the flat fields say",
            json!({
                "role": role, "content": "Words.", "reasoning": "Thoughts.",
                "tool_calls": [bash_call()], "raw_content_blocks": raw
            }),
            raw.clone(),
        );
    }
    let raw = json!([result("call_9", json!([image()])), text("And words.")]);
    assert_blocks(
        "a tool message whose raw blocks hold the result is those blocks",
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "ok", "raw_content_blocks": raw }),
        raw.clone(),
    );
}

#[test]
fn test_ch18_an_empty_list_takes_no_precedence() {
    assert_blocks(
        "an empty list of raw blocks holds nothing that could take precedence",
        json!({ "role": "user", "content": "Hi.", "raw_content_blocks": [] }),
        json!([text("Hi.")]),
    );
}
