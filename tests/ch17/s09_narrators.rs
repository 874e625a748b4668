//! Section 17.9: Who narrates

use claw_code::tools::Registry;
use claw_code::transcript::narrate::*;
use claw_code::transcript::*;
use claw_code::types::ToolResult;
use serde_json::{Value, json};

use super::support::*;

#[tokio::test]
async fn test_ch17_every_standard_tool_narrates() {
    let narrators = Narrators::standard();
    let tools = Tools::new();
    tools.file("a.txt", "x\n");
    let args = json!({
        "path": "a.txt", "command": "ls -la", "pattern": "x", "content": "x", "old_string": "x",
        "new_string": "y", "edits": []
    });
    let registry = Registry::standard(&tools.folder).expect("the standard tools");
    for name in registry.names() {
        let failed = narrators.narrate(&call(name, args.clone()), &ToolResult::error("no"));
        assert!(
            failed.starts_with("Could not ") && !failed.contains(" use "),
            "`{name}` should have a narrator of its own; it says: {failed}"
        );
    }
    for (name, args, expected) in [
        ("bash", json!({ "command": "ls -la" }), "Ran ls -la."),
        (
            "write",
            json!({ "path": "index.html", "content": "x".repeat(4096) }),
            "Wrote index.html (4 KB).",
        ),
        ("read", json!({ "path": "a.txt" }), "Read a.txt (1 line)."),
        (
            "edit",
            json!({ "path": "a.txt", "old_string": "x", "new_string": "y" }),
            "Edited a.txt.",
        ),
        (
            "multi_edit",
            json!({ "path": "a.txt", "edits": [{ "old_string": "y", "new_string": "z" }] }),
            "Edited a.txt.",
        ),
        ("list", json!({}), "Listed the root folder (2 entries)."),
        (
            "glob",
            json!({ "pattern": "*.txt" }),
            "Looked for *.txt: 1 file.",
        ),
        (
            "grep",
            json!({ "pattern": "z" }),
            "Searched for z: 1 result in 1 file.",
        ),
    ] {
        let result = tools.result(name, args.clone()).await;
        let said = narrators.narrate(&call(name, args), &result);
        assert_eq!(said, expected, "one sentence about `{name}`");
    }
}

#[tokio::test]
async fn test_ch17_failures_say_so() {
    let narrators = Narrators::standard();
    let tools = Tools::new();
    tools.file("src/a.txt", "x\n");
    for (name, args, beginning) in [
        (
            "read",
            json!({ "path": "no.txt" }),
            "Could not read no.txt: ",
        ),
        ("read", json!({ "path": 7 }), "Could not read a file: "),
        (
            "list",
            json!({ "path": "src/a.txt" }),
            "Could not list src/a.txt: ",
        ),
        (
            "write",
            json!({ "path": "src", "content": "" }),
            "Could not write src: ",
        ),
        (
            "edit",
            json!({ "path": "src/a.txt", "old_string": "q", "new_string": "r" }),
            "Could not edit src/a.txt: ",
        ),
        (
            "multi_edit",
            json!({ "path": "src/a.txt", "edits": [] }),
            "Could not edit src/a.txt: ",
        ),
        ("bash", json!({ "command": " " }), "Could not run "),
        ("bash", json!(null), "Could not run a command: "),
        (
            "glob",
            json!({ "pattern": "*", "path": "src/a.txt" }),
            "Could not look for *: ",
        ),
        (
            "grep",
            json!({ "pattern": "(" }),
            "Could not search for (: ",
        ),
    ] {
        let result = tools.result(name, args.clone()).await;
        let said = narrators.narrate(&call(name, args), &result);
        let reason = said.strip_prefix(beginning).unwrap_or_default();
        assert!(
            reason.len() > 5 && !reason.contains("error: "),
            "it should begin with {beginning:?}, and the reason should follow, without the mark `error: `; it is {said:?}, and the result was {result:?}"
        );
        assert_one_sentence(&said);
    }
}

#[test]
fn test_ch17_output_that_looks_like_a_failure() {
    let narrators = Narrators::standard();
    for (result, expected) in [
        (
            ToolResult::text("error: no main\n[exit code 101]"),
            "Ran cargo build (exit code 101).",
        ),
        (ToolResult::text("error: x"), "Ran cargo build."),
        (
            ToolResult::error("error: x"),
            "Could not run cargo build: error: x.",
        ),
    ] {
        assert_eq!(
            narrators.narrate(&call("bash", json!({ "command": "cargo build" })), &result),
            expected,
            "`is_error` says whether the call failed, and the text says nothing about it: {result:?}"
        );
    }
}

