//! Section 4.8: The model request

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;

use claw_code::engine::*;
use claw_code::provider::{EventSender, Provider, ProviderError, StreamEvent};
use claw_code::types::*;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::support::*;

#[test]
fn test_ch4_definitions_are_sorted_by_name() {
    let names = [
        "read", "bash", "glob", "edit", "write", "grep", "list", "ask", "plan", "move",
    ];
    let tools = names.into_iter().map(noop_tool);
    let engine = QueryEngine::builder(ScriptedProvider::default())
        .tools(tools.fold(ToolSet::new(), ToolSet::with));
    let names: Vec<&str> = engine.definitions().iter().map(|d| d.name).collect();
    assert_eq!(
        names,
        [
            "ask", "bash", "edit", "glob", "grep", "list", "move", "plan", "read", "write"
        ],
        "sorted by name, every request repeats the beginning of the last one"
    );
}

#[test]
fn test_ch4_text_is_sent_as_it_arrives() {
    let engine = engine([ScriptedReply::text(&["Let", " ", "me look."])]);
    let (events, mut reader) = event_channel(8);
    let (reply, shown) = wait(stream_reply(&engine, &events));
    assert_eq!(
        reply.map(|reply| reply.text),
        Ok(Some("Let me look.".to_string()))
    );
    assert_eq!(shown, "Let me look.", "`shown` is the text that was sent");
    assert_eq!(
        received(&mut reader),
        [text("Let"), text(" "), text("me look.")],
        "each piece is an event, even if it is only a space"
    );
    let engine = self::engine([ScriptedReply::calls(&[("a", "t")])]);
    let (_, shown) = wait(stream_reply(&engine, &events));
    let sent = received(&mut reader);
    assert_eq!(
        (shown.as_str(), sent),
        ("", vec![]),
        "a call's arguments are not text"
    );
}

#[test]
fn test_ch4_shown_has_the_text_sent_so_far() {
    let reply = ScriptedReply::text(&["The bug ", "is in ", "line 7"]);
    let engine = engine([reply.with_pause(Duration::from_secs(10))]);
    let (events, _stalled_reader) = event_channel(1);
    let (history, mut shown) = ([user("where?")], String::new());
    let request = engine.stream_reply(&history, &events, &mut shown);
    let reply = wait(async { timeout(Duration::from_secs(25), request).await });
    assert!(reply.is_err(), "the reply takes longer than 25 seconds");
    assert_eq!(
        shown, "The bug ",
        "after 25 seconds, two pieces have arrived, and the channel has room for one: \
         `shown` is the text that was sent"
    );
}

#[test]
fn test_ch4_request_has_the_history_and_the_tools() {
    let provider = ScriptedProvider::new([ScriptedReply::text(&["Hi"])]);
    let tools = ["f", "c", "a", "e", "b", "d"].map(noop_tool);
    let tools = tools.into_iter().fold(ToolSet::new(), ToolSet::with);
    let engine = QueryEngine::builder(provider.clone()).tools(tools);
    let history = [user("hello"), says("Hi."), user("hello again")];
    let events = QueryEventSender::none();
    let reply = wait(engine.stream_reply(&history, &events, &mut String::new()));
    assert!(reply.is_ok(), "the script replies: {reply:?}");
    let requests = provider.requests();
    assert_eq!(requests.len(), 1, "one request is sent");
    assert_eq!(requests[0].messages, history, "it has the history as it is");
    let rule = "it has all tools, sorted by name";
    assert_eq!(requests[0].tools, ["a", "b", "c", "d", "e", "f"], "{rule}");
}

#[test]
fn test_ch4_usage_is_sent_once() {
    let usage = TokenUsage {
        input_tokens: 12,
        output_tokens: 3,
        ..TokenUsage::default()
    };
    let engine = engine([ScriptedReply::text(&["Hi"]).with_usage(&usage)]);
    let (events, mut reader) = event_channel(8);
    let (reply, _) = wait(stream_reply(&engine, &events));
    assert_eq!(reply.map(|reply| reply.usage), Ok(Some(usage.clone())));
    assert_eq!(
        received(&mut reader),
        [text("Hi"), QueryEvent::Usage(usage)],
        "the usage is in the stream and in the reply, and the reader gets it once"
    );
}

