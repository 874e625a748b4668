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
        todo!("19.2: write ChatMessage::from_output_items")
    }
}

/// The types of what [`ChatMessage::from_output_items`] does not take over, each in its
/// place, be it an item, a piece or a paragraph.
pub fn skipped_items(items: &[OutputItem]) -> Vec<&str> {
    todo!("19.2: write skipped_items")
}

impl ReasoningItem {
    /// The paragraphs, those of the summary and then those of `content`.
    fn parts(&self) -> impl Iterator<Item = &ThoughtPart> {
        self.summary.iter().chain(self.content.iter().flatten())
    }

    /// The [paragraphs](Self::parts) of known types as thinking blocks, or one empty block
    /// where nothing is shown. The last has what is encrypted, and the signature.
    fn blocks(&self) -> Vec<UnifiedContentBlock> {
        todo!("19.2: write ReasoningItem::blocks")
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
