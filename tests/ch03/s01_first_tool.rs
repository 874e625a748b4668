//! Section 3.1: A first tool

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::json;

#[test]
fn test_ch3_list_definition() {
    let tool = ListTool::new("/");
    let definition = tool.definition();
    assert_eq!(definition.name, "list");
    assert!(
        definition.description.split_whitespace().count() >= 5,
        "the description is all a model knows of the tool; this one says little: {:?}",
        definition.description
    );
    let properties = definition.parameters["properties"]
        .as_object()
        .expect("the parameters are an object schema with properties");
    assert_eq!(
        properties.keys().collect::<Vec<_>>(),
        ["path"],
        "list has one parameter, `path`"
    );
    assert_eq!(properties["path"]["type"], "string", "`path` is a string");
    assert!(
        properties["path"]["description"]
            .as_str()
            .is_some_and(|words| !words.is_empty()),
        "`path` is described to the model"
    );
    assert_eq!(
        definition.parameters["required"],
        json!([]),
        "`path` may be left out"
    );
}

#[test]
fn test_ch3_list_says_what_it_does() {
    let tool: Box<dyn Tool> = Box::new(ListTool::new("/"));
    assert!(
        tool.is_read_only(),
        "listing a folder changes nothing, and plan mode should know"
    );
    assert!(
        tool.is_concurrent_safe(),
        "two listings do not disturb each other"
    );
    assert!(!tool.is_destructive());
    assert_eq!(
        tool.summary(&json!({ "path": "src" })),
        "[list: src]",
        "the summary of chapter 1 shows the tool's name and its path"
    );
}
