//! Section 4.9: Cancellation

use std::panic::{AssertUnwindSafe, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use claw_code::engine::*;
use claw_code::types::*;
use futures_util::FutureExt;
use tokio_util::sync::CancellationToken;

use super::support::*;

#[test]
fn test_ch4_cancel_keeps_the_text_that_was_shown() {
    let slow = ScriptedReply::text(&["The bug ", "is in ", "line 7"]);
    let engine = engine([slow.with_pause(Duration::from_secs(10))]);
    let mut history = vec![user("where?")];
    let cancel = cancel_after(Duration::from_secs(25));
    let outcome = wait(finish_or(
        "a cancel ends the request at once",
        engine.ask_model(&mut history, &QueryEventSender::none(), &cancel),
    ));
    assert_eq!(outcome, Err(QueryError::Cancelled));
    assert_eq!(
        outline(&history),
        "user, says(The bug is in )",
        "the user has read part of a reply and may refer to it, so it stays"
    );
    let Some(Message::Assistant(partial)) = history.last() else {
        panic!("the partial reply is the last message: {history:?}");
    };
    assert_eq!(
        (partial.tool_calls.len(), &partial.stop_reason),
        (0, &StopReason::Stop),
        "a partial reply has no calls, so it waits for no result"
    );
    assert_eq!(partial.usage, None, "a partial reply has no usage");
}

#[test]
fn test_ch4_cancel_before_any_text_adds_no_message() {
    for reply in [
        ScriptedReply::text(&["late"]),
        ScriptedReply::calls(&[("a", "t")]),
    ] {
        let engine = engine([reply.with_pause(Duration::from_secs(10))]);
        let mut history = vec![user("where?")];
        let cancel = cancel_after(Duration::from_secs(5));
        let outcome = wait(ask_model(&engine, &mut history, &cancel));
        assert_eq!(outcome, Err(QueryError::Cancelled));
        assert_eq!(outline(&history), "user", "no text was shown");
    }
}

#[test]
fn test_ch4_cancel_keeps_shown_white_space() {
    let blank = ScriptedReply::text(&["\n", "late"]).with_pause(Duration::from_secs(10));
    let mut history = vec![user("where?")];
    let cancel = cancel_after(Duration::from_secs(15));
    let outcome = wait(ask_model(&engine([blank]), &mut history, &cancel));
    assert_eq!(outcome, Err(QueryError::Cancelled));
    assert_eq!(
        outline(&history),
        "user, says(\n)",
        "the user has seen a line feed, and only an empty text is left out"
    );
}

// Repeated, because a `select!` that is not biased chooses at random.

#[test]
fn test_ch4_no_request_starts_after_a_cancel() {
    let engine = engine((0..20).map(|_| ScriptedReply::text(&["late"])));
    let cancel = cancelled();
    for _ in 0..20 {
        let mut history = vec![user("go")];
        assert_eq!(
            wait(ask_model(&engine, &mut history, &cancel)),
            Err(QueryError::Cancelled),
            "the token was cancelled before the request, and it is checked first"
        );
        assert_eq!(outline(&history), "user");
    }
}

#[test]
fn test_ch4_no_call_starts_after_a_cancel() {
    let runs = Arc::new(AtomicUsize::new(0));
    let engine = engine([]).tools(ToolSet::new().with(counting_tool("t", &runs)));
    let cancel = cancelled();
    for _ in 0..20 {
        let mut history = vec![user("go")];
        assert_eq!(
            wait(answer_calls(&engine, reply(&["a"]), &mut history, &cancel)),
            Err(QueryError::Cancelled),
            "the token was cancelled before the calls, and it is checked first"
        );
        let rule = "`OpenReply` adds the reply and its results to this history";
        assert_eq!(outline(&history), "user, calls(a), result(a)", "{rule}");
    }
    assert_eq!(
        runs.load(Ordering::SeqCst),
        0,
        "no tool runs after a cancel"
    );
}

#[test]
fn test_ch4_results_have_the_limit_of_the_config() {
    let engine = engine([]).config(QueryConfig {
        max_result_bytes: 20,
        ..QueryConfig::default()
    });
    let (mut history, cancel) = (vec![user("go")], CancellationToken::new());
    let outcome = wait(answer_calls(&engine, reply(&["a"]), &mut history, &cancel));
    assert_eq!(outcome, Ok(()), "an unknown tool is a result");
    let length = content(&history[2]).len();
    assert!(
        length <= 20,
        "`max_result_bytes` is 20, and the result has {length} bytes"
    );
}

#[test]
fn test_ch4_provider_error_leaves_the_history_unchanged() {
    for pieces in [&[][..], &["Let me "]] {
        let engine = engine([ScriptedReply::fails(pieces, network_error())]);
        let mut history = vec![user("go"), calls(&["a"]), result("a")];
        let before = history.clone();
        let outcome = wait(ask_model(&engine, &mut history, &CancellationToken::new()));
        assert_eq!(outcome, Err(QueryError::Provider(network_error())));
        assert_eq!(
            history, before,
            "after an error the same request can be sent again"
        );
    }
}

#[test]
fn test_ch4_reply_has_a_unique_id_for_each_call() {
    let engine = engine([ScriptedReply::calls(&[("x", "t"), ("x", "t"), ("", "t")])]);
    let mut history = vec![user("go")];
    let reply = wait(ask_model(&engine, &mut history, &CancellationToken::new()))
        .expect("the script replies");
    assert_eq!(
        outline(&history),
        "user",
        "the caller appends the reply to the history"
    );
    let mut ids = ids(&reply.tool_calls);
    assert_eq!(ids.first(), Some(&"x"), "the first call keeps its id");
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 3, "three calls have three ids: {ids:?}");
}

