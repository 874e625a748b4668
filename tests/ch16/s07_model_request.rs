//! Section 16.7: One model request

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use claw_code::agent::*;
use claw_code::provider::ProviderError;
use claw_code::types::ToolSet;
use serde_json::json;
use tokio::time::{sleep, timeout};

use super::grammar;
use super::grammar::{name, text_of};
use super::support::*;

#[test]
fn test_ch16_request_has_lane_tools_and_settings() {
    let model = says(&["Yes."]);
    let tools = ["b", "a", "c"].map(|name| FnTool::text(name, ""));
    let mut agent = Agent::builder(model.clone())
        .history(vec![user_text("one"), note("two"), user_text("three")])
        .tools(tools.into_iter().fold(ToolSet::new(), ToolSet::with))
        .system(prompt_of("Be brief."))
        .thinking(ThinkingLevel::High)
        .build();
    let (reply, _) = ask(&mut agent);
    assert_eq!(text_of(&reply.into()), "Yes.", "the model's reply");
    let request = &model.requests()[0];
    let lane = ["one", "three"].map(|it| user_of(vec![text(it)]));
    assert_eq!(request.messages, lane, "the model's lane, no extension");
    let sorted = ["a", "b", "c"];
    assert_eq!(
        request.tools, sorted,
        "for a prompt cache, tools are sorted"
    );
    assert_eq!(request.system, "Be brief.", "the agent's system prompt");
    assert_eq!(request.thinking, ThinkingLevel::High, "the agent's level");
}

#[test]
fn test_ch16_updates_carry_message_so_far() {
    let (_, events) = ask_for_the_answer();
    assert_eq!(
        names(&events),
        "MessageStart MessageUpdate MessageUpdate MessageUpdate MessageUpdate",
        "`ask` does not send MessageEnd: the reply is not in the history yet"
    );
    let turn = TurnId {
        loop_id: "s.c.1".into(),
        turn_index: 0,
    };
    let mut so_far = String::new();
    for (event, word) in events.iter().zip(["", "The ", "answer ", "is ", "42."]) {
        let message = message_of(event);
        so_far.push_str(word);
        assert_eq!(text_of(message), so_far, "the message so far");
        assert_eq!(message.turn_id(), Some(&turn), "this turn's id");
        let time = to_json(message)["timestamp"].clone();
        assert_eq!(time, TIME, "the time when the request began");
    }
}

#[test]
fn test_ch16_each_delta_of_any_kind_is_sent() {
    let arguments = StreamDelta::ToolCallDelta { delta: "{}".into() };
    let deltas = [thinking("Let me "), text_delta("Look: "), arguments];
    let mut step = Step::says("Look: ");
    step.deltas = deltas.to_vec();
    let (_, events) = ask(&mut agent(&ScriptedModel::new([step])));
    let sent = events.iter().filter_map(|event| match event {
        AgentEvent::MessageUpdate { delta, .. } => Some(delta.clone()),
        _ => None,
    });
    let rule = "thinking, text and arguments each become an update, in order";
    assert_eq!(sent.collect::<Vec<_>>(), deltas, "{rule}");
}

#[test]
fn test_ch16_updates_that_are_not_read_copy_nothing() {
    let (_, events) = ask_for_the_answer();
    let mut updates = 0;
    for event in &events {
        if let AgentEvent::MessageUpdate { message, .. } = event {
            updates += 1;
            assert!(
                !message.is_copied(),
                "an update that nobody has read has no copy of the reply so far"
            );
            text_of(message);
            assert!(message.is_copied(), "reading an update makes its copy");
        }
    }
    assert_eq!(updates, 4, "there is an update for each delta");
}

#[test]
fn test_ch16_reply_without_deltas_starts_complete() {
    let mut step = Step::says("At once.");
    step.deltas.clear();
    let (reply, events) = ask(&mut agent(&ScriptedModel::new([step])));
    assert_eq!(names(&events), "MessageStart", "no delta, no update");
    let started = message_of(&events[0]).as_llm();
    assert_eq!(started, Some(&reply), "MessageStart has the complete reply");
    let time = to_json(&reply)["timestamp"].clone();
    assert_eq!(time, TIME, "the time of the agent's clock");
}

#[test]
fn test_ch16_reply_has_the_time_of_its_end() {
    let done = model_reply("Done.", &[], StopReason::Stop);
    let failure = End::Fail(ProviderError::Network("gone".into()));
    for (outcome, end) in [
        ("the reply", End::Reply(done)),
        ("an error", failure),
        ("a panic", End::Panic),
        ("another role", End::Reply(Message::user("I am no model"))),
        ("an abort", End::Never),
    ] {
        let time = Arc::new(AtomicU64::new(1));
        let clock = time.clone();
        let pause = Duration::from_secs(10);
        let step = Step::says("Done.").paused(pause).ends(end);
        let mut agent = Agent::builder(ScriptedModel::new([step]))
            .clock(Arc::new(move || clock.load(Ordering::Relaxed)))
            .build();
        abort_after(30_000, &agent);
        spawn(async move {
            sleep(Duration::from_secs(15)).await;
            time.store(2, Ordering::Relaxed);
        });
        let (reply, _) = ask(&mut agent);
        let timestamp = &to_json(&reply)["timestamp"];
        let rule = "the time when the request has ended";
        assert_eq!(timestamp, 2, "{rule}, whose outcome is {outcome}");
    }
}

