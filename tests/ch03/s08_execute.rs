//! Section 3.8: Errors and panics

use std::sync::Arc;

use async_trait::async_trait;
use claw_code::provider::arguments_problem;
use claw_code::tools::*;
use claw_code::types::*;
use serde_json::{Value, json};

use super::support::*;

#[tokio::test]
async fn test_ch3_execute_runs_the_named_tool() {
    let tools = ToolSet::new()
        .with(ProbeTool::new(Behavior::Echo))
        .with(NamedTool::new("bash"));
    assert_eq!(
        execute(&tools, &tool_call("bash", json!({}))).await,
        ToolResult::text("bash is done")
    );
    let args = json!({ "path": "a.txt" });
    assert_eq!(
        execute(&tools, &tool_call("probe", args.clone())).await,
        ToolResult::text(args.to_string())
    );
}

#[tokio::test]
async fn test_ch3_execute_refuses_invalid_arguments() {
    let tools = ToolSet::new().with(ProbeTool::new(Behavior::Echo));
    for (args, part) in [
        (json!({ "path": 7 }), "`path` must be string"),
        (json!(null), "the arguments must be object, not null"),
        // A string that is JSON: `arguments_problem` is `None`, and the schema refuses it.
        (json!("{\"path\": \"a\"}"), "the arguments must be object"),
    ] {
        let result = execute(&tools, &tool_call("probe", args)).await;
        assert_error_result(&result, &[part]);
    }
}

#[tokio::test]
async fn test_ch3_execute_lists_a_folder() {
    let none = execute(&ToolSet::new(), &tool_call("list", json!({}))).await;
    assert_error_result(&none, &[]);
    let folder = folder_with(&["src/main.rs", "Cargo.toml"]);
    let tools = ToolSet::new().with(ListTool::new(folder.path()));
    // A misspelled name must be an error: the model would take the root folder for `src`.
    let misspelled = execute(&tools, &tool_call("list", json!({ "pth": "src" }))).await;
    assert_error_result(
        &misspelled,
        &["`pth` is unknown; the known names are `path`"],
    );
    assert_eq!(
        execute(&tools, &tool_call("list", json!({}))).await,
        ToolResult::text("Cargo.toml\nsrc/")
    );
}

#[tokio::test]
async fn test_ch3_execute_explains_arguments_that_are_not_json() {
    let tools = ToolSet::new().with(ProbeTool::new(Behavior::Echo));
    let call = tool_call("probe", json!("{\"path\": \"a.t"));
    let result = execute(&tools, &call).await;
    let problem = arguments_problem(&call).expect("section 2.7 finds the problem");
    assert_eq!(
        result,
        ToolResult::error(problem),
        "for arguments that are not JSON, `arguments_problem` helps more than the schema"
    );
}

#[tokio::test]
async fn test_ch3_execute_lists_the_tools_after_an_unknown_name() {
    let tools = ["write", "bash", "read", "list", "ls", "edit", "grep"].map(NamedTool::new);
    let tools = tools.into_iter().fold(ToolSet::new(), ToolSet::with);
    for name in ["List", "lst", "list ", "", "li\"st\n"] {
        // The arguments are not JSON either, but without the tool they don't matter.
        let result = execute(&tools, &tool_call(name, json!("{\"path\": \"a.t"))).await;
        // The unknown name with its escapes, and the tools in sorted order.
        assert_error_result(
            &result,
            &[
                &format!("there is no tool {name:?}; the tools are "),
                "bash, edit, grep, list, ls, read, write",
            ],
        );
    }
}

