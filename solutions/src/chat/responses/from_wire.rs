//! From the Responses API back to chat messages.

use serde_json::Value;

use crate::chat::message_blocks::call_block;
use crate::chat::shared::REFUSAL;
use crate::chat::{
    ChatMessage, OutputContent, OutputItem, ReasoningItem, Role, ThoughtPart, ToolCall,
    UnifiedContentBlock,
};

impl ChatMessage {
    /// The output of one response: an assistant's message with all that is in it, in its
    /// order, or none if nothing is. Calls belong to that message wherever they stand.
    ///
    /// `id` is that of the first message item, `status` the last one that an item has. A
    /// refusal is a text behind [`REFUSAL`]. Arguments are kept to the letter.
    ///
    /// Of each `reasoning` item the paragraphs are a thinking block each, the last of which has
    /// what is encrypted, and the signature. Which of them are the summary is not kept.
    ///
    /// Items of other types are passed over, and so are pieces and paragraphs of other types
    /// inside an item: [`skipped_items`] tells which.
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
        vec![Self {
            id,
            status,
            ..message
        }]
    }
}

/// The types of what [`ChatMessage::from_output_items`] does not take over, each in its
/// place, be it an item, a piece or a paragraph.
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
    /// The paragraphs, those of the summary and then those of `content`.
    fn parts(&self) -> impl Iterator<Item = &ThoughtPart> {
        self.summary.iter().chain(self.content.iter().flatten())
    }

    /// The [paragraphs](Self::parts) of known types as thinking blocks, or one empty block
    /// where nothing is shown. The last has what is encrypted, and the signature.
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

/// What the model says, as a block; `None` for a piece of another type.
fn text_block(piece: &OutputContent) -> Option<UnifiedContentBlock> {
    let text = match piece {
        OutputContent::OutputText { text } => text.clone(),
        OutputContent::Refusal { refusal } => format!("{REFUSAL}{refusal}"),
        OutputContent::Other(_) => return None,
    };
    Some(UnifiedContentBlock::Text { text })
}
