//! Section 9.3: The registry

use std::sync::atomic::Ordering;

use claw_code::engine::*;
use claw_code::provider::MockProvider;
use claw_code::tools::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch9_lists_are_sorted_by_name() {
    let sorted = ["ask", "bash", "glob", "mcp__git__log", "read", "write"];
    for order in [[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [3, 0, 5, 1, 4, 2]] {
        let registry = registry(&order.map(|index| sorted[index]));
        assert_eq!(
            registry.names(),
            sorted,
            "names are sorted, regardless of the order in which the tools were added"
        );
        let definitions: Vec<&str> = registry.definitions().iter().map(|d| d.name).collect();
        assert_eq!(definitions, sorted, "definitions have the same order");
    }
    assert_eq!(
        format!("{:?}", registry(&["read", "bash"])),
        r#"{"bash", "read"}"#,
        "the debug output of a registry lists its names"
    );
}

#[test]
fn test_ch9_registry_finds_a_tool_by_its_exact_name() {
    let registry = registry(&["bash", "read", "READ"]);
    assert!(
        Registry::new().is_empty() && !registry.is_empty(),
        "a new registry is empty, and one with three tools is not"
    );
    for name in ["bash", "read", "READ"] {
        let found = registry.get(name).map(|tool| tool.definition().name);
        assert_eq!(found, Some(name), "each tool is found by its own name");
    }
    for name in ["write", "Read", "rea", " read", ""] {
        assert!(
            registry.get(name).is_none(),
            "no tool has the name {name:?}"
        );
    }
}

#[tokio::test]
async fn test_ch9_first_tool_with_a_name_stays() {
    let mut registry = registry(&["read"]);
    add(&mut registry, tool_with_result("bash", "the first one"));
    let Err(error) = registry.add(tool_with_result("bash", "the second one")) else {
        panic!("a second tool `bash` should be an error, since a call names only one");
    };
    assert!(
        error.to_string().contains("bash") && error.to_string().contains("rename"),
        "the error should name the tool and say that one of the two must be renamed; it is: {error}"
    );
    assert_eq!(registry.names(), ["bash", "read"], "nothing else changed");
    let bash = registry.get("bash").expect("the first tool stays");
    let result = bash.call(json!({})).await.expect("it returns a result");
    assert_eq!(
        result.content, "the first one",
        "a later tool, perhaps of another program, must not replace the first"
    );
}

#[test]
fn test_ch9_rejected_tool_changes_nothing() {
    let mut registry = registry(&["read"]);
    let Err(error) = registry.add(empty_tool("web search")) else {
        panic!(
            "an API rejects the name \"web search\", and with it the whole request, so it should be an error"
        );
    };
    let expected = check_definition(&definition("web search", object(json!({}))));
    let expected = expected.expect_err("an invalid name").to_string();
    assert!(
        format!("{error:#}").contains(&expected),
        "the error should be that of `check_definition`, {expected:?}; it is: {error:#}"
    );
    assert_eq!(registry.names(), ["read"], "the registry is unchanged");
}

#[tokio::test]
async fn test_ch9_tool_sets_share_the_tools_of_the_registry() {
    let special = Special::default();
    let calls = special.calls.clone();
    let mut registry = registry(&["read"]);
    add(&mut registry, special);
    for set in [registry.tool_set(), registry.tool_set()] {
        let mut names = set.names();
        names.sort_unstable();
        assert_eq!(names, ["read", "special"], "every tool is in the set");
        let result = call_tool(&set, "special", json!({ "path": "x" })).await;
        assert_eq!(result.content, r#"{"path":"x"}"#, "the tools can be called");
    }
    assert_eq!(
        calls.load(Ordering::SeqCst),
        2,
        "both sets should call the same tool, since a copy would not know what the tool remembers"
    );
    assert_eq!(registry.len(), 2, "the registry still has its tools");
}

#[test]
fn test_ch9_engine_sends_definitions_in_the_same_order() {
    let registry = registry(&["write", "bash", "read"]);
    let engine = QueryEngine::builder(MockProvider::new([])).tools(registry.tool_set());
    let sent: Vec<&str> = engine.definitions().iter().map(|d| d.name).collect();
    assert_eq!(
        sent,
        registry.names(),
        "the engine of chapter 4 should send definitions in the registry's order"
    );
}
