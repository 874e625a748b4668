//! Between a running agent and the chat messages: what the connections of this chapter send.

use chrono::DateTime;

use super::{
    ChatMessage, ImageSource, MessageStatus, Role, ToolResultContent, UnifiedContentBlock,
};
use crate::agent::{Content, Message, StopReason};
use crate::tools::Api;

/// An agent's history as chat messages, for a connection that speaks this API to this
/// provider.
///
/// | of a message | becomes |
/// | --- | --- |
/// | texts, images, calls | blocks, in their order |
/// | thoughts | [a block](thought_block), if `provider` is the one that thought them, otherwise nothing |
/// | `timestamp` | the same, unless it is beyond the year 262142 |
/// | `stop_reason` | `status`: `completed` for `stop` and `toolUse`, `failed` for `error`, otherwise `incomplete` |
/// | `tool_call_id`, `content`, `is_error` of a result | a `tool_result` block, whose content is a bare text if one text is all |
/// | `tool_name` | `name` |
/// | `model`, `provider`, `usage`, `error_message`, `child_loop_id` | nothing |
pub fn from_agent(messages: &[Message], api: Api, provider: &str) -> Vec<ChatMessage> {
    todo!("history-signatures: write from_agent")
}

/// What an API answered, as the content of an agent's message. Blocks that no model writes,
/// such as documents, are left out.
pub fn to_content(blocks: Vec<UnifiedContentBlock>) -> Vec<Content> {
    todo!("history-signatures: write to_content")
}

/// Before the data of thoughts that a provider has withheld.
const WITHHELD: &str = "redacted:";

/// Before the id of thoughts that have a signature, too.
const SIGNED: &str = "signed:";

/// Behind the id of thoughts, and behind the signature that follows it.
const BAR: char = '|';

/// A thinking block as an agent keeps it: text, and one string for the provider. That is
/// the signature itself, or the encrypted content, or one of
///
/// - `redacted:` and the data, of thoughts that the provider has withheld;
/// - the id, `|` always, then the encrypted content if any, of thoughts that have an id;
/// - `signed:`, the id, `|`, the signature, `|` and the encrypted content, if there is any,
///   of thoughts that have an id and a signature. There is no `|` in either of these.
///
/// [`thought_block`] reads it. `None` for any other block.
pub fn thought_content(block: UnifiedContentBlock) -> Option<Content> {
    todo!("history-signatures: write thought_content")
}

/// The block that thoughts were, for the API that they are to go back to: the other way of
/// [`thought_content`]. Only Messages knows `redacted:`, only Responses `signed:` and `|`. A
/// string without a mark that the API knows is whole the signature for Messages, and the
/// encrypted content for Responses. Chat Completions has no use for any.
pub fn thought_block(api: Api, thinking: &str, signature: Option<&str>) -> UnifiedContentBlock {
    todo!("history-signatures: write thought_block")
}

/// The blocks of a message. Thoughts of another provider's are left out: no other can know
/// its seal.
fn blocks(content: &[Content], api: Api, is_own: bool) -> Vec<UnifiedContentBlock> {
    todo!("history-signatures: write blocks")
}

fn dated(role: Role, blocks: Vec<UnifiedContentBlock>, milliseconds: u64) -> ChatMessage {
    let timestamp = i64::try_from(milliseconds).ok();
    ChatMessage {
        timestamp: timestamp.and_then(DateTime::from_timestamp_millis),
        ..ChatMessage::from_blocks(role, blocks)
    }
}

fn status(reason: StopReason) -> MessageStatus {
    todo!("history-signatures: write status")
}
