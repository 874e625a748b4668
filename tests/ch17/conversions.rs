//! Assertions about conversions between a transcript and an agent's history.

use std::collections::BTreeSet;

use claw_code::agent;
use claw_code::transcript::*;
use serde_json::{Value, json};

use super::support::*;

/// Asserts what `to_agent` makes of a transcript, without losses.
#[track_caller]
pub fn assert_converted(why: &str, transcript: &[AgentMessage], expected: Value) {
    let conversion = to_agent(transcript);
    assert_json(why, &to_json(&conversion.messages), &expected);
    assert_eq!(conversion.losses, [], "nothing is lost");
}

/// Asserts that `entry` loses just these, each once and with the entry's index.
#[track_caller]
pub fn assert_lost_to_agent(entry: AgentMessage, expected: &[&str]) {
    let losses = to_agent(&[user_entry("before"), entry.clone()]).losses;
    let found: BTreeSet<&str> = losses.iter().map(|loss| loss.what.as_str()).collect();
    assert_eq!(
        found,
        expected.iter().copied().collect(),
        "what an agent's history can't hold is a loss: {entry:?}"
    );
    assert_eq!(
        losses.len(),
        expected.len(),
        "each loss is listed once: {losses:?}"
    );
    assert!(
        losses.iter().all(|loss| loss.message == 1),
        "the entry with the loss has the index 1: {losses:?}"
    );
}

/// Asserts that an agent's message is converted and loses just these, each once.
#[track_caller]
pub fn assert_lost_from_agent(message: Value, expected: &[&str]) {
    let conversion = from_agent(&[from_json::<agent::AgentMessage>(&message)]);
    let losses = conversion.losses;
    let found: BTreeSet<&str> = losses.iter().map(|loss| loss.what.as_str()).collect();
    assert_eq!(
        found,
        expected.iter().copied().collect(),
        "what a transcript can't hold is a loss: {message}"
    );
    assert_eq!(
        losses.len(),
        expected.len(),
        "each loss is listed once: {losses:?}"
    );
    assert_eq!(
        conversion.messages.len(),
        1,
        "the message itself is converted: {message}"
    );
}

/// Asserts that `from_agent` makes `transcript` from the JSON of an agent's history, that
/// `to_agent` converts it back, and that nothing is lost either way.
#[track_caller]
pub fn assert_round_trip_with_agent(transcript: &[AgentMessage], history: Value) {
    // From JSON, so that the first assertion does not depend on `to_agent`.
    let history: Vec<agent::AgentMessage> = from_json(&history);
    let back = from_agent(&history);
    assert_json(
        "what both vocabularies can hold comes back unchanged",
        &to_json(&back.messages),
        &to_json(&transcript),
    );
    assert_eq!(back.losses, [], "from_agent loses nothing");
    let conversion = to_agent(transcript);
    assert_json(
        "to_agent converts the transcript to the same history",
        &to_json(&conversion.messages),
        &to_json(&history),
    );
    assert_eq!(conversion.losses, [], "to_agent loses nothing");
}

/// A reply of an agent with this content and no other data.
pub fn agent_reply(content: Value) -> Value {
    json!({ "role": "assistant", "timestamp": 0, "stopReason": "stop", "model": "",
        "provider": "", "usage": { "input": 0, "output": 0 }, "content": content })
}

/// What a conversion lost, in order.
pub fn lost<T>(conversion: &Conversion<T>) -> Vec<&str> {
    let losses = conversion.losses.iter();
    losses.map(|loss| loss.what.as_str()).collect()
}

/// A text with an unknown field, and a block of an unknown type.
pub fn unknown_blocks() -> Value {
    json!([{ "type": "text", "text": "Hi.", "citations": [] }, { "type": "audio" }])
}

/// Asserts that `to_agent` loses only the unknown parts of an entry with the unknown field
/// `color` and the content [`unknown_blocks`].
#[track_caller]
pub fn assert_unknown_is_lost_to_agent(known: AgentMessage, entry: Value) {
    assert_eq!(
        lost(&to_agent(&[known])),
        [""; 0],
        "a known block loses nothing"
    );
    let conversion = to_agent(&[from_json(&entry)]);
    assert_eq!(
        lost(&conversion),
        ["color", "citations", "audio"],
        "an unknown field is in the list with its name, and an unknown block with its type"
    );
    assert_json(
        "known content is converted",
        &to_json(&conversion.messages)[0]["content"],
        &json!([{ "type": "text", "text": "Hi." }]),
    );
}
