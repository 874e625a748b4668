//! Reads a Responses request.

use serde_json::Value;

use super::reply_settings::{echoed_fields, read_settings};
use crate::conversation::Turn;
use crate::model_request::{ModelRequest, ToolDefinition};
use crate::reply::ToolCall;
use crate::request_error::RequestError;
use crate::thought::{ReturnedThought, Thought};
use crate::wire::content::read_content;
use crate::wire::json_object::JsonObject;
use crate::wire::request_body::RequestBody;
use crate::wire::tool_definition::{read_freeform_tool, read_tool};
use crate::wire::tool_status::read_tool_result;
use crate::wire::wire_format::WireFormat;

/// Reads the body of a request.
pub(crate) fn read_request(request: &RequestBody) -> Result<ModelRequest, RequestError> {
    let body = JsonObject::body(&request.json)?;
    if body.get("previous_response_id").is_some() {
        body.string("previous_response_id")?;
    }
    if body.get("conversation").is_some() {
        return Err(body.error(
            "conversation",
            "this server has no conversations: use previous_response_id",
        ));
    }
    let mut turns = Vec::new();
    let mut thoughts = Vec::new();
    if body.get("instructions").is_some() {
        turns.push(Turn::System(body.string("instructions")?.into()));
    }
    let mut items = JsonObject::list(&request.history, "previous_response_id")?;
    let is_text = body.require("input")?.is_string();
    if !is_text {
        let input = body.objects("input")?;
        if input.is_empty() {
            return Err(body.error("input", "expected at least one item"));
        }
        items.extend(input);
    }
    for (index, item) in items.iter().enumerate() {
        thoughts.extend(read_thought(item, items.get(index + 1))?);
        read_item(item, &mut turns)?;
    }
    if is_text {
        turns.push(Turn::User(read_content(&body, "input")?));
    }
    let tools = read_tools(&body)?;
    Ok(ModelRequest {
        model: body.string("model")?.into(),
        settings: read_settings(&body, &turns, &tools)?,
        turns,
        tools,
        is_stream: body.flag("stream")?,
        wants_usage: true,
        wants_thinking: wants_thinking(&body)?,
        thoughts,
        choices: 1,
        is_stored: body.get("store").is_none() || body.flag("store")?,
        echo: echoed_fields(&body),
        digest: request.digest,
    })
}

/// Whether the request asks for thinking, which it does unless the effort is `none` or
/// `minimal`.
fn wants_thinking(body: &JsonObject) -> Result<bool, RequestError> {
    if body.get("reasoning").is_none() {
        return Ok(false);
    }
    let reasoning = body.object("reasoning")?;
    Ok(match reasoning.get("effort") {
        None => true,
        Some(_) => !matches!(reasoning.string("effort")?, "none" | "minimal"),
    })
}

/// Reads the thought in an item, if it is a reasoning item. The next item must be what the
/// thought led to. A thought without encrypted content has nothing to check.
fn read_thought(
    item: &JsonObject,
    next: Option<&JsonObject>,
) -> Result<Option<ReturnedThought>, RequestError> {
    if item_type(item)? != "reasoning" {
        return Ok(None);
    }
    let summary = item.objects("summary")?;
    let summary: Vec<&str> = summary
        .iter()
        .filter_map(|part| part.get("text")?.as_str())
        .collect();
    let next = next.map(item_type).transpose()?;
    if !matches!(
        next,
        Some("reasoning" | "message" | "function_call" | "custom_tool_call")
    ) {
        return Err(item.error("type", "a reasoning item needs the item that follows it"));
    }
    Ok(item
        .get("encrypted_content")
        .map(|encrypted| ReturnedThought {
            path: item.path("encrypted_content"),
            thought: Thought::Reasoning {
                text: summary.concat(),
                encrypted: encrypted.as_str().unwrap_or_default().into(),
                id: item.get("id").and_then(Value::as_str).map(String::from),
            },
        }))
}

