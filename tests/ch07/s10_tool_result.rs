//! Section 7.10: The tool result

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use claw_code::tools::shell::*;
use claw_code::types::*;

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
        (" \t", 0, " \t"),
        ("", 0, "(no output)"),
        ("\n", 0, "(no output)"),
        ("", 1, "(no output)\n[exit code 1]"),
        ("oops\n", 2, "oops\n[exit code 2]"),
    ] {
        assert_result(text, code, WaitOutcome::Completed, content);
    }
}

#[test]
fn test_ch7_stopped_background_processes_are_noted() {
    for (text, code, content) in [
        (
            "up\n",
            0,
            "up\n[background processes were stopped; one in a session of its own may still run]",
        ),
        (
            "up\n",
            1,
            "up\n[background processes were stopped; one in a session of its own may still run]\n[exit code 1]",
        ),
        (
            "",
            0,
            "(no output)\n[background processes were stopped; one in a session of its own may still run]",
        ),
    ] {
        assert_result(text, code, WaitOutcome::BackgroundLeft, content);
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
        (WaitOutcome::Suspended, ["terminal", "suspended", SUSPENDED]),
    ] {
        for (text, is_truncated, end) in [
            ("one\ntwo\n", true, ".\nIts output until then:\none\ntwo"),
            ("a\n\n", false, ".\nIts output until then:\na\n"),
            ("", true, ".\nIt wrote no output."),
            ("\n", false, ".\nIt wrote no output."),
        ] {
            let finished = FinishedCommand {
                text: text.into(),
                is_truncated,
                outcome,
                status: None,
            };
            let result = finished.tool_result(Duration::from_millis(2500));
            let rule = format!("{outcome:?} after {text:?}");
            assert_error(&rule, &result, &reason);
            assert_error(&rule, &result, &["was stopped"]);
            assert!(
                !result.content.starts_with("error: error: "),
                "{rule}: `ToolResult::error` adds the prefix: {}",
                result.content
            );
            assert!(
                result.content.ends_with(end),
                "{rule}: the result should end with {end:?}: {}",
                result.content
            );
            assert_eq!(
                result.is_truncated, is_truncated,
                "{rule}: truncated output is marked, and no other"
            );
        }
    }
}
