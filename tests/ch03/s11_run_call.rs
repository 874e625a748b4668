//! Section 3.11: From a call to a result

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::json;

use super::support::*;

#[tokio::test]
async fn test_ch3_run_calls_the_tool() {
    let tool = Probe::new(Does::Echo);
    let args = json!({ "path": "a.txt" });
    assert_eq!(
        run(&tool, &args).await,
        ToolResult::text(args.to_string()),
        "the tool gets the arguments as they are, and its result is the result"
    );
    assert_eq!(tool.calls(), 1, "one call is carried out once");
    assert_eq!(tool.checks(), 1, "its arguments are checked once");
}

#[tokio::test]
async fn test_ch3_arguments_are_checked_in_a_step_of_their_own() {
    let tool = Probe::new(Does::Echo);
    let args = json!({ "path": "a.txt" });
    assert_eq!(check_arguments(&tool, &args), Ok(()), "these fit");
    assert_eq!(
        (tool.checks(), tool.calls()),
        (1, 0),
        "(checks, calls) after check_arguments, which calls no tool"
    );
    assert_eq!(
        run_validated(&tool, &args).await,
        ToolResult::text(args.to_string())
    );
    assert_eq!(
        (tool.checks(), tool.calls()),
        (1, 1),
        "(checks, calls) after run_validated: the arguments are checked once"
    );
}

#[tokio::test]
async fn test_ch3_run_checks_the_schema_first() {
    let tool = Probe::new(Does::Echo);
    for args in [json!({}), json!({ "path": 7 }), json!("path")] {
        let result = run(&tool, &args).await;
        let ValidationResult::Error { message, .. } = validate(tool.definition(), &args) else {
            panic!("{args} does not fit the schema of the tool");
        };
        assert_eq!(
            result,
            ToolResult::error(message),
            "the words of validate are the error result for {args}"
        );
    }
    assert_eq!(
        tool.calls(),
        0,
        "a tool is not called with arguments that do not fit"
    );
    assert_eq!(
        tool.checks(),
        0,
        "a tool's own check may rely on the schema, so it is not asked about arguments that do not fit"
    );
}

#[tokio::test]
async fn test_ch3_run_asks_the_tool() {
    let tool = Probe::new(Does::Echo);
    assert_eq!(
        run(&tool, &json!({ "path": "forbidden" })).await,
        ToolResult::error("`path` is taken"),
        "what the tool's own validate_input says is the error result"
    );
    assert_eq!(
        tool.calls(),
        0,
        "a tool is not called after its own check refused"
    );
    assert_eq!(tool.checks(), 1);
}

#[tokio::test]
async fn test_ch3_run_turns_err_into_a_result() {
    let tool = Probe::new(Does::Fail);
    let result = run(&tool, &json!({ "path": "a.txt" })).await;
    assert!(
        result.is_error && result.content.starts_with("error: "),
        "an Err becomes an error result; the content is {:?}",
        result.content
    );
    for piece in ["`probe`", "cannot save a.txt", "the disk is full"] {
        assert!(
            result.content.contains(piece),
            "the result names the tool and every cause, {piece:?} among them; the content is {:?}",
            result.content
        );
    }
}
