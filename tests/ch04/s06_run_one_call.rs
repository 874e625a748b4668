//! Section 4.6: Running one call

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use claw_code::engine::*;
use claw_code::types::*;
use serde_json::json;
use tokio::sync::mpsc;

use super::support::*;

#[test]
fn test_ch4_run_makes_the_output_final() {
    let echo = FnTool::new("echo", |args| async move {
        Ok(ToolResult::text(args.to_string()))
    });
    let dispatcher = dispatcher(ToolSet::new().with(echo));
    let mut open = OpenCall::new(call_with("a", "echo", json!({ "path": "x" })));
    wait(dispatcher.run_call(&mut open, &QueryEventSender::none()));
    let CallState::Answered(result) = &open.state else {
        panic!("a call that ran has its result; it is {:?}", open.state);
    };
    assert_eq!(result.content, r#"{"path":"x"}"#, "the tool's output");
    assert!(
        !open.shown_as_running,
        "its end was sent, so `shown_as_running` is false"
    );
}

#[test]
fn test_ch4_final_result_keeps_to_the_dispatchers_limit() {
    let long = FnTool::new("t", |_| async { Ok(ToolResult::text("x".repeat(1000))) });
    let mut dispatcher = dispatcher(ToolSet::new().with(long));
    dispatcher.max_result_bytes = 100;
    let mut open = OpenCall::new(call("a", "t"));
    wait(dispatcher.run_call(&mut open, &QueryEventSender::none()));
    let length = open.finalize(1000).content.len();
    assert!(
        length <= 100,
        "the result is final, and cut to `max_result_bytes`, 100; it has {length} bytes"
    );
}

#[test]
fn test_ch4_run_sends_start_progress_and_end() {
    let reporting = FnTool::new("echo", |_| async {
        report("working");
        Ok(ToolResult::text("ok"))
    });
    let dispatcher = dispatcher(ToolSet::new().with(reporting));
    let (events, mut reader) = event_channel(8);
    let mut open = OpenCall::new(call_with("a", "echo", json!({ "path": "x" })));
    wait(dispatcher.run_call(&mut open, &events));
    assert_eq!(
        received(&mut reader),
        [
            QueryEvent::ToolStarted {
                call: open.call.clone(),
                summary: "[echo: x]".into(),
                activity: Some("Working...".into()),
            },
            progress("a", "working"),
            QueryEvent::ToolFinished {
                call_id: "a".into(),
                result: open.finalize(1000),
            },
        ],
        "start, the progress that the tool reports, end with the final result"
    );
}

#[test]
fn test_ch4_run_does_not_validate_again() {
    let log = Log::default();
    let dispatcher = dispatcher(ToolSet::new().with(PathLoggingTool::new(&log)));
    let mut open = OpenCall::new(call_with("a", "t", json!({ "path": "a" })));
    wait(dispatcher.run_call(&mut open, &QueryEventSender::none()));
    assert_eq!(
        log.lines(),
        ["called with a"],
        "the arguments were validated when the call was admitted"
    );
}

#[test]
fn test_ch4_call_waits_until_its_start_is_sent() {
    let dispatcher = dispatcher(ToolSet::new().with(noop_tool("t")));
    let (sender, _reader) = mpsc::channel(1);
    let is_sent = sender.try_send(text("fills the channel")).is_ok();
    assert!(is_sent, "the channel has room for one event");
    let events = QueryEventSender::new(sender);
    let mut open = OpenCall::new(call("a", "t"));
    wait(drop_after_a_second(
        "the channel is full, so the call waits until its start is sent",
        dispatcher.run_call(&mut open, &events),
    ));
    assert_eq!(
        (open.state, open.shown_as_running),
        (CallState::Waiting, false),
        "(state, shown_as_running) of a call that was dropped while its start was sent: the \
         tool has not run, and the reader does not show the call"
    );
}

#[test]
fn test_ch4_panicking_tool_has_a_result() {
    let log = Log::default();
    let tools = ToolSet::new().with(panicking_tool("t"));
    let dispatcher = with_gates(dispatcher(tools), [LoggingGate::new("gate", &log)]);
    let mut open = OpenCall::new(call("a", "t"));
    wait(dispatcher.run_call(&mut open, &QueryEventSender::none()));
    let content = open.finalize(1000).content;
    assert!(
        content.starts_with("error: ") && content.contains("crashed"),
        "the result says that the tool crashed: {content:?}"
    );
    let rule = "`after` is asked about every call that ran, and an error is a result too";
    assert_eq!(log.lines(), [format!("gate after {content}")], "{rule}");
}

#[test]
fn test_ch4_finished_call_does_not_run() {
    let runs = Arc::new(AtomicUsize::new(0));
    let log = Log::default();
    let tools = ToolSet::new().with(counting_tool("t", &runs));
    let dispatcher = with_gates(dispatcher(tools), [LoggingGate::new("gate", &log)]);
    let mut open = refused_call();
    wait(dispatcher.run_call(&mut open, &QueryEventSender::none()));
    assert_eq!(
        runs.load(Ordering::SeqCst),
        0,
        "a refused call must not run"
    );
    assert_eq!(log.lines(), [""; 0], "`after` is for calls that ran");
    assert_eq!(open.finalize(100).content, "error: refused");
}

#[test]
fn test_ch4_finished_call_is_announced() {
    let dispatcher = dispatcher(ToolSet::new().with(noop_tool("t")));
    let (events, mut reader) = event_channel(8);
    wait(dispatcher.run_call(&mut refused_call(), &events));
    assert_eq!(
        event_outline(&received(&mut reader)),
        "started(a) finished(a)",
        "the user sees a refused call too"
    );
}

#[test]
fn test_ch4_after_adds_to_the_result() {
    let log = Log::default();
    let tools = ToolSet::new().with(FnTool::text("t", "output"));
    let gates = [
        LoggingGate::new("one", &log).adding("formatted"),
        LoggingGate::new("two", &log),
        LoggingGate::new("three", &log).adding("2 warnings"),
    ];
    let dispatcher = with_gates(dispatcher(tools), gates);
    let mut open = OpenCall::new(call("a", "t"));
    open.notes.push("tabs, not spaces".into());
    wait(dispatcher.run_call(&mut open, &QueryEventSender::none()));
    assert_eq!(
        log.lines(),
        ["one after output", "two after output", "three after output"],
        "every gate sees the tool's own output, in order"
    );
    assert_eq!(
        open.finalize(100).content,
        "output\n\ntabs, not spaces\n\nformatted\n\n2 warnings",
        "what `after` returns is a note, and it follows the earlier notes"
    );
}

#[test]
fn test_ch4_cancelled_after_does_not_lose_the_output() {
    let log = Log::default();
    let gates = [
        LoggingGate::new("one", &log).adding("formatted"),
        LoggingGate::new("slow", &log).waiting_in_after(Duration::from_secs(60)),
        LoggingGate::new("three", &log),
    ];
    let tools = ToolSet::new().with(FnTool::text("t", "output"));
    let mut dispatcher = with_gates(dispatcher(tools), gates);
    dispatcher.max_result_bytes = 3;
    let mut open = OpenCall::new(call("a", "t"));
    let events = QueryEventSender::none();
    let run = dispatcher.run_call(&mut open, &events);
    wait(drop_after_a_second(
        "the gate's `after` waits for a minute",
        run,
    ));
    assert_eq!(
        open.finalize(100).content,
        "output\n\nformatted",
        "when `after` was cut off, the tool had finished, and the first gate had added a note"
    );
    let rule = "gates are asked in order, one at a time, and before the result is truncated";
    assert_eq!(
        log.lines(),
        ["one after output", "slow after output"],
        "{rule}"
    );
}

#[test]
fn test_ch4_dropped_call_is_running() {
    let dispatcher = dispatcher(ToolSet::new().with(FnTool::endless("t")));
    let (events, mut reader) = event_channel(8);
    let mut open = OpenCall::new(call("a", "t"));
    wait(drop_after_a_second(
        "the tool never returns",
        dispatcher.run_call(&mut open, &events),
    ));
    assert_eq!(open.state, CallState::Running, "its tool was running");
    assert!(
        open.shown_as_running,
        "its start was sent and its end was not, so `shown_as_running` is true: {:?}",
        received(&mut reader)
    );
}

#[test]
fn test_ch4_call_is_shown_as_running_until_its_end_is_sent() {
    let dispatcher = dispatcher(ToolSet::new().with(noop_tool("t")));
    for mut open in [OpenCall::new(call("a", "t")), refused_call()] {
        let (events, _reader) = event_channel(1);
        wait(drop_after_a_second(
            "the channel has room for the start only, so the call waits until its end is sent",
            dispatcher.run_call(&mut open, &events),
        ));
        assert!(
            matches!(open.state, CallState::Answered(_)),
            "the result is final before the end is sent; the call is {:?}",
            open.state
        );
        assert!(
            open.shown_as_running,
            "its end was not sent, so `shown_as_running` is still true: {open:?}"
        );
    }
}

fn refused_call() -> OpenCall {
    let mut open = OpenCall::new(call("a", "t"));
    open.state = CallState::Finished(ToolResult::error("refused"));
    open
}
