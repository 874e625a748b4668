//! Section 7.8: Wait for a command

use std::time::{Duration, Instant};

use claw_code::engine::{QueryEvent, QueryEventSender};
use claw_code::tools::shell::*;
use tokio::sync::mpsc;

use super::support::*;

#[tokio::test]
async fn test_ch7_all_output_is_read() {
    let folder = CommandFolder::new();
    let text = "i=0; while [ $i -lt 5000 ]; do echo \"this is line $i of many\"; i=$((i+1)); done";
    let mut command = start(&folder, text);
    assert_eq!(
        wait(&mut command, PATIENCE).await,
        WaitOutcome::Completed,
        "the shell has ended, and the output too"
    );
    let lines = (0..5000).map(|i| format!("this is line {i} of many\n"));
    assert_eq!(
        command.output().bytes(),
        lines.map(|line| line.len() as u64).sum::<u64>(),
        "the whole output is read, which is more than fits into a pipe"
    );
    let recent = command.output().recent();
    assert!(
        recent.ends_with("this is line 4999 of many\n"),
        "the recent output is its end: {recent:?}"
    );
}

#[tokio::test]
async fn test_ch7_a_command_may_close_its_output() {
    let folder = CommandFolder::new();
    let mut gate = Gate::new(&folder);
    let (group, _) = start_group("read go <gate; echo went >on", folder.path());
    let (pipe, writer) = pipe();
    drop(writer);
    let mut command = RunningCommand::new(group, pipe, TIMING);
    assert_eq!(
        skip_time(wait(&mut command, Duration::from_millis(200))).await,
        WaitOutcome::TimedOut,
        "a command that closes its output has not ended yet"
    );
    gate.open();
    assert_eq!(
        wait(&mut command, PATIENCE).await,
        WaitOutcome::Completed,
        "it is complete when the shell has ended"
    );
    assert_eq!(folder.read("on"), "went\n", "the command has ended");
}

#[tokio::test]
async fn test_ch7_a_command_that_takes_too_long() {
    let folder = CommandFolder::new();
    let mut alive = LivenessFifo::new(&folder);
    let mut command = start(&folder, "echo before; exec 9>alive; cat never; echo after");
    alive.wait_for_start().await;
    for _ in 0..2 {
        assert_eq!(
            skip_time(wait(&mut command, Duration::from_millis(10))).await,
            WaitOutcome::TimedOut,
            "the deadline passes before the command ends, and it can be waited for again"
        );
    }
    assert_eq!(
        command.output().recent(),
        "before\n",
        "the output until the deadline is read"
    );
}

#[tokio::test]
async fn test_ch7_a_command_that_never_stops_writing() {
    let folder = CommandFolder::new();
    let mut command = start(&folder, "exec yes");
    assert_eq!(
        wait(&mut command, Duration::from_millis(20)).await,
        WaitOutcome::TimedOut,
        "the deadline applies even if there is always more output to read"
    );
}

#[tokio::test]
async fn test_ch7_a_background_process_is_not_waited_for() {
    let folder = CommandFolder::new();
    let mut alive = LivenessFifo::new(&folder);
    let text = "echo started; cat never 9>alive &";
    let (mut command, shell) = start_with(&folder, text, SHORT_GRACE);
    alive.wait_for_start().await;
    wait_for_zombie(shell);
    let deadline = 2 * SHORT_GRACE.grace_period;
    let (outcome, elapsed) = skip_time(timed(wait(&mut command, deadline))).await;
    assert_eq!(
        outcome,
        WaitOutcome::BackgroundLeft,
        "the shell has ended, and `cat` holds the output open"
    );
    assert!(
        (SHORT_GRACE.grace_period..deadline).contains(&elapsed),
        "a process that the shell has left has the grace period and no more: {elapsed:?}"
    );
}

#[tokio::test]
async fn test_ch7_the_grace_period_does_not_extend_the_deadline() {
    let folder = CommandFolder::new();
    let (mut command, shell) = start_with(&folder, "cat never & true", SHORT_GRACE);
    wait_for_zombie(shell);
    let work = wait(&mut command, Duration::from_millis(10));
    let (outcome, elapsed) = skip_time(timed(work)).await;
    assert!(
        outcome != WaitOutcome::Completed && elapsed < SHORT_GRACE.grace_period,
        "the earlier of deadline and grace period counts: the deadline was after 10 ms, and the outcome was {outcome:?} after {elapsed:?}"
    );
}

