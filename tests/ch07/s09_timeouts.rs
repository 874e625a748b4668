//! Section 7.9: The time limit

use std::os::unix::process::ExitStatusExt;
use std::time::Duration;

use claw_code::tools::shell::*;
use rustix::process::{Signal, kill_process, test_kill_process};

use super::support::*;

#[tokio::test]
async fn test_ch7_a_command_that_ends_by_itself() {
    let folder = CommandFolder::new();
    for (text, output, code) in [
        ("echo hello", "hello\n", 0),
        ("echo no >&2; exit 3", "no\n", 3),
    ] {
        let finished = finish(start(&folder, text), PATIENCE).await;
        assert_eq!(finished.outcome, WaitOutcome::Completed, "`{text}`");
        assert_eq!(finished.text, output, "the output of `{text}`");
        assert!(!finished.is_truncated, "`{text}` writes little");
        let status = finished.status.expect("the command ended by itself");
        assert_eq!(status.code(), Some(code), "the exit code of `{text}`");
    }
    let finished = finish(start(&folder, "kill -KILL $$"), PATIENCE).await;
    assert_eq!(
        finished.status.and_then(|status| status.signal()),
        Some(9),
        "the status has the signal that ended the shell"
    );
}

#[tokio::test]
async fn test_ch7_a_command_is_stopped_at_the_limit() {
    let folder = CommandFolder::new();
    let mut alive = LivenessFifo::new(&folder);
    let (command, shell) = start_with(&folder, &format!("echo before; {FAMILY}"), TIMING);
    alive.wait_for_start().await;
    let finished = finish(command, Duration::ZERO).await;
    assert_eq!(
        finished.outcome,
        WaitOutcome::TimedOut,
        "the outcome is that of the first wait"
    );
    assert!(
        finished.text.starts_with("before\n"),
        "the output until then is returned: {:?}",
        finished.text
    );
    assert_eq!(finished.status, None, "it did not end by itself");
    alive.assert_ended("the whole group is ended");
    assert_reaped(shell, "the shell is reaped");
}

#[tokio::test]
async fn test_ch7_the_limit_counts_from_the_start() {
    let folder = CommandFolder::new();
    let mut alive = LivenessFifo::new(&folder);
    let (command, _) = start_with(&folder, STUBBORN, SHORT_GRACE);
    alive.wait_for_start().await;
    let limit = Duration::from_millis(200);
    let started = tokio::time::Instant::now();
    let work = async {
        tokio::time::advance(2 * limit).await;
        command.finish(limit).await
    };
    let finished = skip_time(work).await.expect("the pipe can be read");
    assert_eq!(finished.outcome, WaitOutcome::TimedOut);
    let grace = SHORT_GRACE.grace_period;
    let elapsed = started.elapsed().saturating_sub(2 * limit);
    assert!(
        (grace..2 * grace).contains(&elapsed),
        "the limit had passed already, so that only the grace period of {grace:?} was left; the call took {elapsed:?}"
    );
    alive.assert_ended("it is killed");
}

#[tokio::test]
async fn test_ch7_output_after_sigterm_is_read() {
    let folder = CommandFolder::new();
    let mut alive = LivenessFifo::new(&folder);
    let command = start(&folder, CAREFUL);
    alive.wait_for_start().await;
    let finished = finish(command, Duration::ZERO).await;
    assert_eq!(finished.outcome, WaitOutcome::TimedOut);
    assert_eq!(
        finished.text, "cleaning up\n",
        "the command is asked to end, and what it writes then is read"
    );
    assert!(folder.path().join("cleaned").exists(), "it could clean up");
    alive.assert_ended("it has ended");
}