/// Adds an item to the turns. In this format the text of an assistant turn and its calls
/// are separate items.
fn read_item(item: &JsonObject, turns: &mut Vec<Turn>) -> Result<(), RequestError> {
    match item_type(item)? {
        "message" => read_message(item, turns)?,
        "function_call" => last_assistant(turns).1.push(ToolCall {
            id: item.string("call_id")?.into(),
            name: item.string("name")?.into(),
            arguments: item.string("arguments")?.into(),
            is_freeform: false,
        }),
        "custom_tool_call" => last_assistant(turns).1.push(ToolCall {
            id: item.string("call_id")?.into(),
            name: item.string("name")?.into(),
            arguments: item.string("input")?.into(),
            is_freeform: true,
        }),
        "function_call_output" | "custom_tool_call_output" => {
            let content = read_content(item, "output")?;
            let result = read_tool_result(turns, item.string("call_id")?, content);
            turns.push(Turn::ToolResult(result));
        }
        // `read_thought` reads these.
        "reasoning" => {}
        // The rules cannot call the tools that a client adds in this way.
        "additional_tools" => {}
        other => {
            let problem = format!(
                "expected message, reasoning, item_reference, a function call or a custom tool call, or the output of one, not {other:?}"
            );
            return Err(item.error("type", problem));
        }
    }
    Ok(())
}

/// The type of an item. An item without one is a message.
fn item_type<'a>(item: &JsonObject<'a>) -> Result<&'a str, RequestError> {
    match item.get("type") {
        None => Ok("message"),
        Some(_) => item.string("type"),
    }
}

fn read_message(message: &JsonObject, turns: &mut Vec<Turn>) -> Result<(), RequestError> {
    message.require("content")?;
    let content = read_content(message, "content")?;
    check_part_types(message)?;
    match message.string("role")? {
        "system" | "developer" => turns.push(Turn::System(content.text)),
        "user" => turns.push(Turn::User(content)),
        "assistant" => last_assistant(turns).0.push_str(&content.text),
        other => {
            let problem = format!("expected system, developer, user or assistant, not {other:?}");
            return Err(message.error("role", problem));
        }
    }
    Ok(())
}

/// Checks that only assistant messages have the part types `output_text` and `refusal`, and
/// that they have no others.
fn check_part_types(message: &JsonObject) -> Result<(), RequestError> {
    if !message.require("content")?.is_array() {
        return Ok(());
    }
    let role = message.string("role")?;
    for part in message.objects("content")? {
        let kind = part.string("type")?;
        if matches!(kind, "output_text" | "refusal") != (role == "assistant") {
            let problem = format!("a message with role {role:?} cannot have a part {kind:?}");
            return Err(part.error("type", problem));
        }
    }
    Ok(())
}

/// The text and the calls of the last turn, after adding an assistant turn if the last one
/// has another role.
fn last_assistant(turns: &mut Vec<Turn>) -> (&mut String, &mut Vec<ToolCall>) {
    if !matches!(turns.last(), Some(Turn::Assistant { .. })) {
        turns.push(Turn::Assistant {
            text: String::new(),
            calls: Vec::new(),
        });
    }
    match turns.last_mut() {
        Some(Turn::Assistant { text, calls }) => (text, calls),
        _ => unreachable!("the last turn is an assistant turn"),
    }
}

/// Reads the tool definitions. The rules can only call functions and custom tools, so it skips
/// all others.
fn read_tools(body: &JsonObject) -> Result<Vec<ToolDefinition>, RequestError> {
    let mut tools = Vec::new();
    for tool in body.objects_or_empty("tools")? {
        match tool.string("type")? {
            "function" => tools.push(read_tool(WireFormat::Responses, &tool, "parameters")?),
            "custom" => tools.push(read_freeform_tool(WireFormat::Responses, &tool)?),
            _ => {}
        }
    }
    Ok(tools)
}
