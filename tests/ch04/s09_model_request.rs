//! Section 4.9: One request

use std::time::Duration;

use claw_code::engine::*;
use claw_code::types::*;
use tokio::sync::mpsc;
use tokio::time::sleep;

use super::support::*;

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
