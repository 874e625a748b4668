//! Section 7.6: One pipe, one process group

use std::path::Path;

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

fn start_group_and_pipe(text: &str, folder: &Path) -> (ProcessGroup, Receiver) {
    let started = ProcessGroup::start(sh(text, folder));
    started.expect("every Unix has a shell")
}
