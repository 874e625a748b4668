//! The Responses API: a chat message as items, and items as a chat message.

mod from_wire;
mod items;

pub use from_wire::*;
pub use items::*;

use anyhow::{Result, anyhow};

use super::{
    ChatMessage, DocumentSource, MessageStatus, Role, ToolResultContent, UnifiedContentBlock,
};
use crate::chat::shared::{as_text, data_url, image_url, json_text};
use crate::chat::text_of_json;
use crate::types::result_content;

impl ChatMessage {
    /// The message as items of a request, one after the other as its
    /// [blocks](Self::to_blocks) stand:
    ///
    /// - thoughts are a `reasoning` item; blocks of one `id` that follow each other are one
    ///   item, a paragraph each. A `signature` goes with them if they have an `id`: a signature
    ///   alone is another API's. So are those that a provider has
    ///   [withheld](UnifiedContentBlock::Thinking::redacted): they are none here;
    /// - texts, images and documents that follow each other are one `message`. The first of
    ///   an assistant has the message's `id` and `status`, if they are known. What a tool's
    ///   message says beside its results is a user's;
    /// - a call is a `function_call`. Its arguments are those of `tool_calls`, to the letter,
    ///   but `{}` where these are blank;
    /// - a result is a `function_call_output`.
    ///
    /// Thoughts and calls are the model's: where somebody else's message has them, they are
    /// nothing. An empty text makes nothing, either. An error is [`to_blocks`](Self::to_blocks)'s.
    pub fn to_input_items(&self) -> Result<Vec<InputItem>> {
        todo!("19.1: write ChatMessage::to_input_items")
    }

    /// Adds what a block is: to the last item, or as one of its own.
    fn add_block(&self, items: &mut Vec<InputItem>, block: UnifiedContentBlock) {
        todo!("19.1: write ChatMessage::add_block")
    }

    fn add_piece(&self, items: &mut Vec<InputItem>, piece: InputContent) {
        todo!("19.1: write ChatMessage::add_piece")
    }
}

/// A conversation as a request's `input`: each message's
/// [items](ChatMessage::to_input_items), and what the API asks of them together.
///
/// - A message of the model's has an `id`, a `status` and `annotations`. An id that is not
///   known is `msg_` and the item's place in the input, counted from 0, in 32 hexadecimal
///   digits, so that equal conversations are equal requests. A status that is not known is
///   `completed`. `failed` is not a word of the API's: it goes as `incomplete`.
/// - Arguments that are not JSON go as a JSON string that holds them.
/// - Thoughts with neither `encrypted_content` nor a `signature` beside their `id` stay
///   behind: a server that stores nothing cannot know them by their id alone. So do thoughts
///   behind which their own message says nothing.
///
/// An error names the message, counted from 0, and says what it lacks.
///
/// | of a message | in the items |
/// | --- | --- |
/// | `role` | yes |
/// | `name`, `timestamp` | no |
/// | `tool_call_id` | yes |
/// | `content` | yes, unless it is empty |
/// | `tool_calls` | yes; arguments to the letter, if they are JSON |
/// | `reasoning` | no: nothing in it is encrypted |
/// | `raw_content_blocks` | texts, calls, results; images and documents, but of an assistant only that they were there; a document that is text as a text, and a `title` only beside bytes, `document` for none; thoughts that are encrypted or have both `signature` and `id`, and a `signature` only beside an `id`; calls and thoughts only of an assistant; an image's `detail` unless it is `None`, which goes as `auto` |
/// | `tool_metadata` | that a run failed, as `error: ` before its text |
/// | `id`, `status` | of an assistant that says something |
pub fn to_input(messages: &[ChatMessage]) -> Result<Vec<InputItem>> {
    todo!("19.3: write to_input")
}

/// Leaves out the thoughts that the API would refuse, of the items of one message.
fn keep_thoughts(items: &mut Vec<InputItem>) {
    todo!("19.3: write keep_thoughts")
}

/// Gives a message of the model's what the API asks for, as far as it lacks it.
fn complete(message: &mut InputMessage, place: usize) {
    todo!("19.3: write complete")
}

/// A text as the paragraphs of a summary: one, or none if it is empty.
fn paragraph(text: String) -> Vec<ThoughtPart> {
    match text.is_empty() {
        true => Vec::new(),
        false => vec![ThoughtPart::SummaryText { text }],
    }
}

/// Adds thoughts to the reasoning item before them, if that is the same one. Of two seals of
/// a kind the later counts.
fn add_thoughts(items: &mut Vec<InputItem>, thoughts: ReasoningItem) {
    todo!("19.1: write add_thoughts")
}

/// Text, an image or a document as a piece of a message or of a tool's answer. Of what an
/// assistant cannot have said, only that it was there.
fn piece_of(block: UnifiedContentBlock, is_assistant: bool) -> Option<InputContent> {
    if is_assistant {
        let annotations = None;
        return as_text(&block).map(|text| InputContent::OutputText { text, annotations });
    }
    Some(match block.into_known()? {
        UnifiedContentBlock::Image { source, detail } => InputContent::InputImage {
            image_url: image_url(&source),
            detail: detail.unwrap_or_else(|| "auto".to_string()),
        },
        UnifiedContentBlock::Document { source, title } => match source {
            DocumentSource::Text { data, .. } => InputContent::InputText { text: data },
            DocumentSource::Base64Pdf { media_type, data } => InputContent::InputFile {
                filename: Some(title.unwrap_or_else(|| "document".to_string())),
                file_data: Some(data_url(&media_type, &data)),
                file_url: None,
            },
            DocumentSource::UrlPdf { url } => InputContent::InputFile {
                filename: None,
                file_data: None,
                file_url: Some(url),
            },
        },
        other => InputContent::InputText {
            text: as_text(&other)?,
        },
    })
}

/// A tool's result. The API has no field for a failure, so the first text of a failed
/// call's output gets the prefix of [`result_content`].
fn output(content: ToolResultContent, is_error: bool) -> FunctionOutput {
    let blocks = match content {
        ToolResultContent::Text(text) => {
            return FunctionOutput::Text(result_content(&text, is_error));
        }
        ToolResultContent::Json(json) => {
            return FunctionOutput::Text(result_content(&text_of_json(&json), is_error));
        }
        ToolResultContent::Blocks(blocks) => blocks,
    };
    let pieces = blocks.into_iter().filter_map(|it| piece_of(it, false));
    let mut pieces: Vec<InputContent> = pieces.collect();
    match pieces.first_mut() {
        Some(InputContent::InputText { text }) => *text = result_content(text, is_error),
        _ if is_error => pieces.insert(
            0,
            InputContent::InputText {
                text: result_content("", true),
            },
        ),
        _ => {}
    }
    FunctionOutput::List(pieces)
}
