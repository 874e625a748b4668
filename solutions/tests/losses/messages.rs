//! Random messages with every field of the four formats.

use claw_code_solutions::session::Vocabulary;
use claw_code_solutions::types::result_content;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// A conversation of one message, or of a call and its result.
pub fn conversation(from: Vocabulary) -> BoxedStrategy<Vec<Value>> {
    match from {
        Vocabulary::Types => types(),
        Vocabulary::Agent => agent(),
        Vocabulary::Transcript => transcript(),
        Vocabulary::Chat => chat(),
    }
}

/// The JSON paths of all fields of a vocabulary.
pub fn fields(from: Vocabulary) -> impl Iterator<Item = &'static str> {
    let fields = match from {
        Vocabulary::Types => {
            "id content tag text tool_calls[].id tool_calls[].name tool_calls[].arguments \
             stop_reason usage.input_tokens usage.output_tokens usage.cache_read_tokens \
             usage.cache_creation_tokens tool_use_id is_truncated path content_type data"
        }
        Vocabulary::Agent => {
            "role content[text].text content[image].data content[image].mimeType \
             content[thinking].thinking content[thinking].signature content[toolCall].id \
             content[toolCall].name content[toolCall].arguments timestamp stopReason model \
             provider usage.input usage.output usage.reasoning usage.cache_read \
             usage.cache_write usage.total_tokens error_message toolCallId toolName isError \
             childLoopId turnId.loopId turnId.turnIndex kind data"
        }
        Vocabulary::Transcript => {
            "role content timestamp content[text].text content[image].source \
             content[image].media_type content[image].alt content[thinking].text \
             content[thinking].signature content[reasoning].text \
             content[reasoning_details].details content[tool_call].id content[tool_call].name \
             content[tool_call].arguments stop_reason error_message usage.input_tokens \
             usage.output_tokens usage.cache_creation_input_tokens \
             usage.cache_read_input_tokens tool_call_id tool_name is_error narration details \
             kind payload"
        }
        Vocabulary::Chat => {
            "role name tool_call_id content tool_calls[].id tool_calls[].type \
             tool_calls[].function.name tool_calls[].function.arguments reasoning \
             raw_content_blocks[text].text raw_content_blocks[image].source.media_type \
             raw_content_blocks[image].source.data raw_content_blocks[image].source.url \
             raw_content_blocks[image].detail raw_content_blocks[document].source.data \
             raw_content_blocks[document].source.url raw_content_blocks[document].title \
             raw_content_blocks[tool_use].id raw_content_blocks[tool_use].name \
             raw_content_blocks[tool_use].input raw_content_blocks[tool_result].tool_use_id \
             raw_content_blocks[tool_result].content raw_content_blocks[tool_result].is_error \
             raw_content_blocks[thinking].thinking raw_content_blocks[thinking].signature \
             raw_content_blocks[thinking].encrypted_content raw_content_blocks[thinking].id \
             raw_content_blocks[thinking].redacted tool_metadata.success \
             tool_metadata.duration_ms tool_metadata.tool_name tool_metadata.arguments \
             timestamp id status"
        }
    };
    fields.split_whitespace()
}

/// The fields of a vocabulary that hold one of a few names, and these names.
pub fn names(from: Vocabulary) -> &'static [(&'static str, &'static str)] {
    match from {
        Vocabulary::Types => &[("stop_reason", "Stop ToolUse")],
        Vocabulary::Agent => &[
            ("stopReason", STOP_REASONS),
            ("role", "user assistant toolResult extension"),
        ],
        Vocabulary::Transcript => &[
            (
                "stop_reason",
                "end_turn tool_use max_tokens error aborted other",
            ),
            ("role", "system user assistant tool_result custom"),
        ],
        Vocabulary::Chat => &[
            ("role", "system user assistant developer tool"),
            ("status", "in_progress completed incomplete failed"),
        ],
    }
}

const STOP_REASONS: &str = "stop length toolUse error aborted maxTurns userStop handoff \
    guardRail contextCompacted paused";

