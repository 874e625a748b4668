//! Section 11.14: Commands in the sandbox

use claw_code::safety::*;
use claw_code::tools::BashTool;
use claw_code::types::*;
use serde_json::json;

use super::support::system_level;
use crate::support::{TempFolder, run_beside_busy_thread};

/// The result of a command in the sandbox.
async fn run(folder: &TempFolder, command: &str) -> ToolResult {
    let bash = SandboxedBash::new(folder.canonical()).expect("a temporary folder");
    let result = bash.call(json!({ "command": command })).await;
    result.expect("the command runs")
}

/// Whether this system has a sandbox. Without one, a command is not run.
async fn has_sandbox(folder: &TempFolder) -> bool {
    let bash = SandboxedBash::new(folder.canonical()).expect("a temporary folder");
    let result = bash.call(json!({ "command": "true" })).await;
    assert_eq!(
        result.is_ok(),
        system_level() != SandboxLevel::None,
        "a command runs if there is a sandbox, and only then: {result:?}"
    );
    if let Err(error) = &result {
        eprintln!("this system has no sandbox, so no command ran: {error:#}");
    }
    result.is_ok()
}

#[tokio::test]
async fn test_ch11_command_in_the_sandbox_writes_in_the_root() {
    let folder = TempFolder::new();
    if has_sandbox(&folder).await {
        let result = run(&folder, "echo text > file; cat file").await;
        assert_eq!(result.content, "text", "the root folder is writable");
    }
}

#[tokio::test]
async fn test_ch11_command_in_the_sandbox_has_a_temporary_folder() {
    let folder = TempFolder::new();
    if has_sandbox(&folder).await {
        let result = run(&folder, "echo text > $TMPDIR/file; cat $TMPDIR/file").await;
        assert_eq!(result.content, "text", "`TMPDIR` is writable");
    }
}

#[tokio::test]
async fn test_ch11_result_of_a_refused_command_has_a_note() {
    let folder = TempFolder::new();
    let outside = TempFolder::new();
    if has_sandbox(&folder).await {
        let file = outside.path().join("file");
        let result = run(&folder, &format!("echo x > {}", file.display())).await;
        assert!(
            result.content.contains("Permission denied"),
            "{}",
            result.content
        );
        let lines: Vec<_> = result.content.lines().collect();
        assert_eq!(lines.last(), Some(&SANDBOX_NOTE), "a line of its own");
        assert!(!file.exists(), "nothing was written");
        let result = run(&folder, "echo 'kill: Operation not permitted'").await;
        assert!(result.content.ends_with(SANDBOX_NOTE), "{}", result.content);
        let result = run(&folder, "echo 'Permission denied'; seq 100000").await;
        assert!(result.content.ends_with(SANDBOX_NOTE), "a long output");
        assert!(
            result.is_truncated,
            "the note is appended to the result of the command, which keeps its other fields"
        );
    }
}

#[tokio::test]
async fn test_ch11_result_of_another_command_has_no_note() {
    let folder = TempFolder::new();
    if has_sandbox(&folder).await {
        let result = run(&folder, "echo x; exit 3").await;
        assert_eq!(result.content, "x\n[exit code 3]", "as without a sandbox");
    }
}

#[tokio::test]
async fn test_ch11_sandboxed_command_has_a_time_limit() {
    let folder = TempFolder::new();
    if has_sandbox(&folder).await {
        let bash = SandboxedBash::new(folder.canonical()).expect("a temporary folder");
        let args = json!({ "command": "sleep 60", "timeout": -1 });
        let result = bash.call(args).await.expect("a result");
        assert!(result.is_error, "-1 counts as 0 seconds: {result:?}");
        let args = json!({ "command": "echo x", "timeout": 1e300 });
        let result = bash.call(args).await.expect("a result");
        assert_eq!(result.content, "x", "1e300 counts as `MAX_TIMEOUT` seconds");
    }
}

#[tokio::test]
async fn test_ch11_command_that_uses_the_network_runs_outside() {
    let folder = TempFolder::with_files(&[("src/a", "")]);
    let outside = TempFolder::new();
    if has_sandbox(&folder).await {
        let file = outside.path().join("file");
        let command = format!("ls; echo x > {}; true curl ./x", file.display());
        let bash = SandboxedBash::new(folder.canonical()).expect("a temporary folder");
        let args = json!({ "command": format!("{command}; ./missing"), "directory": "src" });
        let result = bash.call(args).await.expect("a result");
        assert!(
            file.exists(),
            "the user agreed to the network, so there is no sandbox"
        );
        assert!(
            result.content.starts_with("a\n"),
            "`call` passes all of the call to `self.bash`, also its `directory`: {result:?}"
        );
    }
}

#[tokio::test]
async fn test_ch11_destructive_command_stays_in_the_sandbox() {
    let folder = TempFolder::new();
    let outside = TempFolder::new();
    if has_sandbox(&folder).await {
        let file = outside.path().join("file");
        let command = format!("true rm ./x; echo x > {}; ./missing", file.display());
        let _ = run(&folder, &command).await;
        assert!(
            !file.exists(),
            "only a command that uses the network runs without a sandbox"
        );
    }
}

#[tokio::test]
async fn test_ch11_folder_of_a_sandboxed_call_is_below_the_root() {
    let folder = TempFolder::with_files(&[("src/a", "")]);
    if has_sandbox(&folder).await {
        let bash = SandboxedBash::new(folder.canonical()).expect("a temporary folder");
        let ls = |directory: &str| bash.call(json!({ "command": "ls", "directory": directory }));
        let result = ls("src").await.expect("a result");
        assert_eq!(result.content, "a", "the folder of the call");
        let result = ls("..").await.expect("a result");
        assert!(result.is_error, "outside of the root: {result:?}");
        let result = ls("src/a").await.expect("a result");
        assert!(result.is_error, "a file is not a folder: {result:?}");
    }
}

#[test]
fn test_ch11_folder_of_a_sandboxed_call_is_found_on_another_thread() {
    let folder = TempFolder::new();
    let bash = SandboxedBash::new(folder.canonical()).expect("a temporary folder");
    let args = json!({ "command": "true", "directory": "gone" });
    assert!(
        run_beside_busy_thread(bash.call(args)).is_some(),
        "the disk can be slow: leave the search for `directory` to `run_command`"
    );
}

#[tokio::test]
async fn test_ch11_tool_in_the_sandbox_is_described_as_bash() {
    let folder = TempFolder::new();
    has_sandbox(&folder).await;
    let bash = BashTool::new(folder.canonical());
    let sandboxed = SandboxedBash::new(folder.canonical()).expect("a temporary folder");
    assert_eq!(sandboxed.definition(), bash.definition(), "for the model");
    assert_eq!(
        sandboxed.is_destructive(),
        bash.is_destructive(),
        "a sandbox does not protect the files in the root folder"
    );
    for command in ["cargo test", ""] {
        let args = json!({ "command": command });
        assert_eq!(
            sandboxed.summary(&args),
            bash.summary(&args),
            "for the user"
        );
        let problem = sandboxed.validate_input(&args);
        assert_eq!(problem, bash.validate_input(&args), "of {args}");
    }
}
