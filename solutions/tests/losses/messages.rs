//! Random messages with every field of the four formats.

use std::sync::Arc;

use claw_code_solutions::types::result_content;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::table::Source;

/// A conversation of one message, or of a call and its result.
pub fn conversation(source: Source) -> BoxedStrategy<Vec<Value>> {
    match source {
        Source::Types => types(),
        Source::Agent => agent(),
        Source::Transcript => transcript(),
        Source::Chat => chat(),
    }
}

/// The JSON paths of all fields of a vocabulary.
pub fn contract_fields(source: Source) -> &'static [&'static str] {
    match source {
        Source::Types => &[
            "id",
            "content",
            "tag",
            "text",
            "tool_calls[].id",
            "tool_calls[].name",
            "tool_calls[].arguments",
            "stop_reason",
            "usage.input_tokens",
            "usage.output_tokens",
            "usage.cache_read_tokens",
            "usage.cache_creation_tokens",
            "tool_use_id",
            "is_truncated",
            "path",
            "content_type",
            "data",
        ],
        Source::Agent => &[
            "role",
            "content[text].text",
            "content[image].data",
            "content[image].mimeType",
            "content[thinking].thinking",
            "content[thinking].signature",
            "content[toolCall].id",
            "content[toolCall].name",
            "content[toolCall].arguments",
            "timestamp",
            "stopReason",
            "model",
            "provider",
            "usage.input",
            "usage.output",
            "usage.reasoning",
            "usage.cache_read",
            "usage.cache_write",
            "usage.total_tokens",
            "error_message",
            "toolCallId",
            "toolName",
            "isError",
            "childLoopId",
            "turnId.loopId",
            "turnId.turnIndex",
            "kind",
            "data",
        ],
        Source::Transcript => &[
            "role",
            "content",
            "timestamp",
            "content[text].text",
            "content[image].source",
            "content[image].media_type",
            "content[image].alt",
            "content[thinking].text",
            "content[thinking].signature",
            "content[reasoning].text",
            "content[reasoning_details].details",
            "content[tool_call].id",
            "content[tool_call].name",
            "content[tool_call].arguments",
            "stop_reason",
            "error_message",
            "usage.input_tokens",
            "usage.output_tokens",
            "usage.cache_creation_input_tokens",
            "usage.cache_read_input_tokens",
            "tool_call_id",
            "tool_name",
            "is_error",
            "narration",
            "details",
            "kind",
            "payload",
        ],
        Source::Chat => &[
            "role",
            "name",
            "tool_call_id",
            "content",
            "tool_calls[].id",
            "tool_calls[].type",
            "tool_calls[].function.name",
            "tool_calls[].function.arguments",
            "reasoning",
            "raw_content_blocks[text].text",
            "raw_content_blocks[image].source.media_type",
            "raw_content_blocks[image].source.data",
            "raw_content_blocks[image].source.url",
            "raw_content_blocks[image].detail",
            "raw_content_blocks[document].source.data",
            "raw_content_blocks[document].source.url",
            "raw_content_blocks[document].title",
            "raw_content_blocks[tool_use].id",
            "raw_content_blocks[tool_use].name",
            "raw_content_blocks[tool_use].input",
            "raw_content_blocks[tool_result].tool_use_id",
            "raw_content_blocks[tool_result].content",
            "raw_content_blocks[tool_result].is_error",
            "raw_content_blocks[thinking].thinking",
            "raw_content_blocks[thinking].signature",
            "raw_content_blocks[thinking].encrypted_content",
            "raw_content_blocks[thinking].id",
            "raw_content_blocks[thinking].redacted",
            "tool_metadata.success",
            "tool_metadata.duration_ms",
            "tool_metadata.tool_name",
            "tool_metadata.arguments",
            "timestamp",
            "id",
            "status",
        ],
    }
}