#[test]
fn test_ch17_tools_that_nobody_knows() {
    let narrators = Narrators::standard();
    let deploy = call("deploy", json!({ "to": "prod" }));
    let said = |text: &str| narrators.narrate(&deploy, &ToolResult::text(text));
    assert_eq!(said("done"), "Used deploy.");
    assert_eq!(said("log: no error: done"), "Used deploy.");
    let failed = |message: &str| narrators.narrate(&deploy, &ToolResult::error(message));
    assert_eq!(
        failed("quota reached; ask later"),
        "Could not use deploy: quota reached."
    );
    assert_eq!(
        failed(""),
        "Could not use deploy.",
        "a failure without a reason"
    );
    let odd = call("write", json!({ "path": "a" }));
    assert_eq!(
        narrators.narrate(&odd, &ToolResult::text("saved")),
        "Used write.",
        "a narrator that can't tell leaves it at what is sure"
    );
}

#[test]
fn test_ch17_a_narrator_can_be_added() {
    let narrators = Narrators::standard()
        .with("deploy", Loud)
        .with("bash", Loud);
    for name in ["deploy", "bash"] {
        let said = narrators.narrate(&call(name, json!({})), &ToolResult::text("done"));
        assert_one_sentence(&said);
        assert!(
            said.starts_with(r"Deployed\nloudly"),
            "the narrator that was added last for `{name}` counts, and its text is made one line: {said}"
        );
    }
}

#[test]
fn test_ch17_narrations_are_one_short_line() {
    let narrators = Narrators::standard();
    let nasty = "\u{202e}x\n\u{7}".repeat(5000);
    for name in [
        "read", "write", "edit", "bash", "glob", "grep", "list", &nasty, "",
    ] {
        for args in [
            json!({ "path": nasty, "command": nasty, "pattern": nasty, "edits": 7 }),
            json!(nasty),
            json!(null),
            json!([1]),
        ] {
            let call = call(name, args);
            for text in [
                &nasty,
                "",
                "error: ",
                &format!("error: {nasty}"),
                "[",
                "]",
                "[]\n\n\n",
            ] {
                for result in [ToolResult::text(text), ToolResult::error(text)] {
                    assert_one_sentence(&narrators.narrate(&call, &result));
                }
            }
        }
    }
}

#[test]
fn test_ch17_fill_narrates_a_transcript() {
    let mut transcript = vec![
        a_user("go"),
        a_reply(&[
            ("t1", "bash", json!({ "command": "ls" })),
            ("t2", "deploy", json!({})),
        ]),
        a_result("t1", "bash", "src", None),
        a_result("t2", "deploy", "not now", None),
        a_result("t3", "bash", "nobody has called", None),
        a_reply(&[("t1", "bash", json!({ "command": "pwd" }))]),
        a_result("t1", "bash", "/", None),
        a_result("t1", "bash", "/", Some("Said before.")),
        a_result("t4", "bash", "", None),
        a_reply(&[("t4", "bash", json!({ "command": "later" }))]),
    ];
    if let AgentMessage::ToolResult { is_error, .. } = &mut transcript[3] {
        *is_error = true;
    }
    Narrators::standard().fill(&mut transcript);
    for (index, expected, why) in [
        (
            2,
            Some("Ran ls."),
            "the call is the one with the result's id",
        ),
        (
            3,
            Some("Could not use deploy: not now."),
            "in a transcript `is_error` says whether the call failed",
        ),
        (4, None, "no call of this id stands before it"),
        (
            6,
            Some("Ran pwd."),
            "of two calls with this id, the last before it counts",
        ),
        (7, Some("Said before."), "one that has a narration keeps it"),
        (8, None, "a call behind the result is not its own"),
    ] {
        assert_eq!(
            narration(&transcript[index]),
            Some(expected),
            "the result at index {index} of the transcript: {why}"
        );
    }
}

#[test]
fn test_ch17_fill_believes_the_flag() {
    for (text, is_failure, expected) in [
        ("quota", true, "Could not use deploy: quota."),
        ("error: as a word of its output", false, "Used deploy."),
        ("error: quota", true, "Could not use deploy: error: quota."),
    ] {
        let mut transcript = vec![
            a_reply(&[("t1", "deploy", json!({}))]),
            a_result("t1", "deploy", text, None),
        ];
        if let AgentMessage::ToolResult { is_error, .. } = &mut transcript[1] {
            *is_error = is_failure;
        }
        Narrators::standard().fill(&mut transcript);
        assert_eq!(
            narration(&transcript[1]),
            Some(Some(expected)),
            "in a transcript `is_error` says whether {text:?} is an error: here {is_failure}"
        );
    }
}

#[track_caller]
fn assert_one_sentence(said: &str) {
    assert!(
        said.ends_with('.') && said.chars().count() <= MAX_NARRATION,
        "a narration ends in a full stop and has at most {MAX_NARRATION} characters; this has {}: {said}",
        said.chars().count()
    );
    assert!(
        !said
            .chars()
            .any(|letter| letter.is_control() || letter == '\u{202e}'),
        "a narration is one line that reads as it is written: {said:?}"
    );
}

/// A narrator that does not keep to one line.
struct Loud;

impl Narrator for Loud {
    fn aim(&self, _: &Value) -> String {
        "deploy".to_string()
    }

    fn deed(&self, _: &Value, _: &str) -> Option<String> {
        Some("Deployed\nloudly".repeat(100))
    }
}
