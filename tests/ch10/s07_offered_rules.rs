//! Section 10.7: Offered rules

use claw_code::permission::*;
use serde_json::json;

use super::support::*;

/// Checks the rule that is offered for a command.
fn assert_command_rule(command: &str, expected: Option<&str>) {
    assert_eq!(
        offered_rule(&bash(command), &places()).as_deref(),
        expected,
        "the rule for the command {command:?}"
    );
}

#[test]
fn test_ch10_rule_of_a_command_has_its_first_two_words() {
    assert_command_rule("cargo test --release", Some("bash(cargo test *)"));
    assert_command_rule("git status", Some("bash(git status *)"));
    assert_command_rule("make build_all", Some("bash(make build_all *)"));
    assert_command_rule("docker-compose up", Some("bash(docker-compose up *)"));
}

#[test]
fn test_ch10_command_without_a_subcommand_has_no_rule() {
    for command in [
        "ls",
        "rm -rf target",
        "python3 script.py",
        "./run tests",
        "cargo tést",
        "cat 'a b'",
    ] {
        assert_command_rule(command, None);
    }
}

#[test]
fn test_ch10_command_that_is_not_simple_has_no_rule() {
    for command in ["cargo test; rm x", "cargo test $X", "A=1 cargo test", ""] {
        assert_command_rule(command, None);
    }
}

#[test]
fn test_ch10_rule_of_a_path_is_the_workspace() {
    let rule = offered_rule(&edit("src/main.rs"), &places());
    assert_eq!(
        rule.as_deref(),
        Some("edit(**)"),
        "every file of the workspace"
    );
}

#[test]
fn test_ch10_path_outside_has_no_rule() {
    for path in ["/etc/passwd", "../other/x", "/work/application/x"] {
        assert_eq!(
            offered_rule(&edit(path), &places()),
            None,
            "{path} is not in /work/app"
        );
    }
}

#[test]
fn test_ch10_rule_of_another_call_is_its_tool() {
    let rule = offered_rule(&call("mcp__git__log", json!({ "n": 3 })), &places());
    assert_eq!(rule.as_deref(), Some("mcp__git__log"), "the name alone");
}

#[test]
fn test_ch10_offered_rule_matches_its_call() {
    for offered in [
        bash("cargo test --release"),
        edit("src/main.rs"),
        call("mcp__git__log", json!({})),
    ] {
        let rule = offered_rule(&offered, &places()).expect("a rule is offered");
        assert!(
            pattern(&rule).matches(&offered, Certainty::Certain),
            "`{rule}` covers the call it was made of"
        );
    }
}
