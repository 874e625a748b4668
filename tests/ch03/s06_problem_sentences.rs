//! Section 3.6: One sentence for each problem

use claw_code::tools::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch3_sentence_missing_and_unknown() {
    assert_sentence(
        &["path"],
        json!(null),
        Problem::Missing,
        "`path` is required",
    );
    assert_sentence(
        &["edit", "pth"],
        json!("a"),
        Problem::Unknown {
            allowed: vec!["path".into(), "limit".into()],
        },
        "`edit.pth` is not known; known are `path`, `limit`",
    );
    assert_sentence(
        &["pth"],
        json!("a"),
        Problem::Unknown { allowed: vec![] },
        "`pth` is not known",
    );
}

#[test]
fn test_ch3_sentence_expected_and_got() {
    let expected = vec!["integer", "null"];
    assert_sentence(
        &["limit"],
        json!("ten"),
        Problem::Type { expected },
        "`limit` must be integer or null, not \"ten\"",
    );
    let expected = vec!["object"];
    assert_sentence(
        &[],
        json!("{\"path\": "),
        Problem::Type { expected },
        "the arguments must be object, not \"{\\\"path\\\": \"",
    );
    let allowed = vec![json!("append"), json!(1), json!(null)];
    assert_sentence(
        &["mode"],
        json!("add"),
        Problem::Choice { allowed },
        "`mode` must be \"append\" or 1 or null, not \"add\"",
    );
    assert_sentence(
        &["limit"],
        json!(0),
        Problem::Rule("must be at least 1".into()),
        "`limit` must be at least 1, not 0",
    );
    let long = json!("x".repeat(500));
    let sentence = format!("`text` must be integer, not {}", shown(&long));
    let expected = vec!["integer"];
    assert_sentence(&["text"], long, Problem::Type { expected }, &sentence);
}

#[test]
fn test_ch3_sentence_forms() {
    let wrong = |at: &str, got: Value, expected: &'static str| Mismatch {
        path: vec![name("when"), name(at)],
        got,
        problem: Problem::Type {
            expected: vec![expected],
        },
    };
    assert_sentence(
        &["when"],
        json!({ "day": "x", "hour": "y" }),
        Problem::Forms(vec![
            vec![
                wrong("day", json!("x"), "integer"),
                wrong("hour", json!("y"), "integer"),
            ],
            vec![wrong("day", json!("x"), "null")],
        ]),
        "`when` fits no form: `when.day` must be integer, not \"x\" and `when.hour` must be integer, not \"y\"; or `when.day` must be null, not \"x\"",
    );
}

#[track_caller]
fn assert_sentence(path: &[&str], got: Value, problem: Problem, sentence: &str) {
    let path = path.iter().map(|step| name(step)).collect();
    let mismatch = Mismatch { path, got, problem };
    assert_eq!(mismatch.to_string(), sentence, "for {mismatch:?}");
}