#[tokio::test]
async fn test_ch3_execute_says_that_there_are_no_tools() {
    for name in ["list", "li\"st\n"] {
        let result = execute(&ToolSet::new(), &tool_call(name, json!({}))).await;
        assert!(result.is_error, "an empty set has an error result too");
        assert_eq!(
            result.content,
            format!("error: there is no tool {name:?}, and no other tool either"),
            "an empty set should be named instead of an empty list"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn test_ch3_execute_turns_a_panic_into_an_error_result() {
    let tools = Arc::new(ToolSet::new().with(ProbeTool::new(Behavior::Panic)));
    for (path, part) in [
        ("text", "index out of range"),
        ("formatted", "bad path formatted"),
        ("before the future", "no future here"),
        ("number", "it left no message"),
    ] {
        assert_eq!(
            execute_in_task(&tools, json!({ "path": path })).await,
            ToolResult::error(format!(
                "the tool `probe` crashed: {part}; this is a fault of the tool, so try another way"
            )),
            "the tool panics for the path {path:?}"
        );
    }
    let args = json!({ "path": "no panic" });
    assert_eq!(
        execute_in_task(&tools, args.clone()).await,
        ToolResult::text(args.to_string()),
        "the same tool can be called again after a panic"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn test_ch3_execute_catches_a_panic_of_a_check() {
    let tools = Arc::new(ToolSet::new().with(ProbeTool::new(Behavior::Echo)));
    let result = execute_in_task(&tools, json!({ "path": "panic in check" })).await;
    assert_error_result(&result, &["the check broke"]);
}

#[tokio::test]
async fn test_ch3_execute_limits_every_result() {
    let tools = ToolSet::new().with(ProbeTool::new(Behavior::Flood));
    assert_eq!(RESULT_LIMIT, 32 * 1024, "the limit is given; leave it");
    let long_name = "x".repeat(2 * RESULT_LIMIT);
    for (what, name, args) in [
        ("a result", "probe", json!({ "path": "result" })),
        ("the text of an Err", "probe", json!({ "path": "error" })),
        (
            "the message of a panic",
            "probe",
            json!({ "path": "panic" }),
        ),
        ("text that is not JSON", "probe", json!(long_name)),
        ("the name of an unknown tool", &long_name, json!({})),
    ] {
        let result = execute(&tools, &tool_call(name, args)).await;
        assert!(
            result.content.len() <= RESULT_LIMIT && result.is_truncated,
            "{what} of more than {RESULT_LIMIT} bytes should be cut and marked; it has {} bytes, and is_truncated is {}",
            result.content.len(),
            result.is_truncated
        );
        assert_eq!(
            result.content.len(),
            RESULT_LIMIT,
            "the limit is RESULT_LIMIT and not less, and {what} should use all of it"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn test_ch3_execute_keeps_other_calls_running_after_a_panic() {
    let tools = Arc::new(ToolSet::new().with(ProbeTool::new(Behavior::Panic)));
    let calls = ["text", "fine", "formatted", "good"]
        .map(|path| execute_in_task(&tools, json!({ "path": path })));
    let mut failed = Vec::new();
    for call in calls {
        failed.push(call.await.is_error);
    }
    assert_eq!(
        failed,
        [true, false, true, false],
        "a call that panics does not affect other calls"
    );
}

/// Executes a call of the probe in a task of its own, so that the panic's message does not
/// appear in the output of the test. A panic that `execute` does not catch fails the test.
fn execute_in_task(tools: &Arc<ToolSet>, args: Value) -> impl Future<Output = ToolResult> {
    let tools = Arc::clone(tools);
    let task = tokio::spawn(async move { execute(&tools, &tool_call("probe", args)).await });
    async move {
        task.await.unwrap_or_else(|error| {
            let payload = error.into_panic();
            let text = payload.downcast_ref::<&str>().copied();
            let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
            panic!("{}", text.unwrap_or("execute panicked"))
        })
    }
}

/// A tool with only a name.
struct NamedTool(ToolDefinition);

impl NamedTool {
    fn new(name: &'static str) -> Self {
        Self(definition(name, json!({})))
    }
}

#[async_trait]
impl Tool for NamedTool {
    fn definition(&self) -> &ToolDefinition {
        &self.0
    }

    async fn call(&self, _args: Value) -> anyhow::Result<ToolResult> {
        Ok(ToolResult::text(format!("{} is done", self.0.name)))
    }
}
