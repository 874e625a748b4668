//! Section 16.6: Slow readers

use std::time::Duration;

use claw_code::agent::*;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::support::*;

#[tokio::test(start_paused = true)]
async fn test_ch16_sink_waits_for_slow_reader() {
    let (sender, reader) = mpsc::channel(2);
    let sink = EventSink::new(sender, CancellationToken::new());
    let sending = send_numbers(sink, 50);
    assert!(
        timeout(Duration::from_secs(60), sending).await.is_err(),
        "the sink waits for its reader"
    );
    assert_eq!(
        reader.len(),
        2,
        "at most as many events wait as the channel holds"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_slow_reader_gets_each_event_once() {
    let (sender, mut reader) = mpsc::channel(2);
    let sending = send_numbers(EventSink::new(sender, CancellationToken::new()), 50);
    let reading = async {
        let mut all = Vec::new();
        while let Some(event) = reader.recv().await {
            all.push(event);
            sleep(Duration::from_secs(1)).await;
        }
        all
    };
    let ((), all) = both(sending, reading).await;
    assert_eq!(
        all,
        (0..50).map(numbered).collect::<Vec<_>>(),
        "each event arrives once and in order"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_sink_does_not_wait_after_cancel() {
    let (sink, reader) = cancelled_while_waiting().await;
    assert_eq!(reader.len(), 2, "the channel is still full");
    let finishing = tokio::spawn(sink.finish());
    drop(reader);
    within_limit(finishing)
        .await
        .expect("`finish` returns when nobody reads the rest");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_sink_loses_nothing_after_cancel() {
    let (mut sink, mut reader) = cancelled_while_waiting().await;
    for number in 0..2 {
        let event = reader.recv().await;
        assert_eq!(event, Some(numbered(number)), "the oldest event");
    }
    sink.send(numbered(6)).await;
    let waiting = reader.len();
    let finishing = tokio::spawn(sink.finish());
    let mut all = Vec::new();
    while let Some(event) = within_limit(reader.recv()).await {
        all.push(event);
    }
    assert_eq!(
        all,
        (2..7).map(numbered).collect::<Vec<_>>(),
        "after a cancel, each event still arrives once and in order, except offered ones"
    );
    assert_eq!(waiting, 2, "late events take all free places at once");
    within_limit(finishing)
        .await
        .expect("`finish` returns when all events are sent");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_dropped_reader_does_not_block_sink() {
    for is_cancelled in [false, true] {
        let (sender, reader) = mpsc::channel(1);
        let cancel = CancellationToken::new();
        let mut sink = EventSink::new(sender, cancel.clone());
        sink.send(numbered(0)).await;
        if is_cancelled {
            cancel.cancel();
            sink.send(numbered(1)).await;
        }
        drop(reader);
        within_limit(sink.send(numbered(2))).await;
        sink.offer(numbered(3));
        within_limit(sink.finish()).await;
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch16_offer_neither_waits_nor_overtakes() {
    let (sender, mut reader) = mpsc::channel(1);
    let cancel = CancellationToken::new();
    let mut sink = EventSink::new(sender, cancel.clone());
    sink.offer(numbered(0));
    sink.offer(numbered(1));
    cancel.cancel();
    sink.send(numbered(2)).await;
    let first = reader.recv().await;
    assert_eq!(first, Some(numbered(0)), "the channel had room for it");
    sink.offer(numbered(3));
    let finishing = tokio::spawn(sink.finish());
    assert_eq!(
        within_limit(reader.recv()).await,
        Some(numbered(2)),
        "an offered event does not overtake late events"
    );
    let end = within_limit(reader.recv()).await;
    assert_eq!(end, None, "an offer that finds no room is dropped");
    within_limit(finishing).await.unwrap();
}

fn numbered(number: u64) -> AgentEvent {
    AgentEvent::InputRejected {
        loop_id: "s.c.1".into(),
        reason: number.to_string(),
    }
}

/// Sends this many events.
async fn send_numbers(mut sink: EventSink, count: u64) {
    for number in 0..count {
        sink.send(numbered(number)).await;
    }
}

/// A sink that has sent six events and offered one. The third found the channel full and was
/// waiting when the cancel came.
async fn cancelled_while_waiting() -> (EventSink, mpsc::Receiver<AgentEvent>) {
    let (sender, reader) = mpsc::channel(2);
    let cancel = CancellationToken::new();
    let mut sink = EventSink::new(sender, cancel.clone());
    let canceling = async {
        sleep(Duration::from_secs(1)).await;
        cancel.cancel();
    };
    let sending = async {
        for number in 0..6 {
            sink.send(numbered(number)).await;
        }
        sink.offer(numbered(100));
    };
    both(sending, canceling).await;
    (sink, reader)
}
