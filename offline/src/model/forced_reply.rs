//! Replies whose form the request forces: a call of a tool, or JSON.

use serde_json::Value;

use super::exchange::{Exchange, next_call_number};
use super::schema_sample::sample;
use crate::model_request::ModelRequest;
use crate::reply::{Reply, ToolCall};
use crate::reply_settings::{JsonFormat, ToolChoice};

/// The reply in the form that the request asks for. A reply that lacks a required call
/// becomes a call whose arguments fit the tool's schema. A final reply becomes JSON that
/// contains its text.
pub(super) fn force(reply: Reply, exchange: &Exchange, request: &ModelRequest) -> Reply {
    let settings = &request.settings;
    let is_tool = |name: &str| match &settings.tool_choice {
        ToolChoice::Auto | ToolChoice::None => false,
        ToolChoice::Required => true,
        ToolChoice::Tool(wanted) => name == wanted,
    };
    if reply.calls.is_empty()
        && let Some(tool) = request.tools.iter().find(|tool| is_tool(&tool.name))
    {
        let number = next_call_number(&request.turns);
        let arguments = match &tool.parameters {
            _ if tool.is_freeform => exchange.prompt.clone(),
            Value::Null => "{}".into(),
            schema => sample(schema, &exchange.prompt).to_string(),
        };
        return Reply {
            calls: vec![ToolCall {
                id: format!("call_{number}"),
                name: tool.name.clone(),
                arguments,
                is_freeform: tool.is_freeform,
            }],
            ..Reply::empty()
        };
    }
    match &settings.json_format {
        None => reply,
        // Text before a call would not be JSON.
        Some(_) if !reply.calls.is_empty() => Reply {
            pieces: None,
            ..reply
        },
        Some(format) => Reply::text(json_text(format, &reply.full_text().unwrap_or_default())),
    }
}

fn json_text(format: &JsonFormat, text: &str) -> String {
    let value = match format {
        JsonFormat::Object => serde_json::json!({ "text": text }),
        JsonFormat::Schema(schema) => sample(schema, text),
    };
    value.to_string()
}
