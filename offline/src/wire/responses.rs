//! Responses: `POST /v1/responses`.

mod item;

use serde_json::{Value, json};

use super::fields::Fields;
use super::{Api, CREATED, Event, tools};
use crate::request::{BadRequest, Request, Sealed, Thought, Tool, Turn};
use crate::script::{Call, Reply, Usage};

use item::{Item, items};

/// Reads a request.
pub(crate) fn request(body: &Value) -> Result<Request, BadRequest> {
    let body = Fields::of(body, "")?;
    if body.get("previous_response_id").is_some() {
        return Err(body.wrong(
            "previous_response_id",
            "nothing is kept here between requests: send the whole conversation as input",
        ));
    }
    let mut turns = Vec::new();
    let mut thoughts = Vec::new();
    if body.get("instructions").is_some() {
        turns.push(Turn::System(body.text("instructions")?.into()));
    }
    match body.need("input")? {
        Value::String(text) => turns.push(Turn::User(text.clone())),
        Value::Array(items) if items.is_empty() => {
            return Err(body.wrong("input", "expected at least one item"));
        }
        _ => {
            let items = body.objects("input")?;
            for (index, item) in items.iter().enumerate() {
                thoughts.extend(thought(item, items.get(index + 1))?);
                add_item(&mut turns, item)?;
            }
        }
    }
    Ok(Request {
        model: body.text("model")?.into(),
        turns,
        tools: offered(&body)?,
        is_stream: body.switch("stream")?,
        wants_usage: true,
        wants_thoughts: are_thoughts_wanted(&body)?,
        thoughts,
        digest: 0,
    })
}

/// Whether thoughts are asked for: with as little effort as can be, there are none.
fn are_thoughts_wanted(body: &Fields) -> Result<bool, BadRequest> {
    if body.get("reasoning").is_none() {
        return Ok(false);
    }
    let reasoning = body.object("reasoning")?;
    Ok(match reasoning.get("effort") {
        None => true,
        Some(_) => !matches!(reasoning.text("effort")?, "none" | "minimal"),
    })
}

/// The thought that an item gives back, if it is one. Nothing is stored here, so it has to
/// be there in encrypted form; and it has to be followed by what it led to.
fn thought(item: &Fields, next: Option<&Fields>) -> Result<Option<Thought>, BadRequest> {
    if item.get("type").and_then(Value::as_str) != Some("reasoning") {
        return Ok(None);
    }
    let summary = item.objects("summary")?;
    let summary: Vec<&str> = summary
        .iter()
        .filter_map(|part| part.get("text")?.as_str())
        .collect();
    let kind = next.and_then(|next| next.get("type")?.as_str());
    if !matches!(kind, Some("reasoning" | "message" | "function_call")) {
        return Err(item.wrong("type", "a reasoning item needs the item that follows it"));
    }
    Ok(item.get("encrypted_content").map(|encrypted| Thought {
        place: item.place("encrypted_content"),
        sealed: Sealed::Reasoning {
            text: summary.concat(),
            encrypted: encrypted.as_str().unwrap_or_default().into(),
            id: item.get("id").and_then(Value::as_str).map(str::to_string),
        },
    }))
}

/// Adds an item to the conversation. An assistant's message and the calls after it are
/// items of their own here, and one turn everywhere else.
fn add_item(turns: &mut Vec<Turn>, item: &Fields) -> Result<(), BadRequest> {
    let kind = match item.get("type") {
        None => "message",
        Some(_) => item.text("type")?,
    };
    match kind {
        "message" => add_message(turns, item)?,
        "function_call" => assistant(turns).1.push(Call {
            id: item.text("call_id")?.into(),
            name: item.text("name")?.into(),
            arguments: item.text("arguments")?.into(),
        }),
        "function_call_output" => turns.push(Turn::ToolResult {
            id: item.text("call_id")?.into(),
            text: item.content("output")?,
        }),
        "reasoning" => {}
        other => {
            return Err(item.wrong(
                "type",
                format!(
                    "{other:?} is none of message, function_call, function_call_output, reasoning"
                ),
            ));
        }
    }
    Ok(())
}

fn add_message(turns: &mut Vec<Turn>, message: &Fields) -> Result<(), BadRequest> {
    message.need("content")?;
    let text = message.content("content")?;
    check_parts(message)?;
    match message.text("role")? {
        "system" | "developer" => turns.push(Turn::System(text)),
        "user" => turns.push(Turn::User(text)),
        "assistant" => assistant(turns).0.push_str(&text),
        other => {
            return Err(message.wrong(
                "role",
                format!("{other:?} is none of system, developer, user, assistant"),
            ));
        }
    }
    Ok(())
}