/// The fields of a vocabulary that hold one of a few names, and these names.
pub fn contract_names(source: Source) -> &'static [(&'static str, &'static [&'static str])] {
    match source {
        Source::Types => &[("stop_reason", &["Stop", "ToolUse"])],
        Source::Agent => &[
            ("stopReason", &STOP_REASONS),
            ("role", &["user", "assistant", "toolResult", "extension"]),
        ],
        Source::Transcript => &[
            (
                "stop_reason",
                &[
                    "end_turn",
                    "tool_use",
                    "max_tokens",
                    "error",
                    "aborted",
                    "other",
                ],
            ),
            (
                "role",
                &["system", "user", "assistant", "tool_result", "custom"],
            ),
        ],
        Source::Chat => &[
            (
                "role",
                &["system", "user", "assistant", "developer", "tool"],
            ),
            (
                "status",
                &["in_progress", "completed", "incomplete", "failed"],
            ),
        ],
    }
}

const STOP_REASONS: [&str; 11] = [
    "stop",
    "length",
    "toolUse",
    "error",
    "aborted",
    "maxTurns",
    "userStop",
    "handoff",
    "guardRail",
    "contextCompacted",
    "paused",
];

fn types() -> BoxedStrategy<Vec<Value>> {
    let usage = object([
        ("input_tokens", count(), 1.0),
        ("output_tokens", count(), 1.0),
        ("cache_read_tokens", count(), 1.0),
        ("cache_creation_tokens", count(), 1.0),
    ]);
    let calls = calls(
        0..3,
        |id, name, arguments| json!({ "id": id, "name": name, "arguments": arguments }),
    );
    let reply = object([
        ("type", word("Assistant"), 1.0),
        ("id", text(), 1.0),
        ("text", text(), 0.8),
        ("tool_calls", calls, 1.0),
        ("usage", usage, 0.8),
    ])
    .prop_map(|mut reply| {
        // A reply waits for its calls, if it has any.
        let has_calls = reply["tool_calls"]
            .as_array()
            .is_some_and(|calls| !calls.is_empty());
        reply["stop_reason"] = json!(if has_calls { "ToolUse" } else { "Stop" });
        reply
    });
    let result = object([
        ("type", word("ToolResult"), 1.0),
        ("id", text(), 1.0),
        ("tool_use_id", text(), 1.0),
        (
            "content",
            prop_oneof![
                text(),
                text().prop_map(|said| json!(format!(
                    "error: {}",
                    said.as_str().unwrap_or_default()
                )))
            ]
            .boxed(),
            1.0,
        ),
        (
            "is_truncated",
            any::<bool>().prop_map(Value::from).boxed(),
            1.0,
        ),
        ("is_error", Just(Value::Bool(true)).boxed(), 0.5),
    ])
    .prop_map(|mut result| {
        // Only the content of a failure has to begin with the prefix; any other may.
        if result["is_error"] == true {
            let message = result["content"].as_str().unwrap_or_default();
            result["content"] = json!(result_content(message, true));
        }
        result
    });
    let message = prop_oneof![
        2 => object([("type", word("System"), 1.0), ("id", text(), 1.0), ("content", text(), 1.0), ("tag", text(), 0.5)]),
        2 => object([("type", word("User"), 1.0), ("id", text(), 1.0), ("content", text(), 1.0)]),
        4 => reply,
        3 => result,
        2 => object([
            ("type", word("Attachment"), 1.0),
            ("id", text(), 1.0),
            ("path", text(), 1.0),
            ("content", text(), 1.0),
            ("content_type", words(&["instructions", "file"]), 1.0),
        ]),
        1 => object([("type", word("Progress"), 1.0), ("tool_use_id", text(), 1.0), ("data", json(), 1.0)]),
    ];
    message.prop_map(|message| vec![message]).boxed()
}