fn types() -> BoxedStrategy<Vec<Value>> {
    let usage = object([
        ("input_tokens", count()),
        ("output_tokens", count()),
        ("cache_read_tokens", count()),
        ("cache_creation_tokens", count()),
    ]);
    let calls = calls(
        0..3,
        |id, name, arguments| json!({ "id": id, "name": name, "arguments": arguments }),
    );
    let reply = object([
        ("type", value("Assistant")),
        ("id", text()),
        ("text?", text()),
        ("tool_calls", calls),
        ("usage?", usage),
    ])
    .prop_map(|mut reply| {
        // A reply waits for its calls, if it has any.
        let has_calls = reply["tool_calls"]
            .as_array()
            .is_some_and(|calls| !calls.is_empty());
        reply["stop_reason"] = json!(if has_calls { "ToolUse" } else { "Stop" });
        reply
    });
    let prefixed =
        text().prop_map(|it| json!(format!("error: {}", it.as_str().unwrap_or_default())));
    let result = object([
        ("type", value("ToolResult")),
        ("id", text()),
        ("tool_use_id", text()),
        ("content", prop_oneof![text(), prefixed].boxed()),
        ("is_truncated", flag()),
        ("is_error?", Just(Value::Bool(true)).boxed()),
    ])
    .prop_map(|mut result| {
        // The content of a failure always begins with the prefix, and other content may.
        if result["is_error"] == true {
            let message = result["content"].as_str().unwrap_or_default();
            result["content"] = json!(result_content(message, true));
        }
        result
    });
    let message = prop_oneof![
        2 => object([("type", value("System")), ("id", text()), ("content", text()), ("tag?", text())]),
        2 => object([("type", value("User")), ("id", text()), ("content", text())]),
        4 => reply,
        3 => result,
        2 => object([
            ("type", value("Attachment")),
            ("id", text()),
            ("path", text()),
            ("content", text()),
            ("content_type", one_of("instructions file")),
        ]),
        1 => object([("type", value("Progress")), ("tool_use_id", text()), ("data", json())]),
    ];
    message.prop_map(|message| vec![message]).boxed()
}

fn agent() -> BoxedStrategy<Vec<Value>> {
    let text_block = block("text", [("text", text())]);
    let image = block(
        "image",
        [
            ("data", base64()),
            ("mimeType", one_of("image/png image/jpeg")),
        ],
    );
    let thinking = block("thinking", [("thinking", text()), ("signature?", text())]);
    let call = block(
        "toolCall",
        [("id", text()), ("name", text()), ("arguments", arguments())],
    );
    // The types allow every block in messages of every role.
    let blocks = prop_oneof![
        6 => text_block.clone(), 4 => image.clone(), 1 => thinking.clone(), 1 => call.clone()
    ];
    let blocks = list(blocks.boxed(), 1..4);
    let reply = list(
        prop_oneof![4 => text_block, 3 => thinking, 3 => call, 1 => image].boxed(),
        0..5,
    );
    let turn = object([("loopId", text()), ("turnIndex", count())]);
    let usage = object([
        ("input", count()),
        ("output", count()),
        ("reasoning", count()),
        ("cache_read", count()),
        ("cache_write", count()),
        ("total_tokens", count()),
    ]);
    let message = prop_oneof![
        3 => object([("role", value("user")), ("content", blocks.clone()), ("timestamp", time()), ("turnId?", turn.clone())]),
        5 => object([
            ("role", value("assistant")),
            ("content", reply),
            ("stopReason", one_of(STOP_REASONS)),
            ("model", text()),
            ("provider", text()),
            ("usage", usage),
            ("timestamp", time()),
            ("error_message?", text()),
            ("turnId?", turn.clone()),
        ]),
        3 => object([
            ("role", value("toolResult")),
            ("toolCallId", text()),
            ("toolName", text()),
            ("content", blocks),
            ("isError", flag()),
            ("timestamp", time()),
            ("childLoopId?", text()),
            ("turnId?", turn),
        ]),
        1 => object([("role", value("extension")), ("kind", text()), ("data", json())]),
    ];
    let message = message.prop_map(|message| {
        fit_stop_reason(message, "stopReason", "toolCall", ["stop", "toolUse"])
    });
    with_call(message.boxed(), |result| {
        (result["role"] == "toolResult").then(|| {
            json!({ "role": "assistant", "stopReason": "toolUse", "model": "", "provider": "",
                "usage": { "input": 0, "output": 0, "reasoning": 0, "cache_read": 0, "cache_write": 0, "total_tokens": 0 },
                "timestamp": 0, "content": [{ "type": "toolCall", "id": result["toolCallId"],
                    "name": result["toolName"], "arguments": {} }] })
        })
    })
}

