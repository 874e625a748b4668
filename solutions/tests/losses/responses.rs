//! Reads a request to the Responses API, as its server does. The course itself reads only
//! replies; the user's messages and the tools' results are read here.

use claw_code_solutions::chat::{
    ChatMessage, DocumentSource, FunctionOutput, ImageSource, InputContent, InputItem, OutputItem,
    Role, ToolResultContent, UnifiedContentBlock,
};

/// The messages of a request's `input`. Consecutive items of the model are one reply, and each
/// other item is one message.
pub fn read_input(input: &[InputItem]) -> Vec<ChatMessage> {
    let mut messages = Vec::new();
    for items in input.chunk_by(|one, other| is_of_model(one) && is_of_model(other)) {
        match items {
            [InputItem::FunctionCallOutput(result)] => {
                let block = UnifiedContentBlock::ToolResult {
                    tool_use_id: result.call_id.clone(),
                    content: match &result.output {
                        FunctionOutput::Text(text) => ToolResultContent::Text(text.clone()),
                        FunctionOutput::List(pieces) => ToolResultContent::Blocks(blocks(pieces)),
                    },
                    is_error: None,
                };
                messages.push(ChatMessage::from_blocks(Role::Tool, vec![block]));
            }
            [InputItem::Message(message)] if message.role != Role::Assistant => {
                messages.push(ChatMessage::from_blocks(
                    message.role,
                    blocks(&message.content),
                ));
            }
            reply => messages.extend(ChatMessage::from_output_items(&as_output(reply))),
        }
    }
    messages
}

fn is_of_model(item: &InputItem) -> bool {
    match item {
        InputItem::Message(message) => message.role == Role::Assistant,
        InputItem::Reasoning(_) | InputItem::FunctionCall(_) => true,
        InputItem::FunctionCallOutput(_) => false,
    }
}

/// The items of a reply. Their JSON is the same in a request and in a response.
fn as_output(items: &[InputItem]) -> Vec<OutputItem> {
    let items = serde_json::to_value(items).expect("JSON");
    serde_json::from_value(items).expect("a model's items")
}

fn blocks(pieces: &[InputContent]) -> Vec<UnifiedContentBlock> {
    pieces.iter().map(block).collect()
}

fn block(piece: &InputContent) -> UnifiedContentBlock {
    match piece {
        InputContent::InputText { text } | InputContent::OutputText { text, .. } => {
            UnifiedContentBlock::Text { text: text.clone() }
        }
        InputContent::InputImage { image_url, detail } => UnifiedContentBlock::Image {
            source: match bytes(image_url) {
                Some((media_type, data)) => ImageSource::Base64 { media_type, data },
                None => ImageSource::Url {
                    url: image_url.clone(),
                },
            },
            detail: Some(detail.clone()),
        },
        InputContent::InputFile {
            filename,
            file_data,
            file_url,
        } => UnifiedContentBlock::Document {
            source: match (file_data.as_deref().and_then(bytes), file_url) {
                (Some((media_type, data)), _) => DocumentSource::Base64Pdf { media_type, data },
                (None, Some(url)) => DocumentSource::UrlPdf { url: url.clone() },
                (None, None) => panic!("a file with neither bytes nor an address: {piece:?}"),
            },
            title: filename.clone(),
        },
    }
}

/// The type and the bytes of a `data:` URL.
fn bytes(url: &str) -> Option<(String, String)> {
    let (media_type, data) = url.strip_prefix("data:")?.split_once(";base64,")?;
    Some((media_type.to_string(), data.to_string()))
}
