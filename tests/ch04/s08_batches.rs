//! Section 4.8: Batches

use std::panic::{AssertUnwindSafe, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use claw_code::engine::*;
use claw_code::types::*;
use futures_util::FutureExt;
use serde_json::{Value, json};
use tokio::sync::{Barrier, mpsc};
use tokio::time::{sleep, timeout};

use super::support::*;

#[tokio::test(start_paused = true)]
async fn test_ch4_safe_calls_in_a_row_run_together() {
    // Each call waits for the other two: one after another they would wait for ever.
    let barrier = Arc::new(Barrier::new(3));
    let meet = tool("meet", move |_| {
        let barrier = barrier.clone();
        async move {
            barrier.wait().await;
            Ok(ToolResult::text("met"))
        }
    });
    let dispatcher = dispatcher(ToolSet::new().with(meet.safe()));
    let mut open = open_calls(&[("a", "meet"), ("b", "meet"), ("c", "meet")]);
    in_time(
        "three concurrent-safe calls in a row must run at the same time; one by one, the first waits for ever",
        dispatcher.0.dispatch(&mut open, &Events::nowhere()),
    )
    .await;
    assert_eq!(contents(&mut open), ["met", "met", "met"]);
}

#[tokio::test(start_paused = true)]
async fn test_ch4_results_have_the_order_of_the_calls() {
    let nap = tool("nap", |args| async move {
        sleep(Duration::from_secs(args["s"].as_u64().unwrap_or(0))).await;
        Ok(ToolResult::text(format!("slept {}", args["s"])))
    });
    let dispatcher = dispatcher(ToolSet::new().with(nap.safe()));
    let mut open: Vec<OpenCall> = [3, 1, 2]
        .map(|s| OpenCall::new(call_with(&format!("c{s}"), "nap", json!({ "s": s }))))
        .into();
    let (sender, reader) = mpsc::channel(16);
    let events = Events::to(sender);
    soon(dispatcher.0.dispatch(&mut open, &events)).await;
    drop(events);
    assert_eq!(
        contents(&mut open),
        ["slept 3", "slept 1", "slept 2"],
        "results stand in call order, whichever was quicker"
    );
    assert_eq!(
        kinds(&all(reader).await),
        "started(c3) started(c1) started(c2) finished(c1) finished(c2) finished(c3)",
        "the reader learns of each end as it comes"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_an_unsafe_call_runs_alone() {
    let log = Log::default();
    let tools = ToolSet::new()
        .with(logged("read", &log).safe())
        .with(logged("write", &log));
    let dispatcher = dispatcher(tools);
    let mut open = open_calls(&[
        ("a", "read"),
        ("b", "read"),
        ("c", "write"),
        ("d", "write"),
        ("e", "read"),
    ]);
    soon(dispatcher.0.dispatch(&mut open, &Events::nowhere())).await;
    assert_eq!(
        log.lines(),
        [
            "read begins",
            "read begins",
            "read ends",
            "read ends", // a and b
            "write begins",
            "write ends", // c
            "write begins",
            "write ends", // d
            "read begins",
            "read ends", // e
        ],
        "calls that are not concurrent-safe have the place to themselves, and nothing overtakes them"
    );
    assert!(
        !dispatcher.0.is_safe(&call("a", "nope")),
        "a tool that does not exist has not said that it is concurrent-safe"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_batch_is_admitted_when_it_is_its_turn() {
    let log = Log::default();
    let tools = ToolSet::new().with(logged("write", &log));
    let dispatcher = dispatcher(tools).with(Watch::new("ask", &log));
    let mut open = open_calls(&[("a", "write"), ("b", "write")]);
    soon(dispatcher.0.dispatch(&mut open, &Events::nowhere())).await;
    let turn = [
        "ask checks {}",
        "ask before {}",
        "write begins",
        "write ends",
        "ask after ok",
    ];
    assert_eq!(
        log.lines(),
        [turn, turn].concat(),
        "of two calls that are not concurrent-safe, the second meets the gates when the first \
         has run: what a gate finds may depend on it"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_only_so_many_calls_run_at_a_time() {
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (now_in, most_in) = (now.clone(), most.clone());
    let work = tool("work", move |_| {
        let (now, most) = (now_in.clone(), most_in.clone());
        async move {
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            sleep(Duration::from_secs(1)).await;
            now.fetch_sub(1, Ordering::SeqCst);
            Ok(ToolResult::text("ok"))
        }
    });
    let mut dispatcher = dispatcher(ToolSet::new().with(work.safe())).0;
    dispatcher.max_concurrent = 4;
    let mut open: Vec<OpenCall> = (0..20)
        .map(|n| OpenCall::new(call(&format!("c{n}"), "work")))
        .collect();
    soon(dispatcher.dispatch(&mut open, &Events::nowhere())).await;
    assert_eq!(
        most.load(Ordering::SeqCst),
        4,
        "of 20 calls, with max_concurrent = 4, this many ran at the same time"
    );
    assert_eq!(contents(&mut open), ["ok"; 20]);
}

#[tokio::test(start_paused = true)]
async fn test_ch4_the_user_is_asked_one_question_at_a_time() {
    let log = Log::default();
    let tools = ToolSet::new().with(logged("read", &log).safe());
    let dispatcher =
        dispatcher(tools).with(Watch::new("ask", &log).sleeping_in_check(Duration::from_secs(5)));
    let mut open = open_calls(&[("a", "read"), ("b", "read")]);
    soon(dispatcher.0.dispatch(&mut open, &Events::nowhere())).await;
    assert_eq!(
        log.lines()[..6],
        [
            "ask checks {}",
            "ask has checked",
            "ask before {}",
            "ask checks {}",
            "ask has checked",
            "ask before {}"
        ],
        "the calls of a batch meet the gates one after another, then they run together"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_refused_call_stops_no_other() {
    let runs = Arc::new(AtomicUsize::new(0));
    let log = Log::default();
    let tools = ToolSet::new().with(counting("t", &runs).safe());
    let dispatcher = dispatcher(tools).with(Watch::new("gate", &log).refusing_call("b", "no"));
    let mut open = open_calls(&[("a", "t"), ("b", "t"), ("c", "nope"), ("d", "t")]);
    let (sender, reader) = mpsc::channel(16);
    let events = Events::to(sender);
    soon(dispatcher.0.dispatch(&mut open, &events)).await;
    drop(events);
    let told = kinds(&all(reader).await);
    assert!(
        told.contains("started(b) finished(b)"),
        "the reader is told of a refused call like of any other: `run` settles it, too; of b it \
         should be told `started(b) finished(b)`, and it was told `{told}`"
    );
    let contents = contents(&mut open);
    assert_eq!(
        contents[1], "error: no",
        "the model reads the gate's reason"
    );
    assert!(contents[2].contains("nope"), "an unknown tool is named");
    assert_eq!(
        runs.load(Ordering::SeqCst),
        2,
        "a and d run; b was refused and c is no tool"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_gate_that_says_nothing_changes_nothing() {
    struct Silent;
    impl Gate for Silent {}
    let dispatcher = dispatcher(ToolSet::new().with(fixed("t", "output"))).with(Silent);
    let mut open = open_calls(&[("a", "t")]);
    soon(dispatcher.0.dispatch(&mut open, &Events::nowhere())).await;
    assert_eq!(open[0].call, call("a", "t"));
    assert_eq!(contents(&mut open), ["output"]);
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_tool_that_crashes_when_asked_runs_alone() {
    let log = Log::default();
    let tools = ToolSet::new()
        .with(Crashing(logged("odd", &log)))
        .with(noop("t").safe());
    let dispatcher = dispatcher(tools);
    let mut open = open_calls(&[("a", "odd"), ("b", "odd"), ("c", "t")]);
    let nowhere = Events::nowhere();
    let work = dispatcher.0.dispatch(&mut open, &nowhere);
    match AssertUnwindSafe(soon(work)).catch_unwind().await {
        Ok(()) => {}
        Err(panic) if panic_says(&*panic, "a bug in the tool") => panic!(
            "a tool that crashes when it is asked about itself must not end the turn: it has \
             not said that it is safe; ask through `said`"
        ),
        Err(panic) => resume_unwind(panic),
    }
    assert_eq!(
        log.lines(),
        ["odd begins", "odd ends", "odd begins", "odd ends"],
        "both calls have run, one after the other"
    );
    assert_eq!(contents(&mut open).len(), 3, "and each has its result");
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_dropped_dispatch_says_how_far_each_call_was() {
    let tools = ToolSet::new()
        .with(fixed("quick", "done").safe())
        .with(endless("endless").safe())
        .with(noop("alone"));
    let dispatcher = dispatcher(tools);
    let mut open = open_calls(&[("a", "quick"), ("b", "endless"), ("c", "alone")]);
    let events = Events::nowhere();
    let dispatch = dispatcher.0.dispatch(&mut open, &events);
    assert!(timeout(Duration::from_secs(1), dispatch).await.is_err());
    assert_eq!(
        contents(&mut open),
        [
            "done".to_string(),
            format!("error: {CUT_OFF}"),
            format!("error: {NOT_RUN}")
        ],
        "dropped while b runs: a is done, b cut off, c not begun"
    );
}

fn open_calls(calls: &[(&str, &str)]) -> Vec<OpenCall> {
    let calls = calls.iter().map(|(id, name)| call(id, name));
    calls.map(OpenCall::new).collect()
}

/// A tool that crashes at every question about itself.
struct Crashing(FnTool);

#[async_trait]
impl Tool for Crashing {
    fn definition(&self) -> &ToolDefinition {
        self.0.definition()
    }

    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        self.0.call(args).await
    }

    fn is_concurrent_safe(&self) -> bool {
        crash("a bug in the tool's word")
    }

    fn summary(&self, _args: &Value) -> String {
        crash("a bug in the tool's summary")
    }

    fn activity_description(&self, _args: &Value) -> Option<String> {
        crash("a bug in the tool's activity")
    }
}

fn logged(name: &'static str, log: &Log) -> FnTool {
    let log = log.clone();
    tool(name, move |_| {
        let log = log.clone();
        async move {
            log.add(format!("{name} begins"));
            sleep(Duration::from_secs(1)).await;
            log.add(format!("{name} ends"));
            Ok(ToolResult::text("ok"))
        }
    })
}

#[tokio::test(start_paused = true)]
async fn test_ch4_each_version_of_the_arguments_is_validated_once() {
    let rewrite = Decision::Change {
        arguments: Some(json!({ "path": "b" })),
        context: None,
    };
    for (decision, expected) in [
        (Decision::Pass, &["validated a", "called with a"][..]),
        (rewrite, &["validated a", "validated b", "called with b"]),
    ] {
        let log = Log::default();
        let tools = ToolSet::new().with(Validated::new(&log));
        let hook = Watch::new("hook", &Log::default()).deciding(decision);
        let dispatcher = dispatcher(tools).with(hook).0;
        let mut open = [OpenCall::new(call_with("a", "t", json!({ "path": "a" })))];
        soon(dispatcher.dispatch(&mut open, &Events::nowhere())).await;
        assert_eq!(
            log.lines(),
            expected,
            "each version of the arguments is validated once when it is admitted, and not again by the run"
        );
    }
}

/// A tool that logs the `path` which it validates, and the one that it is called with.
struct Validated {
    definition: ToolDefinition,
    log: Log,
}

impl Validated {
    fn new(log: &Log) -> Self {
        Self {
            definition: ToolDefinition::new("t", "A tool for a test")
                .param("path", "string", "Any", true),
            log: log.clone(),
        }
    }
}

#[async_trait]
impl Tool for Validated {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        let path = args["path"].as_str().unwrap_or_default();
        self.log.add(format!("called with {path}"));
        Ok(ToolResult::text("ok"))
    }

    fn validate_input(&self, args: &Value) -> ValidationResult {
        let path = args["path"].as_str().unwrap_or_default();
        self.log.add(format!("validated {path}"));
        ValidationResult::Ok
    }
}