fn transcript() -> BoxedStrategy<Vec<Value>> {
    let text_block = block("text", [("text", text())]);
    // Hosts write an image like this: if it has a type, that is the type of the data.
    let image = prop_oneof![
        3 => (base64(), any::<bool>(), prop::option::weighted(0.5, text())).prop_map(|(data, is_typed, alt)| {
            let source = format!("data:image/png;base64,{}", data.as_str().unwrap_or_default());
            let mut image = json!({ "type": "image", "source": source });
            if is_typed {
                image["media_type"] = json!("image/png");
            }
            if let Some(alt) = alt {
                image["alt"] = alt;
            }
            image
        }),
        1 => object([
            ("type", value("image")),
            ("source", one_of("https://example.com/a.png data:image/png;base64,AA==")),
            ("media_type", one_of("image/jpeg")),
        ]),
    ]
    .boxed();
    let thinking = block("thinking", [("text", text()), ("signature?", text())]);
    let reasoning = block("reasoning", [("text", text())]);
    let details = block("reasoning_details", [("details", json())]);
    let call = block(
        "tool_call",
        [("id", text()), ("name", text()), ("arguments", arguments())],
    );
    let blocks = list(
        prop_oneof![3 => text_block.clone(), 2 => image].boxed(),
        1..4,
    );
    let reply = list(
        prop_oneof![4 => text_block, 2 => thinking, 2 => reasoning, 1 => details, 3 => call]
            .boxed(),
        0..5,
    );
    let usage = object([
        ("input_tokens", count()),
        ("output_tokens", count()),
        ("cache_creation_input_tokens", count()),
        ("cache_read_input_tokens", count()),
    ]);
    let message = prop_oneof![
        1 => object([("role", value("system")), ("content", text()), ("timestamp?", time())]),
        3 => object([("role", value("user")), ("content", prop_oneof![text(), blocks.clone()].boxed()), ("timestamp?", time())]),
        5 => object([
            ("role", value("assistant")),
            ("content", reply),
            ("stop_reason", one_of("end_turn tool_use max_tokens error aborted other")),
            ("error_message?", text()),
            ("timestamp?", time()),
            ("usage?", usage),
        ]),
        4 => object([
            ("role", value("tool_result")),
            ("tool_call_id", text()),
            ("tool_name", text()),
            ("content", blocks),
            ("is_error", flag()),
            ("narration?", text()),
            ("details?", json()),
            ("timestamp?", time()),
        ]),
        1 => object([("role", value("custom")), ("kind", text()), ("payload", json()), ("timestamp?", time())]),
    ];
    let message = message.prop_map(|message| {
        fit_stop_reason(
            message,
            "stop_reason",
            "tool_call",
            ["end_turn", "tool_use"],
        )
    });
    with_call(message.boxed(), |result| {
        (result["role"] == "tool_result").then(|| {
            json!({ "role": "assistant", "stop_reason": "tool_use", "content": [{ "type": "tool_call",
                "id": result["tool_call_id"], "name": result["tool_name"], "arguments": {} }] })
        })
    })
}

