//! Section 1.8: ValidationResult

use claw_code::types::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch1_validation_accepts_all_arguments_by_default() {
    let mut minimal = MinimalTool::named("minimal");
    minimal.0.parameters = json!({
        "type": "object",
        "properties": { "path": { "type": "string", "description": "The file" } },
        "required": ["path"]
    });
    for args in [
        json!({}),
        json!({ "path": 7 }),
        json!({ "path": "a", "unknown": 1 }),
        Value::Null,
        json!([1]),
        json!("text"),
    ] {
        assert_eq!(
            minimal.validate_input(&args),
            ValidationResult::Ok,
            "a tool without a check accepts all arguments, including {args}"
        );
    }
}

#[test]
fn test_ch1_validation_can_be_overridden() {
    let minimal: Box<dyn Tool> = Box::new(MinimalTool::named("minimal"));
    let strict: Box<dyn Tool> = Box::new(CountLinesTool::default());
    assert_eq!(minimal.validate_input(&json!({})), ValidationResult::Ok);
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
        "a tool's own check replaces the default"
    );
}
