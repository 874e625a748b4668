//! Writes a reply as Responses does.

use serde_json::{Value, json};

use super::output_item::{OutputItem, output_items, reasoning_id};
use crate::model_request::{ModelRequest, ToolDefinition};
use crate::reply::{Ending, Reply, Usage};
use crate::thought::Thought;
use crate::wire::sse_event::SseEvent;
use crate::wire::timestamp::CREATED;

/// The thoughts in a reply, as a client has to return them.
pub(crate) fn thoughts(request: &ModelRequest, reply: &Reply) -> Vec<Thought> {
    let thinking = reply.thinking.iter().map(|thinking| Thought::Reasoning {
        text: thinking.text.clone(),
        encrypted: thinking.signature.clone(),
        id: Some(reasoning_id(request)),
    });
    thinking.collect()
}

/// The reply as one body.
pub(crate) fn body(request: &ModelRequest, reply: &Reply) -> Value {
    let status = final_status(reply);
    let items = output_items(request, reply, status);
    let output = items.iter().map(OutputItem::full_json).collect();
    response_json(request, reply, status, output)
}

/// The reply as a stream: the start of the response; for each item its start, its pieces
/// and its end; and the full response. The events are numbered.
pub(crate) fn events(request: &ModelRequest, reply: &Reply) -> Vec<SseEvent> {
    let start = || json!({ "response": response_json(request, reply, IN_PROGRESS, json!([])) });
    let mut events = vec![
        ("response.created".to_string(), start()),
        ("response.in_progress".to_string(), start()),
    ];
    let items = output_items(request, reply, final_status(reply));
    for (index, item) in items.iter().enumerate() {
        events.push((
            "response.output_item.added".to_string(),
            json!({ "output_index": index, "item": item.start_json() }),
        ));
        for (name, mut data) in item.events() {
            data["item_id"] = item.id.as_str().into();
            data["output_index"] = index.into();
            events.push((name, data));
        }
        events.push((
            "response.output_item.done".to_string(),
            json!({ "output_index": index, "item": item.full_json() }),
        ));
    }
    let full = json!({ "response": body(request, reply) });
    events.push(match reply.ending {
        Ending::TokenLimit => ("response.incomplete".to_string(), full),
        _ => ("response.completed".to_string(), full),
    });
    let numbered = events.into_iter().enumerate();
    numbered
        .map(|(number, (name, mut data))| {
            data["sequence_number"] = number.into();
            SseEvent::named(&name, data)
        })
        .collect()
}

const IN_PROGRESS: &str = "in_progress";
const INCOMPLETE: &str = "incomplete";

fn final_status(reply: &Reply) -> &'static str {
    match reply.ending {
        Ending::TokenLimit => INCOMPLETE,
        _ => "completed",
    }
}

/// The response with this output. While it is in progress, it has no usage.
fn response_json(request: &ModelRequest, reply: &Reply, status: &str, output: Value) -> Value {
    let usage = (status != IN_PROGRESS).then(|| usage_json(request.usage(reply)));
    let details = (status == INCOMPLETE).then(|| json!({ "reason": "max_output_tokens" }));
    let mut response = json!({
        "id": format!("resp_{:016x}", request.digest),
        "object": "response",
        "created_at": CREATED,
        "status": status,
        "error": null,
        "incomplete_details": details,
        "model": request.model,
        "output": output,
        "tools": request.tools.iter().map(tool_json).collect::<Vec<_>>(),
        "usage": usage,
    });
    for (name, value) in &request.echo {
        response[name] = value.clone();
    }
    response
}

fn tool_json(tool: &ToolDefinition) -> Value {
    if tool.is_freeform {
        return json!({ "type": "custom", "name": tool.name });
    }
    json!({ "type": "function", "name": tool.name, "parameters": tool.parameters })
}

fn usage_json(usage: Usage) -> Value {
    json!({
        "input_tokens": usage.input,
        "input_tokens_details": { "cached_tokens": usage.cached },
        "output_tokens": usage.output,
        "output_tokens_details": { "reasoning_tokens": 0 },
        "total_tokens": usage.input + usage.output,
    })
}
