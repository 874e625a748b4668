//! Properties of the conversion between chat and unified messages, on random conversations.
//! The table in the documentation of `chat::to_unified` says what is lost.

use chrono::DateTime;
use claw_code_solutions::chat::*;
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Messages round-trip through JSON.
    #[test]
    fn messages_round_trip_through_json(chat in vec(message(), 0..4), unified in vec(unified(), 0..4)) {
        prop_assert_eq!(&through_json(&chat), &chat);
        prop_assert_eq!(&through_json(&unified), &unified);
    }

    /// A message without raw blocks loses the fields that the table names, and no others.
    #[test]
    fn flat_message_loses_only_what_the_table_names(message in flat_message()) {
        let there = to_unified(std::slice::from_ref(&message)).unwrap();
        prop_assert_eq!(from_unified(&there), vec![table(message)]);
    }

    /// No block is lost, changed or moved, and each keeps its sender.
    #[test]
    fn blocks_keep_order_and_sender(chat in vec(message(), 0..6), unified in vec(unified(), 0..6)) {
        let there = to_unified(&chat).unwrap();
        let again = to_unified(&from_unified(&there)).unwrap();
        prop_assert_eq!(blocks(&again), blocks(&there));
        let again = to_unified(&from_unified(&unified)).unwrap();
        prop_assert_eq!(blocks(&again), blocks(&unified));
    }

    /// A second round trip loses nothing more.
    #[test]
    fn second_round_trip_loses_nothing(chat in vec(message(), 0..6), unified in vec(unified(), 0..6)) {
        for first in [from_unified(&to_unified(&chat).unwrap()), from_unified(&unified)] {
            let second = from_unified(&to_unified(&first).unwrap());
            prop_assert_eq!(second, first);
        }
    }

    /// A converted message has raw blocks only if the flat fields are not enough.
    #[test]
    fn raw_blocks_only_where_needed(unified in vec(unified(), 0..6)) {
        for message in from_unified(&unified) {
            let mut flat = message.clone();
            if let Some(raw) = flat.raw_content_blocks.take() {
                prop_assert_ne!(flat.to_blocks().ok(), Some(raw));
            }
        }
    }

    /// Any arguments text is a JSON object or gets an error result that quotes it.
    #[test]
    fn bad_arguments_get_an_error_result(arguments in prop_oneof![any::<String>(), arguments()]) {
        let function = ToolCall::new("call_1", "bash", arguments).function;
        match function.parse_arguments() {
            Ok(parsed) => prop_assert!(parsed.is_object()),
            Err(answer) => {
                prop_assert!(answer.content.starts_with("error: the arguments of `bash` are"));
                let quote: String = function.arguments.chars().take(200).collect();
                prop_assert!(answer.content.contains(&quote));
            }
        }
    }
}

/// The result of a round trip, for a message without raw blocks.
fn table(sent: ChatMessage) -> ChatMessage {
    let mut back = ChatMessage::new(match sent.role {
        Role::Developer => Role::System,
        other => other,
    });
    back.content = sent.content;
    if sent.role == Role::Tool {
        let failed = sent.tool_metadata.is_some_and(|run| !run.success);
        let said = back.content.unwrap_or_default();
        back.raw_content_blocks = failed.then(|| {
            vec![UnifiedContentBlock::ToolResult {
                tool_use_id: sent.tool_call_id.clone().unwrap(),
                content: ToolResultContent::Text(said.clone()),
                is_error: Some(true),
            }]
        });
        back.content = Some(said);
        back.tool_call_id = sent.tool_call_id;
        return back;
    }
    back.reasoning = sent.reasoning.filter(|text| !text.is_empty());
    back.tool_calls = sent.tool_calls.filter(|calls| !calls.is_empty());
    for call in back.tool_calls.iter_mut().flatten() {
        let arguments = &mut call.function.arguments;
        *arguments = match serde_json::from_str(arguments) {
            Ok(Value::Object(object)) => Value::Object(object).to_string(),
            _ if arguments.trim().is_empty() => "{}".into(),
            _ => arguments.clone(),
        };
    }
    back
}

/// Every block with its sender, in order.
fn blocks(messages: &[UnifiedMessage]) -> Vec<(UnifiedRole, &UnifiedContentBlock)> {
    messages
        .iter()
        .flat_map(|message| message.content.iter().map(|block| (message.role, block)))
        .collect()
}

fn through_json<T: Serialize + DeserializeOwned>(value: &T) -> T {
    let json = serde_json::to_string(value).unwrap();
    serde_json::from_str(&json).unwrap()
}

fn message() -> impl Strategy<Value = ChatMessage> {
    let raw = of(vec(block(), 0..4));
    (flat_message(), raw).prop_map(|(message, raw_content_blocks)| ChatMessage {
        raw_content_blocks,
        ..message
    })
}