fn chat() -> BoxedStrategy<Vec<Value>> {
    let message = |role: &'static str, fields: Vec<Field>| {
        let mut all: Vec<Field> = vec![
            ("role", value(role)),
            ("name?", text()),
            ("timestamp?", moment()),
            ("id?", text()),
        ];
        all.extend(fields);
        object(all)
    };
    let status = || one_of("in_progress completed incomplete failed");
    let calls = || {
        calls(1..3, |id, name, arguments| {
            let text = match &arguments {
                Value::String(incomplete) => incomplete.clone(),
                // Some models write a line for each field.
                Value::Object(fields) if fields.len() > 1 => format!("{arguments:#}"),
                _ => arguments.to_string(),
            };
            json!({ "id": id, "type": "function", "function": { "name": name, "arguments": text } })
        })
    };
    let metadata = || {
        object([
            ("success", flag()),
            (
                "duration_ms",
                (0..99_u32)
                    .prop_map(|it| json!(f64::from(it) / 8.0))
                    .boxed(),
            ),
            ("tool_name", text()),
            (
                "arguments",
                arguments()
                    .prop_map(|value| json!(value.to_string()))
                    .boxed(),
            ),
        ])
    };
    let messages = prop_oneof![
        1 => message("system", vec![("content", text())]),
        1 => message("developer", vec![("content", text())]),
        2 => message("user", vec![("content", text())]),
        2 => message("user", vec![("raw_content_blocks", list(prompt_block(), 1..4))]),
        3 => message("assistant", vec![
            ("content?", text()), ("reasoning?", text()), ("tool_calls?", calls()), ("status?", status())]),
        3 => message("assistant", vec![("raw_content_blocks", list(reply_block(), 1..5)), ("status?", status())]),
        3 => message("tool", vec![("tool_call_id", text()), ("content", text()), ("tool_metadata?", metadata())]),
        2 => message("tool", vec![("raw_content_blocks", list(result_block(), 1..2)), ("tool_metadata?", metadata())]),
    ];
    let messages = messages.prop_map(|message| vec![with_flat_fields(message)]);
    messages.boxed()
}

/// The message with the flat fields that its raw blocks have.
fn with_flat_fields(mut message: Value) -> Value {
    use claw_code_solutions::chat::{ChatMessage, Role};
    if message.get("raw_content_blocks").is_none() {
        return message;
    }
    let raw = message["raw_content_blocks"].take();
    let role: Role = serde_json::from_value(message["role"].clone()).expect("a role");
    let blocks = serde_json::from_value(raw).expect("blocks");
    let flat = serde_json::to_value(ChatMessage::from_blocks(role, blocks)).expect("JSON");
    let fields = message.as_object_mut().expect("an object");
    fields.remove("raw_content_blocks");
    for (name, value) in flat.as_object().expect("an object") {
        fields.insert(name.clone(), value.clone());
    }
    message
}

fn prompt_block() -> BoxedStrategy<Value> {
    let here = object([
        ("type", value("base64")),
        ("media_type", one_of("image/png")),
        ("data", base64()),
    ]);
    let file = object([
        ("type", one_of("base64 text")),
        ("media_type", one_of("text/plain")),
        ("data", text()),
    ]);
    let web = || object([("type", value("url")), ("url", text())]);
    prop_oneof![
        3 => block("text", [("text", text())]),
        2 => block("image", [("source", prop_oneof![2 => here, 1 => web()].boxed()), ("detail?", one_of("low high"))]),
        1 => block("document", [("source", prop_oneof![2 => file, 1 => web()].boxed()), ("title?", text())]),
    ]
    .boxed()
}

fn reply_block() -> BoxedStrategy<Value> {
    let thinking = block(
        "thinking",
        [
            ("thinking", text()),
            ("signature?", text()),
            ("encrypted_content?", text()),
            ("id?", text()),
            (
                "redacted",
                prop::bool::weighted(0.2).prop_map(Value::from).boxed(),
            ),
        ],
    );
    prop_oneof![
        3 => block("text", [("text", text())]),
        3 => thinking,
        3 => block("tool_use", [("id", text()), ("name", text()), ("input", arguments())]),
    ]
    .boxed()
}

fn result_block() -> BoxedStrategy<Value> {
    let content = prop_oneof![2 => text(), 1 => list(prompt_block(), 2..4)].boxed();
    block(
        "tool_result",
        [
            ("tool_use_id", text()),
            ("content", content),
            ("is_error?", flag()),
        ],
    )
}

