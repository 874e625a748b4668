//! Section 7.10: The time is up

use std::os::unix::process::ExitStatusExt;
use std::time::Duration;

use claw_code::tools::shell::*;
use rustix::process::test_kill_process;

use super::support::*;

#[tokio::test]
async fn test_ch7_a_run_that_finishes() {
    let folder = Folder::new();
    for (text, writes, code) in [
        ("echo hello", "hello\n", 0),
        ("echo no >&2; exit 3", "no\n", 3),
    ] {
        let finished = finish(&folder, text).await;
        assert_eq!(finished.pause, Pause::Done);
        assert_eq!(finished.text, writes, "`{text}` writes this");
        assert!(!finished.is_truncated);
        assert_eq!(
            finished.status.and_then(|status| status.code()),
            Some(code),
            "and its exit code is known"
        );
    }
    let finished = finish(&folder, "kill -KILL $$").await;
    assert_eq!(
        finished.status.and_then(|status| status.signal()),
        Some(9),
        "so is the signal that ended a shell"
    );
}

#[tokio::test]
async fn test_ch7_a_run_that_is_late_is_stopped() {
    let folder = Folder::new();
    let mut witness = Witness::new(&folder);
    let run = run_in(&folder, &format!("echo $$ >pid; echo before; {FAMILY}"));
    witness.begins().await;
    let finished = in_time(run.finish(Duration::from_millis(30))).await;
    let finished = finished.expect("no error");
    assert_eq!(finished.pause, Pause::Late);
    assert!(
        finished.text.starts_with("before\n"),
        "what was written before is kept; it is {:?}",
        finished.text
    );
    assert_eq!(finished.status, None, "it did not end by itself");
    witness.ends("the whole group is ended, with grandchildren");
    assert_gone(pid(&folder.read("pid")), "and the shell is reaped");
}

#[tokio::test]
async fn test_ch7_a_late_run_has_last_words() {
    let folder = Folder::new();
    let mut witness = Witness::new(&folder);
    let run = run_in(&folder, CAREFUL);
    witness.begins().await;
    let finished = in_time(run.finish(Duration::ZERO)).await.expect("no error");
    assert_eq!(finished.pause, Pause::Late);
    assert_eq!(
        finished.text, "cleaning up\n",
        "a process is asked to end, and what it says then is read"
    );
    assert!(folder.path().join("cleaned").exists(), "it could clean up");
    witness.ends("it has ended");
}

#[tokio::test]
async fn test_ch7_a_late_run_that_does_not_listen_is_killed() {
    let folder = Folder::new();
    let mut witness = Witness::new(&folder);
    let run = run_at(&folder, STUBBORN, HASTE);
    witness.begins().await;
    let finished = in_time(run.finish(Duration::ZERO)).await.expect("no error");
    assert_eq!(finished.pause, Pause::Late);
    witness.ends("what ignores SIGTERM is killed after the grace");
}

#[tokio::test]
async fn test_ch7_what_a_run_leaves_is_stopped() {
    let folder = Folder::new();
    let mut witness = Witness::new(&folder);
    let run = run_at(&folder, "echo started; sleep 30 9>alive & exit 4", HASTE);
    witness.begins().await;
    let finished = in_time(run.finish(PATIENCE)).await.expect("no error");
    assert_eq!(finished.pause, Pause::Left);
    assert_eq!(finished.text, "started\n");
    assert_eq!(
        finished.status.and_then(|status| status.code()),
        Some(4),
        "the shell ended by itself, and its code is known"
    );
    witness.ends("what it left is ended");
    let mut witness = Witness::new(&folder);
    let run = run_in(&folder, "sleep 30 9>alive >/dev/null 2>&1 &");
    witness.begins().await;
    let finished = in_time(run.finish(PATIENCE)).await.expect("no error");
    assert_eq!(
        finished.pause,
        Pause::Done,
        "nobody holds on to the output here"
    );
    witness.ends("and still nothing stays behind");
    let mut witness = Witness::new(&folder);
    let run = run_in(&folder, &format!("( {CAREFUL} ) & true"));
    witness.begins().await;
    let finished = in_time(run.finish(Duration::from_millis(30))).await;
    let finished = finished.expect("no error");
    assert_eq!(
        finished.text, "cleaning up\n",
        "what is left is asked to end too, and has the grace for it"
    );
    witness.ends("it has ended");
}

#[tokio::test]
async fn test_ch7_no_zombies_after_many_runs() {
    let folder = Folder::new();
    for round in 0..12 {
        let finished = finish(&folder, "echo $$; (true) & exit 0").await;
        let shell = pid(finished.text.lines().next().unwrap_or_default());
        assert!(
            test_kill_process(shell).is_err(),
            "the shell of round {round} is reaped when `finish` returns"
        );
    }
}

async fn finish(folder: &Folder, text: &str) -> Finished {
    let finished = in_time(run_in(folder, text).finish(PATIENCE)).await;
    finished.expect("the pipe can be read")
}
