//! What a conversion lost

use claw_code::session::convert::{UNITY, WHOLE, lost};
use serde_json::{Value, json};

use super::support::*;

#[test]
fn equal_message_loses_nothing() {
    assert_lost(
        &json!({ "a": 1, "b": [1, "x"] }),
        &json!({ "b": [1, "x"], "a": 1 }),
        &[],
    );
}

#[test]
fn new_field_is_not_a_loss() {
    assert_lost(&json!({ "a": 1 }), &json!({ "a": 1, "b": 2 }), &[]);
    assert_blocks_lost(
        &json!([text_block("a")]),
        &json!([image(), text_block("a")]),
        &[],
    );
}

#[test]
fn missing_field_is_lost() {
    assert_lost(&json!({ "a": 1, "b": 2 }), &json!({ "a": 1 }), &["b"]);
}

#[test]
fn changed_field_is_lost() {
    assert_lost(
        &json!({ "a": 1, "b": 2 }),
        &json!({ "a": 1, "b": 3 }),
        &["b"],
    );
    assert_lost(&json!({ "a": "1" }), &json!({ "a": 1 }), &["a"]);
    assert_lost(
        &json!({ "a": [1], "b": { "c": 1 }, "d": [], "e": {} }),
        &json!({ "a": "x", "b": null, "d": 1 }),
        &["a", "b", "d", "e"],
    );
}

#[test]
fn path_of_a_lost_field_has_dots() {
    assert_lost(
        &json!({ "usage": { "in": 1, "out": 2 } }),
        &json!({ "usage": { "in": 1 } }),
        &["usage.out"],
    );
    assert_lost(
        &json!({ "usage": { "in": 1 }, "list": [1] }),
        &json!({}),
        &["list", "usage"],
    );
}

#[test]
fn integers_are_compared_exactly() {
    assert_lost(
        &json!({ "a": 9007199254740993_u64 }),
        &json!({ "a": 9007199254740992_u64 }),
        &["a"],
    );
}

#[test]
fn null_equals_an_absent_field() {
    assert_lost(&json!({ "a": null }), &json!({}), &[]);
    assert_lost(&json!({ "a": null }), &json!({ "a": 1 }), &[]);
    assert_lost(&json!({ "a": 1 }), &json!({ "a": null }), &["a"]);
}

#[test]
fn numbers_of_one_value_are_equal() {
    assert_lost(&json!({ "a": 12 }), &json!({ "a": 12.0 }), &[]);
}

#[test]
fn two_spellings_of_a_name_are_equal() {
    assert_lost(
        &json!({ "errorMessage": "x" }),
        &json!({ "error_message": "x" }),
        &[],
    );
}

#[test]
fn changed_element_is_named_by_its_array() {
    assert_blocks_lost(&json!([1, 2]), &json!([1, 3]), &["content[]"]);
}

#[test]
fn missing_block_is_lost_as_a_whole() {
    assert_blocks_lost(
        &json!([text_block("a"), image()]),
        &json!([text_block("a")]),
        &["content[image]"],
    );
}

#[test]
fn blocks_after_a_missing_one_are_not_lost() {
    assert_blocks_lost(
        &json!([image(), text_block("a")]),
        &json!([text_block("a")]),
        &["content[image]"],
    );
}

#[test]
fn blocks_of_one_type_keep_their_order() {
    assert_blocks_lost(
        &json!([image(), text_block("a"), text_block("b")]),
        &json!([text_block("a"), text_block("b")]),
        &["content[image]"],
    );
    assert_blocks_lost(
        &json!([text_block("a"), image()]),
        &json!([image(), text_block("a"), text_block("b")]),
        &["content[image]"],
    );
}

#[test]
fn blocks_after_one_of_another_type_keep_their_places() {
    assert_blocks_lost(
        &json!([image(), text_block("a")]),
        &json!([text_block("[image]"), text_block("a")]),
        &["content[image]"],
    );
}

#[test]
fn field_of_a_block_has_the_block_type_in_its_path() {
    assert_blocks_lost(
        &json!([text_block("a"), text_block("b")]),
        &json!([text_block("a"), text_block("c")]),
        &["content[text].text"],
    );
}

#[test]
fn of_two_blocks_joined_into_one_the_second_is_lost() {
    assert_blocks_lost(
        &json!([text_block("a"), text_block("b")]),
        &json!([text_block("a\nb")]),
        &["content[text].text", "content[text]"],
    );
}

#[test]
fn message_that_does_not_come_back_is_lost() {
    let sent = json!({ "a": 1 });
    assert_eq!(lost(&sent, &[]), [WHOLE], "nothing came back");
}

#[test]
fn message_that_comes_back_as_two_is_lost() {
    let sent = json!({ "a": 1 });
    assert_eq!(
        lost(&sent, &[json!({ "b": 1 }), json!({})]),
        [UNITY],
        "two messages came back, and their fields are not compared"
    );
}

fn image() -> Value {
    json!({ "type": "image", "data": "AA==" })
}

#[track_caller]
fn assert_lost(sent: &Value, returned: &Value, expected: &[&str]) {
    assert_eq!(
        lost(sent, std::slice::from_ref(returned)),
        expected,
        "the lost fields of {sent}, which came back as {returned}"
    );
}

/// The same for messages with this `content`.
#[track_caller]
fn assert_blocks_lost(sent: &Value, returned: &Value, expected: &[&str]) {
    let (sent, returned) = (json!({ "content": sent }), json!({ "content": returned }));
    assert_lost(&sent, &returned, expected);
}
