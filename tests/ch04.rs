//! Chapter 4, The Agent Loop.
//!
//! Models are scripts and tools are closures. Time is tokio's paused clock: it jumps
//! ahead when every task waits, so a test that would hang ends at once.

use std::collections::VecDeque;
use std::future::Future;
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use claw_code::engine::*;
use claw_code::provider::{EventSender, Provider, ProviderError, StreamEvent};
use claw_code::types::*;
use futures_util::FutureExt;
use serde_json::{Value, json};
use tokio::sync::{Barrier, mpsc};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

// 4.1 The rule

#[test]
fn test_ch4_answered_calls_are_not_listed() {
    for history in [
        vec![],
        vec![user("hello"), says("hello")],
        vec![calls(&["a", "b"]), result("a"), result("b")],
        vec![
            user("go"),
            calls(&["a"]),
            result("a"),
            calls(&["b"]),
            result("b"),
            says("done"),
        ],
    ] {
        assert_unanswered(&history, &[]);
    }
}

#[test]
fn test_ch4_calls_without_a_result_are_listed() {
    assert_unanswered(&[user("go"), calls(&["a", "b"])], &["a", "b"]);
    assert_unanswered(&[calls(&["a", "b"]), result("a")], &["b"]);
    assert_unanswered(&[calls(&["a", "b"]), result("b")], &["a"]);
    assert_unanswered(
        &[calls(&["a"]), says("hm"), calls(&["b"]), result("b")],
        &["a"],
    );
}

#[test]
fn test_ch4_a_result_counts_only_in_its_place() {
    // Behind somebody else's words, in front of its call, or behind a later call's result.
    assert_unanswered(&[calls(&["a"]), user("well?"), result("a")], &["a"]);
    assert_unanswered(&[result("a"), calls(&["a"])], &["a"]);
    assert_unanswered(&[calls(&["a", "b"]), result("b"), result("a")], &["a"]);
}

#[test]
fn test_ch4_a_result_answers_one_call() {
    // Some providers count every reply's calls from one, so an id can come again.
    assert_unanswered(&[calls(&["a"]), result("a"), calls(&["a"])], &["a"]);
    assert_unanswered(&[calls(&["a"]), calls(&["a"]), result("a")], &["a"]);
}

fn assert_unanswered(history: &[Message], expected: &[&str]) {
    let found: Vec<&str> = unanswered(history).iter().map(|c| c.id.as_str()).collect();
    assert_eq!(
        found,
        expected,
        "the calls without a result in its place, in {}",
        shape(history)
    );
}

// 4.2 Two repairs

#[test]
fn test_ch4_mend_adds_what_is_missing_where_it_belongs() {
    let mut history = vec![
        user("go"),
        calls(&["a", "b", "c"]),
        result("b"),
        user("well?"),
        calls(&["d"]),
    ];
    assert_eq!(mend(&mut history), 3, "three results were missing");
    assert_eq!(
        shape(&history),
        "user, calls(a b c), result(a), result(b), result(c), user, calls(d), result(d)",
        "each result stands behind its reply, in call order, and all else stays"
    );
    assert!(
        content(&history[2]).starts_with("error: "),
        "a result that was made up says so: it begins with `error: `, and is {:?}",
        content(&history[2])
    );
    assert_eq!(content(&history[3]), "result of b", "what was there stays");
}

#[test]
fn test_ch4_mend_leaves_a_whole_history_alone() {
    let mut history = vec![user("go"), calls(&["a"]), result("a"), says("done")];
    let before = history.clone();
    assert_eq!(mend(&mut history), 0, "nothing was missing");
    assert_eq!(history, before, "nothing was missing");
}

#[test]
fn test_ch4_every_call_of_a_reply_gets_its_own_id() {
    let mut given: Vec<ToolCall> = ["a", "", "a", "b", "", "a"].map(|id| call(id, "t")).into();
    unique_ids(&mut given);
    let ids: Vec<&str> = given.iter().map(|call| call.id.as_str()).collect();
    assert_eq!(
        ids[3], "b",
        "an id that no other call has stays: the provider's own log knows the call by it"
    );
    assert_eq!(
        ids[0], "a",
        "of the calls with one id, the first keeps it and the later ones get new ones"
    );
    for (at, id) in ids.iter().enumerate() {
        assert!(!id.is_empty(), "call {at} of {ids:?} has no id");
        assert!(
            !ids[..at].contains(id),
            "call {at} of {ids:?} has the id of an earlier one"
        );
    }
}

// 4.3 One call, one result

#[test]
fn test_ch4_a_finished_call_settles_with_its_output() {
    let mut open = OpenCall::new(call("a", "t"));
    open.state = CallState::Finished(ToolResult::text("42 lines"));
    let message = open.settle(100);
    assert_eq!(message.tool_use_id, "a", "the result names its call");
    assert_eq!(message.content, "42 lines");
    assert!(!message.is_truncated, "42 lines fit into 100 bytes");
    assert_eq!(
        open.state,
        CallState::Answered(message),
        "the result is final and stands in the state"
    );
}

#[test]
fn test_ch4_an_unfinished_call_settles_with_the_reason() {
    for (state, reason) in [(CallState::Waiting, NOT_RUN), (CallState::Running, CUT_OFF)] {
        let mut open = OpenCall::new(call("a", "t"));
        open.state = state.clone();
        open.notes.push("a note".into());
        assert_eq!(
            open.settle(1000).content,
            format!("error: {reason}\n\na note"),
            "what the model reads of a call that was {state:?} and has a note"
        );
    }
}

#[test]
fn test_ch4_a_call_settles_once() {
    let mut open = OpenCall::new(call("a", "t"));
    open.notes.push("a note".into());
    open.state = CallState::Finished(ToolResult::text("x"));
    let first = open.settle(100);
    assert_eq!(
        open.settle(100),
        first,
        "the second time it is the same message: the same id, the note once"
    );
}

#[test]
fn test_ch4_notes_follow_the_output() {
    let mut open = OpenCall::new(call("a", "t"));
    open.notes = vec!["first".into(), "second".into()];
    open.state = CallState::Finished(ToolResult::text("output"));
    assert_eq!(
        open.settle(100).content,
        "output\n\nfirst\n\nsecond",
        "each note stands behind an empty line, in order"
    );
}

#[test]
fn test_ch4_a_result_is_truncated_last() {
    let mut open = OpenCall::new(call("a", "t"));
    open.notes.push("n".repeat(5_000));
    open.state = CallState::Finished(ToolResult::text("x".repeat(5_000)));
    let message = open.settle(1_000);
    assert!(
        message.content.len() <= 1_000,
        "output and notes together fit into the limit of 1000 bytes; they have {}",
        message.content.len()
    );
    assert!(message.is_truncated, "10,000 bytes were cut to 1,000");

    let mut open = OpenCall::new(call("a", "t"));
    open.state = CallState::Finished(ToolResult {
        content: "the first of 900 files".into(),
        is_truncated: true,
    });
    assert!(
        open.settle(1_000).is_truncated,
        "a tool that cut its own output short has said so; that must not get lost"
    );
}

// 4.4 Events and progress

