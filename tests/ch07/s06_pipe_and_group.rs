//! Section 7.6: One pipe, one group

use std::path::Path;

use claw_code::tools::shell::*;
use rustix::process::Signal;
use tokio::net::unix::pipe::Receiver;

use super::support::*;

#[tokio::test]
async fn test_ch7_both_outputs_come_in_order() {
    let text = "for i in 1 2 3 4 5 6 7 8 9; do echo out $i; echo err $i >&2; done";
    let (_group, mut pipe) = started(text, Path::new("/"));
    let expected: String = (1..10).map(|i| format!("out {i}\nerr {i}\n")).collect();
    assert_eq!(
        read(&mut pipe).await,
        expected,
        "what is written first comes first, whichever of the two outputs it is written to"
    );
}

#[tokio::test]
async fn test_ch7_the_pipe_ends_with_its_last_writer() {
    let (_group, mut pipe) = started("echo one; (echo two)", Path::new("/"));
    assert_eq!(
        read(&mut pipe).await,
        "one\ntwo\n",
        "when all writers are gone, the pipe is at its end"
    );
    let missing = sh("true", Path::new("/no/such/folder"));
    assert!(
        Group::start(missing).is_err(),
        "a command that can't be started is an error"
    );
}

#[tokio::test]
async fn test_ch7_a_signal_reaches_the_whole_group() {
    let folder = Folder::new();
    let mut witness = Witness::new(&folder);
    let (group, _pipe) = started(FAMILY, folder.path());
    witness.begins().await;
    group.signal(Signal::TERM);
    witness.ends("a signal goes to the shell and to all that it has started");
}

#[tokio::test]
async fn test_ch7_a_dropped_group_is_killed_and_reaped() {
    let folder = Folder::new();
    let mut witness = Witness::new(&folder);
    let (group, mut pipe) = started(FAMILY, folder.path());
    let shell = pid(&line(&mut pipe).await);
    witness.begins().await;
    drop(group);
    witness.ends("a group that is dropped is killed, with grandchildren");
    assert_gone(shell, "and its shell is reaped");
}

fn started(text: &str, folder: &Path) -> (Group, Receiver) {
    let started = Group::start(sh(text, folder));
    started.expect("there is a shell on every Unix")
}
