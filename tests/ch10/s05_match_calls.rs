//! Section 10.5: Matching calls

use std::path::PathBuf;

use claw_code::permission::Certainty::*;
use claw_code::permission::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch10_certain_match_is_one_simple_command() {
    let status = pattern("bash(git status *)");
    assert!(
        status.matches(&bash("git status -s"), Certain),
        "the command that was meant"
    );
    for command in [
        "git push",
        "git status; rm -rf .",
        "git status $(rm -rf .)",
        "git status\nrm -rf .",
        "PAGER=rm git status",
        "cd x && git status",
        "./git status",
        "sudo git status",
    ] {
        assert!(
            !status.matches(&bash(command), Certain),
            "{command:?} does more than `git status`, or something else"
        );
    }
}

#[test]
fn test_ch10_possible_match_looks_everywhere() {
    let remove = pattern("bash(rm *)");
    for command in [
        "rm -rf .",
        "cd x && rm -rf y",
        "sudo rm x",
        "ls | xargs rm",
        "echo $(rm x)",
        "if true; then rm x; fi",
        r"r\m x",
        "/bin/rm x",
        "sh -c 'rm x'",
        "find . -name x -exec rm {} +",
    ] {
        assert!(
            remove.matches(&bash(command), Possible),
            "`{command}` may run `rm`"
        );
    }
    assert!(
        !remove.matches(&bash("rmdir x"), Possible),
        "`rmdir` is another program"
    );
}

#[test]
fn test_ch10_certain_match_is_possible_too() {
    let unverified = pattern("bash(git commit -m * --no-verify)");
    let command = bash("git commit -m 'fix tests' --no-verify");
    assert!(
        unverified.matches(&command, Certain),
        "the text in quotes is one word"
    );
    assert!(
        unverified.matches(&command, Possible),
        "a rule that denies must not be narrower than one that allows"
    );
}

#[test]
fn test_ch10_possible_match_knows_quotes() {
    let unverified = pattern("bash(git commit -m * --no-verify)");
    for command in [
        "/usr/bin/git commit -m 'fix tests' --no-verify",
        "sudo git commit -m 'fix tests' --no-verify",
    ] {
        assert!(
            unverified.matches(&bash(command), Possible),
            "the text in quotes is one word, wherever the match begins: {command}"
        );
    }
}

#[test]
fn test_ch10_possible_match_ends_with_its_command() {
    let push = pattern("bash(git push)");
    assert!(
        push.matches(&bash("cd x; git push"), Possible),
        "the whole second command"
    );
    assert!(
        !push.matches(&bash("git push --dry-run"), Possible),
        "a word more than the pattern"
    );
}

#[test]
fn test_ch10_other_calls_match_by_their_path() {
    let source = pattern("edit(src/**)");
    for certainty in [Certain, Possible] {
        assert!(
            source.matches(&edit("src/main.rs"), certainty),
            "a file in src/"
        );
        assert!(
            source.matches(&edit("/work/app/src/a/b.rs"), certainty),
            "an absolute path"
        );
        assert!(
            !source.matches(&edit("Cargo.toml"), certainty),
            "a file elsewhere"
        );
        assert!(
            !source.matches(&edit("src/../Cargo.toml"), certainty),
            "it leads out of src/"
        );
    }
    let without_command = call("edit", json!({ "command": null, "path": "src/a.rs" }));
    assert!(
        source.matches(&without_command, Certain),
        "a call whose `command` is no text is matched by its `path`"
    );
    let both = call("edit", json!({ "command": "rm x", "path": "src/a.rs" }));
    assert!(
        !source.matches(&both, Certain) && pattern("edit(rm *)").matches(&both, Certain),
        "a call with a `command` is matched by it, even if it has a `path`"
    );
}

#[test]
fn test_ch10_missing_path_is_the_workspace() {
    let search = call("grep", json!({ "pattern": "TODO" }));
    assert!(
        pattern("grep(**)").matches(&search, Certain),
        "grep searches the workspace"
    );
    assert!(
        !pattern("grep(*)").matches(&search, Certain),
        "`*` matches what is in the workspace, and a missing path is the workspace itself"
    );
    assert!(
        !pattern("grep(src/**)").matches(&search, Certain),
        "it is not limited to src/"
    );
}

#[test]
fn test_ch10_name_must_match_too() {
    assert!(
        !pattern("write(src/**)").matches(&edit("src/a.rs"), Certain),
        "another tool"
    );
    assert!(
        !pattern("sh(rm *)").matches(&bash("rm x"), Possible),
        "another tool"
    );
}

#[test]
fn test_ch10_arguments_of_any_shape_are_accepted() {
    for arguments in [
        json!(null),
        json!("rm x"),
        json!({ "command": 1 }),
        json!({ "path": 1 }),
        json!([1]),
    ] {
        let odd = call("bash", arguments);
        assert!(
            !pattern("bash(rm *)").matches(&odd, Possible),
            "no command: {odd:?}"
        );
        assert!(
            pattern("bash").matches(&odd, Certain),
            "the name still matches: {odd:?}"
        );
        assert!(
            pattern("bash(**)").matches(&odd, Certain),
            "without a text `command` or `path`, the path is the workspace: {odd:?}"
        );
    }
}

