//! Section 18.6: A string or a list of blocks

use claw_code::chat::*;
use serde_json::{from_value, json};

use super::support::*;

#[test]
fn test_ch18_result_content_is_a_string_or_blocks() {
    for content in [
        json!("main.rs"),
        json!(""),
        json!("[]"),
        json!([]),
        json!([text("main.rs")]),
        json!([text("A screenshot:"), image()]),
    ] {
        assert_round_trip::<UnifiedContentBlock>(result("call_1", content));
    }
    for content in [json!("main.rs"), json!(""), json!("[]")] {
        assert!(
            matches!(from_json(content.clone()), ToolResultContent::Text(_)),
            "a string is `Text`: {content}"
        );
    }
    let cited = json!({ "type": "text", "text": "a", "citations": [] });
    let unknown = json!({ "type": "compaction" });
    for content in [
        json!([]),
        json!([text("a"), image()]),
        json!([cited, unknown]),
    ] {
        assert!(
            matches!(from_json(content.clone()), ToolResultContent::Blocks(_)),
            "a list of valid blocks is `Blocks`, even if it is empty or has an unknown block: {content}"
        );
    }
    for is_error in [true, false] {
        assert_round_trip::<UnifiedContentBlock>(json!({
            "type": "tool_result", "tool_use_id": "call_1", "content": "ok", "is_error": is_error
        }));
    }
}

#[test]
fn test_ch18_result_content_loads_from_text() {
    // From text, serde_json may lend a string or build a new one.
    let line = r#"{"type":"tool_result","tool_use_id":"call_1","content":"a\n\"b\" \u00e9"}"#;
    let block: UnifiedContentBlock = match serde_json::from_str(line) {
        Ok(block) => block,
        Err(error) => panic!("this line should load: {line}\nserde says: {error}"),
    };
    assert_json(
        "a block from a JSON line",
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
        text("a"),
        json!(["a", 1]),
        json!([{ "no": "type" }]),
        json!([text("a"), { "no": "type" }]),
        json!([text("a"), 1]),
        json!([{ "type": 1 }]),
    ] {
        assert_round_trip::<UnifiedContentBlock>(result("call_1", content.clone()));
        assert!(
            matches!(from_json(content.clone()), ToolResultContent::Json(_)),
            "this is neither a string nor a list of valid blocks, so it is `Json`: {content}"
        );
    }
}

#[test]
fn test_ch18_missing_result_content_is_null() {
    let without = json!({ "type": "tool_result", "tool_use_id": "call_1" });
    assert_json(
        "missing content is `null`",
        &to_json(&from_json::<UnifiedContentBlock>(without)),
        &result("call_1", json!(null)),
    );
}

#[test]
fn test_ch18_list_with_another_kind_of_block_is_kept() {
    let screenshot = json!({ "type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png" });
    for other in [screenshot, json!({ "type": "text", "text": 7 })] {
        let content = json!([text("A screenshot:"), other]);
        let block: UnifiedContentBlock = match from_value(result("call_1", content.clone())) {
            Ok(block) => block,
            Err(error) => panic!("one block must not keep a history from loading: {error}"),
        };
        assert_json(
            "a list with a block that does not load is kept as it is",
            &to_json(&block),
            &result("call_1", content),
        );
    }
}
