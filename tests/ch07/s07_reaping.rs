//! Section 7.7: Ended, and not yet reaped

use std::path::Path;

use claw_code::tools::shell::*;
use rustix::process::{Signal, kill_process, test_kill_process};

use super::support::*;

#[tokio::test]
async fn test_ch7_looking_does_not_reap() {
    let (mut group, shell) = group("exit 7", Path::new("/"));
    ends(&mut group).await;
    for _ in 0..3 {
        assert_eq!(
            group.look().ok(),
            Some(Life::Ended),
            "a shell that has ended stays as it is, however often it is looked at"
        );
    }
    assert!(
        test_kill_process(shell).is_ok(),
        "it has not been reaped by looking: its number still belongs to it"
    );
    let status = group.reap().expect("it can be reaped");
    assert_eq!(status.code(), Some(7), "reaping gives the exit code");
    assert!(
        test_kill_process(shell).is_err(),
        "after that, the number belongs to nobody"
    );
    assert!(group.is_over(), "and the group is over");
    assert!(
        group.reap().is_err(),
        "there is nothing to reap a second time"
    );
}

#[tokio::test]
async fn test_ch7_a_shell_that_runs_or_stands_still() {
    let (mut stopped, shell) = group("kill -STOP $$; exit 5", Path::new("/"));
    let before = stopped.look().expect("it can be asked");
    assert_ne!(before, Life::Ended, "it stands still, or runs up to there");
    assert_eq!(
        in_time(stopped.change()).await.ok(),
        Some(Life::Stopped),
        "a shell that was stopped runs no longer, and has not ended either"
    );
    kill_process(shell, Signal::CONT).expect("it is a child of ours");
    ends(&mut stopped).await;
    let status = stopped.reap().expect("it can be reaped");
    assert_eq!(status.code(), Some(5), "it went on and ended");
    let (running, _) = group("sleep 30", Path::new("/"));
    assert_eq!(running.look().ok(), Some(Life::Running), "it sleeps");
}

#[tokio::test]
async fn test_ch7_reaping_ends_what_is_left() {
    let folder = Folder::new();
    let mut witness = Witness::new(&folder);
    let (mut group, _) = group("sleep 30 9>alive & exit 0", folder.path());
    witness.begins().await;
    ends(&mut group).await;
    group.reap().expect("it can be reaped");
    witness.ends("what the shell has left running is killed before the shell is reaped");
}
