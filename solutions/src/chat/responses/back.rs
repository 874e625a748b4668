//! From the Responses API back to chat messages.

use crate::chat::blocks::call_block;
use crate::chat::pieces::REFUSAL;
use crate::chat::{
    ChatMessage, OutputContent, OutputItem, ReasoningItem, Role, ThoughtPart, ToolCall,
    UnifiedContentBlock,
};

impl ChatMessage {
    /// The output of one response: an assistant's message with all that is in it, in its
    /// order, or none if nothing is. Calls belong to that message wherever they stand.
    ///
    /// `id` is that of the first message item, `status` the last one that an item has. A
    /// refusal is a text behind [`REFUSAL`]. Of each `reasoning` item the paragraphs are a
    /// thinking block each, the last of which has what is encrypted. Arguments are kept to
    /// the letter. [`skipped_items`] tells what is not taken over.
    pub fn from_output_items(items: &[OutputItem]) -> Vec<Self> {
        let mut blocks = Vec::new();
        let mut calls = Vec::new();
        let (mut id, mut status) = (None, None);
        for item in items {
            match item {
                OutputItem::Message(message) => {
                    id.get_or_insert_with(|| message.id.clone());
                    status = message.status.or(status);
                    blocks.extend(message.content.iter().map(text_block));
                }
                OutputItem::Reasoning(thoughts) => blocks.extend(thoughts.blocks()),
                OutputItem::FunctionCall(call) => {
                    status = call.status.or(status);
                    let call = ToolCall::new(&call.call_id, &call.name, &call.arguments);
                    blocks.push(call_block(&call));
                    calls.push(call);
                }
                OutputItem::Other(_) => {}
            }
        }
        if blocks.is_empty() && id.is_none() {
            return Vec::new();
        }
        let mut message = Self::from_blocks(Role::Assistant, blocks);
        message.tool_calls = (!calls.is_empty()).then_some(calls);
        vec![Self {
            id,
            status,
            ..message
        }]
    }
}

/// The types of the items that [`ChatMessage::from_output_items`] does not take over, in
/// their order.
pub fn skipped_items(items: &[OutputItem]) -> Vec<&str> {
    let others = items.iter().filter_map(|item| match item {
        OutputItem::Other(item) => item["type"].as_str(),
        _ => None,
    });
    others.collect()
}

impl ReasoningItem {
    /// The paragraphs as thinking blocks, those of the summary and then those of `content`, or
    /// one empty block where nothing is shown.
    fn blocks(&self) -> Vec<UnifiedContentBlock> {
        let parts = self.summary.iter().chain(self.content.iter().flatten());
        let texts = parts.map(|part| match part {
            ThoughtPart::SummaryText { text } | ThoughtPart::ReasoningText { text } => text.clone(),
        });
        let mut texts: Vec<String> = texts.collect();
        if texts.is_empty() {
            texts.push(String::new());
        }
        let last = texts.len() - 1;
        let blocks = texts.into_iter().enumerate();
        let blocks = blocks.map(|(place, thinking)| UnifiedContentBlock::Thinking {
            thinking,
            signature: None,
            encrypted_content: self.encrypted_content.clone().filter(|_| place == last),
            id: self.id.clone(),
            redacted: false,
        });
        blocks.collect()
    }
}

/// What the model says, as a block.
fn text_block(piece: &OutputContent) -> UnifiedContentBlock {
    let text = match piece {
        OutputContent::OutputText { text } => text.clone(),
        OutputContent::Refusal { refusal } => format!("{REFUSAL}{refusal}"),
    };
    UnifiedContentBlock::Text { text }
}
