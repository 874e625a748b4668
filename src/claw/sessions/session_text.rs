//! A stored session as text for people and as JSON Lines for programs.

use crate::chat::{
    ChatMessage, DocumentSource, ImageSource, Role, ToolResultContent, UnifiedContentBlock,
    text_of_json,
};
use crate::claw::safe_text::without_control_chars;
use crate::session::Session;
use crate::types::result_content;

/// The session as text: a heading, then each message with its number, counted from 1 as in a
/// search, its sender, and its indented content.
pub fn to_text(session: &Session) -> String {
    let mut text = format!(
        "Session {}, {} since {}\n",
        session.session_id,
        message_count(session.messages.len()),
        session.started_at.format("%Y-%m-%d %H:%M UTC"),
    );
    for (index, message) in session.messages.iter().enumerate() {
        text += &format!("\n{} {}\n", index + 1, sender(message));
        for line in message_text(message).lines() {
            let line = format!("  {line}");
            text += &without_control_chars(line.trim_end());
            text += "\n";
        }
    }
    text
}

/// The messages as they are stored, each as JSON on one line.
pub fn to_json_lines(session: &Session) -> serde_json::Result<String> {
    let mut text = String::new();
    for message in &session.messages {
        text += &serde_json::to_string(message)?;
        text += "\n";
    }
    Ok(text)
}

/// Such as `1 message` or `4 messages`.
pub fn message_count(count: usize) -> String {
    match count {
        1 => "1 message".to_string(),
        _ => format!("{count} messages"),
    }
}

/// The role and, where it is known, the model or the tool.
fn sender(message: &ChatMessage) -> String {
    let role = match message.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Developer => "developer",
        Role::Tool => "tool",
    };
    match &message.name {
        Some(name) => format!(
            "{role} ({})",
            without_control_chars(&name.replace('\n', ""))
        ),
        None => role.to_string(),
    }
}

fn message_text(message: &ChatMessage) -> String {
    match message.to_blocks() {
        Ok(blocks) => blocks_text(&blocks),
        // A tool's result that lacks the id of its call.
        Err(_) => message.content.clone().unwrap_or_default(),
    }
}

fn blocks_text(blocks: &[UnifiedContentBlock]) -> String {
    let texts: Vec<String> = blocks.iter().map(block_text).collect();
    texts.join("\n")
}

fn block_text(block: &UnifiedContentBlock) -> String {
    match block {
        UnifiedContentBlock::Other(unknown) => match &unknown.known {
            Some(known) => block_text(known),
            None => format!("[{}]", unknown.names().join(", ")),
        },
        UnifiedContentBlock::Text { text } => text.clone(),
        UnifiedContentBlock::Thinking { thinking, .. } if thinking.is_empty() => {
            "(thinking)".to_string()
        }
        UnifiedContentBlock::Thinking { thinking, .. } => format!("(thinking: {thinking})"),
        UnifiedContentBlock::ToolUse { name, input, .. } => format!("● {name} {input}"),
        UnifiedContentBlock::ToolResult {
            content, is_error, ..
        } => {
            let text = match content {
                ToolResultContent::Text(text) => text,
                ToolResultContent::Blocks(blocks) => &blocks_text(blocks),
                ToolResultContent::Json(json) => &text_of_json(json),
            };
            result_content(text, *is_error == Some(true))
        }
        UnifiedContentBlock::Image { source, .. } => match source {
            ImageSource::Base64 { media_type, .. } => format!("[image: {media_type}]"),
            ImageSource::Url { url } => format!("[image: {url}]"),
        },
        UnifiedContentBlock::Document { source, title } => match source {
            DocumentSource::Text { data, .. } => data.clone(),
            DocumentSource::UrlPdf { url } => format!("[document: {url}]"),
            DocumentSource::Base64Pdf { media_type, .. } => {
                format!("[document: {}]", title.as_ref().unwrap_or(media_type))
            }
        },
    }
}
