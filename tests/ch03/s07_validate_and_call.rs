//! Section 3.7: Running a tool

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::json;

use super::support::*;

#[tokio::test]
async fn test_ch3_valid_call_reaches_the_tool_once() {
    let tool = ProbeTool::new(Behavior::Echo);
    let args = json!({ "path": "a.txt" });
    assert_eq!(
        validate_and_call(&tool, &args).await,
        ToolResult::text(args.to_string()),
        "the tool gets the arguments unchanged, and its result is returned"
    );
    assert_eq!(tool.calls(), 1, "the tool is called once");
    assert_eq!(tool.checks(), 1, "the arguments are checked once");
}

#[tokio::test]
async fn test_ch3_result_of_the_tool_is_unchanged() {
    let tool = ProbeTool::new(Behavior::CutError);
    let result = call_validated(&tool, &json!({ "path": "a.txt" })).await;
    assert_eq!(
        result,
        ToolResult {
            is_truncated: true,
            ..ToolResult::error("no such file")
        },
        "an `Ok` is the tool's own result, even an error or one that it has cut"
    );
}

#[tokio::test]
async fn test_ch3_check_and_call_are_separate_steps() {
    let tool = ProbeTool::new(Behavior::Echo);
    let args = json!({ "path": "a.txt" });
    assert_eq!(check_arguments(&tool, &args), Ok(()), "valid arguments");
    assert_eq!(
        (tool.checks(), tool.calls()),
        (1, 0),
        "(checks, calls): check_arguments does not call the tool"
    );
    assert_eq!(
        call_validated(&tool, &args).await,
        ToolResult::text(args.to_string())
    );
    assert_eq!(
        (tool.checks(), tool.calls()),
        (1, 1),
        "(checks, calls): arguments are checked once, so call_validated does not check them again"
    );
}

#[tokio::test]
async fn test_ch3_schema_is_checked_first() {
    let tool = ProbeTool::new(Behavior::Echo);
    for args in [json!({}), json!({ "path": 7 }), json!("path")] {
        let result = validate_and_call(&tool, &args).await;
        let ValidationResult::Error { message, .. } = validate(tool.definition(), &args) else {
            panic!("{args} should not match the tool's schema");
        };
        assert_eq!(
            result,
            ToolResult::error(message),
            "the message of `validate` is the error result for {args}"
        );
    }
    assert_eq!(
        (tool.checks(), tool.calls()),
        (0, 0),
        "(checks, calls): arguments that do not match the schema reach neither the tool nor its own check, which may rely on the schema"
    );
}

#[tokio::test]
async fn test_ch3_own_check_of_the_tool_comes_second() {
    let tool = ProbeTool::new(Behavior::Echo);
    assert_eq!(
        validate_and_call(&tool, &json!({ "path": "forbidden" })).await,
        ToolResult::error("`path` is taken"),
        "the message of the tool's `validate_input` is the error result"
    );
    assert_eq!(
        (tool.checks(), tool.calls()),
        (1, 0),
        "(checks, calls): after its own check fails, the tool is not called"
    );
}

#[tokio::test]
async fn test_ch3_err_of_a_tool_becomes_an_error_result() {
    let tool = ProbeTool::new(Behavior::Fail);
    assert_eq!(
        validate_and_call(&tool, &json!({ "path": "a.txt" })).await,
        ToolResult::error("the tool `probe` failed: cannot save a.txt: the disk is full"),
        "the error result has the tool's name and every cause of the error"
    );
    assert_eq!(tool.calls(), 1, "a call that fails is not repeated");
}