#[tokio::test]
async fn test_ch7_a_suspended_command_is_stopped() {
    let folder = CommandFolder::new();
    let mut alive = LivenessFifo::new(&folder);
    let (command, shell) = start_with(&folder, CAREFUL, TIMING);
    alive.wait_for_start().await;
    kill_process(shell, Signal::STOP).expect("the shell is a child of the test");
    let finished = finish(command, PATIENCE).await;
    assert_eq!(finished.outcome, WaitOutcome::Suspended);
    assert_eq!(
        finished.text, "cleaning up\n",
        "a suspended command is asked to end, and what it writes then is read"
    );
    assert_eq!(finished.status, None, "it did not end by itself");
    alive.assert_ended("it has ended");
}

#[tokio::test]
async fn test_ch7_a_command_that_ignores_sigterm_is_killed() {
    let folder = CommandFolder::new();
    let mut alive = LivenessFifo::new(&folder);
    let (command, _) = start_with(&folder, STUBBORN, SHORT_GRACE);
    alive.wait_for_start().await;
    let finished = skip_time(finish(command, Duration::ZERO)).await;
    assert_eq!(finished.outcome, WaitOutcome::TimedOut);
    alive.assert_ended("after the grace period it is killed");
}

#[tokio::test]
async fn test_ch7_background_processes_are_stopped() {
    let folder = CommandFolder::new();
    let mut alive = LivenessFifo::new(&folder);
    let text = "echo started; cat never 9>alive & exit 4";
    let (command, shell) = start_with(&folder, text, SHORT_GRACE);
    alive.wait_for_start().await;
    wait_for_zombie(shell);
    let finished = skip_time(finish(command, PATIENCE)).await;
    assert_eq!(finished.outcome, WaitOutcome::BackgroundLeft);
    assert_eq!(finished.text, "started\n");
    assert_eq!(
        finished.status.and_then(|status| status.code()),
        Some(4),
        "the shell ended by itself, so its exit code is known"
    );
    alive.assert_ended("the process that the shell has left is ended");
}

#[tokio::test]
async fn test_ch7_background_processes_without_output_are_stopped() {
    let folder = CommandFolder::new();
    let mut alive = LivenessFifo::new(&folder);
    let command = start(&folder, "cat never 9>alive >/dev/null 2>&1 &");
    alive.wait_for_start().await;
    let finished = finish(command, PATIENCE).await;
    assert_eq!(
        finished.outcome,
        WaitOutcome::Completed,
        "no process holds the output open"
    );
    alive.assert_ended("the process is ended, although the command is complete");
}

#[tokio::test]
async fn test_ch7_background_processes_can_clean_up() {
    for outcome in [WaitOutcome::TimedOut, WaitOutcome::BackgroundLeft] {
        let folder = CommandFolder::new();
        let mut alive = LivenessFifo::new(&folder);
        let text = format!("( {CAREFUL} ) & true");
        let (mut command, shell) = start_with(&folder, &text, TIMING);
        alive.wait_for_start().await;
        wait_for_zombie(shell);
        if outcome == WaitOutcome::BackgroundLeft {
            let deadline = tokio::time::Instant::now() + Duration::from_millis(30);
            let waited = skip_time(command.wait_until(deadline)).await;
            assert_eq!(waited.ok(), Some(outcome), "the shell has ended");
        }
        let finished = finish(command, Duration::ZERO).await;
        assert_eq!(
            finished.text, "cleaning up\n",
            "{outcome:?}: the process is asked to end, and has the grace period for it"
        );
        alive.assert_ended("it has ended");
    }
}

#[tokio::test]
async fn test_ch7_finish_reaps_the_shell() {
    let folder = CommandFolder::new();
    for round in 0..12 {
        let (command, shell) = start_with(&folder, "(true) & exit 0", TIMING);
        finish(command, PATIENCE).await;
        assert!(
            test_kill_process(shell).is_err(),
            "round {round}: the shell is reaped when `finish` returns"
        );
    }
}

async fn finish(command: RunningCommand, limit: Duration) -> FinishedCommand {
    let finished = in_time(command.finish(limit)).await;
    finished.expect("the pipe can be read")
}
