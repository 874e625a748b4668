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
        todo!("items-to-message: write ChatMessage::from_output_items")
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
        todo!("items-to-message: write ReasoningItem::blocks")
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
