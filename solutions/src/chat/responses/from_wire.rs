//! Converts items of the Responses API to chat messages.

use serde_json::Value;

use crate::chat::message_blocks::call_block;
use crate::chat::shared::REFUSAL;
use crate::chat::{
    ChatMessage, OutputContent, OutputItem, ReasoningItem, Role, ThoughtPart, ToolCall,
    UnifiedContentBlock,
};

impl ChatMessage {
    /// Converts the output of one response to one assistant's message with all its content in
    /// order, or to no message if there is neither content nor a message item.
    ///
    /// `id` is that of the first message item, `status` the last one that an item has. A
    /// refusal becomes text with the prefix [`REFUSAL`]. Arguments stay exactly as written.
    ///
    /// Each paragraph of a `reasoning` item becomes a thinking block. The last of them gets the
    /// encrypted content and the signature. Which ones were the summary is lost.
    ///
    /// Items of unknown types are left out, and so are pieces and paragraphs of unknown types
    /// inside an item; [`skipped_items`] lists them.
    pub fn from_output_items(items: &[OutputItem]) -> Vec<Self> {
        let mut blocks = Vec::new();
        let mut calls = Vec::new();
        let (mut id, mut status) = (None, None);
        for item in items {
            match item {
                OutputItem::Message(message) => {
                    id.get_or_insert_with(|| message.id.clone());
                    status = message.status.or(status);
                    blocks.extend(message.content.iter().filter_map(text_block));
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
        message.id = id;
        message.status = status;
        vec![message]
    }
}

/// The types of the items, pieces and paragraphs that [`ChatMessage::from_output_items`] leaves
/// out, in order.
pub fn skipped_items(items: &[OutputItem]) -> Vec<&str> {
    let unknown = items.iter().flat_map(|item| -> Vec<&Value> {
        match item {
            OutputItem::Message(message) => {
                let pieces = message.content.iter();
                pieces.filter_map(OutputContent::unknown).collect()
            }
            OutputItem::Reasoning(thoughts) => {
                thoughts.parts().filter_map(ThoughtPart::unknown).collect()
            }
            OutputItem::FunctionCall(_) => Vec::new(),
            OutputItem::Other(item) => vec![item],
        }
    });
    unknown.filter_map(|it| it["type"].as_str()).collect()
}

impl ReasoningItem {
    /// The paragraphs of the summary, then those of `content`.
    fn parts(&self) -> impl Iterator<Item = &ThoughtPart> {
        self.summary.iter().chain(self.content.iter().flatten())
    }

    /// The [paragraphs](Self::parts) of known types as thinking blocks, or one empty block if
    /// there are none. The last block has the encrypted content and the signature.
    fn blocks(&self) -> Vec<UnifiedContentBlock> {
        let texts = self.parts().filter_map(|part| match part {
            ThoughtPart::SummaryText { text } | ThoughtPart::ReasoningText { text } => {
                Some(text.clone())
            }
            ThoughtPart::Other(_) => None,
        });
        let mut texts: Vec<String> = texts.collect();
        if texts.is_empty() {
            texts.push(String::new());
        }
        let last = texts.len() - 1;
        let blocks = texts.into_iter().enumerate();
        let blocks = blocks.map(|(place, thinking)| UnifiedContentBlock::Thinking {
            thinking,
            signature: self.signature.clone().filter(|_| place == last),
            encrypted_content: self.encrypted_content.clone().filter(|_| place == last),
            id: self.id.clone(),
            redacted: false,
        });
        blocks.collect()
    }
}

/// A piece of the model's message as a block; `None` for an unknown type.
fn text_block(piece: &OutputContent) -> Option<UnifiedContentBlock> {
    let text = match piece {
        OutputContent::OutputText { text } => text.clone(),
        OutputContent::Refusal { refusal } => format!("{REFUSAL}{refusal}"),
        OutputContent::Other(_) => return None,
    };
    Some(UnifiedContentBlock::Text { text })
}
