//! A message for each mismatch

use claw_code::tools::*;
use serde_json::{Value, json};

use super::support::*;
use super::value_paths::name;

#[test]
fn message_for_a_missing_value() {
    let message = "`path` is required";
    assert_message(&["path"], json!(null), Problem::Missing, message);
}

#[test]
fn message_for_an_unknown_name() {
    let unknown = |allowed: &[&str]| Problem::Unknown {
        allowed: allowed.iter().map(|name| name.to_string()).collect(),
    };
    assert_message(
        &["edit", "pth"],
        json!("a"),
        unknown(&["path", "limit"]),
        "`edit.pth` is unknown; the known names are `path`, `limit`",
    );
    assert_message(&["pth"], json!("a"), unknown(&[]), "`pth` is unknown");
}

#[test]
fn message_for_a_wrong_type() {
    let wrong_type = |expected: &[&'static str]| Problem::Type {
        expected: expected.to_vec(),
    };
    assert_message(
        &["limit"],
        json!("ten"),
        wrong_type(&["integer", "null"]),
        "`limit` must be integer or null, not \"ten\"",
    );
    assert_message(
        &[],
        json!("{\"path\": "),
        wrong_type(&["object"]),
        "the arguments must be object, not \"{\\\"path\\\": \"",
    );
    let long = json!("x".repeat(500));
    let message = format!("`text` must be integer, not {}", format_value(&long));
    assert_message(&["text"], long, wrong_type(&["integer"]), &message);
}

#[test]
fn message_for_a_value_that_is_not_allowed() {
    // Only the value that the model sent is cut.
    let [sent, long] = ["x", "y"].map(|letter| json!(letter.repeat(MAX_VALUE_CHARS)));
    let cut = format!("\"{}…", "x".repeat(MAX_VALUE_CHARS - 1));
    let allowed = vec![json!("append"), json!(1), json!(null), long.clone()];
    assert_message(
        &["mode"],
        sent.clone(),
        Problem::Enum { allowed },
        &format!("`mode` must be \"append\" or 1 or null or {long}, not {cut}"),
    );
    assert_message(
        &["mode"],
        sent,
        Problem::Rule("must have at most 9 characters".into()),
        &format!("`mode` must have at most 9 characters, not {cut}"),
    );
}

#[test]
fn message_for_several_forms() {
    let wrong_type = |member: &str, got: &str, expected: &'static str| Mismatch {
        path: vec![name("when"), name(member)],
        got: json!(got),
        problem: Problem::Type {
            expected: vec![expected],
        },
    };
    let forms = vec![
        vec![
            wrong_type("day", "x", "integer"),
            wrong_type("hour", "y", "integer"),
        ],
        vec![wrong_type("day", "x", "null")],
    ];
    assert_message(
        &["when"],
        json!({ "day": "x", "hour": "y" }),
        Problem::AnyOf(forms),
        "`when` matches no allowed form: `when.day` must be integer, not \"x\" and `when.hour` must be integer, not \"y\"; or `when.day` must be null, not \"x\"",
    );
}

#[track_caller]
fn assert_message(path: &[&str], got: Value, problem: Problem, message: &str) {
    let path = path.iter().map(|step| name(step)).collect();
    let mismatch = Mismatch { path, got, problem };
    assert_eq!(mismatch.to_string(), message, "for {mismatch:?}");
}
