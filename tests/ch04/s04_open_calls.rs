//! Section 4.4: Results after a cancel or a panic

use claw_code::engine::*;
use claw_code::types::*;
use futures_util::FutureExt;

use super::support::*;

#[test]
fn test_ch4_new_open_reply_opens_each_call() {
    let events = QueryEventSender::none();
    let mut history = vec![user("go")];
    let reply = AssistantMessage {
        text: Some("Let me look.".into()),
        stop_reason: StopReason::Stop,
        usage: Some(TokenUsage::default()),
        ..reply(&["a", "b", "c"])
    };
    let open = OpenReply::new(&mut history, reply.clone(), 1000, &events);
    let calls: Vec<ToolCall> = open.calls.iter().map(|open| open.call.clone()).collect();
    // Dropping it would call `close`, which is not part of this test.
    std::mem::forget(open);
    assert_eq!(
        ids(&calls),
        ["a", "b", "c"],
        "a reply opens each of its calls, in their order"
    );
    let last = history.last();
    assert_eq!(last, Some(&Message::Assistant(reply)), "it stays as it is");
}

#[test]
fn test_ch4_dropped_reply_leaves_every_result_in_call_order() {
    let events = QueryEventSender::none();
    let mut history = vec![user("go")];
    let mut open = OpenReply::new(&mut history, reply(&["a", "b", "c"]), 1000, &events);
    // The calls finish in another order, and one not at all.
    if let [a, _, c] = &mut open.calls[..] {
        c.state = CallState::Finished(ToolResult::text("late"));
        a.state = CallState::Running;
    }
    drop(open);
    assert_eq!(
        outline(&history),
        "user, calls(a b c), result(a), result(b), result(c)",
        "the reply enters the history first, and its results when it is dropped"
    );
    let contents: Vec<&str> = history[2..].iter().map(content).collect();
    assert_eq!(
        contents,
        [
            format!("error: {CUT_OFF}"),
            format!("error: {NOT_RUN}"),
            "late".into()
        ],
        "each result follows from the state of its call"
    );
}

#[test]
fn test_ch4_dropped_future_leaves_every_result() {
    let events = QueryEventSender::none();
    let mut history = vec![user("go")];
    let work = async {
        let mut open = OpenReply::new(&mut history, reply(&["a", "b"]), 1000, &events);
        if let Some(first) = open.calls.first_mut() {
            first.state = CallState::Finished(ToolResult::text("x".repeat(5_000)));
        }
        std::future::pending::<()>().await;
    };
    // Polled once and dropped, like the slower branch of a `select!`.
    assert!(work.now_or_never().is_none());
    assert_eq!(
        outline(&history),
        "user, calls(a b), result(a), result(b)",
        "dropping a future drops the `OpenReply` that it holds, which appends the results"
    );
    let length = content(&history[2]).len();
    assert!(
        length <= 1000,
        "the limit of 1000 bytes also holds for results that are made during a drop; \
         this one has {length}"
    );
}

#[test]
fn test_ch4_running_call_is_shown_as_finished() {
    let (events, mut reader) = event_channel(8);
    let mut history = Vec::new();
    let mut open = OpenReply::new(&mut history, reply(&["a", "b", "c"]), 1000, &events);
    if let [a, b, _] = &mut open.calls[..] {
        a.state = CallState::Running;
        b.finalize(1000);
        (a.shown_as_running, b.shown_as_running) = (true, true);
    }
    drop(open);
    let received = received(&mut reader);
    assert_eq!(
        event_outline(&received),
        "finished(a) finished(b)",
        "the reader shows `a` and `b` as running, so their ends are sent, whatever their state"
    );
    let Some(QueryEvent::ToolFinished { result, .. }) = received.first() else {
        panic!("a call finished: {received:?}");
    };
    assert_eq!(
        history.get(1),
        Some(&Message::ToolResult(result.clone())),
        "the event and the history carry the same message"
    );
}

#[test]
fn test_ch4_full_channel_does_not_stop_the_results() {
    let (events, _reader) = event_channel(1);
    let mut history = Vec::new();
    let mut open = OpenReply::new(&mut history, reply(&["a", "b", "c"]), 1000, &events);
    for open in &mut open.calls {
        open.shown_as_running = true;
    }
    drop(open);
    assert_eq!(
        outline(&history),
        "calls(a b c), result(a), result(b), result(c)",
        "the channel has room for one event, but the history gets all three results"
    );
}
