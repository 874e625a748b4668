//! Section 4.3: Events and progress

use std::time::Duration;

use claw_code::engine::*;
use serde_json::json;
use tokio::time::{sleep, timeout};

use super::support::*;

#[test]
fn test_ch4_send_waits_for_a_slow_reader() {
    let (events, mut reader) = event_channel(1);
    wait(events.send(text("one")));
    let waiting =
        wait(async { timeout(Duration::from_secs(1800), events.send(text("two"))).await });
    assert!(
        waiting.is_err(),
        "the channel has room for one event: the second waits until there is room"
    );
    assert_eq!(
        wait(reader.recv()),
        Some(text("one")),
        "no event is replaced"
    );
    wait(events.send(text("three")));
    assert_eq!(wait(reader.recv()), Some(text("three")));
}

#[test]
fn test_ch4_events_without_a_reader_are_discarded() {
    let (without_reader, reader) = event_channel(1);
    drop(reader);
    for events in [without_reader, QueryEventSender::none()] {
        wait(async {
            events.send(text("one")).await;
            events.send(text("two")).await;
        });
        events.offer(text("three"));
    }
}

#[test]
fn test_ch4_offer_never_waits() {
    let (events, mut reader) = event_channel(1);
    let received = wait(async {
        events.offer(text("one"));
        events.offer(text("two"));
        let first = received(&mut reader);
        sleep(Duration::from_secs(1)).await;
        [first, received(&mut reader)].concat()
    });
    assert_eq!(
        received,
        [text("one")],
        "the channel has room for the first event, and the second is dropped, even if there is room later"
    );
}

#[test]
fn test_ch4_report_becomes_progress_of_its_call() {
    let (events, mut reader) = event_channel(8);
    let reporter = events.reporter("call_7");
    assert_eq!(reporter.call_id(), "call_7");
    let value = wait(reporter.during(async {
        report("halfway");
        report(json!({ "line": 3 }));
        "done"
    }));
    assert_eq!(value, "done", "`during` returns the work's output");
    assert_eq!(
        received(&mut reader),
        [
            progress("call_7", "halfway"),
            progress("call_7", json!({ "line": 3 }))
        ],
        "each report is a progress event with the id of the running call"
    );
}

#[test]
fn test_ch4_concurrent_calls_have_their_own_reporters() {
    let (events, mut reader) = event_channel(8);
    let work = |name: &'static str| {
        events.reporter(name).during(async move {
            sleep(Duration::from_secs(1)).await;
            report(name);
        })
    };
    wait(async { tokio::join!(work("a"), work("b")) });
    let received = received(&mut reader);
    for name in ["a", "b"] {
        assert!(
            received.contains(&progress(name, name)),
            "two calls that run at the same time each have their own reporter: {received:?}"
        );
    }
}

#[test]
fn test_ch4_reporter_can_be_moved_into_a_task() {
    let (events, mut reader) = event_channel(8);
    let work = async {
        let reporter = Reporter::current().expect("there is a reporter inside a call");
        let task = spawn(async move {
            let is_missing = Reporter::current().is_none();
            reporter.report("from a task");
            is_missing
        });
        task.await.expect("the task does not panic")
    };
    let is_missing = wait(events.reporter("a").during(work));
    assert!(is_missing, "a spawned task has no current reporter");
    assert_eq!(received(&mut reader), [progress("a", "from a task")]);
}

#[test]
fn test_ch4_reporter_reports_for_its_own_call() {
    let (events, mut reader) = event_channel(8);
    let (a, b) = (events.reporter("a"), events.reporter("b"));
    let inside_a = async {
        b.report(1);
        b.clone().during(async { report(2) }).await;
        report(3);
    };
    wait(a.during(inside_a));
    assert_eq!(
        received(&mut reader),
        [progress("b", 1), progress("b", 2), progress("a", 3)],
        "`b` reports for `b` while `a` is current, and is itself current during its work"
    );
}

#[test]
fn test_ch4_report_outside_a_call_does_nothing() {
    report("there is no reader");
    assert!(Reporter::current().is_none(), "no call runs here");
}
