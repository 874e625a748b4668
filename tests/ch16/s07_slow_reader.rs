//! Section 16.7: A reader who is behind

use std::time::Duration;

use claw_code::agent::*;
use tokio::sync::mpsc;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::support::*;

#[tokio::test(start_paused = true)]
async fn test_ch16_events_wait_for_a_slow_reader() {
    let (sender, mut reader) = mpsc::channel(2);
    let mut sink = EventSink::new(sender, CancellationToken::new());
    let sending = async {
        for number in 0..50 {
            sink.send(numbered(number)).await;
        }
        drop(sink);
    };
    let reading = async {
        sleep(Duration::from_secs(60)).await;
        assert_eq!(
            reader.len(),
            2,
            "no more events wait than the channel holds"
        );
        let mut all = Vec::new();
        while let Some(event) = reader.recv().await {
            all.push(event);
            sleep(Duration::from_secs(1)).await;
        }
        all
    };
    let ((), all) = in_time(async { tokio::join!(sending, reading) }).await;
    assert_eq!(
        all,
        (0..50).map(numbered).collect::<Vec<_>>(),
        "each once, in order"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_cancel_ends_the_waiting_and_loses_nothing() {
    let (sender, mut reader) = mpsc::channel(2);
    let cancel = CancellationToken::new();
    let mut sink = EventSink::new(sender, cancel.clone());
    let canceller = async {
        sleep(Duration::from_secs(1)).await;
        cancel.cancel();
    };
    let sending = async {
        // The third has no room, and waits when the cancel comes.
        for number in 0..6 {
            sink.send(numbered(number)).await;
        }
        sink.offer(numbered(100));
    };
    in_time(async { tokio::join!(sending, canceller) }).await;
    assert_eq!(reader.recv().await, Some(numbered(0)));
    sink.send(numbered(6)).await;
    let finishing = tokio::spawn(sink.finish());
    let mut all = Vec::new();
    while let Some(event) = in_time(reader.recv()).await {
        all.push(event);
    }
    assert_eq!(
        all,
        (1..7).map(numbered).collect::<Vec<_>>(),
        "after a cancel nothing waits for room, and still each event comes once and in order; only the one that was merely offered may be missed"
    );
    in_time(finishing).await.expect("it ends when all is sent");
}

#[tokio::test(start_paused = true)]
async fn test_ch16_a_reader_who_has_gone_changes_nothing() {
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
        in_time(sink.send(numbered(2))).await;
        sink.offer(numbered(3));
        in_time(sink.finish()).await;
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch16_an_offer_never_waits_nor_overtakes() {
    let (sender, mut reader) = mpsc::channel(1);
    let cancel = CancellationToken::new();
    let mut sink = EventSink::new(sender, cancel.clone());
    sink.offer(numbered(0));
    sink.offer(numbered(1));
    cancel.cancel();
    sink.send(numbered(2)).await;
    assert_eq!(
        reader.recv().await,
        Some(numbered(0)),
        "there was room for the first"
    );
    sink.offer(numbered(3));
    let finishing = tokio::spawn(sink.finish());
    assert_eq!(
        in_time(reader.recv()).await,
        Some(numbered(2)),
        "what is offered does not overtake what was kept"
    );
    assert_eq!(in_time(reader.recv()).await, None);
    in_time(finishing).await.unwrap();
}

fn numbered(number: u64) -> AgentEvent {
    AgentEvent::InputRejected {
        loop_id: "s.c.1".into(),
        reason: number.to_string(),
    }
}
