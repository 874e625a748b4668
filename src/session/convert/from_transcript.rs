//! The messages of chapter 17 to the hub and back.

use super::HubMessage;
use crate::transcript::{AgentMessage, from_agent, to_agent};

/// A message in the hub, as chapter 17's [`to_agent`] converts it; `None` if that leaves it out.
pub fn to_hub(message: &AgentMessage) -> Option<HubMessage> {
    if let AgentMessage::System { content, timestamp } = message.known()? {
        return Some(HubMessage::Instructions {
            content: content.clone(),
            timestamp: timestamp.unwrap_or_default(),
        });
    }
    let crossing = to_agent(std::slice::from_ref(message));
    crossing.messages.into_iter().next().map(HubMessage::Agent)
}

/// A message of the hub, as chapter 17's [`from_agent`] converts it.
pub fn from_hub(message: &HubMessage) -> Option<AgentMessage> {
    match message {
        HubMessage::Instructions { content, timestamp } => Some(AgentMessage::System {
            content: content.clone(),
            timestamp: (*timestamp != 0).then_some(*timestamp),
        }),
        HubMessage::Agent(message) => {
            let crossing = from_agent(std::slice::from_ref(message));
            crossing.messages.into_iter().next()
        }
    }
}