/// What the assistant said is `output_text`, and what others said is not.
fn check_parts(message: &Fields) -> Result<(), BadRequest> {
    if !message.need("content")?.is_array() {
        return Ok(());
    }
    let is_model = message.text("role")? == "assistant";
    for part in message.objects("content")? {
        let kind = part.text("type")?;
        if matches!(kind, "output_text" | "refusal") != is_model {
            let role = message.text("role")?;
            return Err(part.wrong(
                "type",
                format!("{kind:?} is no part of a message of {role}"),
            ));
        }
    }
    Ok(())
}

/// The text and the calls of the assistant's turn that is being read.
fn assistant(turns: &mut Vec<Turn>) -> (&mut String, &mut Vec<Call>) {
    if !matches!(turns.last(), Some(Turn::Assistant { .. })) {
        turns.push(Turn::Assistant {
            text: String::new(),
            calls: Vec::new(),
        });
    }
    match turns.last_mut() {
        Some(Turn::Assistant { text, calls }) => (text, calls),
        _ => unreachable!("the last turn was just made the assistant's"),
    }
}

fn offered(body: &Fields) -> Result<Vec<Tool>, BadRequest> {
    let mut offered = Vec::new();
    for tool in body.objects_or_none("tools")? {
        // The rules know what to do with functions alone.
        if tool.text("type")? == "function" {
            offered.push(tools::tool(Api::Responses, &tool, "parameters")?);
        }
    }
    Ok(offered)
}

/// The thoughts in a reply, as they have to come back.
pub(crate) fn thoughts(request: &Request, reply: &Reply) -> Vec<Sealed> {
    let thinking = reply.thinking.iter().map(|thinking| Sealed::Reasoning {
        text: thinking.text.clone(),
        encrypted: thinking.signature.clone(),
        id: Some(item::reasoning_id(request)),
    });
    thinking.collect()
}

/// A reply as one body.
pub(crate) fn body(request: &Request, reply: &Reply) -> Value {
    let status = status(reply);
    let output = items(request, reply).iter().map(Item::done).collect();
    response(request, reply, status, output)
}

/// A reply as a stream: the response begun, each item from its start over its pieces to
/// its end, and the response whole. Each event has its number.
pub(crate) fn events(request: &Request, reply: &Reply) -> Vec<Event> {
    let begun = || json!({ "response": response(request, reply, "in_progress", json!([])) });
    let mut events = vec![
        ("response.created", begun()),
        ("response.in_progress", begun()),
    ];
    let items = items(request, reply);
    for (index, item) in items.iter().enumerate() {
        events.push((
            "response.output_item.added",
            json!({ "output_index": index, "item": item.begun() }),
        ));
        for (name, mut data) in item.between() {
            data["item_id"] = item.id.as_str().into();
            data["output_index"] = index.into();
            events.push((name, data));
        }
        events.push((
            "response.output_item.done",
            json!({ "output_index": index, "item": item.done() }),
        ));
    }
    let whole = json!({ "response": body(request, reply) });
    events.push(match reply.is_cut_short {
        true => ("response.incomplete", whole),
        false => ("response.completed", whole),
    });
    let numbered = events.into_iter().enumerate();
    numbered
        .map(|(number, (name, mut data))| {
            data["sequence_number"] = number.into();
            Event::named(name, data)
        })
        .collect()
}

fn status(reply: &Reply) -> &'static str {
    match reply.is_cut_short {
        true => "incomplete",
        false => "completed",
    }
}

/// The response around its output. Until it is over it has no usage.
fn response(request: &Request, reply: &Reply, status: &str, output: Value) -> Value {
    let is_over = status != "in_progress";
    let is_incomplete = status == "incomplete";
    json!({
        "id": format!("resp_{:016x}", request.digest),
        "object": "response",
        "created_at": CREATED,
        "status": status,
        "error": null,
        "incomplete_details": is_incomplete.then(|| json!({ "reason": "max_output_tokens" })),
        "model": request.model,
        "output": output,
        "parallel_tool_calls": true,
        "previous_response_id": null,
        "store": false,
        "tool_choice": "auto",
        "tools": request.tools.iter().map(tool_json).collect::<Vec<_>>(),
        "usage": is_over.then(|| usage(request.usage(reply))),
        "metadata": {},
    })
}

fn tool_json(tool: &Tool) -> Value {
    json!({ "type": "function", "name": tool.name, "parameters": tool.parameters })
}

fn usage(usage: Usage) -> Value {
    json!({
        "input_tokens": usage.input,
        "input_tokens_details": { "cached_tokens": usage.cached },
        "output_tokens": usage.output,
        "output_tokens_details": { "reasoning_tokens": 0 },
        "total_tokens": usage.input + usage.output,
    })
}