fn flat_message() -> impl Strategy<Value = ChatMessage> {
    use Role::*;
    let role = prop_oneof![
        1 => Just(System),
        1 => Just(User),
        1 => Just(Assistant),
        1 => Just(Developer),
        2 => Just(Tool)
    ];
    let status = prop_oneof![
        Just(MessageStatus::InProgress),
        Just(MessageStatus::Completed),
        Just(MessageStatus::Incomplete),
        Just(MessageStatus::Failed)
    ];
    // Up to the year 2100, to the nanosecond.
    let time = (0i64..4_102_444_800, 0u32..1_000_000_000)
        .prop_map(|(seconds, nanos)| DateTime::from_timestamp(seconds, nanos).unwrap());
    let said = (
        role,
        of(words()),
        of(id()),
        of(words()),
        of(vec(call(), 0..3)),
        of(words()),
    );
    let known = (of(metadata()), of(time), of(id()), of(status));
    (said, known).prop_map(|(said, (tool_metadata, timestamp, id, status))| {
        let (role, name, tool_call_id, content, tool_calls, reasoning) = said;
        ChatMessage {
            // Another test covers tool messages without one.
            tool_call_id: match role {
                Tool => Some(tool_call_id.unwrap_or_else(|| "call_0".into())),
                _ => tool_call_id,
            },
            role,
            name,
            content,
            tool_calls,
            reasoning,
            raw_content_blocks: None,
            tool_metadata,
            timestamp,
            id,
            status,
            other: Map::new(),
        }
    })
}

fn metadata() -> impl Strategy<Value = ToolExecutionMetadata> {
    let finite = any::<f64>().prop_filter("finite", |number| number.is_finite());
    (any::<bool>(), finite, id(), arguments()).prop_map(
        |(success, duration_ms, tool_name, arguments)| ToolExecutionMetadata {
            success,
            duration_ms,
            tool_name,
            arguments,
            other: Map::new(),
        },
    )
}

fn call() -> impl Strategy<Value = ToolCall> {
    (id(), id(), arguments()).prop_map(|(id, name, arguments)| ToolCall::new(id, name, arguments))
}

/// JSON objects with and without spaces, other JSON, and text that is not JSON.
fn arguments() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => object().prop_map(|object| object.to_string()),
        2 => object().prop_map(|object| format!(" {object:#}\n")),
        1 => value().prop_map(|value| value.to_string()),
        1 => "[{}\\[\\]\":a ,]{0,8}",
    ]
}

fn object() -> impl Strategy<Value = Value> {
    prop::collection::btree_map("[a-c\"é]{0,3}", value(), 0..4)
        .prop_map(|entries| Value::Object(entries.into_iter().collect()))
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        words().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("[a-c]{1,2}", inner, 0..3)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

fn unified() -> impl Strategy<Value = UnifiedMessage> {
    let role = prop_oneof![
        1 => Just(UnifiedRole::System),
        3 => Just(UnifiedRole::User),
        2 => Just(UnifiedRole::Assistant)
    ];
    (role, vec(block(), 0..6)).prop_map(|(role, content)| UnifiedMessage { role, content })
}

fn block() -> impl Strategy<Value = UnifiedContentBlock> {
    let content = prop_oneof![
        2 => words().prop_map(ToolResultContent::Text),
        1 => vec(plain_block(), 0..3).prop_map(ToolResultContent::Blocks),
    ];
    let result = (id(), content, of(any::<bool>())).prop_map(|(tool_use_id, content, is_error)| {
        UnifiedContentBlock::ToolResult {
            tool_use_id,
            content,
            is_error,
        }
    });
    let input = prop_oneof![3 => object(), 1 => value()];
    let tool_use = (id(), id(), input).prop_map(|(id, name, input)| UnifiedContentBlock::ToolUse {
        id,
        name,
        input,
    });
    let thinking = (
        words(),
        of(words()),
        of(words()),
        of(id()),
        prop::bool::weighted(0.2),
    )
        .prop_map(|(thinking, signature, encrypted_content, id, redacted)| {
            UnifiedContentBlock::Thinking {
                thinking,
                signature,
                encrypted_content,
                id,
                redacted,
            }
        });
    prop_oneof![3 => plain_block(), 2 => result, 2 => tool_use, 2 => thinking]
}

/// Text, images and documents.
fn plain_block() -> impl Strategy<Value = UnifiedContentBlock> {
    prop_oneof![
        3 => words().prop_map(|text| UnifiedContentBlock::Text { text }),
        1 => (image_source(), of(id()))
            .prop_map(|(source, detail)| UnifiedContentBlock::Image { source, detail }),
        1 => (document_source(), of(words()))
            .prop_map(|(source, title)| UnifiedContentBlock::Document { source, title }),
    ]
}

fn image_source() -> impl Strategy<Value = ImageSource> {
    prop_oneof![
        (id(), words()).prop_map(|(media_type, data)| ImageSource::Base64 { media_type, data }),
        id().prop_map(|url| ImageSource::Url { url }),
    ]
}

fn document_source() -> impl Strategy<Value = DocumentSource> {
    prop_oneof![
        (id(), words())
            .prop_map(|(media_type, data)| DocumentSource::Base64Pdf { media_type, data }),
        (id(), words()).prop_map(|(media_type, data)| DocumentSource::Text { media_type, data }),
        id().prop_map(|url| DocumentSource::UrlPdf { url }),
    ]
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![3 => "[a-zé中🦀\n\"\\\\ ]{0,12}", 1 => any::<String>()]
}

fn id() -> impl Strategy<Value = String> {
    "[a-z_]{1,6}[0-9]{0,2}"
}
