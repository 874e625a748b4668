//! Section 7.7: A dropped command

use std::sync::mpsc;
use std::time::Instant;

use claw_code::tools::shell::*;
use rustix::process::{Signal, kill_process};
use tokio::runtime::Handle;

use super::support::*;

#[tokio::test]
async fn test_ch7_a_dropped_command_leaves_no_process() {
    let folder = CommandFolder::new();
    let mut alive = LivenessFifo::new(&folder);
    let (command, shell) = start_with(&folder, FAMILY, TIMING);
    alive.wait_for_start().await;
    drop(command);
    alive.assert_ended("dropping a command ends its whole group");
    assert_reaped(shell, "dropping a command reaps its shell");
}

#[tokio::test]
async fn test_ch7_a_dropped_command_can_clean_up() {
    // The second one writes more than fits into a pipe, and the third one can't write.
    let wordy = CAREFUL.replace("echo cleaning up", "printf %66000s .");
    let work = "i=0; while [ $i -lt 999 ]; do i=$((i+1)); done";
    let silent = CAREFUL.replace("echo cleaning up", work);
    for (text, rule) in [
        (
            CAREFUL,
            "it has time to clean up before it is killed; otherwise git would leave its lock file",
        ),
        (
            &wordy,
            "its output is read while it ends; otherwise it waits for room in the pipe",
        ),
        (
            &format!("exec >&- 2>&-; {silent}"),
            "it has time to end after it has closed its output",
        ),
    ] {
        let folder = CommandFolder::new();
        let mut alive = LivenessFifo::new(&folder);
        let command = start(&folder, text);
        alive.wait_for_start().await;
        drop(command);
        alive.assert_ended("dropping a command ends it");
        let is_cleaned = folder.path().join("cleaned").exists();
        assert!(is_cleaned, "a process gets SIGTERM, and {rule}");
    }
}

#[tokio::test]
async fn test_ch7_a_dropped_command_is_resumed_to_clean_up() {
    let folder = CommandFolder::new();
    let mut alive = LivenessFifo::new(&folder);
    let (command, shell) = start_with(&folder, CAREFUL, TIMING);
    alive.wait_for_start().await;
    kill_process(shell, Signal::STOP).expect("the shell is a child of the test");
    drop(command);
    alive.assert_ended("dropping a command ends it");
    assert!(
        folder.path().join("cleaned").exists(),
        "a suspended process can clean up only after SIGCONT"
    );
}

#[tokio::test]
async fn test_ch7_dropping_waits_no_longer_than_needed() {
    let folder = CommandFolder::new();
    // One try may meet a busy moment of the machine; five do not.
    let is_fast = (0..5).any(|_| {
        let command = start(&folder, "exec cat never");
        let before = Instant::now();
        drop(command);
        before.elapsed() < DROP_GRACE
    });
    assert!(
        is_fast,
        "dropping waits only until the processes have ended; in each of five tries it took {DROP_GRACE:?} or more"
    );
}

#[tokio::test]
async fn test_ch7_dropping_kills_what_does_not_end() {
    for (rule, text) in [
        ("a shell that ignores SIGTERM", STUBBORN.to_string()),
        // This shell ends at once, and only its child holds the pipe.
        (
            "a child that ignores SIGTERM",
            format!("sh -c \"{STUBBORN}\" & wait"),
        ),
    ] {
        let folder = CommandFolder::new();
        let mut alive = LivenessFifo::new(&folder);
        let command = start(&folder, &text);
        alive.wait_for_start().await;
        let before = Instant::now();
        drop(command);
        let elapsed = before.elapsed();
        assert!(
            (DROP_GRACE..PATIENCE).contains(&elapsed),
            "{rule} has {DROP_GRACE:?} to clean up before it is killed; dropping took {elapsed:?}"
        );
        alive.assert_ended("after that, it is killed");
    }
}

#[tokio::test]
async fn test_ch7_dropping_does_not_wait_for_a_paused_clock() {
    let folder = CommandFolder::new();
    drop(start(&folder, "exec cat never"));
    let mut alive = LivenessFifo::new(&folder);
    let command = start(&folder, STUBBORN);
    alive.wait_for_start().await;
    tokio::time::pause();
    let clock = Handle::current();
    let (sender, dropped) = mpsc::channel();
    std::thread::spawn(move || {
        let _clock = clock.enter();
        drop(command);
        let _ = sender.send(());
    });
    let is_dropped = dropped.recv_timeout(PATIENCE).is_ok();
    tokio::time::resume();
    assert!(
        is_dropped,
        "with tokio's clock paused, dropping a command still waits after {PATIENCE:?}: measure `DROP_GRACE` with `std::time::Instant`, and not with the `Instant` that this file imports"
    );
    alive.assert_ended("after `DROP_GRACE`, the command is killed");
}
