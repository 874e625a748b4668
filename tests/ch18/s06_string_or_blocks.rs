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
fn test_ch18_broken_result_content_is_refused() {
    for wrong in [
        json!(7),
        json!(true),
        json!(null),
        json!({ "type": "text", "text": "a" }),
    ] {
        let error = refused::<UnifiedContentBlock>(
            result("call_1", wrong),
            "a result's content is a string or a list of blocks",
        );
        assert!(
            error.contains("a string or a list of blocks"),
            "the error should say what was expected: a string or a list of blocks; it says: {error}"
        );
    }
    let wrong = json!([text("a"), { "type": "video" }]);
    let error =
        refused::<UnifiedContentBlock>(result("call_1", wrong), "the second block is wrong");
    assert!(
        error.contains("video"),
        "the error is that of the block, which is of the unknown type `video`; it says: {error}"
    );
}
