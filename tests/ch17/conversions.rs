//! Assertions about the conversion of a transcript to an agent's history.

use std::collections::BTreeSet;

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
