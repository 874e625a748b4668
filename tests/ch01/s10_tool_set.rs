//! Section 1.10: ToolSet

use claw_code::types::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch1_toolset_empty() {
    for (made_by, set) in [
        ("ToolSet::new()", ToolSet::new()),
        ("ToolSet::default()", ToolSet::default()),
    ] {
        assert!(
            set.is_empty(),
            "is_empty() gave false for {made_by}, which has no tools"
        );
        assert_eq!(set.len(), 0, "len() of {made_by}, which has no tools");
        assert!(
            set.names().is_empty(),
            "names() of {made_by}, which has no tools, gave some"
        );
        assert!(
            set.definitions().is_empty(),
            "definitions() of {made_by}, which has no tools, gave some"
        );
        assert!(
            set.get("bash").is_none(),
            "get() found a tool in {made_by}, which has none"
        );
    }
}

#[test]
fn test_ch1_toolset_push_and_get() {
    let mut set = ToolSet::new();
    set.push(Plain::named("bash"));
    assert!(
        !set.is_empty(),
        "is_empty() gave true for a set with one tool"
    );
    set.push(Plain::named("readFile"));
    assert_eq!(set.len(), 2, "two tools of two names are two entries");
    for name in ["bash", "readFile"] {
        let tool = set.get(name);
        let found = tool.map(|tool| tool.definition().name);
        assert_eq!(
            found,
            Some(name),
            "a tool is found under its definition's name"
        );
    }
    for name in ["Bash", "readfile", "bas", "bash ", "Does as it is told", ""] {
        assert!(
            set.get(name).is_none(),
            "no tool is called {name:?}: only the very name finds it"
        );
    }
}

#[test]
fn test_ch1_toolset_with_chains() {
    let set = ToolSet::new()
        .with(Plain::named("bash"))
        .with(CountLines::default())
        .with(Plain::named("grep"));
    assert_eq!(
        sorted(set.names()),
        ["bash", "count_lines", "grep"],
        "every tool added by with() is kept, whatever its type"
    );
}

#[test]
fn test_ch1_toolset_lists_every_tool() {
    let mut set = ToolSet::new();
    set.push(Plain::named("grep"));
    set.push(CountLines::default());
    set.push(Plain::named("bash"));
    assert_eq!(sorted(set.names()), ["bash", "count_lines", "grep"]);

    let definitions = set.definitions();
    assert_eq!(
        sorted(definitions.iter().map(|definition| definition.name)),
        ["bash", "count_lines", "grep"],
        "definitions() has one definition for each tool"
    );
    let count_lines = definitions
        .iter()
        .find(|definition| definition.name == "count_lines")
        .expect("just listed");
    assert_eq!(
        count_lines.parameters["required"],
        json!(["path"]),
        "a definition comes whole, its parameters included"
    );
}

#[test]
fn test_ch1_toolset_replaces_same_name() {
    let mut set = ToolSet::new();
    set.push(Plain::new("bash", "The old one"));
    set.push(Plain::new("bash", "The new one"));
    assert_eq!(set.len(), 1, "two tools of one name are one entry");
    assert_eq!(set.names(), ["bash"]);
    let tool = set.get("bash").expect("bash was pushed twice");
    assert_eq!(
        tool.definition().description,
        "The new one",
        "the later tool of a name replaces the earlier"
    );
}

fn sorted<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut names: Vec<_> = names.into_iter().collect();
    names.sort_unstable();
    names
}
