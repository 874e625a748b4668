//! A session that is kept, to be read: as text by people, and as lines by programs.

use super::flat::to_messages;
use super::screen::harmless;
use super::sessions::messages;
use crate::agent::{Content, Message};
use crate::chat::{ChatMessage, Role};
use crate::session::Session;

/// The conversation as text. Its messages are numbered from 1, as a search numbers them; what
/// they say is indented.
pub fn as_text(session: &Session) -> String {
    let mut text = format!(
        "Session {}, {} since {}\n",
        session.session_id,
        messages(session.messages.len()),
        session.started_at.format("%Y-%m-%d %H:%M UTC"),
    );
    for (index, message) in session.messages.iter().enumerate() {
        text += &format!("\n{} {}\n", index + 1, sender(message));
        for line in said(message).lines() {
            let line = format!("  {line}");
            text += &harmless(line.trim_end());
            text += "\n";
        }
    }
    text
}

/// The messages as they are kept, each as JSON in one line.
pub fn as_lines(session: &Session) -> serde_json::Result<String> {
    let mut text = String::new();
    for message in &session.messages {
        text += &serde_json::to_string(message)?;
        text += "\n";
    }
    Ok(text)
}

/// Who sent it, and which model or tool that was.
fn sender(message: &ChatMessage) -> String {
    let role = match message.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Developer => "developer",
        Role::Tool => "tool",
    };
    match &message.name {
        Some(name) => format!("{role} ({})", harmless(&name.replace('\n', ""))),
        None => role.to_string(),
    }
}

/// All that it says.
fn said(message: &ChatMessage) -> String {
    let parts: Vec<String> = to_messages(message)
        .iter()
        .flat_map(|message| match message {
            Message::User { content, .. }
            | Message::Assistant { content, .. }
            | Message::ToolResult { content, .. } => content,
        })
        .map(part)
        .collect();
    match parts.is_empty() {
        // Instructions, for which the agent has no message.
        true => message.content.clone().unwrap_or_default(),
        false => parts.join("\n"),
    }
}

fn part(content: &Content) -> String {
    match content {
        Content::Text { text } => text.clone(),
        Content::Thinking { thinking, .. } if thinking.is_empty() => "(thinks)".to_string(),
        Content::Thinking { thinking, .. } => format!("(thinks: {thinking})"),
        Content::Image { mime_type, .. } => format!("[a picture: {mime_type}]"),
        Content::ToolCall {
            name, arguments, ..
        } => format!("● {name} {arguments}"),
    }
}