/// A field's name, with `?` if the field is optional, and its values.
type Field = (&'static str, BoxedStrategy<Value>);

fn object(fields: impl IntoIterator<Item = Field>) -> BoxedStrategy<Value> {
    let fields = fields.into_iter().map(|(name, values)| {
        let values = match name.ends_with('?') {
            true => prop::option::weighted(0.6, values).boxed(),
            false => values.prop_map(Some).boxed(),
        };
        let name = name.trim_end_matches('?');
        values.prop_map(move |value| Some((name.to_string(), value?)))
    });
    let fields: Vec<_> = fields.collect();
    let object = fields.prop_map(|fields| fields.into_iter().flatten().collect::<Map<_, _>>());
    object.prop_map(Value::Object).boxed()
}

fn block<const N: usize>(kind: &'static str, fields: [Field; N]) -> BoxedStrategy<Value> {
    object([("type", value(kind))].into_iter().chain(fields))
}

fn list(element: BoxedStrategy<Value>, size: std::ops::Range<usize>) -> BoxedStrategy<Value> {
    vec(element, size).prop_map(Value::from).boxed()
}

fn calls(
    size: std::ops::Range<usize>,
    call: fn(Value, Value, Value) -> Value,
) -> BoxedStrategy<Value> {
    let one = (text(), text(), arguments())
        .prop_map(move |(id, name, arguments)| call(id, name, arguments));
    list(one.boxed(), size)
}

/// The reply with the second of these stop reasons if it has calls, or the first if it has none,
/// unless it has another one.
fn fit_stop_reason(mut reply: Value, field: &str, call: &str, reasons: [&str; 2]) -> Value {
    let reason = reply[field].as_str().unwrap_or_default();
    if reasons.contains(&reason) {
        let mut blocks = reply["content"].as_array().into_iter().flatten();
        let has_calls = blocks.any(|block| block["type"] == call);
        reply[field] = json!(reasons[usize::from(has_calls)]);
    }
    reply
}

/// The message, after the message that `call` makes for it, if any.
fn with_call(
    message: BoxedStrategy<Value>,
    call: fn(&Value) -> Option<Value>,
) -> BoxedStrategy<Vec<Value>> {
    message
        .prop_map(move |message| call(&message).into_iter().chain([message]).collect())
        .boxed()
}

fn value(word: &str) -> BoxedStrategy<Value> {
    Just(json!(word)).boxed()
}

/// One of the words.
fn one_of(words: &'static str) -> BoxedStrategy<Value> {
    let words: Vec<&str> = words.split_whitespace().collect();
    prop::sample::select(words).prop_map(Value::from).boxed()
}

/// Text that is not empty. That some formats leave out empty text is not what the tables show.
fn text() -> BoxedStrategy<Value> {
    "[a-zé中🦀\"\\\\]([a-zé中🦀 \"\\\\\n]{0,8}[a-z🦀])?"
        .prop_map(Value::from)
        .boxed()
}

fn flag() -> BoxedStrategy<Value> {
    any::<bool>().prop_map(Value::from).boxed()
}

fn base64() -> BoxedStrategy<Value> {
    one_of("AA== iVBORw0KGgo= R0lGODlh")
}

fn count() -> BoxedStrategy<Value> {
    (1..10_000_u64).prop_map(Value::from).boxed()
}

/// Milliseconds since 1970, in this decade.
fn time() -> BoxedStrategy<Value> {
    (1_577_836_800_000..1_893_456_000_000_u64)
        .prop_map(Value::from)
        .boxed()
}

/// A time in RFC 3339, about half of them in microseconds.
fn moment() -> BoxedStrategy<Value> {
    let moment = (
        1_577_836_800_000..1_893_456_000_000_i64,
        prop_oneof![Just(0), 1..1000_i64],
    );
    let moment = moment.prop_map(|(milliseconds, micros)| {
        json!(chrono::DateTime::from_timestamp_micros(
            milliseconds * 1000 + micros
        ))
    });
    moment.boxed()
}

/// A model's arguments: usually an object, sometimes the text of an incomplete one.
fn arguments() -> BoxedStrategy<Value> {
    prop_oneof![
        6 => prop::collection::btree_map("[a-cé]{1,3}", json(), 0..3).prop_map(|fields| json!(fields)),
        1 => Just(json!("{\"path\": \"src/ma")),
    ]
    .boxed()
}

/// Any JSON except `null`, at most three levels deep.
fn json() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<i32>().prop_map(|eighths| json!(f64::from(eighths) / 8.0)),
        text(),
    ];
    let json = leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("[a-c中]{1,2}", prop::option::of(inner), 0..3)
                .prop_map(|fields| json!(fields)),
        ]
    });
    json.boxed()
}
