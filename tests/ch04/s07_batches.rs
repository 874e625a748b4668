//! Section 4.7: Batches

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use claw_code::engine::*;
use claw_code::types::*;
use serde_json::json;
use tokio::sync::Barrier;
use tokio::time::sleep;

use super::support::*;

#[test]
fn test_ch4_consecutive_safe_calls_run_together() {
    // Each call waits for the other two, so sequential calls would wait forever.
    let barrier = Arc::new(Barrier::new(3));
    let tools = ["meet", "wait"].map(|name| {
        let barrier = barrier.clone();
        let meet = FnTool::new(name, move |_| {
            let barrier = barrier.clone();
            async move {
                barrier.wait().await;
                Ok(ToolResult::text("met"))
            }
        });
        meet.concurrent_safe()
    });
    let dispatcher = dispatcher(tools.into_iter().fold(ToolSet::new(), ToolSet::with));
    let mut open = open_calls(&[("a", "meet"), ("b", "wait"), ("c", "meet")]);
    wait(finish_or(
        "three consecutive concurrent-safe calls must run at the same time; one by one, the first waits forever",
        dispatcher.dispatch(&mut open, &QueryEventSender::none()),
    ));
    assert_eq!(final_contents(&mut open), ["met", "met", "met"]);
}

#[test]
fn test_ch4_results_have_call_order_and_events_finish_order() {
    let nap = FnTool::new("nap", |args| async move {
        sleep(Duration::from_secs(args["s"].as_u64().unwrap_or(0))).await;
        Ok(ToolResult::text(format!("slept {}", args["s"])))
    });
    let mut dispatcher = dispatcher(ToolSet::new().with(nap.concurrent_safe()));
    for (limit, middle) in [
        (8, "started(c2) finished(c1)"),
        (2, "finished(c1) started(c2)"),
    ] {
        dispatcher.max_concurrent = limit;
        let calls = [5, 1, 2].map(|s| call_with(&format!("c{s}"), "nap", json!({ "s": s })));
        let mut open = calls.map(OpenCall::new);
        let (events, mut reader) = event_channel(16);
        wait(dispatcher.dispatch(&mut open, &events));
        let contents = final_contents(&mut open);
        let rule = "results are in call order, whichever call finishes first";
        assert_eq!(contents, ["slept 5", "slept 1", "slept 2"], "{rule}");
        let sent = event_outline(&received(&mut reader));
        let rule = "each end is sent when it happens, and then there is room for the next call";
        let expected = format!("started(c5) started(c1) {middle} finished(c2) finished(c5)");
        assert_eq!(sent, expected, "{rule}; max_concurrent is {limit}");
    }
}

#[test]
fn test_ch4_unsafe_call_runs_alone() {
    let log = Log::default();
    let tools = ToolSet::new()
        .with(logging_tool("read", &log).concurrent_safe())
        .with(logging_tool("write", &log));
    let calls = [
        ("a", "read"),
        ("b", "read"),
        ("c", "write"),
        ("d", "write"),
        ("e", "read"),
    ];
    wait(dispatch_all(&dispatcher(tools), &mut open_calls(&calls)));
    let a_and_b = ["read starts", "read starts", "read ends", "read ends"];
    let write = ["write starts", "write ends"];
    let e = ["read starts", "read ends"];
    assert_eq!(
        log.lines(),
        [&a_and_b[..], &write, &write, &e].concat(),
        "a call that is not concurrent-safe runs alone, and no call overtakes it"
    );
}

#[test]
fn test_ch4_unknown_tool_is_not_concurrent_safe() {
    let dispatcher = dispatcher(ToolSet::new().with(PathLoggingTool::new(&Log::default())));
    for (rule, name) in [
        ("only an existing tool can declare that it is", "nope"),
        (
            "a tool that is only read-only has not declared that it is",
            "t",
        ),
    ] {
        let is_safe = dispatcher.is_concurrent_safe(&call("a", name));
        assert!(!is_safe, "`{name}` is not concurrent-safe: {rule}");
    }
}

#[test]
fn test_ch4_call_passes_gates_just_before_its_batch_runs() {
    let log = Log::default();
    let tools = ToolSet::new().with(logging_tool("write", &log));
    let dispatcher = with_gates(dispatcher(tools), [LoggingGate::new("ask", &log)]);
    wait(dispatch_all(
        &dispatcher,
        &mut open_calls(&[("a", "write"), ("b", "write")]),
    ));
    let each_call = [
        "ask checks {}",
        "ask before {}",
        "write starts",
        "write ends",
        "ask after ok",
    ];
    assert_eq!(
        log.lines(),
        [each_call, each_call].concat(),
        "the second of two unsafe calls passes the gates after the first has run, because \
         the answer of a gate may depend on what the first call did"
    );
}

