//! Section 0.2: Offer it a tool

use claw_code::first::{ask, bash_tool};
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch0_tool_is_a_function_called_bash() {
    let tool = bash_tool();
    assert_eq!(tool["type"], "function", "the type of the tool");
    assert_eq!(tool["function"]["name"], "bash", "the name of the tool");
}

#[test]
fn test_ch0_tool_has_a_description() {
    let tool = bash_tool();
    let description = tool["function"]["description"].as_str().unwrap_or_default();
    assert!(
        !description.trim().is_empty(),
        "`function.description` is text that tells the model what the tool does"
    );
}

#[test]
fn test_ch0_tool_requires_a_command() {
    let tool = bash_tool();
    let schema = &tool["function"]["parameters"];
    assert_eq!(schema["type"], "object", "the arguments are an object");
    assert_eq!(
        schema["properties"]["command"]["type"], "string",
        "the argument `command` is a string"
    );
    assert_json(
        "`required` is a list in `parameters`, beside `properties`, and names the command",
        &schema["required"],
        &json!(["command"]),
    );
}

#[test]
fn test_ch0_model_calls_the_tool() {
    let tools = [bash_tool()];
    let mut model = RecordingModel::with([]);
    let message = ask(&mut model, &[user("run echo hi")], &tools)
        .unwrap_or_else(|error| panic!("the model accepts the definition of the tool: {error}"));
    let function = &message["tool_calls"][0]["function"];
    assert_eq!(function["name"], "bash", "the model calls the tool");
    let arguments = function["arguments"].as_str().unwrap_or_default();
    let arguments: Value = serde_json::from_str(arguments).expect("the arguments are JSON");
    assert_json(
        "the model passes the command as the argument `command`",
        &arguments,
        &json!({ "command": "echo hi" }),
    );
}
