//! Section 17.7: Narrators by tool name

use claw_code::tools::Registry;
use claw_code::transcript::narrate::*;
use claw_code::types::ToolResult;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch17_every_standard_tool_has_a_narrator() {
    let narrators = Narrators::standard();
    let tools = StandardTools::new();
    let args = json!({
        "path": "a.txt", "command": "ls -la", "pattern": "x", "content": "x", "old_string": "x",
        "new_string": "y", "edits": []
    });
    let registry = Registry::standard(tools.folder.path()).expect("the standard tools");
    for name in registry.names() {
        let failed = narrators.narrate(&call(name, args.clone()), &ToolResult::error("no"));
        assert!(
            failed.starts_with("Could not ") && !failed.contains(" use "),
            "`{name}` should have a narrator, but its narration is {failed:?}"
        );
    }
}

#[tokio::test]
async fn test_ch17_every_standard_tool_narrates() {
    let tools = StandardTools::with_files(&[("a.txt", "x\n")]);
    let page = json!({ "path": "index.html", "content": "x".repeat(4096) });
    let a_to_y = json!({ "path": "a.txt", "old_string": "x", "new_string": "y" });
    let y_to_z = json!({ "path": "a.txt", "edits": [{ "old_string": "y", "new_string": "z" }] });
    let (texts, z) = (json!({ "pattern": "*.txt" }), json!({ "pattern": "z" }));
    for (name, args, expected) in [
        ("bash", json!({ "command": "ls -la" }), "Ran ls -la."),
        ("write", page, "Wrote index.html (4 KB)."),
        ("read", json!({ "path": "a.txt" }), "Read a.txt (1 line)."),
        ("edit", a_to_y, "Edited a.txt."),
        ("multi_edit", y_to_z, "Edited a.txt."),
        ("list", json!({}), "Listed the root folder (2 entries)."),
        ("glob", texts, "Looked for *.txt: 1 file."),
        ("grep", z, "Searched for z: 1 result in 1 file."),
    ] {
        let result = tools.call(name, args.clone()).await;
        let narration = Narrators::standard().narrate(&call(name, args), &result);
        assert_eq!(narration, expected, "the narration of a call of `{name}`");
    }
}

#[tokio::test]
async fn test_ch17_failed_reading_gives_the_reason() {
    let tools = StandardTools::with_files(&[("src/a.txt", "x\n")]);
    let (missing, file) = (json!({ "path": "no.txt" }), json!({ "path": "src/a.txt" }));
    for (name, args, start) in [
        ("read", missing, "Could not read no.txt: "),
        ("read", json!({ "path": 7 }), "Could not read a file: "),
        ("list", file, "Could not list src/a.txt: "),
    ] {
        assert_failure(&tools, name, args, start).await;
    }
}

#[tokio::test]
async fn test_ch17_failed_change_gives_the_reason() {
    let tools = StandardTools::with_files(&[("src/a.txt", "x\n")]);
    let folder = json!({ "path": "src", "content": "" });
    let no_match = json!({ "path": "src/a.txt", "old_string": "q", "new_string": "r" });
    let no_edits = json!({ "path": "src/a.txt", "edits": [] });
    for (name, args, start) in [
        ("write", folder, "Could not write src: "),
        ("edit", no_match, "Could not edit src/a.txt: "),
        ("multi_edit", no_edits, "Could not edit src/a.txt: "),
    ] {
        assert_failure(&tools, name, args, start).await;
    }
}

#[tokio::test]
async fn test_ch17_failed_command_or_search_gives_the_reason() {
    let tools = StandardTools::with_files(&[("src/a.txt", "x\n")]);
    let in_a_file = json!({ "pattern": "*", "path": "src/a.txt" });
    let bad_pattern = json!({ "pattern": "(" });
    let blank = json!({ "command": " " });
    for (name, args, start) in [
        ("bash", blank, "Could not run a command: "),
        ("bash", json!(null), "Could not run a command: "),
        ("glob", in_a_file, "Could not look for *: "),
        ("grep", bad_pattern, "Could not search for (: "),
    ] {
        assert_failure(&tools, name, args, start).await;
    }
}

#[test]
fn test_ch17_only_the_flag_marks_a_failed_call() {
    let narrators = Narrators::standard();
    let build = call("bash", json!({ "command": "cargo build" }));
    for (result, expected) in [
        (
            ToolResult::text("error: no main\n[exit code 101]"),
            "Ran cargo build (exit code 101).",
        ),
        (ToolResult::text("error: [exit code 3]"), "Ran cargo build."),
        (
            ToolResult::error("error: x"),
            "Could not run cargo build: error: x.",
        ),
    ] {
        assert_eq!(
            narrators.narrate(&build, &result),
            expected,
            "`is_error` says whether the call failed, and only a failure's text has a prefix: {result:?}"
        );
    }
}

#[test]
fn test_ch17_tool_without_a_narrator_was_used() {
    for (rule, output) in [
        ("a success without a narrator", "done"),
        (
            "a text with `error: ` is not a failure",
            "log: no error: done",
        ),
    ] {
        let narration = narrate("deploy", &ToolResult::text(output));
        assert_eq!(narration, "Used deploy.", "{rule}: {output:?}");
    }
}

