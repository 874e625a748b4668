//! Section 9.3: The registry

use std::sync::atomic::Ordering;

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch9_the_order_is_that_of_the_names() {
    let expected = ["ask", "bash", "glob", "mcp__git__log", "read", "write"];
    for order in [[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [3, 0, 5, 1, 4, 2]] {
        let mut registry = Registry::new();
        for index in order {
            add(&mut registry, noop(expected[index]));
        }
        assert_eq!(
            registry.names(),
            expected,
            "the order is that of the names, whoever was added first"
        );
        let definitions: Vec<&str> = registry.definitions().iter().map(|d| d.name).collect();
        assert_eq!(definitions, expected, "definitions come in the same order");
    }
    assert_eq!(
        format!("{:?}", registry(&["read", "bash"])),
        r#"{"bash", "read"}"#,
        "in an error message a registry shows its names"
    );
}

#[test]
fn test_ch9_a_registry_finds_its_tools() {
    let registry = registry(&["bash", "read"]);
    assert!(
        Registry::new().is_empty() && !registry.is_empty(),
        "a new registry is empty, and one with two tools is not"
    );
    let read = registry.get("read").expect("`read` was added");
    assert_eq!(read.definition().name, "read");
    for name in ["write", "Read", "rea", ""] {
        assert!(
            registry.get(name).is_none(),
            "no tool has the name {name:?}"
        );
    }
}

#[tokio::test]
async fn test_ch9_a_name_is_given_once() {
    let mut registry = registry(&["read"]);
    add(&mut registry, answering("bash", "the real one"));
    let Err(error) = registry.add(answering("bash", "the impostor")) else {
        panic!("a second tool `bash` must be refused: whose would a call be?");
    };
    assert!(
        error.to_string().contains("bash"),
        "the error names the tool; it says: {error}"
    );
    assert_eq!(registry.names(), ["bash", "read"], "nothing else changed");
    let bash = registry.get("bash").expect("the first stays");
    let result = bash.call(json!({})).await.expect("it answers");
    assert_eq!(
        result.content, "the real one",
        "the first of a name stays: a later one may come from anywhere"
    );
}

#[test]
fn test_ch9_a_bad_tool_changes_nothing() {
    let mut registry = registry(&["read"]);
    let Err(error) = registry.add(noop("web search")) else {
        panic!("an API refuses the name \"web search\", and with it the whole request");
    };
    assert!(
        error.to_string().contains("web search"),
        "the error is that of `admissible`; it says: {error}"
    );
    assert_eq!(registry.names(), ["read"]);
}

#[tokio::test]
async fn test_ch9_a_tool_set_has_the_same_tools() {
    let special = Special::default();
    let runs = special.runs.clone();
    let mut registry = registry(&["read"]);
    add(&mut registry, special);
    let first = registry.tool_set();
    let second = registry.tool_set();
    for set in [&first, &second] {
        let mut names = set.names();
        names.sort_unstable();
        assert_eq!(names, ["read", "special"], "every tool is in the set");
        let call = ToolCall {
            id: "a".into(),
            name: "special".into(),
            arguments: json!({ "path": "x" }),
        };
        let result = execute(set, &call).await;
        assert_eq!(result.content, r#"{"path":"x"}"#, "and can be called there");
    }
    assert_eq!(
        runs.load(Ordering::SeqCst),
        2,
        "both sets, and the registry, hold the same tool: what it remembers must not be split in two"
    );
    assert_eq!(registry.len(), 2, "the registry still has its tools");
}