#[test]
fn test_ch4_every_call_of_a_reply_gets_a_result() {
    let tools = ToolSet::new()
        .with(FnTool::text("t", "fine").concurrent_safe())
        .with(panicking_tool("panics"));
    let engine = engine([]).tools(tools);
    let mut history = vec![user("go")];
    let reply = reply_with_calls(&[("a", "t"), ("b", "panics"), ("c", "nope"), ("d", "t")]);
    let outcome = wait(answer_calls(
        &engine,
        reply,
        &mut history,
        &CancellationToken::new(),
    ));
    assert_eq!(outcome, Ok(()));
    assert_eq!(
        outline(&history),
        "user, calls(a b c d), result(a), result(b), result(c), result(d)"
    );
    let failed: Vec<bool> = history[2..]
        .iter()
        .map(|message| content(message).starts_with("error: "))
        .collect();
    assert_eq!(
        failed,
        [false, true, true, false],
        "`b` panics, and `c` names no tool"
    );
}

#[test]
fn test_ch4_cancelled_calls_get_results() {
    let (outcome, history, _) = wait(cancel_three_calls());
    assert_eq!(outcome, Err(QueryError::Cancelled));
    let contents: Vec<&str> = history[2..].iter().map(content).collect();
    assert_eq!(
        contents,
        [
            "done".to_string(),
            format!("error: {CUT_OFF}"),
            format!("error: {NOT_RUN}")
        ],
        "`a` finished, `b` was running, and `c` had not started"
    );
}

#[test]
fn test_ch4_cancelled_calls_are_shown_as_finished() {
    let (_, _, sent) = wait(cancel_three_calls());
    for event in ["started(a)", "finished(a)", "started(b)", "finished(b)"] {
        assert_eq!(
            sent.matches(event).count(),
            1,
            "each call that was announced has one start and one end: {sent}"
        );
    }
    assert!(!sent.contains("(c)"), "`c` was never announced: {sent}");
}