#[tokio::test]
async fn test_ch7_output_in_the_grace_period_is_read() {
    let folder = CommandFolder::new();
    let mut gate = Gate::new(&folder);
    let text = "(read go <gate; echo last words) & echo first words";
    let (mut command, shell) = start_with(&folder, text, TIMING);
    wait_for_zombie(shell);
    let waiting = wait(&mut command, 2 * PATIENCE);
    let opening = async { gate.open() };
    let (outcome, ()) = tokio::join!(waiting, opening);
    assert_eq!(
        outcome,
        WaitOutcome::Completed,
        "a process that ends within the grace period is not left"
    );
    assert_eq!(
        command.output().recent(),
        "first words\nlast words\n",
        "its output is read"
    );
}

#[tokio::test]
async fn test_ch7_a_suspended_command_is_not_waited_for() {
    let folder = CommandFolder::new();
    let mut command = start(&folder, "kill -STOP $$");
    assert_eq!(
        wait(&mut command, PATIENCE).await,
        WaitOutcome::Suspended,
        "a suspended command would never end by itself"
    );
}

#[tokio::test]
async fn test_ch7_a_running_command_reports_progress() {
    let folder = CommandFolder::new();
    let mut gate = Gate::new(&folder);
    let (sender, mut events) = mpsc::channel(10_000);
    let started = Instant::now();
    let mut command = start(&folder, "echo one; printf tw; read go <gate; echo o");
    let waiting = QueryEventSender::new(sender)
        .reporter("call_1")
        .during(async { wait(&mut command, PATIENCE).await });
    let watching = async {
        let progress = loop {
            match in_time(events.recv()).await {
                Some(QueryEvent::Progress(it)) if it.data["output"] == "one\ntw" => break it,
                Some(_) => {}
                None => panic!("no report has the output so far, `one\\ntw`"),
            }
        };
        let next = in_time(events.recv()).await;
        assert!(next.is_some(), "each interval gives a report");
        gate.open();
        progress
    };
    let (outcome, progress) = tokio::join!(waiting, watching);
    assert_eq!(outcome, WaitOutcome::Completed);
    assert_eq!(progress.tool_use_id, "call_1", "the id is that of the call");
    assert_eq!(progress.data["bytes"], 6, "the bytes written by then");
    let seconds = progress.data["seconds"].as_u64();
    assert!(
        seconds.is_some_and(|seconds| seconds <= started.elapsed().as_secs()),
        "the whole seconds since the start: {seconds:?}"
    );
}

#[tokio::test]
async fn test_ch7_a_command_that_never_stops_writing_reports_progress() {
    let folder = CommandFolder::new();
    let (sender, mut events) = mpsc::channel(10_000);
    let mut command = start(&folder, "exec yes");
    let reporter = QueryEventSender::new(sender).reporter("call_1");
    let waiting = reporter.during(async { wait(&mut command, PATIENCE).await });
    let watching = async {
        for _ in 0..2 {
            events.recv().await;
        }
    };
    tokio::select! {
        biased;
        () = watching => {}
        _ = waiting => panic!("each interval gives a report, even if there is always more output to read; in {PATIENCE:?} there were fewer than 2"),
    }
}

#[tokio::test]
async fn test_ch7_a_short_command_reports_nothing() {
    let folder = CommandFolder::new();
    let mut gate = Gate::new(&folder);
    let (sender, mut events) = mpsc::channel(100);
    let hour = Duration::from_secs(3600);
    let timing = Timing {
        report_interval: hour,
        ..TIMING
    };
    let (mut command, _) = start_with(&folder, "echo one; read go <gate", timing);
    let reporter = QueryEventSender::new(sender).reporter("call_1");
    let waiting = reporter.during(async { wait(&mut command, PATIENCE).await });
    let opening = async {
        // By then, an interval that was made earlier has had its first tick too.
        tokio::time::interval(hour).tick().await;
        gate.open();
    };
    tokio::join!(waiting, opening);
    assert!(
        events.try_recv().is_err(),
        "no report before the first interval has passed"
    );
}

/// Waits for `command` with a deadline after `time`.
async fn wait(command: &mut RunningCommand, time: Duration) -> WaitOutcome {
    let deadline = tokio::time::Instant::now() + time;
    let outcome = in_time(command.wait_until(deadline)).await;
    outcome.expect("the pipe can be read")
}

/// The output of `work`, and the time it took on tokio's clock.
async fn timed<F: Future>(work: F) -> (F::Output, Duration) {
    let started = tokio::time::Instant::now();
    let output = work.await;
    (output, started.elapsed())
}
