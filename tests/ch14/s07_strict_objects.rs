//! Section 14.7: Reading objects strictly

use claw_code::agent::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch14_usage_round_trips() {
    assert_round_trip::<Usage>(json!({
        "input": 1, "output": 2, "reasoning": 0, "cache_read": 0, "cache_write": 0, "total_tokens": 3
    }));
    assert_round_trip::<Usage>(json!({
        "input": 18446744073709551615u64, "output": 2, "reasoning": 3,
        "cache_read": 4, "cache_write": 5, "total_tokens": 6
    }));
}

#[test]
fn test_ch14_missing_counts_are_0() {
    assert_loads_as::<Usage>(json!({ "input": 1, "output": 2 }), least());
}

#[test]
fn test_ch14_counts_in_camel_case_load() {
    assert_loads_as::<Usage>(
        json!({
            "input": 1, "output": 2, "reasoning": 0,
            "cacheRead": 7, "cacheWrite": 8, "totalTokens": 18
        }),
        json!({
            "input": 1, "output": 2, "reasoning": 0,
            "cache_read": 7, "cache_write": 8, "total_tokens": 18
        }),
    );
}

#[test]
fn test_ch14_unknown_counts_are_skipped() {
    for newer in [
        r#"{"audio":{"in":[1,{"a":2}]},"input":1,"output":2}"#,
        r#"{"input":1,"audio":null,"output":2}"#,
        r#"{"input":1,"output":2,"audio":"none"}"#,
        r#"{"input":1,"audio":1e999,"output":2}"#,
    ] {
        assert_json(
            "an unknown field is skipped with its content, and the next fields are read",
            &to_json(&read::<Usage>(newer)),
            &least(),
        );
    }
}

#[test]
fn test_ch14_escaped_field_names_are_read() {
    assert_json(
        "a name with an escape is the same name",
        &to_json(&read::<Usage>(r#"{"in\u0070ut":1,"output":2}"#)),
        &least(),
    );
}

#[test]
fn test_ch14_usage_errors_name_the_missing_field() {
    assert_rejected::<Usage>(r#"{"output":2}"#, "missing field `input`");
    assert_rejected::<Usage>(r#"{"input":1}"#, "missing field `output`");
}

#[test]
fn test_ch14_usage_errors_name_the_wrong_field() {
    let null = r#"{"input":null,"output":2}"#;
    assert_rejected::<Usage>(null, "`input`: invalid type: null");
    let fraction = r#"{"input":1,"output":2.5}"#;
    assert_rejected::<Usage>(fraction, "`output`: invalid type: floating point `2.5`");
    let negative = r#"{"input":-1,"output":2}"#;
    assert_rejected::<Usage>(negative, "`input`: invalid value: integer `-1`");
}

#[test]
fn test_ch14_errors_of_optional_counts_name_the_field() {
    for (field, written, value) in [
        ("reasoning", "reasoning", r#""3""#),
        ("cache_read", "cache_read", "[]"),
        ("cache_write", "cacheWrite", "true"),
        ("total_tokens", "total_tokens", "{}"),
    ] {
        let broken = format!(r#"{{"input":1,"output":2,"{written}":{value}}}"#);
        assert_rejected::<Usage>(&broken, &format!("`{field}`"));
    }
}

#[test]
fn test_ch14_errors_carry_line_and_column() {
    let error = serde_json::from_str::<Usage>("{\"input\":1,\n\"output\":null}")
        .expect_err("null is not a count");
    assert_eq!(
        error.to_string(),
        "`output`: invalid type: null, expected u64 at line 2 column 13",
        "left: the error; right: the field's name once, serde's message, and where the value is"
    );
}

#[test]
fn test_ch14_duplicate_field_is_rejected() {
    for (twice, name) in [
        (r#"{"input":1,"output":2,"input":1}"#, "input"),
        (
            r#"{"input":1,"output":2,"cache_read":3,"cacheRead":3}"#,
            "cache_read",
        ),
        (r#"{"input":1,"output":2,"input":null}"#, "input"),
        // The second value is never read, so it need not be JSON.
        (r#"{"input":1,"output":2,"input":}"#, "input"),
    ] {
        let said = assert_rejected::<Usage>(twice, &format!("duplicate field `{name}`"));
        assert!(
            said.starts_with("duplicate"),
            "serde's own error names the field already, so it needs no prefix: {said}"
        );
    }
}

#[test]
fn test_ch14_only_an_object_is_usage() {
    assert_rejected::<Usage>("{}", "missing field `input`");
    for broken in ["[1,2,0,0,0,3]", "7", "null", r#""input""#] {
        assert_rejected::<Usage>(broken, "expected token counts");
    }
}

/// A usage with two counts as JSON.
fn least() -> Value {
    json!({
        "input": 1, "output": 2, "reasoning": 0, "cache_read": 0, "cache_write": 0, "total_tokens": 0
    })
}