#[test]
fn test_ch4_stalled_reader_does_not_block_the_cancel_of_a_request() {
    let engine = engine([ScriptedReply::text(&["x"; 500])]);
    let (events, _stalled_reader) = event_channel(1);
    let mut history = vec![user("go")];
    let cancel = cancel_after(Duration::from_secs(5));
    let outcome = wait(finish_or(
        "the reader has stalled; a cancel must end the request",
        engine.ask_model(&mut history, &events, &cancel),
    ));
    assert_eq!(outcome, Err(QueryError::Cancelled));
    assert_eq!(unanswered_calls(&history), Vec::<&ToolCall>::new());
}

#[test]
fn test_ch4_stalled_reader_does_not_block_the_cancel_of_calls() {
    let engine = engine([]).tools(ToolSet::new().with(noop_tool("t").concurrent_safe()));
    let (events, _stalled_reader) = event_channel(1);
    let mut history = vec![user("go")];
    let cancel = cancel_after(Duration::from_secs(5));
    let outcome = wait(finish_or(
        "the reader has stalled; a cancel must end the calls",
        engine.answer_calls(reply(&["a", "b"]), &mut history, &events, &cancel),
    ));
    assert_eq!(outcome, Err(QueryError::Cancelled));
    assert_eq!(unanswered_calls(&history), Vec::<&ToolCall>::new());
}

#[test]
fn test_ch4_panicking_gate_leaves_a_complete_history() {
    let runs = Arc::new(AtomicUsize::new(0));
    let engine = engine([])
        .tools(ToolSet::new().with(counting_tool("t", &runs)))
        .gate(LoggingGate::new("gate", &Log::default()).panicking_on("b"));
    let mut history = vec![user("go")];
    let cancel = CancellationToken::new();
    let answer = answer_calls(&engine, reply(&["a", "b"]), &mut history, &cancel);
    let Err(panic) = wait(AssertUnwindSafe(answer).catch_unwind()) else {
        panic!("a gate's panic is a bug, and the caller must see it");
    };
    if !panic_contains(&*panic, "a bug in the gate") {
        resume_unwind(panic);
    }
    assert_eq!(
        outline(&history),
        "user, calls(a b), result(a), result(b)",
        "a caller that catches the panic has a history that the next turn can use"
    );
    assert_eq!(runs.load(Ordering::SeqCst), 1, "`b` did not pass the gate");
}

fn cancelled() -> CancellationToken {
    let cancel = CancellationToken::new();
    cancel.cancel();
    cancel
}

async fn ask_model(
    engine: &QueryEngine,
    history: &mut Vec<Message>,
    cancel: &CancellationToken,
) -> Result<AssistantMessage, QueryError> {
    finish(engine.ask_model(history, &QueryEventSender::none(), cancel)).await
}

async fn answer_calls(
    engine: &QueryEngine,
    reply: AssistantMessage,
    history: &mut Vec<Message>,
    cancel: &CancellationToken,
) -> Result<(), QueryError> {
    finish(engine.answer_calls(reply, history, &QueryEventSender::none(), cancel)).await
}

/// Cancels three calls after five seconds: `a` returns at once, `b` never returns, and `c`
/// waits for both. Returns the outcome, the history and the outline of the events.
async fn cancel_three_calls() -> (Result<(), QueryError>, Vec<Message>, String) {
    let tools = ToolSet::new()
        .with(FnTool::text("quick", "done").concurrent_safe())
        .with(FnTool::endless("endless").concurrent_safe())
        .with(noop_tool("alone"));
    let engine = engine([]).tools(tools);
    let mut history = vec![user("go")];
    let (events, mut reader) = event_channel(16);
    let reply = reply_with_calls(&[("a", "quick"), ("b", "endless"), ("c", "alone")]);
    let cancel = cancel_after(Duration::from_secs(5));
    let outcome = finish_or(
        "a cancel ends a tool that would run forever",
        engine.answer_calls(reply, &mut history, &events, &cancel),
    )
    .await;
    (outcome, history, event_outline(&received(&mut reader)))
}
