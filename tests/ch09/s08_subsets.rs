//! Section 9.8: Some of the tools

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch9_the_read_only_tools() {
    assert_eq!(
        Registry::new().read_only().names(),
        [""; 0],
        "of no tools, none"
    );
    let mut registry = Registry::new();
    for (name, flags) in [
        ("bash", [false, false, true]),
        ("grep", [true, true, false]),
        ("list", [true, false, false]),
        ("write", [false, true, false]),
    ] {
        let parameters = object(json!({}));
        let tool = DynamicTool::new(name, "", parameters, |_| async { Ok(ToolResult::text("")) });
        let tool = if flags[0] { tool.read_only() } else { tool };
        let tool = if flags[1] {
            tool.concurrent_safe()
        } else {
            tool
        };
        let tool = if flags[2] { tool.destructive() } else { tool };
        add(&mut registry, tool);
    }
    assert_eq!(
        registry.read_only().names(),
        ["grep", "list"],
        "those that say of themselves that they change nothing; `write` is concurrent-safe, which is something else"
    );
    assert_eq!(registry.len(), 4, "the registry itself stays as it is");
}

#[test]
fn test_ch9_patterns_choose() {
    for (patterns, expected) in [
        (&["read"] as &[&str], &["read"] as &[&str]),
        (&["write", "read"], &["read", "write"]),
        (&["mcp__*"], &["mcp__git__log", "mcp__web__fetch"]),
        (&["mcp__git__*", "bash"], &["bash", "mcp__git__log"]),
        (&["*rite", "r?ad"], &["read", "write"]),
        (&["{read,write}"], &["read", "write"]),
        (&[" read ", "\tbash"], &["bash", "read"]),
        (&["read", "read"], &["read"]),
        (
            &["*"],
            &["bash", "mcp__git__log", "mcp__web__fetch", "read", "write"],
        ),
    ] {
        assert_eq!(chosen(patterns), expected, "chosen by {patterns:?}");
    }
    assert_eq!(
        chosen(&[]),
        [""; 0],
        "no pattern names no tool: whoever gives no list gets no tools by accident"
    );
}

#[test]
fn test_ch9_patterns_take_away() {
    for (patterns, expected) in [
        (
            &["!bash"] as &[&str],
            &["mcp__git__log", "mcp__web__fetch", "read", "write"] as &[&str],
        ),
        (&["!mcp__*", "!bash"], &["read", "write"]),
        (&["*", "!mcp__*"], &["bash", "read", "write"]),
        (&["! bash", "!  mcp__*"], &["read", "write"]),
        // The last one that matches decides.
        (
            &["!mcp__*", "mcp__git__log"],
            &["bash", "mcp__git__log", "read", "write"],
        ),
        (&["mcp__*", "!mcp__web__*"], &["mcp__git__log"]),
        (&["bash", "!bash"], &[]),
        (&["bash", "!bash", "!read"], &[]),
        (
            &["!bash", "bash"],
            &["bash", "mcp__git__log", "mcp__web__fetch", "read", "write"],
        ),
        (&["read", "!bash"], &["read"]),
    ] {
        assert_eq!(chosen(patterns), expected, "chosen by {patterns:?}");
    }
}

#[test]
fn test_ch9_a_pattern_that_matches_nothing_is_an_error() {
    for (pattern, hint) in [
        ("wriet", "did you mean `write`?"),
        ("Bash", "did you mean `bash`?"),
        ("!bsh", "did you mean `bash`?"),
        ("shell", "did you mean `bash`?"),
        ("mpc__*", ""),
        ("", ""),
        ("!", ""),
    ] {
        assert!(
            Registry::new().matching(&[pattern]).is_err(),
            "without tools, {pattern:?} matches nothing"
        );
        for patterns in [vec![pattern], vec!["read", pattern], vec![pattern, "read"]] {
            let Err(error) = mixed().matching(&patterns) else {
                panic!("{pattern:?} matches no tool, and {patterns:?} was taken all the same");
            };
            let said = error.to_string();
            let bare = pattern.trim_start_matches('!');
            assert!(
                said.contains(bare) && said.contains(hint),
                "the error names the pattern {bare:?} and says {hint:?}; it says: {said}"
            );
            assert!(
                said.contains("mcp__web__fetch") && said.contains("write"),
                "the error lists the tools that there are; it says: {said}"
            );
        }
    }
}

#[test]
fn test_ch9_a_pattern_that_is_none_is_an_error() {
    for pattern in ["[", "{read", "![a-"] {
        assert!(
            Registry::new().matching(&[pattern]).is_err(),
            "{pattern:?} is no glob, whatever the tools"
        );
        let Err(error) = mixed().matching(&[pattern]) else {
            panic!("{pattern:?} is no glob, and was taken all the same");
        };
        let said = format!("{error:#}");
        assert!(
            said.contains(&format!("`{}`", pattern.trim_start_matches('!'))),
            "the error names the pattern {pattern:?}; it says: {said}"
        );
    }
}

fn mixed() -> Registry {
    registry(&["write", "read", "mcp__web__fetch", "mcp__git__log", "bash"])
}

fn chosen(patterns: &[&str]) -> Vec<&'static str> {
    let none = Registry::new().matching(&[""; 0]);
    assert!(none.is_ok(), "of no tools, no pattern chooses none");
    match mixed().matching(patterns) {
        Ok(subset) => subset.names(),
        Err(error) => panic!("{patterns:?} should choose, and is an error: {error:#}"),
    }
}