#[test]
fn test_ch17_a_long_tool_name_is_shortened() {
    let name = "d".repeat(500);
    let used = narrate(&name, &ToolResult::text("done"));
    let failed = narrate(&name, &ToolResult::error("no such thing"));
    assert!(
        used.chars().count() <= 106 && failed.ends_with(": no such thing."),
        "a name has at most `MAX_NARRATION / 2` characters, which leaves room for a reason: {used} {failed}"
    );
}

#[test]
fn test_ch17_the_longest_reason_fits() {
    let [name, command, reason] =
        [("d", 500), ("c", MAX_ARGUMENT), ("r", MAX_REASON)].map(|(letter, n)| letter.repeat(n));
    let short = "d".repeat(MAX_NARRATION / 4 - 1) + "…";
    let args = json!({ "command": command });
    for (tool, action) in [
        (name.as_str(), format!("use {short}")),
        ("bash", format!("run {command}")),
    ] {
        assert_eq!(
            Narrators::standard().sentence(tool, &args, &reason, true),
            format!("Could not {action}: {reason}."),
            "of a failure, only the name of a tool without a narrator is shortened, to `MAX_NARRATION / 4` characters, and the longest reason fits"
        );
    }
}

#[test]
fn test_ch17_failure_without_a_narrator_gives_its_reason() {
    assert_eq!(
        narrate("deploy", &ToolResult::error("quota reached; ask later")),
        "Could not use deploy: quota reached.",
        "a failure gives its reason"
    );
    assert_eq!(
        narrate("deploy", &ToolResult::error("")),
        "Could not use deploy.",
        "a failure without a reason"
    );
}

#[test]
fn test_ch17_narrator_may_have_no_outcome() {
    assert_eq!(
        narrate("write", &ToolResult::text("saved")),
        "Used write.",
        "a success for which the narrator returns no outcome"
    );
}

#[test]
fn test_ch17_a_narrator_can_be_added() {
    let narrators = Narrators::standard()
        .with("deploy", LongLines)
        .with("bash", LongLines);
    for name in ["deploy", "bash"] {
        let narration = narrators.narrate(&call(name, json!({})), &ToolResult::text("done"));
        assert_one_sentence(&narration);
        assert!(
            narration.starts_with(r"Deployed\nloudly"),
            "the narrator that was added last for `{name}` narrates, and its text becomes one line: {narration}"
        );
    }
}

#[test]
fn test_ch17_narrations_are_one_short_line() {
    let narrators = Narrators::standard();
    let nasty = "\u{202e}x\n\u{7}".repeat(500);
    let nasty_error = format!("error: {nasty}");
    let all_args = [
        json!({ "path": nasty, "command": nasty, "pattern": nasty, "edits": 7 }),
        json!(nasty),
        json!(null),
        json!([1]),
    ];
    let texts = [&nasty, "", "error: ", &nasty_error, "[", "]", "[]\n\n\n"];
    for name in [
        "read", "write", "edit", "bash", "glob", "grep", "list", &nasty, "",
    ] {
        for args in &all_args {
            let call = call(name, args.clone());
            for text in texts {
                for result in [ToolResult::text(text), ToolResult::error(text)] {
                    assert_one_sentence(&narrators.narrate(&call, &result));
                }
            }
        }
    }
}

/// Makes a call that fails. Its narration has to be `start` and a reason.
async fn assert_failure(tools: &StandardTools, name: &str, args: Value, start: &str) {
    let result = tools.call(name, args.clone()).await;
    let narration = Narrators::standard().narrate(&call(name, args), &result);
    let reason = narration.strip_prefix(start).unwrap_or_default();
    assert!(
        reason.len() > 5 && !reason.contains("error: "),
        "the narration should be {start:?} and a reason without `error: `, but it is {narration:?} for {result:?}"
    );
    assert_one_sentence(&narration);
}

#[track_caller]
fn assert_one_sentence(narration: &str) {
    let length = narration.chars().count();
    assert!(
        length <= MAX_NARRATION,
        "a narration has at most {MAX_NARRATION} characters; this one has {length}: {narration}"
    );
    assert!(
        narration.ends_with('.'),
        "a narration ends in a period: {narration}"
    );
    assert!(
        !narration
            .chars()
            .any(|letter| letter.is_control() || letter == '\u{202e}'),
        "a narration is one line without hidden characters: {narration:?}"
    );
}

/// A narrator whose outcome is long and has several lines.
struct LongLines;

impl Narrator for LongLines {
    fn action(&self, _: &Value) -> String {
        "deploy".to_string()
    }

    fn outcome(&self, _: &Value, _: &str) -> Option<String> {
        Some("Deployed\nloudly".repeat(100))
    }
}

/// The standard narration of a call of `tool` with this result.
fn narrate(tool: &str, result: &ToolResult) -> String {
    let call = call(tool, json!({ "path": "a", "to": "prod" }));
    Narrators::standard().narrate(&call, result)
}
