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
    /// The provider name of both configurations.
    pub provider: &'static str,
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
            provider: "anthropic",
        }
    }

    /// A request with thinking, after this reply with a call and the call's result.
    pub fn after_call(reply: Message) -> Self {
        let result = Message::ToolResult {
            tool_call_id: "call_1".into(),
            tool_name: "bash".into(),
            content: vec![Content::Text { text: "x".into() }],
            is_error: false,
            timestamp: 0,
            child_loop_id: None,
        };
        Self {
            messages: vec![Message::user("Hi."), reply, result],
            thinking: ThinkingLevel::Low,
            ..Self::new()
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
    let mut config = AnthropicConfig::new("http://127.0.0.1", "m");
    config.provider = asked.provider.to_string();
    let body = asked.with(|request| messages_body(&config, request));
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

/// The JSON pointers of all parts of `body` that have `cache_control`.
pub fn cached_parts(body: &Value) -> Vec<String> {
    fn visit(value: &Value, pointer: &str, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                if let Some(control) = fields.get("cache_control") {
                    assert_eq!(*control, json!({ "type": "ephemeral" }), "at {pointer}");
                    found.push(pointer.to_string());
                }
                for (name, field) in fields {
                    visit(field, &format!("{pointer}/{name}"), found);
                }
            }
            Value::Array(elements) => {
                for (index, element) in elements.iter().enumerate() {
                    visit(element, &format!("{pointer}/{index}"), found);
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    visit(body, "", &mut found);
    found
}

/// A reply with this content.
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
