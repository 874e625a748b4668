//! SIGTERM and SIGHUP: they end `claw` and its commands, and the session is saved.

use std::fs;
use std::process::{Command, Stdio};

use crate::support::{Claw, Terminal, Workspace, wait_until};

/// Makes the offline model run a command that writes its process id and does not end soon.
const LONG_COMMAND: &str = "run echo $$ > id; sleep 55; echo awake";

/// The process id that the command has written.
fn command_id(workspace: &Workspace) -> String {
    workspace.wait_for("id", "\n");
    workspace.read("id").trim().to_string()
}

/// Sends a signal. Returns whether the process exists.
fn kill(signal: &str, id: &str) -> bool {
    let output = Command::new("kill").args([signal, id]).output();
    output.expect("`kill` is installed").status.success()
}

/// Sends a signal to a `claw` that runs the long command, and asserts how both end.
#[track_caller]
fn assert_ended_by(signal: &str, code: i32, workspace: &Workspace, claw: Claw) {
    let running = claw.start();
    let command = command_id(workspace);
    kill(signal, &running.child.id().to_string());
    assert_eq!(running.finish().code, Some(code));
    wait_until(|| !kill("-0", &command));
    assert_saved(workspace);
}

/// Asserts that a session holds the prompt, from chapter 20 on.
#[track_caller]
fn assert_saved(workspace: &Workspace) {
    if cfg!(feature = "ch20") {
        let resume = || workspace.claw(&["--offline", "--resume"]).run();
        let mut run = resume();
        // A `claw` without a window may still have been saving the result of its call.
        if run.stderr.contains("resume it again") {
            run = resume();
        }
        let prompt = "> run echo $$ > id; sleep 55";
        assert!(run.stdout.contains(prompt), "{run:?}");
        assert!(run.stdout.contains("\n\nAsk for something"), "{run:?}");
    }
}

#[test]
fn a_signal_ends_a_single_prompt() {
    for (signal, code) in signals() {
        let workspace = Workspace::new();
        let claw = workspace.claw(&["--offline", "-p", LONG_COMMAND]);
        assert_ended_by(signal, code, &workspace, claw);
    }
}

#[test]
fn a_signal_ends_a_conversation() {
    for (signal, code) in signals() {
        let lines = format!("{LONG_COMMAND}\nhello\n");
        let workspace = Workspace::with(&[("lines", &lines)]);
        let lines = fs::File::open(workspace.path().join("lines")).expect("a file");
        let claw = workspace.claw(&["--offline"]).stdin(lines);
        assert_ended_by(signal, code, &workspace, claw);
    }
}

/// The signals and the exit codes that they lead to.
fn signals() -> Vec<(&'static str, i32)> {
    if ignores_hangup() {
        eprintln!("SIGHUP is not tested: these tests run under nohup, and so would claw");
        return vec![("-TERM", 143)];
    }
    vec![("-TERM", 143), ("-HUP", 129)]
}

/// Whether the tests run with SIGHUP ignored, which child processes inherit.
fn ignores_hangup() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|it| it.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|it| u64::from_str_radix(it.trim(), 16).ok());
    // SIGHUP is signal 1, the lowest bit.
    mask.is_some_and(|mask| mask & 1 == 1)
}

#[test]
fn a_closed_window_ends_claw_and_its_commands() {
    let workspace = Workspace::new();
    let Some(terminal) = Terminal::claw(&workspace, "--offline") else {
        return;
    };
    terminal.line(LONG_COMMAND);
    let command = command_id(&workspace);
    drop(terminal);
    wait_until(|| !kill("-0", &command));
    assert_saved(&workspace);
}

#[test]
fn a_hangup_is_ignored_under_nohup() {
    let workspace = Workspace::new();
    let wait = "run echo $$ > id; until [ -e go ]; do sleep 0.02; done";
    let claw = workspace.claw(&["--offline", "-p", wait]);
    let running = under_nohup(claw, &workspace).start();
    command_id(&workspace);
    kill("-HUP", &running.child.id().to_string());
    workspace.write("go", "");
    running.finish().succeeds();
}

/// The same command, started by a shell that ignores SIGHUP.
fn under_nohup(mut claw: Claw, workspace: &Workspace) -> Claw {
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' HUP; exec \"$0\" \"$@\""]);
    shell.arg(claw.command.get_program());
    shell.args(claw.command.get_args());
    shell.current_dir(workspace.path());
    shell.env("CLAW_HOME", workspace.home());
    shell.stdout(Stdio::null());
    claw.command = shell;
    claw.stdin(Stdio::null())
}
