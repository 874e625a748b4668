//! Messages of the hub

use claw_code::agent::*;
use claw_code::session::convert::HubMessage;
use serde_json::{Value, json};

use super::support::*;
use crate::support::from_json;

pub fn instructions(content: &str, timestamp: u64) -> HubMessage {
    let content = content.to_string();
    HubMessage::Instructions { content, timestamp }
}

pub fn agent_message(message: Value) -> HubMessage {
    HubMessage::Agent(from_json::<AgentMessage>(&message))
}

pub fn user_message(text: &str, timestamp: u64) -> HubMessage {
    agent_message(json!({ "role": "user", "content": [text_block(text)], "timestamp": timestamp }))
}

pub fn tool_result(id: &str, name: &str, text: &str, is_error: bool) -> HubMessage {
    agent_message(
        json!({ "role": "toolResult", "toolCallId": id, "toolName": name,
        "content": [text_block(text)], "isError": is_error, "timestamp": 0 }),
    )
}
