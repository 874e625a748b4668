//! Requests to a model, and the bodies that it would send.

use claw_code::agent::*;
use claw_code::models::*;
use claw_code::prompt::SystemPrompt;
use claw_code::types::ToolDefinition;
use serde_json::{Value, json};

use super::support::reply;

/// A request that uses every setting.
pub struct Asked {
    pub system: SystemPrompt,
    pub messages: Vec<Message>,
    pub tools: Vec<ToolDefinition>,
    pub thinking: ThinkingLevel,
    pub cache: CacheConfig,
    pub max_tokens: Option<u64>,
}

impl Asked {
    pub fn new() -> Self {
        Self {
            system: prompt("Be brief.", "It is Friday."),
            messages: vec![Message::user("Hi.")],
            tools: vec![tool("bash"), tool("list")],
            thinking: ThinkingLevel::Off,
            cache: CacheConfig::default(),
            max_tokens: None,
        }
    }

    pub fn with<T>(&self, ask: impl FnOnce(&ModelRequest) -> T) -> T {
        let tools: Vec<&ToolDefinition> = self.tools.iter().collect();
        ask(&ModelRequest {
            system: &self.system,
            messages: &self.messages,
            tools: &tools,
            thinking: self.thinking,
            cache: self.cache,
            max_tokens: self.max_tokens,
        })
    }
}

pub fn messages(asked: &Asked) -> Value {
    let config = AnthropicConfig::new("http://127.0.0.1", "m");
    let body = asked.with(|request| messages_body(&config, request));
    body.expect("a good request")
}

pub fn responses(asked: &Asked) -> Value {
    let config = ResponsesConfig::new("http://127.0.0.1/v1", "m");
    let body = asked.with(|request| responses_body(&config, request));
    body.expect("a good request")
}

pub fn prompt(fixed: &str, rest: &str) -> SystemPrompt {
    let between = if rest.is_empty() { "" } else { "\n" };
    SystemPrompt {
        text: format!("{fixed}{between}{rest}"),
        cache_boundary: fixed.len(),
    }
}

pub fn tool(name: &'static str) -> ToolDefinition {
    ToolDefinition::new(name, "A tool.")
}

pub fn tool_json(name: &str, schema: &str) -> Value {
    let empty = json!({ "type": "object", "properties": {}, "required": [] });
    json!({ "name": name, "description": "A tool.", schema: empty })
}

pub fn with_content(content: Vec<Content>) -> Message {
    match reply("anthropic", StopReason::ToolUse) {
        Message::Assistant {
            stop_reason,
            model,
            provider,
            usage,
            timestamp,
            error_message,
            ..
        } => Message::Assistant {
            content,
            stop_reason,
            model,
            provider,
            usage,
            timestamp,
            error_message,
        },
        other => other,
    }
}