#[test]
fn test_ch4_dropped_reader_does_not_lose_the_reply() {
    // More pieces than any channel between the provider and the reader holds.
    let engine = engine([ScriptedReply::text(&["x"; 1000])]);
    let (events, reader) = event_channel(1);
    drop(reader);
    let mut shown = String::new();
    let history = [user("hello")];
    let reply = wait(finish_or(
        "the reply must be complete even after the reader was dropped",
        engine.stream_reply(&history, &events, &mut shown),
    ));
    assert_eq!(
        reply.map(|reply| reply.text.map(|text| text.len())),
        Ok(Some(1000))
    );
}

#[test]
fn test_ch4_slow_reader_gets_every_piece() {
    let reply = ScriptedReply::text(&["x"; 300]).with_usage(&TokenUsage::default());
    let engine = engine([reply]);
    let (sender, reader) = mpsc::channel(1);
    let reading = spawn(read_slowly(reader));
    let events = QueryEventSender::new(sender);
    let (reply, _) = wait(stream_reply(&engine, &events));
    drop(events);
    assert!(reply.is_ok());
    assert_eq!(
        wait(reading).expect("the reader does not panic").len(),
        301,
        "the request waits for the reader: no text is lost, and the usage is not either"
    );
}

#[test]
fn test_ch4_slow_reader_slows_the_provider_down() {
    let sent = Arc::new(AtomicUsize::new(0));
    let engine = QueryEngine::builder(CountingProvider(sent.clone()));
    let (events, _stalled_reader) = event_channel(1);
    let (history, mut shown) = ([user("hello")], String::new());
    let request = engine.stream_reply(&history, &events, &mut shown);
    wait(drop_after_a_second("the reader has stalled", request));
    let sent = sent.load(Ordering::SeqCst);
    assert!(
        (64..70).contains(&sent),
        "64 pieces wait between the provider and the loop, and a few more with the reader; the provider has sent {sent}"
    );
}

/// A provider that sends 1000 pieces and counts them.
struct CountingProvider(Arc<AtomicUsize>);

#[async_trait]
impl Provider for CountingProvider {
    async fn chat(
        &self,
        _: &[Message],
        _: &[&ToolDefinition],
    ) -> Result<AssistantMessage, ProviderError> {
        panic!("the request must be streamed: call `stream`");
    }

    async fn stream(
        &self,
        _: &[Message],
        _: &[&ToolDefinition],
        events: &EventSender,
    ) -> Result<AssistantMessage, ProviderError> {
        for _ in 0..1000 {
            let _ = events.send(StreamEvent::TextDelta("x".into())).await;
            self.0.fetch_add(1, Ordering::SeqCst);
        }
        Ok(reply(&[]))
    }
}

#[test]
fn test_ch4_broken_stream_is_an_error() {
    let engine = engine([ScriptedReply::fails(&["Let me "], network_error())]);
    let (events, mut reader) = event_channel(8);
    let (reply, shown) = wait(stream_reply(&engine, &events));
    assert_eq!(reply, Err(network_error()), "the provider's own error");
    let rule = "the usage is that of a complete reply, and this reply broke off";
    assert_eq!(received(&mut reader), [text("Let me ")], "{rule}");
    assert_eq!(shown, "Let me ", "`shown` has the text before the break");
}

/// The reply to a short history, and the text that was shown.
async fn stream_reply(
    engine: &QueryEngine,
    events: &QueryEventSender,
) -> (Result<AssistantMessage, ProviderError>, String) {
    let mut shown = String::new();
    let history = [user("hello")];
    let reply = finish(engine.stream_reply(&history, events, &mut shown)).await;
    (reply, shown)
}
