//! Section 7.11: The tool result

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use claw_code::tools::shell::*;
use claw_code::tools::*;
use claw_code::types::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch7_exit_notes() {
    // As from the system: the exit code is in the second byte, a signal in the first.
    for (status, expected) in [
        (0, None),
        (1 << 8, Some("[exit code 1]")),
        (127 << 8, Some("[exit code 127]")),
        (255 << 8, Some("[exit code 255]")),
        (9, Some("[exit code 137: killed by SIGKILL]")),
        (11, Some("[exit code 139: killed by SIGSEGV]")),
        (11 | 0x80, Some("[exit code 139: killed by SIGSEGV]")),
        (15, Some("[exit code 143: killed by SIGTERM]")),
        (40, Some("[exit code 168: killed by signal 40]")),
    ] {
        assert_eq!(
            exit_note(ExitStatus::from_raw(status)).as_deref(),
            expected,
            "the note on the raw status {status:#x}"
        );
    }
}

#[test]
fn test_ch7_a_command_that_ended_is_not_an_error() {
    for (text, code, content) in [
        ("hello\n", 0, "hello"),
        ("no line end", 0, "no line end"),
        ("a\n\n", 0, "a\n"),
        ("", 0, "(no output)"),
        ("", 1, "(no output)\n[exit code 1]"),
        ("oops\n", 2, "oops\n[exit code 2]"),
    ] {
        assert_result(text, code, WaitOutcome::Completed, content);
    }
}

#[test]
fn test_ch7_stopped_background_processes_are_noted() {
    for (code, content) in [
        (0, "up\n[background processes were stopped]"),
        (1, "up\n[background processes were stopped]\n[exit code 1]"),
    ] {
        assert_result("up\n", code, WaitOutcome::BackgroundLeft, content);
    }
}

/// Fails unless a command with this output and exit code gives a result with `content`.
#[track_caller]
fn assert_result(text: &str, code: i32, outcome: WaitOutcome, content: &str) {
    for is_truncated in [false, true] {
        let finished = FinishedCommand {
            text: text.into(),
            is_truncated,
            outcome,
            status: Some(ExitStatus::from_raw(code << 8)),
        };
        let expected = ToolResult {
            is_truncated,
            ..ToolResult::text(content)
        };
        let result = finished.tool_result(Duration::from_secs(1));
        assert_eq!(result, expected, "{text:?}, {outcome:?}, exit code {code}");
    }
}

#[test]
fn test_ch7_a_command_that_was_stopped_is_an_error() {
    for (outcome, reason) in [
        (WaitOutcome::TimedOut, ["within 2.5 s", "`timeout`", "600"]),
        (WaitOutcome::Suspended, ["terminal", "suspended", "pipe"]),
    ] {
        for (text, end) in [
            ("one\ntwo\n", "until then:\none\ntwo"),
            ("", "It wrote no output."),
        ] {
            let finished = FinishedCommand {
                text: text.into(),
                is_truncated: true,
                outcome,
                status: None,
            };
            let result = finished.tool_result(Duration::from_millis(2500));
            let rule = format!("{outcome:?} after {text:?}");
            assert_error(&rule, &result, &reason);
            assert_error(&rule, &result, &["was stopped"]);
            assert!(
                result.content.ends_with(end),
                "{rule}: the result should end with {end:?}: {}",
                result.content
            );
            assert!(result.is_truncated, "{rule}: truncated output is marked");
        }
    }
}

