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
fn test_ch10_rule_of_a_command_is_the_command() {
    for command in ["cargo test --release", "ls", "rm -rf target", "./run a=b"] {
        assert_command_rule(command, Some(&format!("bash({command})")));
    }
    assert_command_rule("git  'status'", Some("bash(git status)"));
    assert_command_rule("cargo test --test A", Some("bash(cargo test --test A)"));
}

#[test]
fn test_ch10_word_that_is_not_plain_has_no_rule() {
    for command in [
        "cat 'a b'",
        "echo ''",
        "echo it\"'\"s",
        "echo a^b",
        "ls ../..",
    ] {
        assert_command_rule(command, None);
    }
    for path in ["src/*.rs", "a?", "[ab]", "{a,b}", "!a", "a b", "it's", "."] {
        let rule = exact_rule(&edit(path), &places());
        assert_eq!(rule, None, "the exact rule for the path {path:?}");
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
    for path in ["src/main.rs", "/work/app/a.rs", ".", "my notes (old).md"] {
        let rule = offered_rule(&edit(path), &places());
        assert_eq!(
            rule.as_deref(),
            Some("edit(**)"),
            "every file of the workspace, for {path}"
        );
    }
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
fn test_ch10_rule_of_a_call_without_a_path_is_the_workspace() {
    let rule = offered_rule(&call("grep", json!({ "pattern": "x" })), &places());
    assert_eq!(rule.as_deref(), Some("grep(**)"), "not every folder");
}

#[test]
fn test_ch10_command_or_path_that_is_no_text_has_no_rule() {
    for arguments in [
        json!({ "command": 7, "path": "a" }),
        json!({ "command": null }),
        json!({ "path": ["a"] }),
        json!({ "path": null }),
    ] {
        let other = call("bash", arguments);
        for rule in [
            offered_rule(&other, &places()),
            exact_rule(&other, &places()),
        ] {
            assert_eq!(rule, None, "the rule for {}", other.arguments);
        }
    }
    let neither = call("grep", json!({ "pattern": "x" }));
    assert_eq!(exact_rule(&neither, &places()), None, "nothing to match");
}

#[test]
fn test_ch10_exact_rule_of_a_path_starts_in_the_workspace() {
    for path in [
        "src/main.rs",
        "./src/../src/main.rs",
        "/work/app/src/main.rs",
    ] {
        let rule = exact_rule(&edit(path), &places());
        assert_eq!(rule.as_deref(), Some("edit(src/main.rs)"), "for {path}");
    }
    for path in ["/etc/passwd", "../other/x", "/work/application/x"] {
        let rule = exact_rule(&edit(path), &places());
        assert_eq!(rule, None, "{path} is not in /work/app");
    }
}

#[test]
fn test_ch10_offered_rule_matches_its_call() {
    for offered in [
        bash("cargo test --release"),
        edit("src/main.rs"),
        call("mcp__git__log", json!({})),
        call("mcp__shell__run", json!({ "command": "ls" })),
    ] {
        let rule = offered_rule(&offered, &places()).expect("a rule is offered");
        assert!(
            pattern(&rule).matches(&offered, Certainty::Certain),
            "`{rule}` covers the call it was made of"
        );
    }
}
