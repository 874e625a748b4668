//! The size of a plan

use claw_code::plan::*;
use claw_code::types::{Tool, ValidationResult};
use serde_json::json;

use super::support::exit_plan;

#[test]
fn plan_with_text_is_accepted() {
    for plan in ["1. Read the tests.", "-", &"x".repeat(MAX_PLAN_BYTES)] {
        let length = plan.len();
        assert_eq!(check_plan(plan), Ok(()), "a plan of {length} bytes");
    }
}

#[test]
fn empty_plan_is_an_error() {
    for plan in ["", " \n\t "] {
        assert_eq!(
            check_plan(plan),
            Err("`plan` is empty; write the steps that you propose".into()),
            "{plan:?} has no text"
        );
    }
}

#[test]
fn long_plan_is_an_error_with_both_numbers() {
    assert_eq!(
        check_plan(&"é".repeat(10_000)),
        Err("`plan` has 20000 bytes, and the limit is 16384; leave out details".into()),
        "the model must learn how much to leave out"
    );
    assert!(
        check_plan(&("x".repeat(MAX_PLAN_BYTES) + "\n")).is_err(),
        "one byte too many"
    );
}

#[test]
fn tool_refuses_a_plan_before_the_review() {
    let problem = check_plan("").expect_err("it is empty");
    let (tool, _, _) = exit_plan([]);
    let ValidationResult::Error { message, .. } = tool.validate_input(&json!({ "plan": "" }))
    else {
        panic!("the user must not be asked to review an empty plan");
    };
    assert_eq!(message, problem, "the model reads the same error");
    let valid = tool.validate_input(&json!({ "plan": "1. Read." }));
    assert_eq!(valid, ValidationResult::Ok, "a plan with text");
}
