//! Section 7.8: A run that is dropped

use std::time::Instant;

use claw_code::tools::shell::*;
use rustix::process::{Signal, kill_process};

use super::support::*;

#[tokio::test]
async fn test_ch7_a_dropped_run_leaves_nothing() {
    let folder = Folder::new();
    let mut witness = Witness::new(&folder);
    let run = run_in(&folder, &format!("echo $$ >pid; {FAMILY}"));
    witness.begins().await;
    let shell = pid(&folder.read("pid"));
    drop(run);
    witness.ends("a run that is dropped ends its whole group");
    assert_gone(shell, "and its shell is reaped");
}

#[tokio::test]
async fn test_ch7_a_dropped_run_asks_first() {
    let folder = Folder::new();
    let mut witness = Witness::new(&folder);
    let run = run_in(&folder, CAREFUL);
    witness.begins().await;
    drop(run);
    witness.ends("the command ends");
    assert!(
        folder.path().join("cleaned").exists(),
        "a process is asked to end (SIGTERM) and has time to clean up, before it is killed; git would leave its lock behind"
    );
}

#[tokio::test]
async fn test_ch7_a_dropped_run_wakes_who_stands_still() {
    let folder = Folder::new();
    let mut witness = Witness::new(&folder);
    let run = run_in(&folder, CAREFUL);
    witness.begins().await;
    let shell = pid(&folder.read("pid"));
    kill_process(shell, Signal::STOP).expect("it is a child of ours");
    drop(run);
    witness.ends("the command ends");
    assert!(
        folder.path().join("cleaned").exists(),
        "a process that stands still can only clean up if it is let go on (SIGCONT)"
    );
}

#[tokio::test]
async fn test_ch7_a_dropped_run_is_soon_over() {
    let folder = Folder::new();
    // One try may meet a busy moment of the machine; five do not.
    let is_soon = (0..5).any(|_| {
        let run = run_in(&folder, "exec sleep 30");
        let before = Instant::now();
        drop(run);
        before.elapsed() < PARTING
    });
    assert!(
        is_soon,
        "who ends when it is asked is waited for until it has ended, and no longer; in each of five tries it took {PARTING:?} or more"
    );
}

#[tokio::test]
async fn test_ch7_a_dropped_run_insists() {
    for (who, text) in [
        ("a shell", STUBBORN.to_string()),
        // This shell ends at once, and leaves its child alone with the pipe.
        (
            "a child of the shell",
            format!("sh -c \"{STUBBORN}\" & wait"),
        ),
    ] {
        let folder = Folder::new();
        let mut witness = Witness::new(&folder);
        let run = run_in(&folder, &text);
        witness.begins().await;
        let before = Instant::now();
        drop(run);
        assert!(
            before.elapsed() >= PARTING,
            "{who} that does not end when it is asked gets {PARTING:?} for it: it may be cleaning up"
        );
        witness.ends("and is killed then");
    }
}
