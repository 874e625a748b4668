//! Section 1.8: ValidationResult

use claw_code::types::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch1_validation_accepts_by_default() {
    let plain: Box<dyn Tool> = Box::new(Plain::named("plain"));
    for args in [json!({}), json!({ "path": 7 }), Value::Null, json!([1])] {
        assert_eq!(
            plain.validate_input(&args),
            ValidationResult::Ok,
            "a tool that checks nothing accepts everything, {args} included"
        );
    }
}

#[test]
fn test_ch1_validation_can_be_overridden() {
    let plain: Box<dyn Tool> = Box::new(Plain::named("plain"));
    let strict: Box<dyn Tool> = Box::new(CountLines::default());
    assert_eq!(plain.validate_input(&json!({})), ValidationResult::Ok);
    assert_eq!(
        strict.validate_input(&json!({ "path": "Cargo.toml" })),
        ValidationResult::Ok
    );
    assert_eq!(
        strict.validate_input(&json!({ "path": 7 })),
        ValidationResult::Error {
            message: "`path` must be a string".to_string(),
            code: 1
        },
        "a tool's own check is the one that counts"
    );
}
