//! Section 4.4: Events and progress

use std::time::Duration;

use claw_code::engine::*;
use serde_json::json;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

use super::support::*;

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
