//! Section 18.7: From flat fields to blocks

use claw_code::provider::MAX_DEPTH;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch18_flat_fields_become_blocks() {
    assert_blocks(
        "thinking, then text, then calls: the order in which a model writes them",
        json!({
            "role": "assistant", "id": "msg_1", "content": "Let me look.", "reasoning": "Hm.",
            "tool_calls": [bash_call(), call("call_2", "pwd", " ")]
        }),
        json!([
            { "type": "thinking", "thinking": "Hm.", "redacted": false },
            text("Let me look."),
            tool_use("call_1", json!({ "command": "ls" })),
            { "type": "tool_use", "id": "call_2", "name": "pwd", "input": {} }
        ]),
    );
}

#[test]
fn test_ch18_fields_become_blocks_for_every_role() {
    for role in ["system", "developer", "user"] {
        assert_blocks(
            "content becomes one text block for every role",
            json!({ "role": role, "content": "Hi.", "name": "ada", "id": "msg_1" }),
            json!([text("Hi.")]),
        );
    }
    assert_blocks(
        "a field becomes its block for every role",
        json!({ "role": "user", "reasoning": "Hm.", "tool_calls": [bash_call()] }),
        json!([
            { "type": "thinking", "thinking": "Hm.", "redacted": false },
            tool_use("call_1", json!({ "command": "ls" }))
        ]),
    );
}

#[test]
fn test_ch18_empty_fields_make_no_block() {
    for message in [
        json!({ "role": "assistant" }),
        json!({ "role": "assistant", "tool_calls": [], "reasoning": "" }),
        json!({ "role": "user", "name": "ada" }),
    ] {
        assert_blocks("a missing field makes no block", message, json!([]));
    }
}

#[test]
fn test_ch18_empty_text_makes_an_empty_block() {
    for content in ["", " \n"] {
        assert_blocks(
            "`None` makes no block, and every text makes a block, even an empty one",
            json!({ "role": "user", "content": content }),
            json!([text(content)]),
        );
    }
}

#[test]
fn test_ch18_blank_reasoning_is_not_empty() {
    assert_blocks(
        "only an empty `reasoning` makes no block",
        json!({ "role": "assistant", "reasoning": "\n" }),
        json!([{ "type": "thinking", "thinking": "\n", "redacted": false }]),
    );
}

#[test]
fn test_ch18_incomplete_arguments_convert_unchanged() {
    for torn in ["{\"comm", "ls", " [1,  2]", "\"ls\"", "null", "{} {}"] {
        assert_blocks(
            "arguments that are not an object become one string, unchanged",
            json!({ "role": "assistant", "tool_calls": [call("call_1", "bash", torn)] }),
            json!([tool_use("call_1", json!(torn))]),
        );
    }
}

#[test]
fn test_ch18_deeply_nested_arguments_convert_unchanged() {
    let deep = nested_json(MAX_DEPTH + 1);
    assert_blocks(
        "arguments that are nested too deeply become one string too",
        json!({ "role": "assistant", "tool_calls": [call("call_1", "bash", &deep)] }),
        json!([tool_use("call_1", json!(deep))]),
    );
}

#[test]
fn test_ch18_raw_blocks_take_precedence() {
    let raw = json!([signed("Other thoughts."), text("Other words."), { "type": "compaction" }]);
    for role in ["assistant", "user", "system"] {
        assert_blocks(
            "raw blocks take precedence over the flat fields",
            json!({
                "role": role, "content": "Words.", "reasoning": "Thoughts.",
                "tool_calls": [bash_call()], "raw_content_blocks": raw
            }),
            raw.clone(),
        );
    }
}

#[test]
fn test_ch18_raw_blocks_may_contain_the_result() {
    let mut unknown = result("call_9", json!([image()]));
    unknown["x"] = json!(1);
    let raw = json!([text("First."), unknown, text("And words.")]);
    let failed =
        json!({ "success": false, "duration_ms": 1.5, "tool_name": "bash", "arguments": "{}" });
    for id in [json!("call_1"), json!(null)] {
        assert_blocks(
            "a tool message whose raw blocks contain the result gives those blocks as they are, also after a failed run",
            json!({
                "role": "tool", "tool_call_id": id, "content": "ok", "raw_content_blocks": raw,
                "tool_metadata": failed
            }),
            raw.clone(),
        );
    }
}

#[test]
fn test_ch18_empty_raw_blocks_take_no_precedence() {
    assert_blocks(
        "an empty list of raw blocks does not take precedence",
        json!({ "role": "user", "content": "Hi.", "raw_content_blocks": [] }),
        json!([text("Hi.")]),
    );
}