#[test]
fn test_ch4_max_concurrent_limits_a_batch() {
    let running = Arc::new(AtomicUsize::new(0));
    let most = Arc::new(AtomicUsize::new(0));
    let (running_in, most_in) = (running.clone(), most.clone());
    let work = FnTool::new("work", move |_| {
        let (running, most) = (running_in.clone(), most_in.clone());
        async move {
            most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            sleep(Duration::from_secs(1)).await;
            running.fetch_sub(1, Ordering::SeqCst);
            Ok(ToolResult::text("ok"))
        }
    });
    let mut dispatcher = dispatcher(ToolSet::new().with(work.concurrent_safe()));
    dispatcher.max_concurrent = 4;
    let ids = (0..20).map(|n| format!("c{n}"));
    let mut open: Vec<OpenCall> = ids.map(|id| OpenCall::new(call(&id, "work"))).collect();
    wait(dispatch_all(&dispatcher, &mut open));
    assert_eq!(
        most.load(Ordering::SeqCst),
        4,
        "of 20 calls, with max_concurrent = 4, this many ran at the same time"
    );
    assert_eq!(final_contents(&mut open), ["ok"; 20]);
}

#[test]
fn test_ch4_gates_see_one_call_at_a_time() {
    let log = Log::default();
    let tools = ToolSet::new().with(logging_tool("read", &log).concurrent_safe());
    let gate = LoggingGate::new("ask", &log).waiting_in_check(Duration::from_secs(5));
    let gates = [gate.refusing_call("a", "no")];
    let dispatcher = with_gates(dispatcher(tools), gates);
    let calls = ["a", "b", "c"].map(|id| call_with(id, "read", json!({ "call": id })));
    wait(dispatch_all(&dispatcher, &mut calls.map(OpenCall::new)));
    let lines: Vec<String> = log.lines().into_iter().take(9).collect();
    assert_eq!(
        lines,
        [
            r#"ask checks {"call":"a"}"#,
            "ask has checked",
            r#"ask checks {"call":"b"}"#,
            "ask has checked",
            r#"ask before {"call":"b"}"#,
            r#"ask checks {"call":"c"}"#,
            "ask has checked",
            r#"ask before {"call":"c"}"#,
            "read starts",
        ],
        "the calls of a batch pass the gates one at a time, in call order, even after a refusal, \
         and then their tools start"
    );
}

#[test]
fn test_ch4_refused_call_keeps_its_notes() {
    let log = Log::default();
    let context = Decision::Change {
        arguments: None,
        context: Some("tabs, not spaces".into()),
    };
    let dispatcher = dispatcher_with_gates([
        LoggingGate::new("one", &log).deciding(context),
        LoggingGate::new("two", &log).deciding(Decision::Block("frozen".into())),
    ]);
    let mut open = open_calls(&[("a", "t")]);
    wait(dispatch_all(&dispatcher, &mut open));
    assert_eq!(
        final_contents(&mut open),
        ["error: frozen\n\ntabs, not spaces"],
        "the model reads the reason, and what the gates noted before it"
    );
}

#[test]
fn test_ch4_refused_and_unknown_calls_stop_no_other() {
    let runs = Arc::new(AtomicUsize::new(0));
    let tools = ToolSet::new().with(counting_tool("t", &runs).concurrent_safe());
    let gate = LoggingGate::new("gate", &Log::default()).refusing_call("b", "no");
    let dispatcher = with_gates(dispatcher(tools), [gate]);
    let mut open = open_calls(&[("a", "t"), ("b", "t"), ("c", "nope"), ("d", "t")]);
    wait(dispatch_all(&dispatcher, &mut open));
    let contents = final_contents(&mut open);
    assert_eq!(
        contents[1], "error: no",
        "the model reads the gate's reason"
    );
    assert!(
        contents[2].contains("nope"),
        "the error names the unknown tool: {}",
        contents[2]
    );
    assert_eq!(
        runs.load(Ordering::SeqCst),
        2,
        "`a` and `d` run; `b` was refused, and `c` names no tool"
    );
    let failed: Vec<bool> = open
        .iter_mut()
        .map(|it| it.finalize(1000).is_error)
        .collect();
    assert_eq!(
        failed,
        [false, true, true, false],
        "the result of a refused call is an error"
    );
}

