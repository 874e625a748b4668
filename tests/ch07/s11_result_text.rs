//! Section 7.11: In words

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use claw_code::tools::shell::*;
use claw_code::tools::*;
use claw_code::types::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch7_an_end_in_words() {
    // As the system gives it: the exit code in the second byte, a signal in the first.
    for (status, words) in [
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
            ending(ExitStatus::from_raw(status)).as_deref(),
            words,
            "an end that was not well is said in one line; the raw status is {status:#x}"
        );
    }
}

#[test]
fn test_ch7_a_result_in_words() {
    for (text, code, pause, content) in [
        ("hello\n", 0, Pause::Done, "hello"),
        ("no line end", 0, Pause::Done, "no line end"),
        ("a\n\n", 0, Pause::Done, "a\n"),
        ("", 0, Pause::Done, "(no output)"),
        ("", 1, Pause::Done, "(no output)\n[exit code 1]"),
        ("oops\n", 2, Pause::Done, "oops\n[exit code 2]"),
        (
            "up\n",
            0,
            Pause::Left,
            "up\n[what it had left running was stopped]",
        ),
        (
            "up\n",
            1,
            Pause::Left,
            "up\n[what it had left running was stopped]\n[exit code 1]",
        ),
    ] {
        for is_truncated in [false, true] {
            let finished = Finished {
                text: text.into(),
                is_truncated,
                pause,
                status: Some(ExitStatus::from_raw(code << 8)),
            };
            assert_eq!(
                finished.result(Duration::from_secs(1)),
                ToolResult {
                    is_truncated,
                    ..ToolResult::text(content)
                },
                "the text is {text:?}, the exit code {code}, and the run was {pause:?}"
            );
        }
    }
}

#[test]
fn test_ch7_a_stopped_command_is_an_error() {
    for (pause, says) in [
        (Pause::Late, vec!["within 2.5 s", "`timeout`", "600"]),
        (Pause::Stopped, vec!["terminal"]),
    ] {
        for (text, ends) in [
            ("one\ntwo\n", "until then:\none\ntwo"),
            ("", "It had written nothing."),
        ] {
            let finished = Finished {
                text: text.into(),
                is_truncated: true,
                pause,
                status: None,
            };
            let result = finished.result(Duration::from_millis(2500));
            assert!(
                result.is_error
                    && result.content.starts_with("error: ")
                    && result.content.ends_with(ends),
                "after it was {pause:?}, with {text:?} written, it is an error, and ends with {ends:?}; it says: {}",
                result.content
            );
            for words in says.iter().chain(&["was stopped"]) {
                assert!(
                    result.content.contains(words),
                    "the reason has the words {words:?} in it; it says: {}",
                    result.content
                );
            }
            assert!(result.is_truncated, "what was cut is marked as such");
        }
    }
}

#[tokio::test]
async fn test_ch7_the_tool_runs_a_command() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("src")).expect("a new folder");
    std::fs::write(folder.path().join("src/main.rs"), "").expect("a new file");
    for (args, content) in [
        (json!({ "command": "echo *" }), "src"),
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
        assert_eq!(
            call(&folder, args.clone()).await,
            ToolResult::text(content),
            "the call is {args}"
        );
        let tool = BashTool::new(folder.path()).pace(PACE);
        assert_eq!(
            in_time(tool.call(args)).await.expect("no Err"),
            ToolResult::text(content),
            "and the tool answers the same"
        );
    }
}

#[tokio::test]
async fn test_ch7_the_tool_takes_folders_only() {
    let folder = Folder::new();
    std::fs::write(folder.path().join("file"), "").expect("a new file");
    for (directory, says) in [
        ("file", "`file` is a file"),
        ("gone", "there is no `gone`"),
        ("..", "leads out of the root folder"),
        ("/", "absolute"),
    ] {
        let args = json!({ "command": "touch ran", "directory": directory });
        let result = call(&folder, args).await;
        assert!(
            result.is_error
                && result.content.starts_with("error: ")
                && result.content.contains(says),
            "the folder `{directory}` is an error that says {says:?}; it says: {}",
            result.content
        );
        assert!(!folder.path().join("ran").exists(), "and nothing is run");
    }
}

#[tokio::test]
async fn test_ch7_the_tool_keeps_to_the_time() {
    let folder = Folder::new();
    let args = json!({ "command": "echo before; exec sleep 30", "timeout": 0.05 });
    let result = call(&folder, args).await;
    assert!(
        result.is_error
            && result.content.starts_with("error: ")
            && result.content.contains("within 0.05 s"),
        "the call's own limit counts; it says: {}",
        result.content
    );
}

#[tokio::test]
async fn test_ch7_a_long_output_is_cut_once() {
    let folder = Folder::new();
    let text =
        "i=0; while [ $i -lt 3000 ]; do echo \"line $i of the output\"; i=$((i+1)); done; exit 9";
    let result = call(&folder, json!({ "command": text })).await;
    assert!(result.is_truncated);
    assert!(
        result.content.len() <= RESULT_LIMIT,
        "head, tail and all words fit into what a model reads, so that nothing is cut again; there are {} bytes",
        result.content.len()
    );
    assert!(result.content.starts_with("line 0 of"));
    assert!(result.content.contains(" bytes left out]\n"));
    assert!(
        result
            .content
            .ends_with("line 2999 of the output\n[exit code 9]")
    );
}

#[tokio::test]
async fn test_ch7_a_cancelled_call_leaves_nothing() {
    let folder = Folder::new();
    let mut witness = Witness::new(&folder);
    let args = json!({ "command": format!("echo $$ >pid; {FAMILY}") });
    tokio::select! {
        result = bash(folder.path(), &args, PACE) => panic!("the command sleeps, and the call returned {result:?}"),
        () = witness.begins() => {}
    }
    witness.ends("a call that is dropped ends the command with all that it had started");
    assert_gone(pid(&folder.read("pid")), "and its shell is reaped");
}

async fn call(folder: &Folder, args: Value) -> ToolResult {
    let result = in_time(bash(folder.path(), &args, PACE)).await;
    result.unwrap_or_else(|error| panic!("no Err for {args}: {error:#}"))
}