fn agent() -> BoxedStrategy<Vec<Value>> {
    let text_block = block("text", [("text", text(), 1.0)]);
    let image = block(
        "image",
        [
            ("data", base64(), 1.0),
            ("mimeType", words(&["image/png", "image/jpeg"]), 1.0),
        ],
    );
    let thinking = block(
        "thinking",
        [("thinking", text(), 1.0), ("signature", text(), 0.7)],
    );
    let call = block(
        "toolCall",
        [
            ("id", text(), 1.0),
            ("name", text(), 1.0),
            ("arguments", arguments(), 1.0),
        ],
    );
    // The types allow every block in messages of every role.
    let told = prop_oneof![
        6 => text_block.clone(), 4 => image.clone(), 1 => thinking.clone(), 1 => call.clone()
    ];
    let told = list(told.boxed(), 1..4);
    let replied = list(
        prop_oneof![4 => text_block, 3 => thinking, 3 => call, 1 => image].boxed(),
        0..5,
    );
    let turn = object([("loopId", text(), 1.0), ("turnIndex", count(), 1.0)]);
    let usage = object([
        ("input", count(), 1.0),
        ("output", count(), 1.0),
        ("reasoning", count(), 1.0),
        ("cache_read", count(), 1.0),
        ("cache_write", count(), 1.0),
        ("total_tokens", count(), 1.0),
    ]);
    let message = prop_oneof![
        3 => object([("role", word("user"), 1.0), ("content", told.clone(), 1.0), ("timestamp", time(), 1.0), ("turnId", turn.clone(), 0.5)]),
        5 => object([
            ("role", word("assistant"), 1.0),
            ("content", replied, 1.0),
            ("stopReason", words(&STOP_REASONS), 1.0),
            ("model", text(), 1.0),
            ("provider", text(), 1.0),
            ("usage", usage, 1.0),
            ("timestamp", time(), 1.0),
            ("error_message", text(), 0.3),
            ("turnId", turn.clone(), 0.5),
        ]),
        3 => object([
            ("role", word("toolResult"), 1.0),
            ("toolCallId", text(), 1.0),
            ("toolName", text(), 1.0),
            ("content", told, 1.0),
            ("isError", any::<bool>().prop_map(Value::from).boxed(), 1.0),
            ("timestamp", time(), 1.0),
            ("childLoopId", text(), 0.5),
            ("turnId", turn, 0.5),
        ]),
        1 => object([("role", word("extension"), 1.0), ("kind", text(), 1.0), ("data", json(), 1.0)]),
    ];
    let message =
        message.prop_map(|message| ended(message, "stopReason", "toolCall", ["stop", "toolUse"]));
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
    let text_block = block("text", [("text", text(), 1.0)]);
    // As the hosts write them: a type, if there is one, is that of the data.
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
            ("type", word("image"), 1.0),
            ("source", words(&["https://example.com/a.png", "data:image/png;base64,AA=="]), 1.0),
            ("media_type", words(&["image/jpeg"]), 1.0),
        ]),
    ]
    .boxed();
    let thinking = block(
        "thinking",
        [("text", text(), 1.0), ("signature", text(), 0.7)],
    );
    let reasoning = block("reasoning", [("text", text(), 1.0)]);
    let sealed = block("reasoning_details", [("details", json(), 1.0)]);
    let call = block(
        "tool_call",
        [
            ("id", text(), 1.0),
            ("name", text(), 1.0),
            ("arguments", arguments(), 1.0),
        ],
    );
    let blocks = list(
        prop_oneof![3 => text_block.clone(), 2 => image].boxed(),
        1..4,
    );
    let replied = list(
        prop_oneof![4 => text_block, 2 => thinking, 2 => reasoning, 1 => sealed, 3 => call].boxed(),
        0..5,
    );
    let usage = object([
        ("input_tokens", count(), 1.0),
        ("output_tokens", count(), 1.0),
        ("cache_creation_input_tokens", count(), 1.0),
        ("cache_read_input_tokens", count(), 1.0),
    ]);
    let message = prop_oneof![
        1 => object([("role", word("system"), 1.0), ("content", text(), 1.0), ("timestamp", time(), 0.7)]),
        3 => object([("role", word("user"), 1.0), ("content", prop_oneof![text(), blocks.clone()].boxed(), 1.0), ("timestamp", time(), 0.7)]),
        5 => object([
            ("role", word("assistant"), 1.0),
            ("content", replied, 1.0),
            ("stop_reason", words(&["end_turn", "tool_use", "max_tokens", "error", "aborted", "other"]), 1.0),
            ("error_message", text(), 0.3),
            ("timestamp", time(), 0.7),
            ("usage", usage, 0.7),
        ]),
        4 => object([
            ("role", word("tool_result"), 1.0),
            ("tool_call_id", text(), 1.0),
            ("tool_name", text(), 1.0),
            ("content", blocks, 1.0),
            ("is_error", any::<bool>().prop_map(Value::from).boxed(), 1.0),
            ("narration", text(), 0.7),
            ("details", json(), 0.7),
            ("timestamp", time(), 0.7),
        ]),
        1 => object([("role", word("custom"), 1.0), ("kind", text(), 1.0), ("payload", json(), 1.0), ("timestamp", time(), 0.5)]),
    ];
    let message = message.prop_map(|message| {
        ended(
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
    let known = |role: &'static str, fields: Vec<Field>| {
        let mut all: Vec<Field> = vec![
            ("role", word(role), 1.0),
            ("name", text(), 0.5),
            ("timestamp", moment(), 0.7),
            ("id", text(), 0.5),
        ];
        all.extend(fields);
        object(all)
    };
    let status = || words(&["in_progress", "completed", "incomplete", "failed"]);
    let calls = || {
        calls(1..3, |id, name, arguments| {
            let text = match &arguments {
                Value::String(torn) => torn.clone(),
                // Some models put line ends between the fields.
                Value::Object(fields) if fields.len() > 1 => format!("{arguments:#}"),
                _ => arguments.to_string(),
            };
            json!({ "id": id, "type": "function", "function": { "name": name, "arguments": text } })
        })
    };
    let metadata = || {
        object([
            ("success", any::<bool>().prop_map(Value::from).boxed(), 1.0),
            (
                "duration_ms",
                (0..99_u32)
                    .prop_map(|eighths| json!(f64::from(eighths) / 8.0))
                    .boxed(),
                1.0,
            ),
            ("tool_name", text(), 1.0),
            (
                "arguments",
                arguments()
                    .prop_map(|value| json!(value.to_string()))
                    .boxed(),
                1.0,
            ),
        ])
    };
    let message = prop_oneof![
        1 => known("system", vec![("content", text(), 1.0)]),
        1 => known("developer", vec![("content", text(), 1.0)]),
        2 => known("user", vec![("content", text(), 1.0)]),
        2 => known("user", vec![("raw_content_blocks", list(asked(), 1..4), 1.0)]),
        3 => known("assistant", vec![
            ("content", text(), 0.8), ("reasoning", text(), 0.5), ("tool_calls", calls(), 0.7), ("status", status(), 0.8)]),
        3 => known("assistant", vec![("raw_content_blocks", list(replied(), 1..5), 1.0), ("status", status(), 0.8)]),
        3 => known("tool", vec![("tool_call_id", text(), 1.0), ("content", text(), 1.0), ("tool_metadata", metadata(), 0.7)]),
        2 => known("tool", vec![("raw_content_blocks", list(answered(), 1..2), 1.0), ("tool_metadata", metadata(), 0.5)]),
    ];
    message.prop_map(|message| vec![shown(message)]).boxed()
}

/// The message with the flat fields that show what its raw blocks hold.
fn shown(mut message: Value) -> Value {
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

fn asked() -> BoxedStrategy<Value> {
    let here = object([
        ("type", word("base64"), 1.0),
        ("media_type", words(&["image/png"]), 1.0),
        ("data", base64(), 1.0),
    ]);
    let file = object([
        ("type", words(&["base64", "text"]), 1.0),
        ("media_type", words(&["text/plain"]), 1.0),
        ("data", text(), 1.0),
    ]);
    let web = || object([("type", word("url"), 1.0), ("url", text(), 1.0)]);
    prop_oneof![
        3 => block("text", [("text", text(), 1.0)]),
        2 => block("image", [("source", prop_oneof![2 => here, 1 => web()].boxed(), 1.0), ("detail", words(&["low", "high"]), 0.5)]),
        1 => block("document", [("source", prop_oneof![2 => file, 1 => web()].boxed(), 1.0), ("title", text(), 0.5)]),
    ]
    .boxed()
}

fn replied() -> BoxedStrategy<Value> {
    let thinking = block(
        "thinking",
        [
            ("thinking", text(), 1.0),
            ("signature", text(), 0.7),
            ("encrypted_content", text(), 0.4),
            ("id", text(), 0.4),
            (
                "redacted",
                prop::bool::weighted(0.2).prop_map(Value::from).boxed(),
                1.0,
            ),
        ],
    );
    prop_oneof![
        3 => block("text", [("text", text(), 1.0)]),
        3 => thinking,
        3 => block("tool_use", [("id", text(), 1.0), ("name", text(), 1.0), ("input", arguments(), 1.0)]),
    ]
    .boxed()
}

fn answered() -> BoxedStrategy<Value> {
    let content = prop_oneof![2 => text(), 1 => list(asked(), 2..4)].boxed();
    block(
        "tool_result",
        [
            ("tool_use_id", text(), 1.0),
            ("content", content, 1.0),
            ("is_error", any::<bool>().prop_map(Value::from).boxed(), 0.7),
        ],
    )
}

/// A field's name, its values, and how often it is there.
type Field = (&'static str, BoxedStrategy<Value>, f64);

fn object(fields: impl IntoIterator<Item = Field>) -> BoxedStrategy<Value> {
    let fields: Vec<Field> = fields.into_iter().collect();
    let names: Arc<Vec<&str>> = Arc::new(fields.iter().map(|(name, ..)| *name).collect());
    let values: Vec<_> = fields
        .into_iter()
        .map(|(_, values, weight)| match weight {
            1.0 => values.prop_map(Some).boxed(),
            _ => prop::option::weighted(weight, values).boxed(),
        })
        .collect();
    let made = values.prop_map(move |values| {
        let fields = names.iter().zip(values);
        let fields = fields.filter_map(|(name, value)| Some((name.to_string(), value?)));
        Value::Object(fields.collect::<Map<_, _>>())
    });
    made.boxed()
}

fn block<const N: usize>(kind: &'static str, fields: [Field; N]) -> BoxedStrategy<Value> {
    object([("type", word(kind), 1.0)].into_iter().chain(fields))
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

/// A reply that ended well: it waits for its calls, or has none.
fn ended(mut reply: Value, field: &str, call: &str, words: [&str; 2]) -> Value {
    let ended_well = reply[field]
        .as_str()
        .is_some_and(|word| words.contains(&word));
    let blocks = reply["content"].as_array();
    let has_calls = blocks.is_some_and(|blocks| blocks.iter().any(|block| block["type"] == call));
    if ended_well {
        reply[field] = json!(words[usize::from(has_calls)]);
    }
    reply
}

/// The message, with a message before it if it asks for one.
fn with_call(
    message: BoxedStrategy<Value>,
    call: fn(&Value) -> Option<Value>,
) -> BoxedStrategy<Vec<Value>> {
    message
        .prop_map(move |message| call(&message).into_iter().chain([message]).collect())
        .boxed()
}

fn word(word: &'static str) -> BoxedStrategy<Value> {
    Just(json!(word)).boxed()
}

fn words(words: &'static [&'static str]) -> BoxedStrategy<Value> {
    prop::sample::select(words).prop_map(Value::from).boxed()
}

/// Words that are not empty: that an empty text, or list, may come back as none is not what
/// the tables are about.
fn text() -> BoxedStrategy<Value> {
    "[a-zé中🦀\"\\\\]([a-zé中🦀 \"\\\\\n]{0,8}[a-z🦀])?"
        .prop_map(Value::from)
        .boxed()
}

fn base64() -> BoxedStrategy<Value> {
    words(&["AA==", "iVBORw0KGgo=", "R0lGODlh"])
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

/// The same as text, and every other one to the microsecond.
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

/// A model's arguments: an object as a rule, and now and then a text that was to be one.
fn arguments() -> BoxedStrategy<Value> {
    prop_oneof![
        6 => prop::collection::btree_map("[a-cé]{1,3}", json(), 0..3).prop_map(|fields| json!(fields)),
        1 => Just(json!("{\"path\": \"src/ma")),
    ]
    .boxed()
}

/// Any JSON but `null`, as deep as three levels.
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
