//! Section 9.8: Subsets of tools

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch9_read_only_tools() {
    assert_eq!(
        Registry::new().read_only().names(),
        [""; 0],
        "an empty registry has no read-only tools"
    );
    let tool = |name| {
        DynamicTool::new(name, "", object(json!({})), |_| async {
            Ok(ToolResult::text(""))
        })
    };
    let mut registry = Registry::new();
    add(&mut registry, tool("bash").destructive());
    add(&mut registry, tool("grep").read_only().concurrent_safe());
    add(&mut registry, tool("list").read_only());
    add(&mut registry, tool("view").read_only().destructive());
    add(&mut registry, tool("write").concurrent_safe());
    assert_eq!(
        registry.read_only().names(),
        ["grep", "list", "view"],
        "only the flag read-only counts, whatever the other two are"
    );
    assert_eq!(registry.len(), 5, "the registry itself is unchanged");
}

#[test]
fn test_ch9_patterns_select_tools() {
    for (rule, patterns, expected) in [
        ("a name", &["read"] as &[&str], &["read"] as &[&str]),
        (
            "the result is sorted",
            &["write", "read"],
            &["read", "write"],
        ),
        ("a glob", &["mcp__*"], &["mcp__git__log", "mcp__web__fetch"]),
        (
            "a glob and a name",
            &["mcp__git__*", "bash"],
            &["bash", "mcp__git__log"],
        ),
        ("`*` and `?`", &["*rite", "r?ad"], &["read", "write"]),
        ("braces", &["{read,write}"], &["read", "write"]),
        (
            "spaces are ignored",
            &[" read ", "\tbash"],
            &["bash", "read"],
        ),
        ("a name twice", &["read", "read"], &["read"]),
        ("all tools", &["*"], &ALL),
        ("an empty list selects no tools", &[], &[]),
    ] {
        assert_selected(rule, patterns, expected);
    }
}

#[test]
fn test_ch9_inverted_patterns_remove_tools() {
    for (rule, patterns, expected) in [
        (
            "all tools except one",
            &["!bash"] as &[&str],
            &["mcp__git__log", "mcp__web__fetch", "read", "write"] as &[&str],
        ),
        (
            "several patterns",
            &["!mcp__*", "!bash"],
            &["read", "write"],
        ),
        (
            "`*` and exceptions",
            &["*", "!mcp__*"],
            &["bash", "read", "write"],
        ),
        (
            "spaces after `!` are ignored",
            &["! bash", "!  mcp__*"],
            &["read", "write"],
        ),
        (
            "spaces before `!` and at the end are ignored",
            &[" !bash ", "\t!mcp__* "],
            &["read", "write"],
        ),
        (
            "the last pattern that matches decides",
            &["!mcp__*", "mcp__git__log"],
            &["bash", "mcp__git__log", "read", "write"],
        ),
        (
            "an exception from a glob",
            &["mcp__*", "!mcp__web__*"],
            &["mcp__git__log"],
        ),
        ("nothing is left", &["bash", "!bash"], &[]),
        (
            "only a first pattern with `!` starts with all tools",
            &["bash", "!bash", "!read"],
            &[],
        ),
        ("removed and added again", &["!bash", "bash"], &ALL),
        (
            "selected, removed and added again",
            &["read", "!read", "read"],
            &["read"],
        ),
        (
            "a tool that was not selected",
            &["read", "!bash"],
            &["read"],
        ),
    ] {
        assert_selected(rule, patterns, expected);
    }
}

#[test]
fn test_ch9_pattern_that_matches_no_tool_is_an_error() {
    for (pattern, hint) in [
        ("wriet", "did you mean `write`?"),
        ("Bash", "did you mean `bash`?"),
        ("!bsh", "did you mean `bash`?"),
        ("shell", "did you mean `bash`?"),
        ("mcp__git__lgo", "did you mean `mcp__git__log`?"),
        ("raed*", "did you mean `read`?"),
        ("mpc__*", ""),
        ("bash,read", ""),
        ("gerp", ""),
        ("", ""),
        ("!", ""),
        ("!!bash", "did you mean `bash`?"),
    ] {
        assert!(
            Registry::new().matching(&[pattern]).is_err(),
            "without tools, {pattern:?} matches nothing, which is an error"
        );
        for patterns in [vec![pattern], vec!["read", pattern], vec![pattern, "read"]] {
            let Err(error) = mixed_registry().matching(&patterns) else {
                panic!("{pattern:?} matches no tool, so {patterns:?} should be an error");
            };
            let error = error.to_string();
            let pattern = pattern.strip_prefix('!').unwrap_or(pattern);
            assert!(
                error.contains(pattern)
                    && error.contains(hint)
                    && error.contains("did you mean") != hint.is_empty(),
                "the error should name the pattern {pattern:?} and have the hint {hint:?}, if any; it is: {error}"
            );
            assert!(
                error.contains("mcp__web__fetch") && error.contains("write"),
                "the error should list all tools; it is: {error}"
            );
        }
    }
}

#[test]
fn test_ch9_error_of_a_pattern_has_one_form() {
    for (pattern, beginning) in [
        ("!bsh", "no tool matches `bsh`; did you mean `bash`?"),
        ("deploy", "no tool matches `deploy`"),
    ] {
        assert!(
            Registry::new().matching(&[pattern]).is_err(),
            "without tools, {pattern:?} matches nothing"
        );
        let Err(error) = mixed_registry().matching(&[pattern]) else {
            panic!("{pattern:?} matches no tool");
        };
        assert_eq!(
            error.to_string(),
            format!("{beginning} (the tools are {})", ALL.join(", ")),
            "the pattern without its `!`, the hint if there is one, and all tools in order"
        );
    }
}

#[test]
fn test_ch9_invalid_pattern_is_an_error() {
    let too_deep = format!("{}read{}", "{".repeat(300), "}".repeat(300));
    for pattern in ["[", "{read", "![a-", &too_deep] {
        assert!(
            Registry::new().matching(&[pattern]).is_err(),
            "{pattern:?} is not a valid glob, which is an error even without tools"
        );
        let Err(error) = mixed_registry().matching(&[pattern]) else {
            panic!("{pattern:?} is not a valid glob, so it should be an error");
        };
        assert!(
            error.chain().count() > 1,
            "the error should keep the reason that `globset` gives; it is: {error:#}"
        );
        assert_eq!(
            error.to_string(),
            format!(
                "`{}` is not a valid pattern",
                pattern.trim_start_matches('!')
            ),
            "the context of the error for the pattern {pattern:?}"
        );
    }
}

/// The tools of [`mixed_registry`], sorted.
const ALL: [&str; 5] = ["bash", "mcp__git__log", "mcp__web__fetch", "read", "write"];

fn mixed_registry() -> Registry {
    registry(&["write", "read", "mcp__web__fetch", "mcp__git__log", "bash"])
}

#[track_caller]
fn assert_selected(rule: &str, patterns: &[&str], expected: &[&str]) {
    assert!(
        Registry::new().matching(&[""; 0]).is_ok(),
        "an empty list of patterns is not an error, even without tools"
    );
    let subset = mixed_registry().matching(patterns);
    let subset = subset.unwrap_or_else(|error| panic!("{rule}: {patterns:?}: {error:#}"));
    assert_eq!(
        subset.names(),
        expected,
        "{rule}: the tools selected by {patterns:?}"
    );
}
