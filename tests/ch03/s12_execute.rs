//! Section 3.12: Whatever goes wrong

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use claw_code::provider::arguments_problem;
use claw_code::tools::*;
use claw_code::types::*;
use serde_json::{Value, json};

use super::support::*;

#[tokio::test]
async fn test_ch3_execute_runs_the_right_tool() {
    let tools = ToolSet::new()
        .with(Probe::new(Does::Echo))
        .with(Named("bash"));
    assert_eq!(
        execute(&tools, &call("bash", json!({}))).await,
        ToolResult::text("bash is done")
    );
    let args = json!({ "path": "a.txt" });
    assert_eq!(
        execute(&tools, &call("probe", args.clone())).await,
        ToolResult::text(args.to_string())
    );
    let refused = execute(&tools, &call("probe", json!({ "path": 7 }))).await;
    assert!(
        refused.is_error
            && refused.content.starts_with("error: ")
            && refused.content.contains("`path` must be string"),
        "bad arguments become an error result; the content is {:?}",
        refused.content
    );
}

#[tokio::test]
async fn test_ch3_execute_the_first_real_tool() {
    let tools = |root: &Path| ToolSet::new().with(ListTool::new(root));
    let folder = Folder::new(&["src/main.rs", "Cargo.toml"]);
    let none = execute(&ToolSet::new(), &call("list", json!({}))).await;
    assert!(
        none.is_error && none.content.starts_with("error: "),
        "a set without tools answers with an error, too"
    );
    let tools = tools(folder.path());
    assert_eq!(
        execute(&tools, &call("list", json!({}))).await,
        ToolResult::text("Cargo.toml\nsrc/")
    );
    let misspelt = execute(&tools, &call("list", json!({ "pth": "src" }))).await;
    assert!(
        misspelt
            .content
            .contains("`pth` is not known; known are `path`"),
        "a misspelt argument is not passed over: the model would take the listing of `.` for that of `src`; the content is {:?}",
        misspelt.content
    );
}

#[tokio::test]
async fn test_ch3_execute_arguments_that_are_not_json() {
    let tools = ToolSet::new().with(Probe::new(Does::Echo));
    let torn = call("probe", json!("{\"path\": \"a.t"));
    let result = execute(&tools, &torn).await;
    let problem = arguments_problem(&torn).expect("section 2.5 finds these torn");
    assert_eq!(
        result,
        ToolResult::error(problem),
        "arguments that are not JSON fit no schema: what `arguments_problem` says of them helps more"
    );
}

#[tokio::test]
async fn test_ch3_execute_unknown_tool() {
    let tools = ToolSet::new()
        .with(Named("write"))
        .with(Named("bash"))
        .with(Named("read"))
        .with(Named("list"));
    for name in ["List", "lst", ""] {
        let result = execute(&tools, &call(name, json!({}))).await;
        assert!(
            result.is_error
                && result.content.starts_with("error: ")
                && result.content.contains(&format!("{name:?}")),
            "a tool that does not exist is an error that names it, {name:?}; the content is {:?}",
            result.content
        );
        assert!(
            result.content.contains("bash, list, read, write"),
            "the tools that do exist are listed, sorted; the content is {:?}",
            result.content
        );
    }
    let result = execute(&ToolSet::new(), &call("list", json!({}))).await;
    assert_eq!(
        result.content, "error: there is no tool \"list\", nor any other tool",
        "where there are no tools, the model is told so instead of an empty list"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn test_ch3_execute_survives_panics() {
    let tools = Arc::new(ToolSet::new().with(Probe::new(Does::Panic)));
    for (path, says) in [
        ("text", "index out of range"),
        ("formatted", "bad path formatted"),
        ("before the future", "no future here"),
        ("number", "no message"),
    ] {
        let result = execute_apart(&tools, call("probe", json!({ "path": path }))).await;
        assert!(
            result.is_error
                && result.content.starts_with("error: ")
                && result.content.contains("`probe`")
                && result.content.contains(says),
            "a panic becomes an error result that names the tool and says {says:?}; the content is {:?}",
            result.content
        );
    }
    let args = json!({ "path": "well behaved" });
    assert_eq!(
        execute_apart(&tools, call("probe", args.clone())).await,
        ToolResult::text(args.to_string()),
        "after a panic the same tool can be called again"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn test_ch3_execute_survives_panics_of_checks() {
    let tools = Arc::new(ToolSet::new().with(Probe::new(Does::Echo)));
    let args = json!({ "path": "panic in check" });
    let result = execute_apart(&tools, call("probe", args)).await;
    assert!(
        result.is_error
            && result.content.starts_with("error: ")
            && result.content.contains("the check broke"),
        "a panic in validate_input becomes an error result as well; the content is {:?}",
        result.content
    );
}

#[tokio::test]
async fn test_ch3_execute_bounds_the_result() {
    let tools = ToolSet::new().with(Probe::new(Does::Flood));
    assert_eq!(RESULT_LIMIT, 32 * 1024, "the limit is given; leave it");
    let long_name = "x".repeat(2 * RESULT_LIMIT);
    for (name, path, what) in [
        ("probe", "result", "a result"),
        ("probe", "error", "the text of an Err"),
        (&long_name, "", "the name of an unknown tool"),
    ] {
        let result = execute(&tools, &call(name, json!({ "path": path }))).await;
        assert!(
            result.content.len() <= RESULT_LIMIT && result.is_truncated,
            "{what} of more than {RESULT_LIMIT} bytes is cut and marked; {} bytes came, marked: {}",
            result.content.len(),
            result.is_truncated
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn test_ch3_execute_from_several_tasks() {
    let tools = Arc::new(ToolSet::new().with(Probe::new(Does::Panic)));
    let answers = ["text", "fine", "formatted", "good"]
        .map(|path| execute_apart(&tools, call("probe", json!({ "path": path }))));
    let mut failed = Vec::new();
    for answer in answers {
        failed.push(answer.await.is_error);
    }
    assert_eq!(
        failed,
        [true, false, true, false],
        "a call that panics takes no other call with it"
    );
}

/// [`execute`] in a task of its own, so that a panic's message is not printed among this
/// test's. What panics in spite of all ends the test.
fn execute_apart(tools: &Arc<ToolSet>, call: ToolCall) -> impl Future<Output = ToolResult> {
    let tools = Arc::clone(tools);
    let task = tokio::spawn(async move { execute(&tools, &call).await });
    async move {
        task.await.unwrap_or_else(|error| {
            let thrown = error.into_panic();
            let text = thrown.downcast_ref::<&str>().copied();
            let text = text.or_else(|| thrown.downcast_ref::<String>().map(String::as_str));
            panic!("{}", text.unwrap_or("execute panicked"))
        })
    }
}

/// A tool that has a name and nothing else.
struct Named(&'static str);

#[async_trait]
impl Tool for Named {
    fn definition(&self) -> &ToolDefinition {
        // A definition is borrowed from its tool; this one is made once and kept.
        Box::leak(Box::new(ToolDefinition {
            name: self.0,
            description: "Has a name",
            parameters: json!({}),
        }))
    }

    async fn call(&self, _args: Value) -> anyhow::Result<ToolResult> {
        Ok(ToolResult::text(format!("{} is done", self.0)))
    }
}
