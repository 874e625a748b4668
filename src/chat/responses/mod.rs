//! Conversion to and from the Responses API.

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
    /// The message as items of a request, in the order of its [blocks](Self::to_blocks):
    ///
    /// - Thinking becomes a `reasoning` item. Consecutive blocks with the same `id` become one
    ///   item with a paragraph for each. The `signature` is kept only with an `id`, since a
    ///   signature alone belongs to another API.
    ///   [Redacted](UnifiedContentBlock::Thinking::redacted) thinking belongs to another API
    ///   too and is left out.
    /// - Consecutive text, images and documents become one `message`. The first one of an
    ///   assistant has the message's `id` and `status`, if they are known. In a tool's message,
    ///   content besides the results becomes a user's `message`.
    /// - A call becomes a `function_call` with the arguments of `tool_calls` exactly as
    ///   written, or `{}` if they are blank.
    /// - A result becomes a `function_call_output`.
    ///
    /// Thinking and calls in a message that is not the model's are left out, and so is empty
    /// text. Errors are those of [`to_blocks`](Self::to_blocks).
    pub fn to_input_items(&self) -> Result<Vec<InputItem>> {
        todo!("message-to-items: write ChatMessage::to_input_items")
    }

    /// Adds a block to the last item, or as a new item. Calls and thinking of a message that is
    /// not the model's, and redacted thinking, are left out.
    fn add_block(&self, items: &mut Vec<InputItem>, block: UnifiedContentBlock) {
        let is_model = self.role == Role::Assistant;
        match block {
            UnifiedContentBlock::ToolUse { id, name, input } if is_model => {
                items.push(InputItem::FunctionCall(FunctionCallItem {
                    arguments: self.as_written(&id, &input),
                    call_id: id,
                    name,
                    status: None,
                }));
            }
            UnifiedContentBlock::ToolResult {
                tool_use_id,
                content,
                is_error,
            } => items.push(InputItem::FunctionCallOutput(FunctionCallOutput {
                call_id: tool_use_id,
                output: output(content, is_error == Some(true)),
            })),
            UnifiedContentBlock::Thinking {
                thinking,
                signature,
                encrypted_content,
                id,
                redacted: false,
            } if is_model => add_thoughts(
                items,
                reasoning_item(thinking, signature, encrypted_content, id),
            ),
            other => {
                if let Some(piece) = piece_of(other, is_model) {
                    self.add_piece(items, piece);
                }
            }
        }
    }

    /// Adds a piece to the last item if that is a message, or as a new message. The new one has
    /// this message's role, or `user` for a tool's other content. The first message item of an
    /// assistant has this message's `id` and `status`.
    fn add_piece(&self, items: &mut Vec<InputItem>, piece: InputContent) {
        todo!("message-to-items: write ChatMessage::add_piece")
    }
}

/// Converts a conversation to a request's `input`: the
/// [items](ChatMessage::to_input_items) of each message, changed as the API requires.
///
/// - An assistant's message gets an `id`, a `status` and `annotations`. A missing id becomes
///   `msg_` and the item's index in the input, from 0, in 32 hexadecimal digits, so that equal
///   conversations make equal requests. A missing status becomes `completed`. The API has no
///   `failed`, which becomes `incomplete`.
/// - Arguments that are not JSON become a JSON string.
/// - Thinking with neither `encrypted_content` nor both `signature` and `id` is left out: a
///   server that stores nothing can't recognize it by its id alone. Thinking at the end of its
///   message is left out too.
///
/// An error names the message by its index, from 0, and says what is missing.
///
/// | part of a message | in the items |
/// | --- | --- |
/// | `role` | yes |
/// | `name`, `timestamp` | no |
/// | `tool_call_id` | yes |
/// | `content` | yes, unless it is empty |
/// | `tool_calls` | yes; arguments exactly as written, if they are JSON |
/// | `reasoning` | no: it is not encrypted |
/// | `raw_content_blocks` | text, calls and results; images and documents, but an assistant's only as notes; a text document as text; a `title` only with bytes, `document` if it is missing; thinking that is encrypted or has both `signature` and `id`, and a `signature` only with an `id`; calls and thinking only of an assistant; an image's `detail`, `auto` if it is missing |
/// | `tool_metadata` | a failed run: `error: ` before its text |
/// | `id`, `status` | of an assistant's message with content |
pub fn to_input(messages: &[ChatMessage]) -> Result<Vec<InputItem>> {
    let mut input: Vec<InputItem> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let items = message.to_input_items();
        let mut items = items.map_err(|error| anyhow!("message {index}: {error}"))?;
        keep_thoughts(&mut items);
        input.extend(items);
    }
    for (place, item) in input.iter_mut().enumerate() {
        match item {
            InputItem::Message(message) if message.role == Role::Assistant => {
                complete(message, place);
            }
            InputItem::FunctionCall(call) => {
                call.arguments = json_text(std::mem::take(&mut call.arguments));
            }
            _ => {}
        }
    }
    Ok(input)
}

/// Removes the thinking that the API would reject from the items of one message.
fn keep_thoughts(items: &mut Vec<InputItem>) {
    items.retain(|item| match item {
        InputItem::Reasoning(thoughts) => {
            thoughts.encrypted_content.is_some() || thoughts.signature.is_some()
        }
        _ => true,
    });
    while let Some(InputItem::Reasoning(_)) = items.last() {
        items.pop();
    }
}

/// Sets the fields that the API requires of an assistant's message, if they are missing.
/// `place` is the item's index in the input.
fn complete(message: &mut InputMessage, place: usize) {
    message
        .id
        .get_or_insert_with(|| format!("msg_{place:032x}"));
    let status = match message.status {
        None => MessageStatus::Completed,
        Some(MessageStatus::Failed) => MessageStatus::Incomplete,
        Some(status) => status,
    };
    message.status = Some(status);
    for piece in &mut message.content {
        if let InputContent::OutputText { annotations, .. } = piece {
            annotations.get_or_insert_default();
        }
    }
}

/// A thinking block as an item, with its text as the [summary](paragraph). The signature is kept
/// only with an id: without one it comes from the Messages API, and this API rejects it.
fn reasoning_item(
    thinking: String,
    signature: Option<String>,
    encrypted_content: Option<String>,
    id: Option<String>,
) -> ReasoningItem {
    todo!("message-to-items: write reasoning_item")
}

/// A text as a summary of one paragraph, or of none if it is empty.
fn paragraph(text: String) -> Vec<ThoughtPart> {
    match text.is_empty() {
        true => Vec::new(),
        false => vec![ThoughtPart::SummaryText { text }],
    }
}

/// Adds thoughts to the last item if that has the same id, or as a new item. A later
/// `encrypted_content` or `signature` replaces an earlier one.
fn add_thoughts(items: &mut Vec<InputItem>, thoughts: ReasoningItem) {
    match items.last_mut() {
        Some(InputItem::Reasoning(last)) if thoughts.id.is_some() && last.id == thoughts.id => {
            last.summary.extend(thoughts.summary);
            last.encrypted_content = thoughts.encrypted_content.or(last.encrypted_content.take());
            last.signature = thoughts.signature.or(last.signature.take());
        }
        _ => items.push(InputItem::Reasoning(thoughts)),
    }
}

/// Text, an image or a document as a piece of a message or of a tool's result. In an
/// assistant's message, images and documents become notes.
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
