//! Section 3.7: Names that nobody knows

use claw_code::tools::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch3_closed_admits_known_names_only() {
    let schema = json!({ "type": "object", "properties": { "path": { "type": "string" } } });
    let problems = mismatches(&closed(&schema), &json!({ "path": "a", "pth": "b" }));
    assert_eq!(
        problems,
        Ok(vec![Mismatch {
            path: vec![name("pth")],
            got: json!("b"),
            problem: Problem::Unknown {
                allowed: vec!["path".into()]
            },
        }]),
        "a schema that lists its properties admits no other names once it is closed"
    );
    assert_eq!(
        mismatches(&closed(&schema), &json!({ "path": "a" })),
        Ok(vec![]),
        "what fitted before fits still"
    );
    assert_eq!(
        mismatches(&closed(&schema), &json!({ "path": 1 })).map(|found| found.len()),
        Ok(1),
        "what did not fit before does not fit now"
    );
}

#[test]
fn test_ch3_closed_leaves_decisions_alone() {
    for schema in [
        json!({ "type": "object", "properties": { "a": {} }, "additionalProperties": true }),
        json!({ "type": "object", "properties": { "a": {} }, "additionalProperties": { "type": "integer" } }),
        json!({ "type": "object", "properties": { "a": {} }, "unevaluatedProperties": { "type": "integer" } }),
        json!({ "type": "object" }),
        json!({ "type": "string" }),
        json!(true),
    ] {
        assert_eq!(
            closed(&schema),
            schema,
            "a schema that says what becomes of other names, or lists no names at all, stays as it is"
        );
    }
}

#[test]
fn test_ch3_closed_sees_names_from_elsewhere() {
    let schema = json!({
        "type": "object",
        "properties": { "path": { "type": "string" } },
        "allOf": [{ "properties": { "limit": { "type": "integer" } } }],
        "$ref": "#/$defs/more",
        "$defs": { "more": { "patternProperties": { "^x-": { "type": "string" } } } }
    });
    assert_eq!(
        mismatches(
            &closed(&schema),
            &json!({ "path": "a", "limit": 1, "x-note": "b" })
        ),
        Ok(vec![]),
        "names may also come from `allOf`, `$ref` and patterns: `additionalProperties` does not see those, another keyword does"
    );
    assert_eq!(
        mismatches(&closed(&schema), &json!({ "pth": "a" })).map(|found| found.len()),
        Ok(1),
        "a name that stands nowhere is not known, in this schema either"
    );
    let nested = json!({
        "type": "object",
        "properties": { "inner": { "type": "object", "properties": { "a": {} } } }
    });
    assert_eq!(
        mismatches(&closed(&nested), &json!({ "inner": { "b": 1 } })),
        Ok(vec![]),
        "only the arguments themselves are closed, not the objects inside them"
    );
}
