//! Section 7.6: Reap the shell

use std::os::unix::process::ExitStatusExt;
use std::path::Path;

use claw_code::tools::shell::*;
use rustix::process::{Signal, kill_process, test_kill_process};

use super::support::*;

#[tokio::test]
async fn test_ch7_the_state_does_not_reap() {
    for text in ["exit 7", "kill -KILL $$"] {
        let (group, shell) = start_group(text, Path::new("/"));
        wait_for_zombie(shell);
        for _ in 0..3 {
            assert_eq!(
                group.state().ok(),
                Some(ShellState::Ended),
                "`{text}`: the state of a shell that has ended stays the same, however often it is asked for"
            );
        }
        assert!(
            test_kill_process(shell).is_ok(),
            "asking for the state must not reap the shell: its process id stays in use"
        );
    }
}

#[tokio::test]
async fn test_ch7_reaping_returns_the_status() {
    let (mut group, shell) = start_group("exit 7", Path::new("/"));
    wait_for_end(&mut group).await;
    let status = group.reap().expect("the shell has ended");
    assert_eq!(status.code(), Some(7), "reaping returns the exit status");
    assert!(
        test_kill_process(shell).is_err(),
        "after reaping, the process id is free"
    );
    assert!(group.is_reaped(), "the group knows that it is reaped");
    assert!(group.reap().is_err(), "a shell can be reaped only once");
}

#[tokio::test]
async fn test_ch7_a_suspended_shell() {
    let (mut group, shell) = start_group("kill -STOP $$; exit 5", Path::new("/"));
    let state = group.state().expect("the shell is not reaped");
    assert_ne!(state, ShellState::Ended, "it runs, or is suspended already");
    assert_eq!(
        in_time(group.wait_for_change()).await.ok(),
        Some(ShellState::Suspended),
        "a suspended shell does not run, and has not ended either"
    );
    kill_process(shell, Signal::CONT).expect("the shell is a child of the test");
    wait_for_end(&mut group).await;
    let status = group.reap().expect("the shell has ended");
    assert_eq!(
        status.code(),
        Some(5),
        "it was resumed, and ended by itself"
    );
}

#[tokio::test]
async fn test_ch7_a_running_shell() {
    let folder = CommandFolder::new();
    let (group, _) = start_group("cat never", folder.path());
    let state = group.state().ok();
    assert_eq!(state, Some(ShellState::Running), "it waits for input");
}

#[tokio::test]
async fn test_ch7_reaping_kills_what_the_shell_has_left() {
    let folder = CommandFolder::new();
    let mut alive = LivenessFifo::new(&folder);
    let (mut group, _) = start_group(&format!("({STUBBORN}) & exit 0"), folder.path());
    alive.wait_for_start().await;
    wait_for_end(&mut group).await;
    group.reap().expect("the shell has ended");
    alive.assert_ended("the processes that the shell has left are killed before it is reaped");
    let (mut group, _) = start_group("cat never", folder.path());
    let status = group.reap().expect("the shell is not reaped");
    assert_eq!(status.signal(), Some(9), "a shell that runs is killed too");
}