#[tokio::test(start_paused = true)]
async fn test_ch4_send_waits_for_a_slow_reader() {
    let (sender, mut reader) = mpsc::channel(1);
    let events = Events::to(sender);
    events.send(text("one")).await;
    let second = timeout(Duration::from_secs(1), events.send(text("two"))).await;
    assert!(
        second.is_err(),
        "the reader has room for one event: the second waits until there is room"
    );
    assert_eq!(reader.recv().await, Some(text("one")), "nothing was lost");
    events.send(text("three")).await;
    assert_eq!(reader.recv().await, Some(text("three")));
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_reader_who_has_gone_changes_nothing() {
    let (sender, reader) = mpsc::channel(1);
    drop(reader);
    for events in [Events::to(sender), Events::nowhere()] {
        events.send(text("one")).await;
        events.send(text("two")).await;
        events.offer(text("three"));
    }
}

#[test]
fn test_ch4_offer_never_waits() {
    let (sender, mut reader) = mpsc::channel(1);
    let events = Events::to(sender);
    events.offer(text("one"));
    events.offer(text("two"));
    assert_eq!(
        reader.try_recv().ok(),
        Some(text("one")),
        "what there is room for arrives"
    );
    assert!(reader.try_recv().is_err(), "for the second was no room");
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_report_names_its_call() {
    let (sender, mut reader) = mpsc::channel(8);
    let reporter = Events::to(sender).reporter("call_7");
    assert_eq!(reporter.call_id(), "call_7");
    let value = reporter
        .during(async {
            report("halfway");
            report(json!({ "line": 3 }));
            "done"
        })
        .await;
    assert_eq!(value, "done", "`during` returns what the work returns");
    for data in [json!("halfway"), json!({ "line": 3 })] {
        assert_eq!(
            reader.try_recv().ok(),
            Some(progress("call_7", data)),
            "a report becomes progress of the call that runs"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch4_reports_of_two_calls_do_not_mix() {
    let (sender, mut reader) = mpsc::channel(8);
    let events = Events::to(sender);
    let work = |name: &'static str| {
        events.reporter(name).during(async move {
            sleep(Duration::from_secs(1)).await;
            report(name);
        })
    };
    tokio::join!(work("a"), work("b"));
    let told = [reader.try_recv().ok(), reader.try_recv().ok()];
    for name in ["a", "b"] {
        assert!(
            told.contains(&Some(progress(name, json!(name)))),
            "two calls that run at the same time each have their own reporter; told was {told:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_reporter_goes_along_into_a_task() {
    let (sender, mut reader) = mpsc::channel(8);
    let work = async {
        let reporter = Reporter::current().expect("inside of a call there is a reporter");
        let task = tokio::spawn(async move {
            let lost = Reporter::current().is_none();
            reporter.report("from afar");
            lost
        });
        task.await.expect("the task panicked")
    };
    let lost = Events::to(sender).reporter("a").during(work).await;
    assert!(lost, "a task of its own has no current reporter");
    assert_eq!(
        reader.try_recv().ok(),
        Some(progress("a", json!("from afar")))
    );
}

#[test]
fn test_ch4_a_report_outside_of_a_call_does_nothing() {
    report("nobody hears this");
    assert!(Reporter::current().is_none(), "no call runs here");
}

// 4.5 Results, however it ends

#[test]
fn test_ch4_a_reply_that_goes_leaves_every_result() {
    let events = Events::nowhere();
    let mut history = vec![user("go")];
    let mut open = OpenReply::new(&mut history, reply(&["a", "b", "c"]), 1000, &events);
    let ids: Vec<&str> = open
        .calls
        .iter()
        .map(|open| open.call.id.as_str())
        .collect();
    let opened = ids == ["a", "b", "c"];
    // Finished in another order than called, and one not at all.
    if opened {
        open.calls[2].state = CallState::Finished(ToolResult::text("late"));
        open.calls[0].state = CallState::Running;
    }
    drop(open);
    assert!(opened, "a reply opens each of its calls, in their order");
    assert_eq!(
        shape(&history),
        "user, calls(a b c), result(a), result(b), result(c)",
        "the reply goes into the history, and when it is dropped its results do, in call order"
    );
    let contents: Vec<&str> = history[2..].iter().map(content).collect();
    assert_eq!(
        contents,
        [
            format!("error: {CUT_OFF}"),
            format!("error: {NOT_RUN}"),
            "late".into()
        ],
        "each result says how far its call was"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_dropped_future_leaves_every_result() {
    let events = Events::nowhere();
    let mut history = vec![user("go")];
    let work = async {
        let mut open = OpenReply::new(&mut history, reply(&["a", "b"]), 1000, &events);
        open.calls[0].state = CallState::Finished(ToolResult::text("x".repeat(5_000)));
        std::future::pending::<()>().await;
    };
    // Polled once and dropped, as by a `select!` in which something else was quicker.
    assert!(work.now_or_never().is_none());
    assert_eq!(
        shape(&history),
        "user, calls(a b), result(a), result(b)",
        "a future that is dropped drops what it holds, and that answers the calls"
    );
    assert!(
        content(&history[2]).len() <= 1000,
        "a result that is made on the way out keeps the limit of 1000 bytes, too; it has {}",
        content(&history[2]).len()
    );
}

#[test]
fn test_ch4_no_row_stays_open_on_the_screen() {
    let (sender, mut reader) = mpsc::channel(8);
    let events = Events::to(sender);
    let mut history = Vec::new();
    let mut open = OpenReply::new(&mut history, reply(&["a", "b"]), 1000, &events);
    if let Some(first) = open.calls.first_mut() {
        first.state = CallState::Running;
        first.on_screen = true;
    }
    drop(open);
    drop(events);
    match reader.try_recv() {
        Ok(QueryEvent::ToolFinished { call_id, result }) => {
            assert_eq!(call_id, "a", "a was on the screen");
            assert_eq!(
                history.get(1),
                Some(&Message::ToolResult(result)),
                "screen and history get the same message"
            );
        }
        other => {
            panic!("the screen shows call a as running and must learn of its end; it got {other:?}")
        }
    }
    assert!(
        reader.try_recv().is_err(),
        "b was never on the screen: nothing is to be said of it"
    );
}

#[test]
fn test_ch4_a_full_reader_does_not_keep_results_back() {
    let (sender, _reader) = mpsc::channel(1);
    let events = Events::to(sender);
    let mut history = Vec::new();
    let mut open = OpenReply::new(&mut history, reply(&["a", "b", "c"]), 1000, &events);
    for open in &mut open.calls {
        open.on_screen = true;
    }
    drop(open);
    assert_eq!(
        shape(&history),
        "calls(a b c), result(a), result(b), result(c)",
        "the reader has room for one event; the history gets all three results"
    );
}

// 4.6 Gates

#[tokio::test(start_paused = true)]
async fn test_ch4_the_first_refusal_is_final() {
    let log = Log::default();
    let dispatcher = dispatcher(ToolSet::new().with(noop("t")))
        .with(Watch::new("one", &log))
        .with(Watch::new("two", &log).refusing("not on a Sunday"))
        .with(Watch::new("three", &log));
    let mut open = OpenCall::new(call("a", "t"));
    assert_eq!(
        dispatcher.0.admit(&mut open).await,
        Err("not on a Sunday".to_string()),
        "a refused call is refused for the reason that the gate gave"
    );
    assert_eq!(
        log.lines(),
        ["one checks {}", "two checks {}"],
        "gates are asked in order, and nobody is asked after a refusal"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_arguments_are_validated_behind_the_checks() {
    let log = Log::default();
    let picky = noop("t").needing("path");
    let dispatcher = dispatcher(ToolSet::new().with(picky)).with(Watch::new("gate", &log));
    let mut open = OpenCall::new(call("a", "t"));
    let refused = dispatcher.0.admit(&mut open).await;
    let reason = refused.expect_err("`path` is required and missing: the call must not run");
    assert!(
        reason.contains("path"),
        "the reason names what is wrong: {reason:?}"
    );
    assert_eq!(
        log.lines(),
        ["gate checks {}"],
        "permission comes first, then validation, and only a valid call meets the hooks"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_validation_that_panics_refuses_the_call() {
    let dispatcher = dispatcher(ToolSet::new().with(noop("t").crashing_on_sight()));
    let mut open = OpenCall::new(call("a", "t"));
    let admit = AssertUnwindSafe(dispatcher.0.admit(&mut open));
    match admit.catch_unwind().await {
        Ok(refused) => assert!(
            refused.is_err_and(|reason| reason.contains("crashed")),
            "arguments that nobody could check have not passed"
        ),
        Err(panic) if panic_says(&*panic, "a bug in the tool") => {
            panic!("the tool's panic must not end the turn: `validated` catches it")
        }
        Err(panic) => resume_unwind(panic),
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch4_hooks_come_behind_all_checks() {
    let log = Log::default();
    let dispatcher = dispatcher(ToolSet::new().with(noop("t")))
        .with(Watch::new("one", &log))
        .with(Watch::new("two", &log));
    let mut open = OpenCall::new(call("a", "t"));
    assert_eq!(
        dispatcher.0.admit(&mut open).await,
        Ok(()),
        "nobody objects"
    );
    assert_eq!(
        log.lines(),
        [
            "one checks {}",
            "two checks {}",
            "one before {}",
            "two before {}"
        ],
        "every check, then every hook"
    );
    assert_eq!(open.state, CallState::Waiting, "admitted is not yet run");
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_rewritten_call_is_checked_again() {
    let log = Log::default();
    let new = json!({ "path": "b" });
    let dispatcher = dispatcher(ToolSet::new().with(noop("t").needing("path")))
        .with(Watch::new("guard", &log))
        .with(Watch::new("hook", &log).deciding(Decision::Change {
            arguments: Some(new.clone()),
            context: None,
        }))
        .with(Watch::new("later", &log));
    let mut open = OpenCall::new(call_with("a", "t", json!({ "path": "a" })));
    assert_eq!(dispatcher.0.admit(&mut open).await, Ok(()));
    assert_eq!(open.call.arguments, new, "the new arguments are the call's");
    let lines = log.lines();
    assert_eq!(
        lines[3..],
        [
            r#"guard before {"path":"a"}"#,
            r#"hook before {"path":"a"}"#,
            r#"guard checks {"path":"b"}"#,
            r#"hook checks {"path":"b"}"#,
            r#"later checks {"path":"b"}"#,
            r#"later before {"path":"b"}"#,
        ],
        "what runs is what every check has seen last; each hook is asked once"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_rewrite_may_be_refused() {
    let log = Log::default();
    let broken = Decision::Change {
        arguments: Some(json!({ "pfad": "b" })),
        context: Some("moved".into()),
    };
    let dispatcher = dispatcher(ToolSet::new().with(noop("t").needing("path")))
        .with(Watch::new("hook", &log).deciding(broken));
    let mut open = OpenCall::new(call_with("a", "t", json!({ "path": "a" })));
    let refused = dispatcher.0.admit(&mut open).await;
    assert!(
        refused.is_err_and(|reason| reason.contains("path")),
        "a hook's arguments are validated like a model's: these lack `path`"
    );
    assert_eq!(
        open.notes,
        ["moved"],
        "what the hook added is noted before its arguments are checked, so that the model reads it with the refusal"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_hooks_block_and_add_context() {
    let log = Log::default();
    let context = |text: &str| Decision::Change {
        arguments: None,
        context: Some(text.into()),
    };
    let dispatcher = dispatcher(ToolSet::new().with(noop("t")))
        .with(Watch::new("one", &log).deciding(context("tabs, not spaces")))
        .with(Watch::new("two", &log).deciding(Decision::Block("frozen".into())))
        .with(Watch::new("three", &log).deciding(context("never asked")));
    let mut open = OpenCall::new(call("a", "t"));
    assert_eq!(
        dispatcher.0.admit(&mut open).await,
        Err("frozen".to_string()),
        "a blocked call does not run"
    );
    assert_eq!(
        open.notes,
        ["tabs, not spaces"],
        "context is noted for the result, even if the call is blocked later"
    );
    let checks = log.lines().iter().filter(|l| l.contains("checks")).count();
    assert_eq!(
        checks, 3,
        "the arguments are the same: no check is repeated"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_an_unknown_tool_meets_no_gate() {
    let log = Log::default();
    let dispatcher = dispatcher(ToolSet::new().with(noop("t"))).with(Watch::new("gate", &log));
    let mut open = OpenCall::new(call("a", "nope"));
    assert_eq!(dispatcher.0.admit(&mut open).await, Ok(()));
    assert_eq!(
        log.lines(),
        [""; 0],
        "nobody is asked about a tool that does not exist"
    );
    match &open.state {
        CallState::Finished(result) => assert!(
            result.content.starts_with("error: ") && result.content.contains("nope"),
            "the call is finished with what `execute` says of it, and got {:?}",
            result.content
        ),
        other => panic!("the call is finished already, with an error; it is {other:?}"),
    }
    assert_eq!(open.notes, [""; 0], "and nobody has anything to add");
}

#[tokio::test(start_paused = true)]
async fn test_ch4_gates_may_add_to_the_answer_of_an_unknown_tool() {
    let dispatcher = dispatcher(ToolSet::new().with(noop("t")))
        .with(Guess("perhaps `t`"))
        .with(Guess("or `t`"));
    let mut open = OpenCall::new(call("a", "T"));
    assert_eq!(dispatcher.0.admit(&mut open).await, Ok(()));
    assert_eq!(
        open.notes,
        ["of 1 tool, for T: perhaps `t`", "of 1 tool, for T: or `t`"],
        "each gate's `unknown` is asked once, with the call and the tools there are, and its words are noted in the gates' order"
    );
    let mut open = OpenCall::new(call("a", "t"));
    assert_eq!(dispatcher.0.admit(&mut open).await, Ok(()));
    assert_eq!(
        open.notes, [""; 0],
        "of a call whose tool is there, `unknown` is not asked"
    );
}

/// A gate with something to say about tools that do not exist.
struct Guess(&'static str);

#[async_trait]
impl Gate for Guess {
    async fn unknown(&self, call: &ToolCall, tools: &ToolSet) -> Option<String> {
        Some(format!(
            "of {} tool, for {}: {}",
            tools.len(),
            call.name,
            self.0
        ))
    }
}

// 4.7 Running one call

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

// 4.8 Batches

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

// 4.9 One request

#[test]
fn test_ch4_definitions_have_one_order() {
    let engine = QueryEngine::builder(Script::new([])).tools(
        [
            "read", "bash", "glob", "edit", "write", "grep", "list", "ask", "plan", "move",
        ]
        .into_iter()
        .fold(ToolSet::new(), |tools, name| tools.with(noop(name))),
    );
    let names: Vec<&str> = engine.definitions().iter().map(|d| d.name).collect();
    assert_eq!(
        names,
        [
            "ask", "bash", "edit", "glob", "grep", "list", "move", "plan", "read", "write"
        ],
        "by name, so that each request repeats the last one's beginning"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_text_is_passed_on_as_it_arrives() {
    let script = Script::new([Step::says(&["Let ", "me ", "look."])]);
    let seen = script.requests.clone();
    let engine = QueryEngine::builder(script).tools(ToolSet::new().with(noop("a")));
    let (sender, reader) = mpsc::channel(8);
    let events = Events::to(sender);
    let mut shown = String::new();
    let history = [user("hello")];
    let reply = soon(engine.request(&history, &events, &mut shown)).await;
    drop(events);
    assert_eq!(
        reply.map(|reply| reply.text),
        Ok(Some("Let me look.".to_string()))
    );
    assert_eq!(shown, "Let me look.", "`shown` is what the user has seen");
    assert_eq!(
        all(reader).await,
        [text("Let "), text("me "), text("look.")],
        "each piece is an event"
    );
    let seen = seen.lock().unwrap().clone();
    assert_eq!(seen.len(), 1, "one request was sent");
    assert_eq!(seen[0].0, history, "with the history as it is");
    assert_eq!(seen[0].1, ["a"], "and with the tools");
}

#[tokio::test(start_paused = true)]
async fn test_ch4_usage_is_told_once() {
    let usage = TokenUsage {
        input_tokens: 12,
        output_tokens: 3,
        ..TokenUsage::default()
    };
    let engine = QueryEngine::builder(Script::new([Step::says(&["Hi"]).costing(&usage)]));
    let (sender, reader) = mpsc::channel(8);
    let events = Events::to(sender);
    let reply = soon(engine.request(&[user("hello")], &events, &mut String::new())).await;
    drop(events);
    assert_eq!(reply.map(|reply| reply.usage), Ok(Some(usage.clone())));
    assert_eq!(
        all(reader).await,
        [text("Hi"), QueryEvent::Usage(usage)],
        "the script says its usage in the stream and in the reply; the reader is told once"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_reader_who_has_gone_does_not_lose_the_reply() {
    // More pieces than any channel in between holds.
    let pieces = vec!["x"; 1000];
    let engine = QueryEngine::builder(Script::new([Step::says(&pieces)]));
    let (sender, reader) = mpsc::channel(1);
    drop(reader);
    let mut shown = String::new();
    let history = [user("hello")];
    let events = Events::to(sender);
    let reply = in_time(
        "nobody reads the events, and the reply must come all the same",
        engine.request(&history, &events, &mut shown),
    )
    .await;
    assert_eq!(
        reply.map(|reply| reply.text.map(|text| text.len())),
        Ok(Some(1000))
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_slow_reader_gets_everything() {
    let pieces = vec!["x"; 300];
    let engine = QueryEngine::builder(Script::new([Step::says(&pieces)]));
    let (sender, mut reader) = mpsc::channel(1);
    let reading = tokio::spawn(async move {
        let mut read = 0;
        while reader.recv().await.is_some() {
            read += 1;
            sleep(Duration::from_millis(10)).await;
        }
        read
    });
    let events = Events::to(sender);
    let history = [user("hello")];
    let mut shown = String::new();
    let reply = soon(engine.request(&history, &events, &mut shown)).await;
    drop(events);
    assert!(reply.is_ok());
    assert_eq!(
        reading.await.ok(),
        Some(300),
        "the model waits for the reader; no text is lost"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_stream_that_breaks_is_an_error() {
    let engine = QueryEngine::builder(Script::new([Step::breaks(&["Let me "], network())]));
    let mut shown = String::new();
    let reply = soon(engine.request(&[user("hello")], &Events::nowhere(), &mut shown)).await;
    assert_eq!(reply, Err(network()), "what the provider said");
    assert_eq!(shown, "Let me ", "and what the user had seen of it");
}

// 4.10 Steps that end early

#[tokio::test(start_paused = true)]
async fn test_ch4_a_cancel_keeps_the_text_that_was_shown() {
    let engine = QueryEngine::builder(Script::new([
        Step::says(&["The bug ", "is in ", "line 7"]).pausing(Duration::from_secs(10))
    ]));
    let cancel = cancelled_after(Duration::from_secs(25));
    let mut history = vec![user("where?")];
    let outcome = in_time(
        "a cancel ends the request at once",
        engine.ask(&mut history, &Events::nowhere(), &cancel),
    )
    .await;
    assert_eq!(outcome, Err(QueryError::Cancelled));
    assert_eq!(shape(&history), "user, says(The bug is in )");
    let Some(Message::Assistant(partial)) = history.last() else {
        panic!("the user has read half a reply and may refer to it: it stays");
    };
    assert_eq!(
        (partial.tool_calls.len(), &partial.stop_reason),
        (0, &StopReason::Stop),
        "a partial reply has no calls and waits for nothing"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_cancel_before_any_text_leaves_nothing() {
    let engine = QueryEngine::builder(Script::new([
        Step::says(&["late"]).pausing(Duration::from_secs(10)),
        Step::calls(&[("a", "t")]).pausing(Duration::from_secs(10)),
    ]));
    for _ in 0..2 {
        let cancel = cancelled_after(Duration::from_secs(5));
        let mut history = vec![user("where?")];
        let outcome = soon(engine.ask(&mut history, &Events::nowhere(), &cancel)).await;
        assert_eq!(outcome, Err(QueryError::Cancelled));
        assert_eq!(
            shape(&history),
            "user",
            "nothing was shown, nothing is kept"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch4_nothing_begins_after_a_cancel() {
    let runs = Arc::new(AtomicUsize::new(0));
    let engine = QueryEngine::builder(Script::new((0..20).map(|_| Step::says(&["late"]))))
        .tools(ToolSet::new().with(counting("t", &runs)));
    let events = Events::nowhere();
    let cancel = CancellationToken::new();
    cancel.cancel();
    // Many times, since a `select!` that is not biased is right half of the time.
    for _ in 0..20 {
        let mut history = vec![user("go")];
        assert_eq!(
            soon(engine.ask(&mut history, &events, &cancel)).await,
            Err(QueryError::Cancelled),
            "the token was cancelled before the request: it is looked at first"
        );
        let answer = engine.answer(reply(&["a"]), &mut history, &events, &cancel);
        assert_eq!(
            soon(answer).await,
            Err(QueryError::Cancelled),
            "the token was cancelled before the calls: it is looked at first"
        );
        assert_eq!(shape(&history), "user, calls(a), result(a)");
    }
    assert_eq!(
        runs.load(Ordering::SeqCst),
        0,
        "no tool begins after a cancel"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_an_error_leaves_the_history_as_it_was() {
    let engine = QueryEngine::builder(Script::new([
        Step::breaks(&[], network()),
        Step::breaks(&["Let me "], network()),
    ]));
    let mut history = vec![user("go"), calls(&["a"]), result("a")];
    let before = history.clone();
    for _ in 0..2 {
        let outcome =
            soon(engine.ask(&mut history, &Events::nowhere(), &CancellationToken::new())).await;
        assert_eq!(outcome, Err(QueryError::Provider(network())));
        assert_eq!(
            history, before,
            "after an error the same request can be sent again"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_reply_comes_with_an_id_for_each_call() {
    let engine = QueryEngine::builder(Script::new([Step::calls(&[
        ("x", "t"),
        ("x", "t"),
        ("", "t"),
    ])]));
    let mut history = vec![user("go")];
    let reply = soon(engine.ask(&mut history, &Events::nowhere(), &CancellationToken::new()))
        .await
        .expect("the script replies");
    assert_eq!(
        shape(&history),
        "user",
        "the caller puts the reply in place"
    );
    let mut ids: Vec<&str> = reply.tool_calls.iter().map(|c| c.id.as_str()).collect();
    assert_eq!(ids.first(), Some(&"x"));
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 3, "three calls, three ids: {ids:?}");
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_reply_is_answered() {
    let engine = QueryEngine::builder(Script::new([])).tools(
        ToolSet::new()
            .with(fixed("t", "fine").safe())
            .with(panicking("panics")),
    );
    let mut history = vec![user("go")];
    let reply = reply_of(&[("a", "t"), ("b", "panics"), ("c", "nope"), ("d", "t")]);
    let outcome = soon(engine.answer(
        reply,
        &mut history,
        &Events::nowhere(),
        &CancellationToken::new(),
    ))
    .await;
    assert_eq!(outcome, Ok(()));
    assert_eq!(
        shape(&history),
        "user, calls(a b c d), result(a), result(b), result(c), result(d)"
    );
    let failed: Vec<bool> = history[2..]
        .iter()
        .map(|message| content(message).starts_with("error: "))
        .collect();
    assert_eq!(failed, [false, true, true, false], "b panics, c is unknown");
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_cancel_answers_what_is_open() {
    let engine = QueryEngine::builder(Script::new([])).tools(
        ToolSet::new()
            .with(fixed("quick", "done").safe())
            .with(endless("endless").safe())
            .with(noop("alone")),
    );
    let cancel = cancelled_after(Duration::from_secs(5));
    let mut history = vec![user("go")];
    let (sender, reader) = mpsc::channel(16);
    let events = Events::to(sender);
    let reply = reply_of(&[("a", "quick"), ("b", "endless"), ("c", "alone")]);
    let outcome = in_time(
        "a cancel ends a tool that would run for ever",
        engine.answer(reply, &mut history, &events, &cancel),
    )
    .await;
    assert_eq!(outcome, Err(QueryError::Cancelled));
    let contents: Vec<&str> = history[2..].iter().map(content).collect();
    assert_eq!(
        contents,
        [
            "done".to_string(),
            format!("error: {CUT_OFF}"),
            format!("error: {NOT_RUN}")
        ]
    );
    drop(events);
    let told = kinds(&all(reader).await);
    for word in ["started(a)", "finished(a)", "started(b)", "finished(b)"] {
        assert_eq!(
            told.matches(word).count(),
            1,
            "whatever was begun on the screen is ended there, once: {told}"
        );
    }
    assert!(!told.contains("(c)"), "c was never begun: {told}");
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_stalled_reader_does_not_block_a_cancel() {
    let engine = QueryEngine::builder(Script::new([Step::says(&["x"; 500])]))
        .tools(ToolSet::new().with(noop("t").safe()));
    // Never read, and never dropped.
    let (sender, _reader) = mpsc::channel(1);
    let events = Events::to(sender);
    let mut history = vec![user("go")];
    let cancel = cancelled_after(Duration::from_secs(5));
    let outcome = in_time(
        "the reader has stalled; a cancel must end the request",
        engine.ask(&mut history, &events, &cancel),
    )
    .await;
    assert_eq!(outcome, Err(QueryError::Cancelled));
    let cancel = cancelled_after(Duration::from_secs(5));
    let outcome = in_time(
        "the reader has stalled; a cancel must end the calls",
        engine.answer(reply(&["a", "b"]), &mut history, &events, &cancel),
    )
    .await;
    assert_eq!(outcome, Err(QueryError::Cancelled));
    assert_eq!(unanswered(&history), Vec::<&ToolCall>::new());
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_gate_that_panics_leaves_a_whole_history() {
    let runs = Arc::new(AtomicUsize::new(0));
    let log = Log::default();
    let engine = QueryEngine::builder(Script::new([]))
        .tools(ToolSet::new().with(counting("t", &runs)))
        .gate(Watch::new("gate", &log).panicking_on("b"));
    let mut history = vec![user("go")];
    let events = Events::nowhere();
    let cancel = CancellationToken::new();
    let answer = engine.answer(
        reply_of(&[("a", "t"), ("b", "t")]),
        &mut history,
        &events,
        &cancel,
    );
    let Err(panic) = AssertUnwindSafe(soon(answer)).catch_unwind().await else {
        panic!("the gate's panic is a bug and goes on up");
    };
    if !panic_says(&*panic, "a bug in the gate") {
        resume_unwind(panic);
    }
    assert_eq!(
        shape(&history),
        "user, calls(a b), result(a), result(b)",
        "whoever catches the panic finds a history that can go on"
    );
    assert_eq!(runs.load(Ordering::SeqCst), 1, "b was never let through");
}

// 4.11 The loop

#[tokio::test(start_paused = true)]
async fn test_ch4_a_reply_without_calls_ends_the_turn() {
    let script = Script::new([Step::says(&["Hello."]), Step::says(&["never asked for"])]);
    let (outcome, history, requests) = turn(script, ToolSet::new(), vec![user("hi")]).await;
    assert_eq!(
        outcome.map(Message::Assistant).ok().as_ref(),
        history.last(),
        "the last reply is in the history, and it is what comes back"
    );
    assert_eq!(shape(&history), "user, says(Hello.)");
    assert_eq!(requests.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn test_ch4_an_empty_reply_is_not_kept() {
    for step in [Step::says(&[]), Step::says(&[""]).with_text("")] {
        let script = Script::new([step]);
        let (outcome, history, _) = turn(script, ToolSet::new(), vec![user("hi")]).await;
        assert!(outcome.is_ok(), "it ends the turn like any other");
        assert_eq!(
            shape(&history),
            "user",
            "a reply with neither text nor calls says nothing, and some servers refuse a history with one"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch4_calls_are_answered_before_the_next_request() {
    let script = Script::new([
        Step::calls(&[("a", "t"), ("b", "t")]),
        Step::calls(&[("c", "t")]),
        Step::says(&["Done."]),
    ]);
    let tools = ToolSet::new().with(fixed("t", "fine").safe());
    let (outcome, history, requests) = turn(script, tools, vec![user("go")]).await;
    assert_eq!(outcome.map(|reply| reply.text), Ok(Some("Done.".into())));
    assert_eq!(
        shape(&history),
        "user, calls(a b), result(a), result(b), calls(c), result(c), says(Done.)"
    );
    let sent: Vec<String> = requests.iter().map(|request| shape(request)).collect();
    assert_eq!(
        sent,
        [
            "user",
            "user, calls(a b), result(a), result(b)",
            "user, calls(a b), result(a), result(b), calls(c), result(c)"
        ],
        "each request is the history so far, with every call answered"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_calls_decide_and_not_the_stop_reason() {
    let script = Script::new([
        Step::calls(&[("a", "t")]).stopping(StopReason::Stop),
        Step::says(&["Done."]).stopping(StopReason::ToolUse),
        Step::says(&["never asked for"]),
    ]);
    let tools = ToolSet::new().with(fixed("t", "fine"));
    let (outcome, history, _) = turn(script, tools, vec![user("go")]).await;
    assert_eq!(
        shape(&history),
        "user, calls(a), result(a), says(Done.)",
        "a reply with calls is answered even if it says Stop; one without calls ends the turn even if it says ToolUse"
    );
    assert_eq!(outcome.map(|reply| reply.text), Ok(Some("Done.".into())));
}

#[tokio::test(start_paused = true)]
async fn test_ch4_the_turn_limit_ends_a_model_that_does_not() {
    let script = Script::new((0..10).map(|n| Step::calls(&[(&format!("c{n}"), "t")])));
    let seen = script.requests.clone();
    let steps = script.steps.clone();
    let engine = QueryEngine::builder(script)
        .tools(ToolSet::new().with(fixed("t", "fine")))
        .config(QueryConfig {
            max_turns: 3,
            ..QueryConfig::default()
        });
    let mut history = vec![user("go")];
    let (events, cancel) = (Events::nowhere(), CancellationToken::new());
    let outcome = soon(engine.turn(&mut history, &events, &cancel)).await;
    assert_eq!(outcome, Err(QueryError::TurnLimit(3)));
    assert_eq!(seen.lock().unwrap().len(), 3, "the model was asked 3 times");
    assert_eq!(
        shape(&history),
        "user, calls(c0), result(c0), calls(c1), result(c1), calls(c2), result(c2)",
        "the calls of the last reply are answered"
    );
    *steps.lock().unwrap() = [Step::says(&["Done."])].into();
    history.push(user("go on"));
    let outcome = soon(engine.turn(&mut history, &events, &cancel)).await;
    assert!(outcome.is_ok(), "the next turn counts afresh: {outcome:?}");
}

#[tokio::test(start_paused = true)]
async fn test_ch4_an_error_in_the_second_round_keeps_the_first() {
    let script = Script::new([
        Step::calls(&[("a", "t")]),
        Step::breaks(&["Now "], network()),
        Step::says(&["Done."]),
    ]);
    let engine = QueryEngine::builder(script).tools(ToolSet::new().with(fixed("t", "fine")));
    let mut history = vec![user("go")];
    let (events, cancel) = (Events::nowhere(), CancellationToken::new());
    let outcome = soon(engine.turn(&mut history, &events, &cancel)).await;
    assert_eq!(outcome, Err(QueryError::Provider(network())));
    assert_eq!(
        shape(&history),
        "user, calls(a), result(a)",
        "what the first round did is not lost"
    );
    let outcome = soon(engine.turn(&mut history, &events, &cancel)).await;
    assert!(outcome.is_ok(), "and the turn can be taken up again");
    assert_eq!(shape(&history), "user, calls(a), result(a), says(Done.)");
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_cancel_ends_the_turn_and_not_the_conversation() {
    let script = Script::new([
        Step::calls(&[("a", "cancel"), ("b", "t")]),
        Step::says(&["Done."]),
    ]);
    let seen = script.requests.clone();
    let cancel = CancellationToken::new();
    let inner = cancel.clone();
    let trigger = tool("cancel", move |_| {
        inner.cancel();
        std::future::pending()
    });
    let tools = ToolSet::new().with(trigger).with(noop("t"));
    let engine = QueryEngine::builder(script).tools(tools);
    let events = Events::nowhere();
    let mut history = vec![user("go")];
    let outcome = soon(engine.turn(&mut history, &events, &cancel)).await;
    assert_eq!(outcome, Err(QueryError::Cancelled));
    assert_eq!(
        seen.lock().unwrap().len(),
        1,
        "the model is not asked again"
    );
    assert_eq!(shape(&history), "user, calls(a b), result(a), result(b)");
    history.push(user("do something else"));
    let outcome = soon(engine.turn(&mut history, &events, &CancellationToken::new())).await;
    assert_eq!(outcome.map(|reply| reply.text), Ok(Some("Done.".into())));
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_broken_history_is_not_sent() {
    let broken = vec![user("go"), calls(&["a", "b"]), result("a"), user("well?")];
    let script = Script::new([Step::says(&["Done."])]);
    let (outcome, history, requests) = turn(script, ToolSet::new(), broken.clone()).await;
    assert_eq!(
        outcome,
        Err(QueryError::Unanswered(vec!["b".to_string()])),
        "the error names the calls without a result"
    );
    assert_eq!(history, broken, "and the history is left as it came");
    assert!(requests.is_empty(), "the model was asked all the same");

    let mut mended = broken;
    mend(&mut mended);
    let script = Script::new([Step::says(&["Done."])]);
    let (outcome, ..) = turn(script, ToolSet::new(), mended).await;
    assert!(outcome.is_ok(), "once mended, it can go on");
}

#[tokio::test(start_paused = true)]
async fn test_ch4_an_error_says_what_to_do() {
    let (outcome, ..) = turn(Script::new([]), ToolSet::new(), vec![user("hi")]).await;
    let error = outcome.expect_err("the script has no reply");
    assert!(
        error.to_string().contains("the script is at its end"),
        "the provider's own words are part of it: {error}"
    );
    let cause = std::error::Error::source(&error).map(|cause| cause.to_string());
    assert_eq!(
        cause,
        Some(ProviderError::BadRequest("the script is at its end".into()).to_string()),
        "and its error is the cause"
    );
    let (outcome, ..) = turn(Script::new([]), ToolSet::new(), vec![calls(&["a"])]).await;
    let error = outcome.expect_err("the history is broken");
    assert!(
        error.to_string().contains("(a)") && error.to_string().contains("mend"),
        "it names the calls, and the way out: {error}"
    );
    assert!(std::error::Error::source(&error).is_none());
}

// 4.12 run, chat and chat_with_events

#[tokio::test(start_paused = true)]
async fn test_ch4_run_asks_one_question() {
    let script = Script::new([Step::calls(&[("a", "t")]), Step::says(&["4", "2"])]);
    let seen = script.requests.clone();
    let engine = QueryEngine::builder(script).tools(ToolSet::new().with(noop("t")));
    assert_eq!(soon(engine.run("6 * 7?")).await, Ok("42".to_string()));
    match &seen.lock().unwrap()[0].0[..] {
        [Message::User(first)] => assert_eq!(first.content, "6 * 7?"),
        other => panic!("the first request is the question alone; it was {other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch4_run_without_text_is_empty() {
    let engine = QueryEngine::builder(Script::new([Step::says(&[])]));
    assert_eq!(soon(engine.run("say nothing")).await, Ok(String::new()));
}

#[tokio::test(start_paused = true)]
async fn test_ch4_chat_appends_to_the_history() {
    let script = Script::new([Step::says(&["One."]), Step::says(&["Two."])]);
    let engine = QueryEngine::new(Arc::new(script));
    let cancel = CancellationToken::new();
    let mut history = vec![Message::system("Be brief."), user("first")];
    let reply = soon(engine.chat(&mut history, &cancel)).await;
    assert_eq!(reply.map(|reply| reply.text), Ok(Some("One.".into())));
    history.push(user("second"));
    let before = history.clone();
    let reply = soon(engine.chat(&mut history, &cancel)).await;
    assert_eq!(reply.map(|reply| reply.text), Ok(Some("Two.".into())));
    assert_eq!(history[..before.len()], before, "what was there stays");
    assert_eq!(
        shape(&history),
        "system, user, says(One.), user, says(Two.)"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_turn_tells_its_story() {
    let usage = TokenUsage {
        input_tokens: 5,
        ..TokenUsage::default()
    };
    let script = Script::new([
        Step::calls(&[("a", "t"), ("b", "nope")]).costing(&usage),
        Step::says(&["Do", "ne."]).costing(&usage),
    ]);
    let busy = tool("t", |_| async {
        report(1);
        Ok(ToolResult::text("fine"))
    });
    let engine = QueryEngine::builder(script).tools(ToolSet::new().with(busy));
    let (sender, reader) = mpsc::channel(64);
    let mut history = vec![user("go")];
    let cancel = CancellationToken::new();
    let reply = soon(engine.chat_with_events(&mut history, sender, &cancel)).await;
    assert!(reply.is_ok());
    assert_eq!(
        kinds(&all(reader).await),
        "usage started(a) progress(a) finished(a) started(b) finished(b) text(Do) text(ne.) usage end"
    );
    assert!(
        !history.iter().any(|m| matches!(m, Message::Progress(_))),
        "progress never reaches the history"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_the_last_event_says_what_went_wrong() {
    let engine = QueryEngine::builder(Script::new([Step::breaks(&["Let "], network())]));
    let (sender, reader) = mpsc::channel(64);
    let mut history = vec![user("go")];
    let cancel = CancellationToken::new();
    let outcome = soon(engine.chat_with_events(&mut history, sender, &cancel)).await;
    let error = QueryError::Provider(network());
    assert_eq!(outcome, Err(error.clone()));
    assert_eq!(
        all(reader).await,
        [
            text("Let "),
            QueryEvent::TurnFinished { error: Some(error) }
        ],
        "a reader in another task learns how the turn ended"
    );

    let engine = QueryEngine::builder(Script::new([Step::says(&["Do", "ne."])]));
    let (sender, mut reader) = mpsc::channel(1);
    let reading = tokio::spawn(async move {
        let mut read = Vec::new();
        while let Some(event) = reader.recv().await {
            read.push(event);
            sleep(Duration::from_millis(10)).await;
        }
        read
    });
    let outcome = soon(engine.chat_with_events(&mut history, sender, &cancel)).await;
    assert!(outcome.is_ok(), "the script replies: {outcome:?}");
    assert_eq!(
        kinds(&reading.await.expect("the reader does not panic")),
        "text(Do) text(ne.) end",
        "a reader who is behind and reads on gets the last event, too"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_the_end_is_not_held_up_by_a_cancelled_reader() {
    let engine = QueryEngine::builder(Script::new([Step::says(&["Done."])]));
    // Room for the text alone: the last event has to wait until somebody cancels.
    let (sender, _reader) = mpsc::channel(1);
    let mut history = vec![user("go")];
    let cancel = cancelled_after(Duration::from_secs(5));
    let reply = in_time(
        "the reply is there; a reader who has stalled can't keep it after a cancel",
        engine.chat_with_events(&mut history, sender, &cancel),
    )
    .await;
    assert_eq!(
        reply.map(|reply| reply.text),
        Ok(Some("Done.".into())),
        "a reply that was complete before the cancel is not lost"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_a_cancelled_turn_still_tells_its_end() {
    let engine = QueryEngine::builder(Script::new([Step::says(&["never"])]));
    let (sender, reader) = mpsc::channel(4);
    let mut history = vec![user("go")];
    let cancel = CancellationToken::new();
    cancel.cancel();
    let outcome = soon(engine.chat_with_events(&mut history, sender, &cancel)).await;
    assert_eq!(
        outcome,
        Err(QueryError::Cancelled),
        "the turn was cancelled before it began: the model is not asked"
    );
    assert_eq!(shape(&history), "user");
    let error = Some(QueryError::Cancelled);
    assert_eq!(
        all(reader).await,
        [QueryEvent::TurnFinished { error }],
        "there was room for it"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch4_one_engine_serves_many_conversations() {
    let script = Script::new((0..8).map(|_| Step::says(&["Hi."])));
    let engine = Arc::new(QueryEngine::builder(script));
    let tasks: Vec<_> = (0..8)
        .map(|n| {
            let engine = engine.clone();
            tokio::spawn(async move {
                let mut history = vec![user(&format!("conversation {n}"))];
                let reply = soon(engine.chat(&mut history, &CancellationToken::new())).await;
                (reply.is_ok(), history.len())
            })
        })
        .collect();
    for task in tasks {
        assert_eq!(task.await.ok(), Some((true, 2)));
    }
}

/// The rule itself: 800 conversations in which everything goes wrong that can.
#[tokio::test(start_paused = true)]
async fn test_ch4_the_rule_holds_whatever_fails() {
    for seed in 0..800 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let script = Script::new((0..rng.usize(1..6)).map(|_| random_step(&mut rng)));
        let (steps, seen) = (script.steps.clone(), script.requests.clone());
        let (max_turns, limit) = (rng.usize(1..6), rng.usize(20..200));
        let mut engine = QueryEngine::builder(script)
            .tools(mixed_tools(seed))
            .config(QueryConfig {
                max_turns,
                max_result_bytes: limit,
                max_concurrent: rng.usize(1..4),
            });
        if rng.bool() {
            engine = engine.gate(Fickle(Mutex::new(fastrand::Rng::with_seed(seed))));
        }
        let mut history = vec![user("go")];
        for round in 0..3 {
            let before = history.clone();
            let context = format!("seed {seed}, turn {round}");
            random_turn(&engine, &mut history, &mut rng, &context).await;
            assert_eq!(
                history[..before.len()],
                before,
                "{context}: a turn only appends"
            );
            assert_whole(&history, &context);
            for message in &history {
                if let Message::ToolResult(result) = message {
                    assert!(
                        result.content.len() <= limit,
                        "{context}: max_result_bytes is {limit}, and this result is longer: {:?}",
                        result.content
                    );
                }
            }
            history.push(user("go on"));
        }
        for (request, _) in seen.lock().unwrap().iter() {
            assert_whole(request, &format!("seed {seed}, in a request"));
        }
        *steps.lock().unwrap() = [Step::says(&["Fine."])].into();
        let reply = soon(engine.chat(&mut history, &CancellationToken::new())).await;
        assert_eq!(
            reply.map(|reply| reply.text),
            Ok(Some("Fine.".into())),
            "seed {seed}: whatever went wrong, the next turn works"
        );
    }
}

/// One turn: to its end, cancelled or dropped at some moment, with some reader or none.
async fn random_turn(
    engine: &QueryEngine,
    history: &mut Vec<Message>,
    rng: &mut fastrand::Rng,
    context: &str,
) {
    let cancel = CancellationToken::new();
    let moment = Duration::from_millis(rng.u64(0..60));
    let (sender, mut reader) = mpsc::channel(rng.usize(1..4));
    let how = rng.u8(0..5);
    if how == 0 {
        drop(reader);
    } else if how < 4 {
        tokio::spawn(async move { while reader.recv().await.is_some() {} });
    } else {
        // Never read, so that only a cancel ends the turn.
        tokio::spawn(async move {
            sleep(Duration::from_secs(600)).await;
            drop(reader);
        });
    }
    let interrupt = if how == 4 { 1 } else { rng.u8(0..3) };
    if interrupt == 1 {
        let cancel = cancel.clone();
        tokio::spawn(async move {
            sleep(moment).await;
            cancel.cancel();
        });
    }
    let chat = engine.chat_with_events(history, sender, &cancel);
    let limit = if interrupt == 2 {
        moment
    } else {
        Duration::from_secs(3600)
    };
    // A tool that panics is caught; only a gate's panic comes through, and there is none.
    let outcome = timeout(limit, without_panic(chat)).await;
    match outcome {
        Err(_) => assert_eq!(interrupt, 2, "{context}: the turn hangs"),
        Ok(Err(QueryError::Cancelled)) => assert_eq!(interrupt, 1, "{context}: nobody cancelled"),
        Ok(Err(QueryError::Unanswered(ids))) => panic!("{context}: {ids:?} came unanswered"),
        Ok(_) => {}
    }
}

fn random_step(rng: &mut fastrand::Rng) -> Step {
    let texts = ["Let ", "me ", "see", "."];
    let text = &texts[..rng.usize(0..=texts.len())];
    let mut step = match rng.u8(0..8) {
        0 => Step::breaks(text, network()),
        1 => Step::says(text),
        _ => {
            let mut step = Step::says(text).stopping(StopReason::ToolUse);
            if let Ok(reply) = &mut step.reply {
                reply.tool_calls = (0..rng.usize(0..6)).map(|_| random_call(rng)).collect();
            }
            step
        }
    };
    if rng.bool() {
        step = step.pausing(Duration::from_millis(rng.u64(1..15)));
    }
    if rng.u8(0..4) == 0 {
        step = step.stopping(StopReason::Stop);
    }
    step
}

fn random_call(rng: &mut fastrand::Rng) -> ToolCall {
    // Few ids, so that they collide; one is empty.
    let id = ["call_0", "call_1", "call_2", "call_3", ""][rng.usize(0..5)];
    let names = [
        "quick", "slow", "write", "fails", "panics", "picky", "endless", "nope",
    ];
    // The endless one is rare: only an interrupt ends it, or it fails after a while.
    let name = names[rng.usize(0..names.len())];
    let arguments = match rng.u8(0..4) {
        0 => json!("not an object"),
        1 => Value::Null,
        2 => json!({ "path": "src" }),
        _ => json!({}),
    };
    call_with(id, name, arguments)
}

fn mixed_tools(seed: u64) -> ToolSet {
    let nap = move |name| {
        let rng = Mutex::new(fastrand::Rng::with_seed(seed));
        tool(name, move |_| {
            let time = rng.lock().unwrap().u64(0..20);
            async move {
                report(time);
                sleep(Duration::from_millis(time)).await;
                Ok(ToolResult::text("y".repeat(time as usize * 20)))
            }
        })
    };
    ToolSet::new()
        .with(fixed("quick", "done").safe())
        .with(nap("slow").safe())
        .with(nap("write"))
        .with(
            tool("fails", |_| async {
                sleep(Duration::from_millis(3)).await;
                anyhow::bail!("it does not work")
            })
            .safe(),
        )
        .with(panicking("panics").safe())
        .with(noop("picky").needing("path").safe())
        .with(tool("endless", |_| async {
            sleep(Duration::from_secs(20)).await;
            Ok(ToolResult::text("at last"))
        }))
}

/// Every call has exactly one result, in call order, right behind its reply; there is no
/// result without a call. Written out here, so that nothing of the chapter tests itself.
fn assert_whole(history: &[Message], context: &str) {
    let mut due: VecDeque<&str> = VecDeque::new();
    for (at, message) in history.iter().enumerate() {
        let place = || format!("{context}, message {at} of {}", shape(history));
        match message {
            Message::ToolResult(result) => assert_eq!(
                due.pop_front(),
                Some(result.tool_use_id.as_str()),
                "a result stands where another is due, or none: {}",
                place()
            ),
            other => {
                assert!(due.is_empty(), "calls {due:?} have no result: {}", place());
                if let Message::Assistant(reply) = other {
                    let text = reply.text.as_deref().unwrap_or("");
                    assert!(
                        !text.is_empty() || !reply.tool_calls.is_empty(),
                        "a reply says nothing: {}",
                        place()
                    );
                    due.extend(reply.tool_calls.iter().map(|call| call.id.as_str()));
                    let mut ids: Vec<_> = due.iter().collect();
                    ids.sort();
                    ids.dedup();
                    assert_eq!(ids.len(), due.len(), "two calls share an id: {}", place());
                }
            }
        }
        assert!(
            !matches!(message, Message::Progress(_)),
            "progress is for the screen: {}",
            place()
        );
    }
    assert!(
        due.is_empty(),
        "{context}: calls {due:?} have no result at the end"
    );
}

// Messages

fn user(content: &str) -> Message {
    Message::user(content)
}

fn says(text: &str) -> Message {
    Message::assistant(Some(text.into()), vec![], StopReason::Stop, None)
}

fn calls(ids: &[&str]) -> Message {
    Message::Assistant(reply(ids))
}

fn result(id: &str) -> Message {
    Message::tool_result(id, format!("result of {id}"))
}

fn reply(ids: &[&str]) -> AssistantMessage {
    let calls: Vec<(&str, &str)> = ids.iter().map(|id| (*id, "t")).collect();
    reply_of(&calls)
}

fn reply_of(calls: &[(&str, &str)]) -> AssistantMessage {
    AssistantMessage {
        id: new_id(),
        text: None,
        tool_calls: calls.iter().map(|(id, name)| call(id, name)).collect(),
        stop_reason: StopReason::ToolUse,
        usage: None,
    }
}

fn call(id: &str, name: &str) -> ToolCall {
    call_with(id, name, json!({}))
}

fn call_with(id: &str, name: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: id.into(),
        name: name.into(),
        arguments,
    }
}

fn content(message: &Message) -> &str {
    match message {
        Message::ToolResult(result) => &result.content,
        other => panic!("a result is due here, and it is {other:?}"),
    }
}

/// A history in words: `user, calls(a b), result(a), result(b), says(Done.)`.
fn shape(history: &[Message]) -> String {
    let words: Vec<String> = history
        .iter()
        .map(|message| match message {
            Message::Assistant(reply) if !reply.tool_calls.is_empty() => {
                let ids: Vec<&str> = reply.tool_calls.iter().map(|c| c.id.as_str()).collect();
                format!("calls({})", ids.join(" "))
            }
            Message::Assistant(reply) => format!("says({})", reply.text.as_deref().unwrap_or("")),
            Message::ToolResult(result) => format!("result({})", result.tool_use_id),
            Message::User(_) => "user".into(),
            Message::System(_) => "system".into(),
            other => format!("{other:?}"),
        })
        .collect();
    words.join(", ")
}

// Events

fn text(text: &str) -> QueryEvent {
    QueryEvent::Text(text.into())
}

fn progress(call: &str, data: Value) -> QueryEvent {
    QueryEvent::Progress(ProgressMessage {
        tool_use_id: call.into(),
        data,
    })
}

async fn all(mut reader: mpsc::Receiver<QueryEvent>) -> Vec<QueryEvent> {
    let mut events = Vec::new();
    while let Ok(event) = reader.try_recv() {
        events.push(event);
    }
    events
}

/// Events in words: `started(a) finished(a) text(Done.) end`.
fn kinds(events: &[QueryEvent]) -> String {
    let words: Vec<String> = events
        .iter()
        .map(|event| match event {
            QueryEvent::Text(text) => format!("text({text})"),
            QueryEvent::ToolStarted { call, .. } => format!("started({})", call.id),
            QueryEvent::Progress(progress) => format!("progress({})", progress.tool_use_id),
            QueryEvent::ToolFinished { call_id, result } => {
                assert_eq!(*call_id, result.tool_use_id, "an event names one call");
                format!("finished({call_id})")
            }
            QueryEvent::Usage(_) => "usage".into(),
            QueryEvent::TurnFinished { .. } => "end".into(),
        })
        .collect();
    words.join(" ")
}

/// What `work` returns, unless a tool's panic comes through it.
async fn without_panic<F: Future>(work: F) -> F::Output {
    match AssertUnwindSafe(work).catch_unwind().await {
        Ok(output) => output,
        Err(panic) if panic_says(&*panic, "a bug in the tool") => {
            panic!("the tool's panic must not end the turn: `execute` of chapter 3 catches it")
        }
        Err(panic) => resume_unwind(panic),
    }
}

/// What `work` returns, unless it hangs.
async fn in_time<F: Future>(or_else: &str, work: F) -> F::Output {
    match timeout(Duration::from_secs(3600), without_panic(work)).await {
        Ok(output) => output,
        Err(_) => panic!("{or_else}; it hangs"),
    }
}

/// A panic that prints nothing: the first message of a test that fails is its own.
fn crash(words: &str) -> ! {
    resume_unwind(Box::new(words.to_string()))
}

fn panic_says(panic: &(dyn std::any::Any + Send), words: &str) -> bool {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.is_some_and(|text| text.contains(words))
}

async fn soon<F: Future>(work: F) -> F::Output {
    in_time("this must come to an end", work).await
}

fn cancelled_after(time: Duration) -> CancellationToken {
    let cancel = CancellationToken::new();
    let inner = cancel.clone();
    tokio::spawn(async move {
        sleep(time).await;
        inner.cancel();
    });
    cancel
}

fn open_calls(calls: &[(&str, &str)]) -> Vec<OpenCall> {
    let calls = calls.iter().map(|(id, name)| call(id, name));
    calls.map(OpenCall::new).collect()
}

fn contents(open: &mut [OpenCall]) -> Vec<String> {
    open.iter_mut()
        .map(|open| open.settle(1000).content)
        .collect()
}

async fn turn(
    script: Script,
    tools: ToolSet,
    mut history: Vec<Message>,
) -> (
    Result<AssistantMessage, QueryError>,
    Vec<Message>,
    Vec<Vec<Message>>,
) {
    let seen = script.requests.clone();
    let engine = QueryEngine::builder(script).tools(tools);
    let cancel = CancellationToken::new();
    let outcome = soon(engine.turn(&mut history, &Events::nowhere(), &cancel)).await;
    let requests = seen.lock().unwrap().iter().map(|r| r.0.clone()).collect();
    (outcome, history, requests)
}

// A model by script

type Requests = Arc<Mutex<Vec<(Vec<Message>, Vec<String>)>>>;

struct Script {
    steps: Arc<Mutex<VecDeque<Step>>>,
    requests: Requests,
}

struct Step {
    pieces: Vec<String>,
    pause: Duration,
    reply: Result<AssistantMessage, ProviderError>,
}

impl Step {
    fn says(pieces: &[&str]) -> Self {
        let text = pieces.concat();
        Self {
            pieces: pieces.iter().map(|piece| piece.to_string()).collect(),
            pause: Duration::ZERO,
            reply: Ok(AssistantMessage {
                id: new_id(),
                text: (!text.is_empty()).then_some(text),
                tool_calls: vec![],
                stop_reason: StopReason::Stop,
                usage: None,
            }),
        }
    }

    fn calls(calls: &[(&str, &str)]) -> Self {
        Self {
            reply: Ok(reply_of(calls)),
            ..Self::says(&[])
        }
    }

    fn breaks(pieces: &[&str], error: ProviderError) -> Self {
        Self {
            reply: Err(error),
            ..Self::says(pieces)
        }
    }

    fn pausing(mut self, pause: Duration) -> Self {
        self.pause = pause;
        self
    }

    fn stopping(mut self, reason: StopReason) -> Self {
        if let Ok(reply) = &mut self.reply {
            reply.stop_reason = reason;
        }
        self
    }

    fn with_text(mut self, text: &str) -> Self {
        if let Ok(reply) = &mut self.reply {
            reply.text = Some(text.into());
        }
        self
    }

    fn costing(mut self, usage: &TokenUsage) -> Self {
        if let Ok(reply) = &mut self.reply {
            reply.usage = Some(usage.clone());
        }
        self
    }
}

impl Script {
    fn new(steps: impl IntoIterator<Item = Step>) -> Self {
        Self {
            steps: Arc::new(Mutex::new(steps.into_iter().collect())),
            requests: Requests::default(),
        }
    }
}

#[async_trait]
impl Provider for Script {
    async fn chat(
        &self,
        _messages: &[Message],
        _tools: &[&ToolDefinition],
    ) -> Result<AssistantMessage, ProviderError> {
        panic!("the engine streams: it calls `stream`, so that text is shown as it arrives");
    }

    async fn stream(
        &self,
        messages: &[Message],
        tools: &[&ToolDefinition],
        events: &EventSender,
    ) -> Result<AssistantMessage, ProviderError> {
        let names = tools.iter().map(|tool| tool.name.to_string()).collect();
        self.requests
            .lock()
            .unwrap()
            .push((messages.to_vec(), names));
        let step = self.steps.lock().unwrap().pop_front();
        let Some(step) = step else {
            return Err(ProviderError::BadRequest("the script is at its end".into()));
        };
        for piece in step.pieces {
            sleep(step.pause).await;
            let _ = events.send(StreamEvent::TextDelta(piece)).await;
        }
        sleep(step.pause).await;
        let reply = step.reply?;
        for (index, call) in reply.tool_calls.iter().enumerate() {
            let start = StreamEvent::ToolCallStart {
                index,
                id: call.id.clone(),
                name: call.name.clone(),
            };
            let _ = events.send(start).await;
        }
        if let Some(usage) = &reply.usage {
            let _ = events.send(StreamEvent::Usage(usage.clone())).await;
        }
        let done = StreamEvent::Done(reply.stop_reason.clone());
        let _ = events.send(done).await;
        Ok(reply)
    }
}

fn network() -> ProviderError {
    ProviderError::Network("the connection broke".into())
}

// Tools by closure

type Work = Pin<Box<dyn Future<Output = anyhow::Result<ToolResult>> + Send>>;

struct FnTool {
    definition: ToolDefinition,
    safe: bool,
    crashing: bool,
    work: Box<dyn Fn(Value) -> Work + Send + Sync>,
}

fn tool<F>(name: &'static str, work: impl Fn(Value) -> F + Send + Sync + 'static) -> FnTool
where
    F: Future<Output = anyhow::Result<ToolResult>> + Send + 'static,
{
    let mut definition = ToolDefinition::new(name, "A tool for a test");
    definition.parameters["additionalProperties"] = json!(true);
    FnTool {
        definition,
        safe: false,
        crashing: false,
        work: Box::new(move |args| Box::pin(work(args))),
    }
}

impl FnTool {
    fn safe(mut self) -> Self {
        self.safe = true;
        self
    }

    fn crashing_on_sight(mut self) -> Self {
        self.crashing = true;
        self
    }

    fn needing(mut self, name: &str) -> Self {
        self.definition = self.definition.param(name, "string", "Needed", true);
        self
    }
}

#[async_trait]
impl Tool for FnTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        (self.work)(args).await
    }

    fn validate_input(&self, args: &Value) -> ValidationResult {
        if self.crashing {
            crash(&format!("a bug in the tool's check of {args}"));
        }
        ValidationResult::Ok
    }

    fn is_concurrent_safe(&self) -> bool {
        self.safe
    }

    fn activity_description(&self, _args: &Value) -> Option<String> {
        Some("Working...".into())
    }
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

fn fixed(name: &'static str, output: &'static str) -> FnTool {
    tool(name, move |_| async move { Ok(ToolResult::text(output)) })
}

fn noop(name: &'static str) -> FnTool {
    fixed(name, "ok")
}

fn endless(name: &'static str) -> FnTool {
    tool(name, |_| std::future::pending())
}

fn panicking(name: &'static str) -> FnTool {
    tool(name, |_| async { crash("a bug in the tool") })
}

fn counting(name: &'static str, runs: &Arc<AtomicUsize>) -> FnTool {
    let runs = runs.clone();
    tool(name, move |_| {
        runs.fetch_add(1, Ordering::SeqCst);
        async { Ok(ToolResult::text("ok")) }
    })
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

// Gates

/// What happened, line by line.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn add(&self, line: String) {
        self.0.lock().unwrap().push(line);
    }

    fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

/// A dispatcher to add gates to.
struct Dispatch(Dispatcher);

fn dispatcher(tools: ToolSet) -> Dispatch {
    Dispatch(Dispatcher {
        tools,
        gates: Vec::new(),
        max_result_bytes: 1000,
        max_concurrent: 8,
    })
}

impl Dispatch {
    fn with(mut self, gate: impl Gate + 'static) -> Self {
        self.0.gates.push(Box::new(gate));
        self
    }
}

/// A gate that writes down what it is asked, and answers as it is told.
struct Watch {
    name: &'static str,
    log: Log,
    refuse: Option<String>,
    only: Option<&'static str>,
    panic_on: Option<&'static str>,
    decision: Decision,
    add: Option<String>,
    check_takes: Duration,
    after_takes: Duration,
}

impl Watch {
    fn new(name: &'static str, log: &Log) -> Self {
        Self {
            name,
            log: log.clone(),
            refuse: None,
            only: None,
            panic_on: None,
            decision: Decision::Pass,
            add: None,
            check_takes: Duration::ZERO,
            after_takes: Duration::ZERO,
        }
    }

    fn refusing(mut self, reason: &str) -> Self {
        self.refuse = Some(reason.into());
        self
    }

    fn refusing_call(mut self, id: &'static str, reason: &str) -> Self {
        self.only = Some(id);
        self.refusing(reason)
    }

    fn panicking_on(mut self, id: &'static str) -> Self {
        self.panic_on = Some(id);
        self
    }

    fn deciding(mut self, decision: Decision) -> Self {
        self.decision = decision;
        self
    }

    fn adding(mut self, context: &str) -> Self {
        self.add = Some(context.into());
        self
    }

    fn sleeping_in_check(mut self, time: Duration) -> Self {
        self.check_takes = time;
        self
    }

    fn sleeping_after(mut self, time: Duration) -> Self {
        self.after_takes = time;
        self
    }
}

#[async_trait]
impl Gate for Watch {
    async fn check(&self, call: &ToolCall, _tool: &dyn Tool) -> Result<(), String> {
        self.log
            .add(format!("{} checks {}", self.name, call.arguments));
        if self.panic_on == Some(call.id.as_str()) {
            crash("a bug in the gate");
        }
        if !self.check_takes.is_zero() {
            sleep(self.check_takes).await;
            self.log.add(format!("{} has checked", self.name));
        }
        match &self.refuse {
            Some(reason) if self.only.is_none_or(|only| only == call.id) => Err(reason.clone()),
            _ => Ok(()),
        }
    }

    async fn before(&self, call: &ToolCall, _tool: &dyn Tool) -> Decision {
        self.log
            .add(format!("{} before {}", self.name, call.arguments));
        self.decision.clone()
    }

    async fn after(&self, _call: &ToolCall, result: &ToolResult) -> Option<String> {
        self.log
            .add(format!("{} after {}", self.name, result.content));
        sleep(self.after_takes).await;
        self.add.clone()
    }
}

/// A gate that does a little of everything.
struct Fickle(Mutex<fastrand::Rng>);

#[async_trait]
impl Gate for Fickle {
    async fn check(&self, _call: &ToolCall, _tool: &dyn Tool) -> Result<(), String> {
        let (time, refuse) = {
            let mut rng = self.0.lock().unwrap();
            (rng.u64(0..5), rng.u8(0..6) == 0)
        };
        sleep(Duration::from_millis(time)).await;
        if refuse {
            Err("not now".into())
        } else {
            Ok(())
        }
    }

    async fn before(&self, _call: &ToolCall, _tool: &dyn Tool) -> Decision {
        match self.0.lock().unwrap().u8(0..4) {
            0 => Decision::Change {
                arguments: Some(json!({ "path": "elsewhere" })),
                context: Some("rewritten".into()),
            },
            1 => Decision::Block("blocked".into()),
            _ => Decision::Pass,
        }
    }

    async fn after(&self, _call: &ToolCall, _result: &ToolResult) -> Option<String> {
        let time = self.0.lock().unwrap().u64(0..5);
        sleep(Duration::from_millis(time)).await;
        Some("seen".into())
    }
}
