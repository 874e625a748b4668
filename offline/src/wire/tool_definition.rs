//! Tool definitions. An API refuses the whole request if one of them is invalid.

use std::collections::HashSet;

use serde_json::Value;

use super::json_object::JsonObject;
use super::tool_schema::check_schema;
use super::wire_format::WireFormat;
use crate::model_request::ToolDefinition;
use crate::request_error::RequestError;

/// Reads the definition of a client's tool. Its JSON Schema is in the field `schema_field`.
pub(super) fn read_tool(
    format: WireFormat,
    tool: &JsonObject,
    schema_field: &str,
) -> Result<ToolDefinition, RequestError> {
    let name = tool.string("name")?;
    check_name(format, name).map_err(|problem| tool.error("name", problem))?;
    if tool.get("description").is_some() {
        tool.string("description")?;
    }
    let is_strict = tool.flag("strict")?;
    let schema = tool.get(schema_field);
    if let Some(schema) = schema {
        check_schema(format, schema, is_strict)
            .map_err(|problem| tool.error(schema_field, problem))?;
    } else if is_strict {
        return Err(tool.error(schema_field, "a strict tool needs a schema"));
    }
    Ok(ToolDefinition {
        name: name.into(),
        parameters: schema.cloned().unwrap_or(Value::Null),
        is_freeform: false,
        byte_len: tool.byte_len(),
    })
}

/// Reads the definition of a tool that takes text in place of JSON arguments.
pub(super) fn read_freeform_tool(
    format: WireFormat,
    tool: &JsonObject,
) -> Result<ToolDefinition, RequestError> {
    let name = tool.string("name")?;
    check_name(format, name).map_err(|problem| tool.error("name", problem))?;
    Ok(ToolDefinition {
        name: name.into(),
        parameters: Value::Null,
        is_freeform: true,
        byte_len: tool.byte_len(),
    })
}

fn check_name(format: WireFormat, name: &str) -> Result<(), String> {
    let longest = match format {
        WireFormat::ChatCompletions | WireFormat::Responses => 64,
        WireFormat::Messages => 128,
    };
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    match (1..=longest).contains(&name.len()) && name.bytes().all(is_allowed) {
        true => Ok(()),
        false => Err(format!(
            "{name:?} does not match ^[a-zA-Z0-9_-]{{1,{longest}}}$"
        )),
    }
}

/// Checks that no two tools have the same name.
pub(super) fn check_unique_names(tools: &[ToolDefinition]) -> Result<(), RequestError> {
    let mut names = HashSet::new();
    match tools.iter().find(|tool| !names.insert(&tool.name)) {
        Some(duplicate) => Err(RequestError::new(format!(
            "tools: tool names must be unique, but {:?} appears twice",
            duplicate.name
        ))),
        None => Ok(()),
    }
}
