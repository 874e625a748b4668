//! The messages of chapter 1 to the hub and back.

use super::HubMessage;
use crate::agent::{self, Content, reply_message};
use crate::provider::wire_message;
use crate::types::{Message, StopReason, TokenUsage, result_message};

/// A message in the hub; `None` for progress, which no history holds. Times are unknown.
///
/// Chapter 16's [`reply_message`] converts a reply. An attachment becomes the text that
/// [`wire_message`] sends. A result has its bare text, as [`result_message`] returns it, and no
/// tool's name.
pub fn to_hub(message: &Message) -> Option<HubMessage> {
    todo!("types-through-hub: write to_hub")
}

/// A message of the hub, with a new id; `None` for an extension.
///
/// Chapter 16's [`to_plain`](agent::to_plain) converts it. A reply keeps its usage, too, unless
/// all counts are 0. A message that [`to_plain`](agent::to_plain) leaves out is kept without
/// text, since it goes into a file and not to a server.
pub fn from_hub(message: &HubMessage) -> Option<Message> {
    todo!("types-through-hub: write from_hub")
}
