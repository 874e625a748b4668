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
        todo!("19.2: write ChatMessage::from_output_items")
    }
}

/// The types of the items that [`ChatMessage::from_output_items`] does not take over, in
/// their order.
pub fn skipped_items(items: &[OutputItem]) -> Vec<&str> {
    todo!("19.2: write skipped_items")
}

impl ReasoningItem {
    /// The paragraphs as thinking blocks, those of the summary and then those of `content`, or
    /// one empty block where nothing is shown.
    fn blocks(&self) -> Vec<UnifiedContentBlock> {
        todo!("19.2: write ReasoningItem::blocks")
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
