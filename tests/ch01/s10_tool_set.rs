//! Section 1.10: ToolSet

use claw_code::types::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch1_toolset_empty() {
    for (name, set) in [
        ("ToolSet::new()", ToolSet::new()),
        ("ToolSet::default()", ToolSet::default()),
    ] {
        assert!(set.is_empty(), "{name} should be empty");
        assert_eq!(set.len(), 0, "{name} should have no tools");
        assert!(set.names().is_empty(), "{name} should have no names");
        assert!(
            set.definitions().is_empty(),
            "{name} should have no definitions"
        );
        assert!(set.get("bash").is_none(), "{name} should have no tool");
    }
}

#[test]
fn test_ch1_toolset_get_finds_a_tool_by_name() {
    let mut set = ToolSet::new();
    set.push(MinimalTool::named("bash"));
    assert!(!set.is_empty(), "a set with one tool is not empty");
    set.push(MinimalTool::named("readFile"));
    assert_eq!(set.len(), 2, "two tools with two names are two entries");
    for name in ["bash", "readFile"] {
        let tool = set.get(name);
        assert_eq!(
            tool.map(|tool| tool.definition().name),
            Some(name),
            "get() finds a tool by the name in its definition"
        );
    }
    for name in [
        "Bash",
        "readfile",
        "bas",
        "bash ",
        " bash",
        "A tool for tests",
        "",
    ] {
        assert!(
            set.get(name).is_none(),
            "get() finds a tool only by its exact name, and no tool is called {name:?}"
        );
    }
}

#[test]
fn test_ch1_toolset_with_chains() {
    let set = ToolSet::new()
        .with(MinimalTool::named("bash"))
        .with(CountLinesTool::default())
        .with(MinimalTool::named("grep"));
    assert_eq!(
        sorted(set.names()),
        ["bash", "count_lines", "grep"],
        "with() keeps each added tool, of any type"
    );
}

#[test]
fn test_ch1_toolset_lists_every_tool() {
    let mut set = ToolSet::new();
    set.push(MinimalTool::named("grep"));
    set.push(CountLinesTool::default());
    set.push(MinimalTool::named("bash"));
    assert_eq!(sorted(set.names()), ["bash", "count_lines", "grep"]);

    let definitions = set.definitions();
    assert_eq!(
        sorted(definitions.iter().map(|definition| definition.name)),
        ["bash", "count_lines", "grep"],
        "definitions() returns one definition for each tool"
    );
    let count_lines = definitions
        .iter()
        .find(|definition| definition.name == "count_lines")
        .expect("its name is in the list");
    assert_eq!(
        count_lines.parameters["required"],
        json!(["path"]),
        "definitions() returns complete definitions, including the parameters"
    );
}

#[test]
fn test_ch1_toolset_replaces_same_name() {
    let mut set = ToolSet::new();
    set.push(MinimalTool::new("bash", "Old"));
    set.push(MinimalTool::new("bash", "New"));
    assert_eq!(set.len(), 1, "two tools with one name are one entry");
    assert_eq!(set.names(), ["bash"]);
    let tool = set.get("bash").expect("bash was pushed twice");
    assert_eq!(
        tool.definition().description,
        "New",
        "the later tool with a name replaces the earlier one"
    );
    let set = set.with(MinimalTool::new("bash", "Newest"));
    assert_eq!(
        set.definitions()[0].description,
        "Newest",
        "with() replaces a tool with the same name, as push() does"
    );
}

fn sorted<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut names: Vec<_> = names.into_iter().collect();
    names.sort_unstable();
    names
}