/// Checks whether `edit(TARGET)` matches calls with these paths.
fn assert_paths(target: &str, expected: &[(&str, bool)]) {
    let pattern = pattern(&format!("edit({target})"));
    for (path, matches) in expected {
        assert_eq!(
            pattern.matches(&edit(path), Certain),
            *matches,
            "`edit({target})` on {path}"
        );
    }
}

#[test]
fn test_ch10_path_pattern_starts_in_the_workspace() {
    for target in ["lib/a.rs", "./lib/a.rs", "lib/./a.rs"] {
        assert_paths(
            target,
            &[
                ("lib/a.rs", true),
                ("/lib/a.rs", false),
                ("x/lib/a.rs", false),
            ],
        );
    }
}

#[test]
fn test_ch10_star_stays_in_one_folder() {
    assert_paths("lib/*.rs", &[("lib/a.rs", true), ("lib/x/a.rs", false)]);
}

#[test]
fn test_ch10_slash_at_the_end_means_the_folder_and_what_is_in_it() {
    assert_paths(
        "lib/",
        &[("lib/a/b.rs", true), ("lib", true), ("libs/a.rs", false)],
    );
}

#[test]
fn test_ch10_two_stars_cross_folders_and_match_the_folder() {
    assert_paths(
        "lib/**",
        &[("lib/a/b.rs", true), ("lib", true), ("libs/a.rs", false)],
    );
    assert_paths(
        "**",
        &[("lib/a.rs", true), (".", true), ("/work/other", false)],
    );
}

#[test]
fn test_ch10_tilde_is_the_home_folder() {
    assert_paths(
        "~/.ssh/**",
        &[("/home/ada/.ssh/id", true), ("~/.ssh/id", false)],
    );
}

#[test]
fn test_ch10_absolute_path_pattern_stays() {
    assert_paths("/etc/*", &[("/etc/passwd", true), ("etc/passwd", false)]);
}

#[test]
fn test_ch10_name_of_the_workspace_is_no_pattern() {
    let places = Places {
        workspace: PathBuf::from("/work/[a]"),
        home: None,
    };
    let pattern = CallPattern::parse("edit(x)", &places).expect("a valid pattern");
    assert!(
        pattern.matches(&edit("/work/[a]/x"), Certain),
        "the brackets are part of the name"
    );
    assert!(
        !pattern.matches(&edit("/work/a/x"), Certain),
        "the brackets are not a set of characters"
    );
}

#[test]
fn test_ch10_name_matches_every_call_of_the_tool() {
    let bash_pattern = pattern("bash");
    assert!(
        bash_pattern.matches(&bash("rm -rf ."), Certain),
        "any command"
    );
    assert!(!bash_pattern.matches(&edit("x"), Certain), "another tool");
}

#[test]
fn test_ch10_name_is_a_glob() {
    let mcp = pattern("mcp__*");
    assert!(
        mcp.matches(&call("mcp__git__log", json!({})), Certain),
        "`*` is any text"
    );
    assert!(
        !mcp.matches(&bash("mcp__"), Certain),
        "the name is matched, not the command"
    );
    assert!(
        pattern("sh*(rm *)").matches(&call("shell", json!({ "command": "rm x" })), Certain),
        "the name is a glob with a target too, and any tool may have a `command`"
    );
}

#[test]
fn test_ch10_spaces_around_the_parts_are_ignored() {
    let spaced = pattern("  bash ( git status ) ");
    assert!(
        spaced.matches(&bash("git status"), Certain),
        "`bash(git status)`"
    );
    assert!(
        pattern("edit( src/a.rs )").matches(&edit("src/a.rs"), Certain),
        "`edit(src/a.rs)`"
    );
}

#[test]
fn test_ch10_parentheses_may_be_nested() {
    let nested = pattern("edit(notes (old)/*)");
    assert!(
        nested.matches(&edit("notes (old)/a"), Certain),
        "the target ends at the last `)`"
    );
}

#[test]
fn test_ch10_invalid_call_patterns_are_errors() {
    assert!(
        pattern("bash").matches(&bash("ls"), Certain),
        "a valid pattern matches"
    );
    let deep = "{a,".repeat(300) + &"}".repeat(300);
    for (reason, text) in [
        ("braces are nested too deeply", deep.as_str()),
        ("there is no name", ""),
        ("there is no name", "  "),
        ("there is no name", "(git status)"),
        ("there is no `)`", "bash(git status"),
        ("there is text after the `)`", "bash(git) status"),
        ("there is no target", "bash()"),
        ("there is no target", "bash( )"),
        ("the name is not a glob", "ba[sh"),
        ("the target is not a glob", "bash(git [)"),
        ("a path has `..`", "edit(lib/../x)"),
    ] {
        let error = CallPattern::parse(text, &places()).expect_err(reason);
        let message = format!("{error:#}");
        assert!(
            message.contains(&format!("`{text}`")),
            "{reason}, so the error names the whole pattern; it is: {message}"
        );
    }
}
