//! Section 7.5: One pipe, one process group

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Stdio;

use claw_code::tools::shell::*;
use rustix::process::Signal;
use tokio::net::unix::pipe::Receiver;

use super::support::*;

#[tokio::test]
async fn test_ch7_both_outputs_arrive_in_order() {
    let text = "for i in 1 2 3 4 5 6 7 8 9; do echo out $i; echo err $i >&2; done";
    let (_group, mut pipe) = start_group_and_pipe(text, Path::new("/"));
    let expected: String = (1..10).map(|i| format!("out {i}\nerr {i}\n")).collect();
    assert_eq!(
        read_all(&mut pipe).await,
        expected,
        "standard output and standard error arrive in the order in which they were written"
    );
}

#[tokio::test]
async fn test_ch7_the_pipe_ends_with_its_last_writer() {
    let (_group, mut pipe) = start_group_and_pipe("echo one; (echo two)", Path::new("/"));
    assert_eq!(
        read_all(&mut pipe).await,
        "one\ntwo\n",
        "the pipe ends when all processes that can write to it have ended"
    );
}

#[tokio::test]
async fn test_ch7_a_command_that_cannot_start_is_an_error() {
    let missing = sh("true", Path::new("/no/such/folder"));
    assert!(
        ProcessGroup::start(missing).is_err(),
        "the folder does not exist"
    );
}

#[tokio::test]
async fn test_ch7_a_signal_reaches_the_whole_group() {
    let folder = CommandFolder::new();
    let mut alive = LivenessFifo::new(&folder);
    let (group, _pipe) = start_group_and_pipe(FAMILY, folder.path());
    alive.wait_for_start().await;
    group.signal(Signal::TERM);
    alive.assert_ended("a signal reaches the shell and all processes that it has started");
}

#[tokio::test]
async fn test_ch7_a_dropped_group_is_killed_and_reaped() {
    let folder = CommandFolder::new();
    let mut alive = LivenessFifo::new(&folder);
    let (group, mut pipe) = start_group_and_pipe(FAMILY, folder.path());
    let shell = parse_pid(&read_line(&mut pipe).await);
    alive.wait_for_start().await;
    drop(group);
    alive.assert_ended("dropping a group kills all its processes");
    assert_reaped(shell, "dropping a group reaps its shell");
}

/// Another process joins the group after the shell is reaped. It stands for a program of
/// the user's that was given the free id.
#[tokio::test]
async fn test_ch7_a_reaped_group_gets_no_signals() {
    let folder = CommandFolder::new();
    let (mut group, shell) = start_group("cat never", folder.path());
    let id = shell.as_raw_nonzero().get();
    // Not waited for until the end, so that the group's id remains in use.
    let mut first = sh("cat never", folder.path());
    let mut first = first.process_group(id).spawn().expect("a shell");
    group.kill();
    let mut other = sh("cat", folder.path());
    other.process_group(id).stdin(Stdio::piped());
    let mut other = other.spawn().expect("the group still exists");
    group.signal(Signal::TERM);
    drop(other.stdin.take());
    let status = other.wait().expect("a child of the test");
    first.wait().expect("a child of the test");
    assert!(
        status.success(),
        "after the shell is reaped, another program's group may have the id, and no signal may be sent: {status}"
    );
}

fn start_group_and_pipe(text: &str, folder: &Path) -> (ProcessGroup, Receiver) {
    let started = ProcessGroup::start(sh(text, folder));
    started.expect("every Unix has a shell")
}
