//! Section 4.10: Steps that end early

use std::panic::{AssertUnwindSafe, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use claw_code::engine::*;
use claw_code::types::*;
use futures_util::FutureExt;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::support::*;

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
