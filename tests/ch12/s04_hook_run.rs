//! Section 12.4: How a hook ends

use std::pin::pin;
use std::time::Duration;

use claw_code::hooks::*;

use super::support::*;

/// Runs a command as a hook, with empty input.
async fn execute(folder: &HookFolder, command: &str) -> HookRun {
    let hook = command_hook(command);
    in_time(hook.execute(&session(folder.path()), b"")).await
}

/// Why the hook has failed, which it must by this rule.
fn failure(run: HookRun, rule: &str) -> String {
    match run.end {
        HookEnd::Failed(reason) => reason,
        end => panic!("{rule}: {end:?}"),
    }
}

#[tokio::test]
async fn test_ch12_hook_has_an_exit_code_and_output() {
    let folder = HookFolder::new();
    let run = execute(&folder, "echo out; echo err >&2; exit 3").await;
    assert_eq!(run, exited(3, "out\n", "err\n"), "all three of them");
}

#[tokio::test]
async fn test_ch12_killed_hook_has_failed() {
    let folder = HookFolder::new();
    let run = execute(&folder, "kill -9 $$").await;
    let reason = failure(run, "a killed process has no exit code");
    assert!(
        reason.contains("it was killed by signal: 9"),
        "the reason names the signal: {reason}"
    );
}

#[tokio::test]
async fn test_ch12_suspended_hook_has_failed() {
    let folder = HookFolder::new();
    let run = execute(&folder, "kill -STOP $$").await;
    let reason = failure(run, "a suspended process has not ended");
    assert!(
        reason.contains("suspended"),
        "the hook would never end by itself, and the reason says why: {reason}"
    );
}

#[tokio::test]
async fn test_ch12_program_that_is_missing_has_failed() {
    let folder = HookFolder::new();
    let hook = CommandHook {
        args: Some(Vec::new()),
        ..command_hook("/no/such/program")
    };
    let run = hook.execute(&session(folder.path()), b"").await;
    let reason = failure(run, "there is no such program");
    assert!(
        reason.contains("it could not be run to its end: "),
        "the reason says so: {reason}"
    );
}

#[tokio::test]
async fn test_ch12_hook_that_hangs_is_killed_with_its_group() {
    let folder = HookFolder::new();
    let mut alive = LivenessFifo::new(&folder);
    let hook = CommandHook {
        timeout: Duration::from_secs(90),
        ..command_hook("echo begun; exec 9>alive; cat never & cat never")
    };
    let session = session(folder.path());
    let mut hang = tokio::spawn(async move { hook.execute(&session, b"").await });
    alive.wait_for_start(&mut hang).await;
    // From here on, the clock jumps to the time limit.
    tokio::time::pause();
    let run = hang.await.expect("no panic");
    tokio::time::resume();
    assert_eq!(
        run.end,
        HookEnd::Failed("it did not end within 90 s and was killed".into()),
        "the time limit"
    );
    assert_eq!(run.output.stdout.text(), "begun", "what it wrote is kept");
    alive.assert_ended("the time limit ends every process of the hook");
}

#[tokio::test]
async fn test_ch12_process_left_in_the_background_is_killed() {
    let folder = HookFolder::new();
    let alive = LivenessFifo::new(&folder);
    let run = execute(&folder, "exec 9>alive; cat never & echo done").await;
    assert_eq!(
        run,
        exited(0, "done\n", ""),
        "the hook has ended; what it left running holds its output open"
    );
    alive.assert_ended("nothing that a hook has started outlives it");
}

#[tokio::test]
async fn test_ch12_output_held_by_another_group_is_not_awaited() {
    let folder = HookFolder::new();
    // In bash, `set -m` moves the process in the background to a group of its own.
    let command = "bash -c 'set -m; cat never & echo done' || echo done";
    let process = sh(command, folder.path());
    let mut output = HookOutput::default();
    let status = in_time(run_hook(process, b"", &mut output)).await;
    assert!(
        status.is_ok_and(|it| it.success()),
        "the hook has ended; a process that no kill reaches holds its output open"
    );
    assert_eq!(output.stdout.text(), "done", "the answer counts");
}

#[tokio::test]
async fn test_ch12_hook_that_writes_without_end_is_bounded() {
    let folder = HookFolder::new();
    let run = execute(&folder, "head -c 100000000 /dev/zero").await;
    assert_eq!(run.end, HookEnd::Exited(0), "it could write all of it");
    let stdout = run.output.stdout;
    assert_eq!(stdout.bytes.len(), MAX_OUTPUT_BYTES, "1 MiB is kept");
    assert!(stdout.is_truncated, "99 MB are missing");
}

#[tokio::test]
async fn test_ch12_hook_that_closes_its_output_may_go_on() {
    let folder = HookFolder::new();
    let command = "echo early; exec >&- 2>&-; cat >/dev/null; exit 4";
    let run = execute(&folder, command).await;
    assert_eq!(
        run,
        exited(4, "early\n", ""),
        "the exit code comes after the outputs"
    );
}

#[tokio::test]
async fn test_ch12_output_that_nobody_has_read_yet_is_kept() {
    // Whether the end or the output is noticed first is a matter of chance, so try it often.
    for _ in 0..20 {
        let folder = HookFolder::new();
        let alive = LivenessFifo::new(&folder);
        let hook = command_hook("exec 9>alive; echo out");
        let session = session(folder.path());
        let mut run = pin!(hook.execute(&session, b""));
        // The first poll starts the hook, which ends before the second one.
        let early = tokio::select! {
            biased;
            run = &mut run => Some(run),
            () = tokio::task::yield_now() => None,
        };
        alive.assert_ended("the hook ends by itself");
        let run = match early {
            Some(run) => run,
            None => in_time(run).await,
        };
        assert_eq!(run, exited(0, "out\n", ""), "it has ended, its output not");
    }
}

#[tokio::test]
async fn test_ch12_dropped_hook_is_killed() {
    let folder = HookFolder::new();
    let mut alive = LivenessFifo::new(&folder);
    let hook = command_hook("exec 9>alive; cat never & cat never");
    let session = session(folder.path());
    let mut cancelled = tokio::spawn(async move { hook.execute(&session, b"").await });
    alive.wait_for_start(&mut cancelled).await;
    cancelled.abort();
    assert!(cancelled.await.is_err(), "the task was dropped");
    alive.assert_ended("a cancelled turn leaves no hook behind");
}
