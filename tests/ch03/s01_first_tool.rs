//! Section 3.1: A first tool

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::json;

#[test]
fn test_ch3_list_definition_describes_the_tool() {
    let tool = ListTool::new("/");
    let definition = tool.definition();
    assert_eq!(definition.name, "list", "the name of the tool");
    assert!(
        definition.description.split_whitespace().count() >= 5,
        "the model knows the tool only from its description, and this one is too short: {:?}",
        definition.description
    );
}

#[test]
fn test_ch3_list_definition_has_an_optional_path() {
    let tool = ListTool::new("/");
    let parameters = &tool.definition().parameters;
    let properties = parameters["properties"].as_object();
    let properties = properties.expect("the parameters are an object schema with properties");
    assert_eq!(
        properties.keys().collect::<Vec<_>>(),
        ["path"],
        "list has one parameter, `path`"
    );
    assert_eq!(properties["path"]["type"], "string", "`path` is a string");
    let description = properties["path"]["description"].as_str();
    assert!(
        description.is_some_and(|text| !text.is_empty()),
        "`path` should have a description for the model"
    );
    assert_eq!(parameters["required"], json!([]), "`path` is optional");
}

#[test]
fn test_ch3_list_declares_that_it_is_harmless() {
    let tool: Box<dyn Tool> = Box::new(ListTool::new("/"));
    assert!(
        tool.is_read_only(),
        "a listing changes nothing, so plan mode may use it"
    );
    assert!(
        tool.is_concurrent_safe(),
        "two listings can run at the same time"
    );
    assert!(!tool.is_destructive(), "a listing destroys nothing");
    assert_eq!(
        tool.summary(&json!({ "path": "src" })),
        "[list: src]",
        "the summary of chapter 1 shows the tool's name and its path"
    );
}
