//! Section 18.6: A string or a list of blocks

use claw_code::chat::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch18_result_content_has_two_forms() {
    for content in [
        json!("main.rs"),
        json!(""),
        json!([]),
        json!([text("main.rs")]),
        json!([text("A screenshot:"), image()]),
    ] {
        assert_round_trip::<UnifiedContentBlock>(result("call_1", content));
    }
    for is_error in [true, false] {
        assert_round_trip::<UnifiedContentBlock>(json!({
            "type": "tool_result", "tool_use_id": "call_1", "content": "ok", "is_error": is_error
        }));
    }
}

#[test]
fn test_ch18_result_content_loads_from_text() {
    // Here serde_json owns no values, and a string may be lent out or put together anew.
    let line = r#"{"type":"tool_result","tool_use_id":"call_1","content":"a\n\"b\" \u00e9"}"#;
    let block: UnifiedContentBlock = match serde_json::from_str(line) {
        Ok(block) => block,
        Err(error) => panic!("this line should load: {line}\nserde says: {error}"),
    };
    assert_json(
        "a block read from a line of JSON",
        &to_json(&block),
        &result("call_1", json!("a\n\"b\" é")),
    );
}

#[test]
fn test_ch18_other_result_content_is_kept() {
    for content in [
        json!(7),
        json!(null),
        json!({ "exit_code": 0, "files": ["a"] }),
        json!(["a", 1]),
        json!([{ "no": "type" }]),
    ] {
        assert_round_trip::<UnifiedContentBlock>(result("call_1", content));
    }
    let without = json!({ "type": "tool_result", "tool_use_id": "call_1" });
    assert_json(
        "content that is absent is `null`",
        &to_json(&from_json::<UnifiedContentBlock>(without)),
        &result("call_1", json!(null)),
    );
}

#[test]
fn test_ch18_an_error_in_a_result_is_the_blocks_own() {
    let wrong = json!([text("a"), { "type": "text", "text": 7 }]);
    let error =
        refused::<UnifiedContentBlock>(result("call_1", wrong), "the second block is wrong");
    assert!(
        error.contains("in `text`: invalid type: integer `7`"),
        "the error names the kind of block and what is wrong with it; it says: {error}"
    );
}
