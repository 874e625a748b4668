//! Section 7.11: Run a command for the model

use std::time::Duration;

use claw_code::tools::shell::{Timing, find_shell};
use claw_code::tools::*;
use claw_code::types::*;
use serde_json::{Value, json};

use super::support::*;

const RARE_REPORTS: Timing = Timing {
    report_interval: Duration::from_secs(15),
    ..TIMING
};

#[tokio::test]
async fn test_ch7_bash_runs_a_command() {
    // Closes its output early: only SIGCHLD tells when it ends.
    const SILENT: &str = "exec >&- 2>&-; i=0; while [ $i -lt 9999 ]; do i=$((i+1)); done";
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folder = CommandFolder::new();
    folder.write("src/main.rs", "");
    for (command, directory, content) in [
        ("echo s*", None, "src"),
        ("echo *", Some("src"), "main.rs"),
        (
            "echo out; echo err >&2; exit 1",
            None,
            "out\nerr\n[exit code 1]",
        ),
        ("printf '\\033[32mok\\033[0m\\r\\n'", None, "ok"),
        (
            "printf '\\033[32m\\033[0m'",
            None,
            "(no text in 9 bytes of output)",
        ),
        ("true", None, "(no output)"),
        (SILENT, None, "(no output)"),
        ("x=1\necho $x", None, "1"),
        ("printf 'error: x\n'", None, "error: x"),
        (
            "printf 'error: x\n'; exit 101",
            None,
            "error: x\n[exit code 101]",
        ),
    ] {
        let args = json!({ "command": command, "directory": directory });
        let expected = ToolResult::text(content);
        assert_eq!(call(&folder, args.clone()).await, expected, "{args}");
        let tool = BashTool::new(folder.path()).timing(RARE_REPORTS);
        let result = in_time(tool.call(args.clone())).await;
        assert_eq!(result.ok(), Some(expected), "the tool, called with {args}");
    }
    let shell = call(&folder, json!({ "command": "echo $0" })).await.content;
    assert_eq!(shell, find_shell(&path), "find_shell chooses the shell");
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

#[tokio::test]
async fn test_ch7_a_shell_that_cannot_start_is_an_error() {
    let args = json!({ "command": "a NUL character, \0, which no argument can contain" });
    let result = run_bash(CommandFolder::new().path(), &args, TIMING).await;
    assert!(
        result.is_err(),
        "no shell was started, which is not the model's fault: {result:?}"
    );
    let error = result.expect_err("checked above");
    let shell = find_shell(&std::env::var_os("PATH").unwrap_or_default());
    assert!(
        error.to_string().contains(shell) && error.is::<std::io::Error>(),
        "the error of `start` is returned with a context that names the shell, `{shell}`: {error:?}"
    );
}

#[test]
fn test_ch7_bash_looks_for_its_folder_on_another_thread() {
    let folder = CommandFolder::new();
    let args = json!({ "command": "true", "directory": "gone" });
    let result = run_beside_busy_thread(run_bash(folder.path(), &args, TIMING));
    assert!(
        result.is_some(),
        "the disk can be slow: look for `directory` with `spawn_blocking`, and not on the thread that runs other tasks"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch7_bash_uses_the_timeout_of_the_call() {
    let folder = CommandFolder::new();
    for (timeout, part) in [
        (json!(0.05), "within 0.05 s"),
        (json!(-1.0), "within 0 s"),
        (json!(1e300), "within 600 s"),
        (Value::Null, "within 120 s"),
    ] {
        let args = json!({ "command": "exec cat never", "timeout": timeout });
        let result = run_bash(folder.path(), &args, RARE_REPORTS).await;
        let result = result.expect("a time limit gives a result");
        assert_error(&format!("a timeout of {timeout}"), &result, &[part]);
    }
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

async fn call(folder: &CommandFolder, args: Value) -> ToolResult {
    let result = in_time(run_bash(folder.path(), &args, TIMING)).await;
    result.unwrap_or_else(|error| panic!("{args} should give a result: {error:#}"))
}