#[tokio::test]
async fn test_ch7_bash_runs_a_command() {
    let folder = CommandFolder::new();
    folder.write("src/main.rs", "");
    for (args, content) in [
        (json!({ "command": "echo s*" }), "src"),
        (
            json!({ "command": "echo *", "directory": "src" }),
            "main.rs",
        ),
        (
            json!({ "command": "echo out; echo err >&2; exit 1" }),
            "out\nerr\n[exit code 1]",
        ),
        (
            json!({ "command": "printf '\\033[32mok\\033[0m\\r\\n'" }),
            "ok",
        ),
        (json!({ "command": "x=1\necho $x", "timeout": 5 }), "1"),
        (json!({ "command": "printf 'error: x\n'" }), "error: x"),
        (
            json!({ "command": "printf 'error: x\n'; exit 101" }),
            "error: x\n[exit code 101]",
        ),
    ] {
        let expected = ToolResult::text(content);
        assert_eq!(call(&folder, args.clone()).await, expected, "{args}");
        let tool = BashTool::new(folder.path()).timing(TIMING);
        let result = in_time(tool.call(args.clone())).await;
        assert_eq!(result.ok(), Some(expected), "the tool, called with {args}");
    }
}

#[tokio::test]
async fn test_ch7_bash_needs_a_folder_in_the_root() {
    let folder = CommandFolder::new();
    folder.write("file", "");
    for (directory, part) in [
        ("file", "`file` is a file"),
        ("gone", "there is no `gone`"),
        ("..", "leads out of the root folder"),
        ("/", "absolute"),
    ] {
        let args = json!({ "command": "touch ran", "directory": directory });
        let rule = format!("the directory `{directory}`");
        assert_error(&rule, &call(&folder, args).await, &[part]);
        assert!(
            !folder.path().join("ran").exists(),
            "{rule}: the command must not run"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch7_bash_uses_the_timeout_of_the_call() {
    let folder = CommandFolder::new();
    let args = json!({ "command": "echo before; exec cat never", "timeout": 0.05 });
    let result = call(&folder, args).await;
    assert_error("a timeout of 0.05", &result, &["within 0.05 s"]);
}

#[tokio::test]
async fn test_ch7_a_long_output_is_cut_once() {
    let folder = CommandFolder::new();
    let text =
        "i=0; while [ $i -lt 3000 ]; do echo \"line $i of the output\"; i=$((i+1)); done; exit 9";
    let result = call(&folder, json!({ "command": text })).await;
    assert!(result.is_truncated, "truncated output is marked");
    assert!(
        result.content.len() <= RESULT_LIMIT,
        "head, tail and notes must fit into a result, so that nothing is cut again; they have {} bytes",
        result.content.len()
    );
    assert!(result.content.starts_with("line 0 of"), "the head");
    assert!(result.content.contains(" bytes left out]\n"), "the note");
    assert!(
        result
            .content
            .ends_with("line 2999 of the output\n[exit code 9]"),
        "the tail, and the exit code"
    );
}

#[tokio::test]
async fn test_ch7_a_dropped_call_leaves_no_process() {
    let folder = CommandFolder::new();
    let mut alive = LivenessFifo::new(&folder);
    let args = json!({ "command": format!("echo $$ >pid; {FAMILY}") });
    tokio::select! {
        result = run_bash(folder.path(), &args, TIMING) => panic!("the command can't end, and the call returned {result:?}"),
        () = alive.wait_for_start() => {}
    }
    alive.assert_ended("dropping a call ends all processes of its command");
    assert_reaped(parse_pid(&folder.read("pid")), "its shell is reaped");
}

/// Fails with `rule` unless `result` is an error whose text contains all `parts`.
#[track_caller]
fn assert_error(rule: &str, result: &ToolResult, parts: &[&str]) {
    assert!(
        result.is_error && result.content.starts_with("error: "),
        "{rule}: the result should be an error: {}",
        result.content
    );
    for part in parts {
        assert!(
            result.content.contains(part),
            "{rule}: the result should contain {part:?}: {}",
            result.content
        );
    }
}

async fn call(folder: &CommandFolder, args: Value) -> ToolResult {
    let result = in_time(run_bash(folder.path(), &args, TIMING)).await;
    result.unwrap_or_else(|error| panic!("{args} should give a result: {error:#}"))
}
