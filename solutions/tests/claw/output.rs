//! Standard output: what reaches it, and what happens when it cannot be written.

use claw_offline::{Reply, Script};

use crate::support::{ScriptedServer, Workspace};

#[test]
fn control_characters_of_the_model_do_not_reach_the_terminal() {
    let pieces = [
        "a\u{1b}",
        "[2J\tb\r",
        "\u{1b}]0;ti",
        "tle\u{7}\u{9b}",
        "31mc\u{7f}\u{85}d\n",
        "e",
    ];
    let server = ScriptedServer::new(Script::new().reply(Reply::pieces(pieces)));
    let run = Workspace::new().claw(&["-p", "hi"]).asks(&server).run();
    assert_eq!(run.stdout, "a[2J\tb]0;title31mcd\ne\n", "{run:?}");
}

const CALLS: [&[&str]; 2] = [&["--offline"], &["--offline", "-p", "hello"]];

#[test]
fn a_closed_pipe_ends_it_without_a_message() {
    for arguments in CALLS {
        let run = Workspace::new().claw(arguments).closed_stdout().run();
        assert_eq!(run.succeeds().stderr, "", "{arguments:?}");
    }
}

#[test]
fn a_closed_pipe_stops_the_turn() {
    let workspace = Workspace::new();
    let prompt = "run sleep 3; echo done > finished";
    let claw = workspace.claw(&["--offline", "-p", prompt]);
    claw.closed_stdout().run().succeeds();
    assert!(!workspace.path().join("finished").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    for arguments in CALLS {
        let run = Workspace::new().claw(arguments).full_stdout().run();
        run.fails(1, "cannot write to standard output: No space left");
    }
}
