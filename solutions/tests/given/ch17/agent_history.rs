//! Assertions about the conversion of an agent's history to a transcript.

use claw_code::agent;
use claw_code::transcript::*;
use serde_json::{Value, json};

use super::support::*;

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