#[test]
fn test_ch16_failed_request_keeps_partial_reply() {
    for (end, error) in [
        (End::Fail(ProviderError::Network("gone".into())), "gone"),
        (End::Panic, "a bug in the connection"),
        (End::Reply(Message::user("I am no model")), "no reply"),
    ] {
        let step = Step::says("The bug is in ").ends(end);
        let (reply, _) = ask(&mut agent(&ScriptedModel::new([step])));
        let Message::Assistant {
            stop_reason: StopReason::Error,
            error_message: Some(message),
            timestamp: TIME,
            ..
        } = &reply
        else {
            panic!("not a reply with an error and the time of the agent's clock: {reply:?}");
        };
        assert!(
            message.contains(error),
            "{error:?} should be in {message:?}"
        );
        assert_eq!(
            text_of(&reply.into()),
            "The bug is in ",
            "after the error {error:?}, the reply keeps the text that had arrived"
        );
    }
}

#[test]
fn test_ch16_context_overflow_is_recognizable() {
    let overflow = |text: &str| ProviderError::ContextOverflow(text.into());
    let other = ProviderError::BadRequest("no such model".into());
    for (error, is_overflow, prefixes) in [
        (overflow("prompt is too long: 9 tokens"), true, 0),
        (overflow("413 payload"), true, 1),
        (overflow("zu lang"), true, 1),
        (other, false, 0),
    ] {
        let step = Step::new(End::Fail(error));
        let (reply, _) = ask(&mut agent(&ScriptedModel::new([step])));
        assert_eq!(
            reply.is_context_overflow(),
            is_overflow,
            "is_context_overflow should recognize exactly the overflows: {reply:?}"
        );
        let json = to_json(&reply).to_string();
        assert_eq!(
            json.matches("context length exceeded").count(),
            prefixes,
            "the prefix is added only to an overflow whose text is not recognized: {reply:?}"
        );
    }
}

#[test]
fn test_ch16_abort_keeps_partial_reply() {
    let step = Step::says("one two three ")
        .paused(Duration::from_secs(10))
        .ends(End::Never);
    let mut agent = agent(&ScriptedModel::new([step]));
    abort_after(25_000, &agent);
    let (reply, events) = ask(&mut agent);
    let updates = "MessageStart MessageUpdate MessageUpdate";
    assert_eq!(names(&events), updates, "one update for each word");
    let mut expected = model_reply("one two ", &[], StopReason::Aborted);
    if let Message::Assistant {
        usage, timestamp, ..
    } = &mut expected
    {
        (*usage, *timestamp) = (Usage::default(), TIME);
    }
    assert_eq!(
        reply, expected,
        "the reply keeps the two words that had arrived, and an abort is no error"
    );
}

#[test]
fn test_ch16_kept_delta_sender_does_not_delay_the_reply() {
    let mut agent = Agent::builder(SenderKeeper::default()).build();
    let (reply, _) = in_loop(&mut agent, async |work| {
        timeout(Duration::from_secs(60), work.ask()).await
    });
    assert!(
        reply.is_ok(),
        "a task of the model still holds a sender, and the reply is complete: `ask` ends with it"
    );
}

#[test]
fn test_ch16_calls_of_a_reply_have_unique_ids() {
    let calls = [("a", "t"), ("", "t"), ("a", "t"), ("b", "t")];
    let mut reply = model_reply("", &calls, StopReason::ToolUse);
    if let Message::Assistant { content, .. } = &mut reply {
        content.push(from_json(
            &json!({ "type": "toolCall", "id": "a", "name": "t",
            "arguments": {}, "a_new_field": 1 }),
        ));
    }
    let (reply, _) = ask(&mut agent(&ScriptedModel::new([Step::reply(reply)])));
    let ids = grammar::calls(&reply.known());
    assert_eq!(
        ids.len(),
        5,
        "a call with an unknown field is a call: {ids:?}"
    );
    assert_eq!(
        (ids[0].as_str(), ids[3].as_str()),
        ("a", "b"),
        "a unique id stays unchanged"
    );
    for (at, id) in ids.iter().enumerate() {
        assert!(!id.is_empty(), "call {at} of {ids:?} has no id");
        assert!(
            !ids[..at].contains(id),
            "call {at} of {ids:?} has an earlier one's id"
        );
    }
}

/// Runs one request in a prepared loop and returns the reply and the events.
fn ask(agent: &mut Agent) -> (Message, Vec<AgentEvent>) {
    in_loop(agent, async |work| work.ask().await)
}

/// Asks a model that answers in four words.
fn ask_for_the_answer() -> (Message, Vec<AgentEvent>) {
    ask(&mut agent(&says(&["The answer is 42."])))
}

/// A model that keeps its sender, as a task of it could.
#[derive(Default)]
struct SenderKeeper(Mutex<Option<DeltaSender>>);

#[async_trait]
impl LanguageModel for SenderKeeper {
    fn provider(&self) -> &str {
        "test"
    }

    fn model(&self) -> &str {
        "m-1"
    }

    async fn stream(
        &self,
        _request: &ModelRequest<'_>,
        deltas: &DeltaSender,
    ) -> Result<Message, ProviderError> {
        *self.0.lock().unwrap() = Some(deltas.clone());
        Ok(model_reply("Done.", &[], StopReason::Stop))
    }
}

fn message_of(event: &AgentEvent) -> &AgentMessage {
    match event {
        AgentEvent::MessageStart { message, .. } => message,
        AgentEvent::MessageUpdate { message, .. } => message,
        other => panic!("a {} event has no message", name(other)),
    }
}
