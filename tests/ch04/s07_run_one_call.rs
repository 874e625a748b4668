//! Section 4.7: Running one call

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use claw_code::engine::*;
use claw_code::types::*;
use serde_json::json;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::support::*;

#[tokio::test(start_paused = true)]
async fn test_ch4_a_run_is_announced_done_and_settled() {
    let (sender, reader) = mpsc::channel(8);
    let events = Events::to(sender);
    let echo = tool("echo", |args| async move {
        report("working");
        Ok(ToolResult::text(args.to_string()))
    });
    let dispatcher = dispatcher(ToolSet::new().with(echo));
    let mut open = OpenCall::new(call_with("a", "echo", json!({ "path": "x" })));
    soon(dispatcher.0.run(&mut open, &events)).await;
    let CallState::Answered(result) = &open.state else {
        panic!("a call that was run is settled; it is {:?}", open.state);
    };
    assert_eq!(result.content, r#"{"path":"x"}"#, "what the tool returned");
    assert!(!open.on_screen, "its end was told");
    drop(events);
    assert_eq!(
        all(reader).await,
        [
            QueryEvent::ToolStarted {
                call: open.call.clone(),
                summary: "[echo: x]".into(),
                activity: Some("Working...".into()),
            },
            progress("a", json!("working")),
            QueryEvent::ToolFinished {
                call_id: "a".into(),
                result: result.clone(),
            },
        ],
        "the reader is told of the start, of progress, and of the end"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_call_that_was_not_announced_waits() {
    let dispatcher = dispatcher(ToolSet::new().with(noop("t")));
    let (sender, _reader) = mpsc::channel(1);
    let full = sender.try_send(text("in the way"));
    assert!(full.is_ok(), "the channel has room for one event");
    let events = Events::to(sender);
    let mut open = OpenCall::new(call("a", "t"));
    let run = dispatcher.0.run(&mut open, &events);
    assert!(
        timeout(Duration::from_secs(1), run).await.is_err(),
        "the reader has no room: the call waits until its start is told"
    );
    assert_eq!(
        (open.state, open.on_screen),
        (CallState::Waiting, false),
        "(state, on_screen) of a call that was stopped while its start was sent: no tool has run, and no screen shows it"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_tool_that_panics_has_a_result() {
    let dispatcher = dispatcher(ToolSet::new().with(panicking("t")));
    let mut open = OpenCall::new(call("a", "t"));
    soon(dispatcher.0.run(&mut open, &Events::nowhere())).await;
    let content = open.settle(1000).content;
    assert!(
        content.starts_with("error: ") && content.contains("crashed"),
        "the result says what happened: {content:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_finished_call_is_not_run() {
    let runs = Arc::new(AtomicUsize::new(0));
    let log = Log::default();
    let dispatcher =
        dispatcher(ToolSet::new().with(counting("t", &runs))).with(Watch::new("gate", &log));
    let (sender, reader) = mpsc::channel(8);
    let events = Events::to(sender);
    let mut open = OpenCall::new(call("a", "t"));
    open.state = CallState::Finished(ToolResult::error("refused"));
    soon(dispatcher.0.run(&mut open, &events)).await;
    assert_eq!(
        runs.load(Ordering::SeqCst),
        0,
        "a refused call must not run"
    );
    assert_eq!(log.lines(), [""; 0], "`after` is for calls that ran");
    assert_eq!(open.settle(100).content, "error: refused");
    drop(events);
    assert_eq!(
        kinds(&all(reader).await),
        "started(a) finished(a)",
        "the user sees a refused call too"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_what_comes_after_is_added_to_the_result() {
    let log = Log::default();
    let dispatcher = dispatcher(ToolSet::new().with(fixed("t", "output")))
        .with(Watch::new("one", &log).adding("formatted"))
        .with(Watch::new("two", &log))
        .with(Watch::new("three", &log).adding("2 warnings"));
    let mut open = OpenCall::new(call("a", "t"));
    soon(dispatcher.0.run(&mut open, &Events::nowhere())).await;
    assert_eq!(
        log.lines(),
        ["one after output", "two after output", "three after output"],
        "every gate sees the tool's own output, in order"
    );
    assert_eq!(
        open.settle(100).content,
        "output\n\nformatted\n\n2 warnings"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_cancelled_hook_does_not_lose_the_output() {
    let log = Log::default();
    let dispatcher = dispatcher(ToolSet::new().with(fixed("t", "output")))
        .with(Watch::new("slow", &log).sleeping_after(Duration::from_secs(60)));
    let mut open = OpenCall::new(call("a", "t"));
    let events = Events::nowhere();
    let run = dispatcher.0.run(&mut open, &events);
    assert!(timeout(Duration::from_secs(1), run).await.is_err());
    assert_eq!(
        open.settle(100).content,
        "output",
        "the tool had finished when the hook behind it was cut off"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_call_says_how_far_it_was() {
    let dispatcher = dispatcher(ToolSet::new().with(endless("t")));
    let (sender, mut reader) = mpsc::channel(8);
    let mut open = OpenCall::new(call("a", "t"));
    let events = Events::to(sender);
    let run = dispatcher.0.run(&mut open, &events);
    assert!(timeout(Duration::from_secs(1), run).await.is_err());
    assert_eq!(open.state, CallState::Running, "its tool was at work");
    assert!(
        open.on_screen,
        "its start was told and its end was not: {:?}",
        reader.try_recv()
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_an_end_that_was_not_told_stays_on_screen() {
    let dispatcher = dispatcher(ToolSet::new().with(noop("t")));
    // Room for the start alone.
    let (sender, _reader) = mpsc::channel(1);
    let events = Events::to(sender);
    let mut open = OpenCall::new(call("a", "t"));
    let run = dispatcher.0.run(&mut open, &events);
    assert!(timeout(Duration::from_secs(1), run).await.is_err());
    assert!(
        matches!(open.state, CallState::Answered(_)),
        "the call is settled before its end is told; it is {:?}",
        open.state
    );
    assert!(open.on_screen, "the reader has not been told of its end");
}
