//! Section 4.5: Results, however it ends

use claw_code::engine::*;
use claw_code::types::*;
use futures_util::FutureExt;
use tokio::sync::mpsc;

use super::support::*;

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
