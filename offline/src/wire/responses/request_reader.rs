//! Reads a Responses request.

use serde_json::Value;

use crate::conversation::Turn;
use crate::model_request::{BadRequest, ModelRequest, ToolDefinition};
use crate::reply::ToolCall;
use crate::thought::{ReturnedThought, Thought};
use crate::wire::content::read_content;
use crate::wire::json_object::JsonObject;
use crate::wire::tool_definition::read_tool;
use crate::wire::tool_status::read_tool_result;
use crate::wire::wire_format::WireFormat;

/// Reads the body of a request.
pub(crate) fn read_request(body: &Value, digest: u64) -> Result<ModelRequest, BadRequest> {
    let body = JsonObject::body(body)?;
    if body.get("previous_response_id").is_some() {
        return Err(body.error(
            "previous_response_id",
            "this server stores no responses: send the whole conversation as input",
        ));
    }
    let mut turns = Vec::new();
    let mut thoughts = Vec::new();
    if body.get("instructions").is_some() {
        turns.push(Turn::System(body.string("instructions")?.into()));
    }
    if body.require("input")?.is_string() {
        turns.push(Turn::User(read_content(&body, "input")?));
    } else {
        let items = body.objects("input")?;
        if items.is_empty() {
            return Err(body.error("input", "expected at least one item"));
        }
        for (index, item) in items.iter().enumerate() {
            thoughts.extend(read_thought(item, items.get(index + 1))?);
            read_item(item, &mut turns)?;
        }
    }
    Ok(ModelRequest {
        model: body.string("model")?.into(),
        turns,
        tools: read_tools(&body)?,
        is_stream: body.flag("stream")?,
        wants_usage: true,
        wants_thinking: wants_thinking(&body)?,
        thoughts,
        digest,
    })
}

/// Whether the request asks for thinking, which it does unless the effort is minimal.
fn wants_thinking(body: &JsonObject) -> Result<bool, BadRequest> {
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
) -> Result<Option<ReturnedThought>, BadRequest> {
    let kind = |item: &JsonObject| item.get("type").and_then(Value::as_str).map(String::from);
    if kind(item).as_deref() != Some("reasoning") {
        return Ok(None);
    }
    let summary = item.objects("summary")?;
    let summary: Vec<&str> = summary
        .iter()
        .filter_map(|part| part.get("text")?.as_str())
        .collect();
    let next = next.and_then(kind);
    if !matches!(
        next.as_deref(),
        Some("reasoning" | "message" | "function_call")
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
fn read_item(item: &JsonObject, turns: &mut Vec<Turn>) -> Result<(), BadRequest> {
    let kind = match item.get("type") {
        None => "message",
        Some(_) => item.string("type")?,
    };
    match kind {
        "message" => read_message(item, turns)?,
        "function_call" => last_assistant(turns).1.push(ToolCall {
            id: item.string("call_id")?.into(),
            name: item.string("name")?.into(),
            arguments: item.string("arguments")?.into(),
        }),
        "function_call_output" => {
            let content = read_content(item, "output")?;
            let result = read_tool_result(turns, item.string("call_id")?, content);
            turns.push(Turn::ToolResult(result));
        }
        // `read_thought` reads these.
        "reasoning" => {}
        other => {
            let problem = format!(
                "expected message, function_call, function_call_output or reasoning, not {other:?}"
            );
            return Err(item.error("type", problem));
        }
    }
    Ok(())
}

fn read_message(message: &JsonObject, turns: &mut Vec<Turn>) -> Result<(), BadRequest> {
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
fn check_part_types(message: &JsonObject) -> Result<(), BadRequest> {
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

/// Reads the tool definitions. The rules can only call functions, so it skips all others.
fn read_tools(body: &JsonObject) -> Result<Vec<ToolDefinition>, BadRequest> {
    let mut tools = Vec::new();
    for tool in body.objects_or_empty("tools")? {
        if tool.string("type")? == "function" {
            tools.push(read_tool(WireFormat::Responses, &tool, "parameters")?);
        }
    }
    Ok(tools)
}