#[test]
fn test_ch4_refusal_survives_a_drop_at_the_next_question() {
    let tools = ToolSet::new().with(noop_tool("t").concurrent_safe());
    let gate = LoggingGate::new("ask", &Log::default()).refusing_call("a", "no");
    let gates = [gate.waiting_in_check(Duration::from_millis(600))];
    let dispatcher = with_gates(dispatcher(tools), gates);
    let mut open = open_calls(&[("a", "t"), ("b", "t")]);
    wait(drop_after_a_second(
        "the question about `b` takes until 1.2 seconds",
        dispatcher.dispatch(&mut open, &QueryEventSender::none()),
    ));
    assert_eq!(
        final_contents(&mut open),
        ["error: no".to_string(), format!("error: {NOT_RUN}")],
        "`a` finished when it was refused, before the drop"
    );
}

#[test]
fn test_ch4_refused_call_has_its_events() {
    let tools = ToolSet::new().with(noop_tool("t").concurrent_safe());
    let gate = LoggingGate::new("gate", &Log::default()).refusing_call("b", "no");
    let dispatcher = with_gates(dispatcher(tools), [gate]);
    let mut open = open_calls(&[("a", "t"), ("b", "t"), ("c", "nope"), ("d", "t")]);
    let (events, mut reader) = event_channel(16);
    wait(dispatcher.dispatch(&mut open, &events));
    let sent = event_outline(&received(&mut reader));
    assert!(
        sent.contains("started(b) finished(b)"),
        "a refused call is announced like any other: `run_call` finalizes it too, so \
         `started(b) finished(b)` is due, and the events were `{sent}`"
    );
}

#[test]
fn test_ch4_default_gate_changes_nothing() {
    struct DefaultGate;
    impl Gate for DefaultGate {}
    let tools = ToolSet::new().with(FnTool::text("t", "output"));
    let dispatcher = with_gates(dispatcher(tools), [DefaultGate]);
    let mut open = open_calls(&[("a", "t")]);
    wait(dispatch_all(&dispatcher, &mut open));
    assert_eq!(open[0].call, call("a", "t"));
    assert_eq!(final_contents(&mut open), ["output"]);
}

#[test]
fn test_ch4_tool_whose_description_panics_runs_alone() {
    let log = Log::default();
    let odd = PanickingTool {
        tool: logging_tool("odd", &log),
        panics_in: &["is_concurrent_safe", "summary", "activity_description"],
    };
    let tools = ToolSet::new()
        .with(odd)
        .with(noop_tool("t").concurrent_safe());
    let mut open = open_calls(&[("a", "odd"), ("b", "odd"), ("c", "t")]);
    let (dispatcher, events) = (dispatcher(tools), QueryEventSender::none());
    wait(catch_tool_panic(
        "a panic in `is_concurrent_safe`, `summary` or `activity_description` must not end \
         the turn, and such a tool is not concurrent-safe: call them through `catch_panic`",
        dispatcher.dispatch(&mut open, &events),
    ));
    assert_eq!(
        log.lines(),
        ["odd starts", "odd ends", "odd starts", "odd ends"],
        "both calls run, one after the other"
    );
    assert_eq!(final_contents(&mut open), ["ok", "ok", "ok"]);
}

#[test]
fn test_ch4_dropped_dispatch_leaves_accurate_states() {
    let tools = ToolSet::new()
        .with(FnTool::text("quick", "done").concurrent_safe())
        .with(FnTool::endless("endless").concurrent_safe())
        .with(noop_tool("alone"));
    let dispatcher = dispatcher(tools);
    let mut open = open_calls(&[("a", "quick"), ("b", "endless"), ("c", "alone")]);
    wait(drop_after_a_second(
        "`b` never returns",
        dispatcher.dispatch(&mut open, &QueryEventSender::none()),
    ));
    assert_eq!(
        final_contents(&mut open),
        [
            "done".to_string(),
            format!("error: {CUT_OFF}"),
            format!("error: {NOT_RUN}")
        ],
        "dropped while `b` runs: `a` is done, `b` is cut off, and `c` has not started"
    );
}

async fn dispatch_all(dispatcher: &Dispatcher, calls: &mut [OpenCall]) {
    finish(dispatcher.dispatch(calls, &QueryEventSender::none())).await;
}
