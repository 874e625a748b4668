//! Text piped in beside a single prompt.

use std::process::Stdio;

use crate::support::{ScriptedServer, Workspace, prompts};

const PROMPT: [&str; 2] = ["-p", "what is it?"];

#[test]
fn piped_input_is_added_after_the_prompt() {
    let server = ScriptedServer::replies(["A change."]);
    let claw = Workspace::new().claw(&PROMPT).asks(&server);
    let run = claw.run_with("- milk\n+ \u{1f36f}\n");
    assert_eq!(run.stdout, "A change.\n", "{run:?}");
    assert_eq!(
        prompts(&server.last_body()),
        ["what is it?\n\n- milk\n+ \u{1f36f}\n"]
    );
}

#[test]
fn blank_piped_input_is_left_out() {
    let server = ScriptedServer::replies(["Nothing."]);
    let run = Workspace::new().claw(&PROMPT).asks(&server).run_with("\n");
    assert_eq!(run.stdout, "Nothing.\n", "{run:?}");
    assert_eq!(prompts(&server.last_body()), ["what is it?"]);
}

#[test]
fn more_than_one_mib_of_piped_input_is_an_error() {
    let server = ScriptedServer::replies(["Never."]);
    let claw = Workspace::new().claw(&PROMPT).asks(&server);
    let run = claw.run_with("x".repeat(1024 * 1024 + 1));
    run.fails(2, "larger than 1 MiB");
    assert_eq!(server.requests().len(), 0);
}

/// The parent process may have left open a pipe that nothing writes to.
#[test]
fn a_silent_pipe_is_not_waited_for() {
    let workspace = Workspace::new();
    let claw = workspace.claw(&["--offline", "-p", "hello"]);
    let mut running = claw.stdin(Stdio::piped()).start();
    let open_pipe = running.child.stdin.take();
    let run = running.finish().succeeds();
    drop(open_pipe);
    assert!(run.stdout.contains("Hello."), "{run:?}");
    assert!(run.stderr.contains("no piped input arrived"), "{run:?}");
    assert!(run.stderr.contains("< /dev/null"), "{run:?}");
}
