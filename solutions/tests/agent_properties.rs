//! Properties of the messages of chapters 14 and 15. Messages round-trip through JSON, in
//! any order of their fields. serde's derived code writes and reads the same JSON. A broken
//! object is never read as another kind of message.

mod derived;

use claw_code_solutions::agent::{
    AgentMessage, Content, ExtensionMessage, LlmMessage, Message, StopReason, TurnId, Usage,
    convert_to_llm,
};
use proptest::prelude::*;
use serde_json::{Value, json};

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    /// Messages round-trip through text and through a `Value`.
    #[test]
    fn messages_round_trip(entry in entries()) {
        let text = serde_json::to_string(&entry).unwrap();
        prop_assert_eq!(&serde_json::from_str::<AgentMessage>(&text).unwrap(), &entry);
        let pretty = serde_json::to_string_pretty(&entry).unwrap();
        prop_assert_eq!(&serde_json::from_reader::<_, AgentMessage>(pretty.as_bytes()).unwrap(), &entry);
        let value = serde_json::to_value(&entry).unwrap();
        prop_assert_eq!(serde_json::from_value::<AgentMessage>(value).unwrap(), entry);
    }

    /// The order of fields does not matter, and an unknown field is kept wherever it is.
    #[test]
    fn field_order_does_not_matter(entry in entries(), order in prop::collection::vec(any::<u32>(), 12), new in values()) {
        let value = serde_json::to_value(&entry).unwrap();
        let mut fields: Vec<(&String, &Value)> = value.as_object().unwrap().iter().collect();
        let added = "addedNextYear".to_string();
        fields.push((&added, &new));
        let mut ordered: Vec<_> = fields.into_iter().zip(order).collect();
        ordered.sort_by_key(|(_, order)| *order);
        let text = object(ordered.into_iter().map(|(field, _)| field));
        let mut expected = entry.clone();
        let (AgentMessage::Llm(LlmMessage { other, .. })
        | AgentMessage::Extension(ExtensionMessage { other, .. })) = &mut expected;
        other.insert(added.clone(), new.clone());
        prop_assert_eq!(serde_json::from_str::<AgentMessage>(&text).unwrap(), expected);
    }

    /// serde's derived code writes the same JSON from the same fields, and reads it.
    #[test]
    fn agrees_with_derive(entry in entries()) {
        let ours = serde_json::to_value(&entry).unwrap();
        let theirs: derived::AgentMessage = serde_json::from_value(ours.clone()).unwrap();
        prop_assert_eq!(serde_json::to_value(&theirs).unwrap(), ours);
    }

    /// Without one of its fields, an object is the same message without an optional field,
    /// or an error that names the field.
    #[test]
    fn missing_field_is_optional_or_named(entry in entries(), at in any::<prop::sample::Index>()) {
        let mut value = serde_json::to_value(&entry).unwrap();
        let fields = value.as_object_mut().unwrap();
        let name = at.get(&fields.keys().collect::<Vec<_>>()).to_string();
        fields.remove(&name);
        match serde_json::from_str::<AgentMessage>(&value.to_string()) {
            Ok(read) => {
                prop_assert!(["turnId", "error_message", "childLoopId"].contains(&name.as_str()));
                prop_assert_eq!(serde_json::to_value(read).unwrap(), value);
            }
            Err(error) => {
                let said = format!("missing field `{name}`");
                prop_assert!(error.to_string().contains(&said), "{}", error);
            }
        }
    }

    /// Any JSON either fails to load or round-trips.
    #[test]
    fn any_json_fails_or_round_trips(value in values(), role in prop::sample::select(vec!["user", "assistant", "toolResult", "extension"])) {
        for value in [value.clone(), json!({ "role": role, "data": value, "kind": "k", "content": [], "timestamp": 1 })] {
            if let Ok(entry) = serde_json::from_str::<AgentMessage>(&value.to_string()) {
                let text = serde_json::to_string(&entry).unwrap();
                prop_assert_eq!(serde_json::from_str::<AgentMessage>(&text).unwrap(), entry);
            }
        }
    }

    /// The model sees all messages of its lane, in order, and nothing else.
    #[test]
    fn the_model_sees_only_its_lane(history in prop::collection::vec(entries(), 0..12)) {
        let expected: Vec<Message> = history
            .iter()
            .filter_map(|entry| match entry {
                AgentMessage::Llm(llm) => Some(llm.message.clone()),
                AgentMessage::Extension(_) => None,
            })
            .collect();
        prop_assert_eq!(convert_to_llm(&history), expected);
    }

    /// Adding usages is associative and commutative, and the hit rate is between 0 and 1.
    #[test]
    fn usages_add_up(one in usages(), other in usages(), third in usages()) {
        prop_assert_eq!(one.combine(&other), other.combine(&one));
        prop_assert_eq!(one.combine(&other).combine(&third), one.combine(&other.combine(&third)));
        prop_assert!((0.0..=1.0).contains(&one.cache_hit_rate()));
    }
}

fn object<'a>(fields: impl Iterator<Item = (&'a String, &'a Value)>) -> String {
    let fields: Vec<String> = fields
        .map(|(name, value)| format!("{}:{value}", json!(name)))
        .collect();
    format!("{{{}}}", fields.join(","))
}

fn entries() -> impl Strategy<Value = AgentMessage> {
    prop_oneof![
        3 => (messages(), prop::option::of(turns())).prop_map(|(message, turn_id)| {
            AgentMessage::Llm(LlmMessage {
                turn_id,
                ..LlmMessage::new(message)
            })
        }),
        1 => (words(), values()).prop_map(|(kind, data)| {
            ExtensionMessage::new(kind, data).into()
        }),
    ]
}

fn messages() -> impl Strategy<Value = Message> {
    let content = || prop::collection::vec(blocks(), 0..4);
    prop_oneof![
        (content(), any::<u64>())
            .prop_map(|(content, timestamp)| Message::User { content, timestamp }),
        (
            content(),
            reasons(),
            words(),
            words(),
            usages(),
            any::<u64>(),
            prop::option::of(words())
        )
            .prop_map(
                |(content, stop_reason, model, provider, usage, timestamp, error_message)| {
                    Message::Assistant {
                        content,
                        stop_reason,
                        model,
                        provider,
                        usage,
                        timestamp,
                        error_message,
                    }
                }
            ),
        (
            words(),
            words(),
            content(),
            any::<bool>(),
            any::<u64>(),
            prop::option::of(words())
        )
            .prop_map(
                |(tool_call_id, tool_name, content, is_error, timestamp, child_loop_id)| {
                    Message::ToolResult {
                        tool_call_id,
                        tool_name,
                        content,
                        is_error,
                        timestamp,
                        child_loop_id,
                    }
                }
            ),
    ]
}

fn blocks() -> impl Strategy<Value = Content> {
    prop_oneof![
        words().prop_map(|text| Content::Text { text }),
        (words(), words()).prop_map(|(data, mime_type)| Content::Image { data, mime_type }),
        (words(), prop::option::of(words())).prop_map(|(thinking, signature)| Content::Thinking {
            thinking,
            signature
        }),
        (words(), words(), values()).prop_map(|(id, name, arguments)| Content::ToolCall {
            id,
            name,
            arguments
        }),
    ]
}

fn reasons() -> impl Strategy<Value = StopReason> {
    use StopReason::*;
    prop::sample::select(vec![
        Stop,
        Length,
        ToolUse,
        Error,
        Aborted,
        MaxTurns,
        UserStop,
        Handoff,
        GuardRail,
        ContextCompacted,
        Paused,
    ])
}

fn usages() -> impl Strategy<Value = Usage> {
    let count = || prop_oneof![Just(0), Just(u64::MAX), 0..100_000u64];
    (count(), count(), count(), count(), count(), count()).prop_map(
        |(input, output, reasoning, cache_read, cache_write, total_tokens)| Usage {
            input,
            output,
            reasoning,
            cache_read,
            cache_write,
            total_tokens,
        },
    )
}

fn turns() -> impl Strategy<Value = TurnId> {
    (words(), any::<u64>()).prop_map(|(loop_id, turn_index)| TurnId {
        loop_id,
        turn_index,
    })
}

/// Strings, including ones that need escapes and ones that are keywords of the format.
fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-zé中🦀 \"\\\\\n\t{}:]{0,12}",
        1 => prop::sample::select(vec!["role", "user", "extension", "turnId", "type", "text", "null"])
            .prop_map(String::from),
    ]
}

/// Any JSON, up to three levels deep. Its fractions are short, since serde_json reads a
/// number of 17 digits exactly only with its feature `float_roundtrip`.
fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i32>().prop_map(|eighths| Value::from(f64::from(eighths) / 8.0)),
        words().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((words(), inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// The cases in which serde's derived code is not enough, as chapter 15's page lists them.
/// If one of these fails after an update of serde, correct the page.
#[test]
fn derived_code_differs_in_these_cases() {
    let derived = |text: &str| match serde_json::from_str::<derived::AgentMessage>(text) {
        Ok(entry) => serde_json::to_string(&entry).unwrap(),
        Err(error) => error.to_string(),
    };
    let ours = |text: &str| match serde_json::from_str::<AgentMessage>(text) {
        Ok(entry) => serde_json::to_string(&entry).unwrap(),
        Err(error) => error.to_string(),
    };
    for (text, theirs_is, ours_is) in [
        (
            r#"{"role":"user","kind":"k","data":1}"#,
            r#"{"role":"user","kind":"k","data":1}"#,
            "missing field `content` at line 1 column 35",
        ),
        (
            r#"["extension","k",1]"#,
            r#"{"role":"extension","kind":"k","data":1}"#,
            "invalid type: sequence, expected a message: an object with a `role` at line 1 column 0",
        ),
        (
            r#"{"role":"user","content":[],"timestamp":null}"#,
            "data did not match any variant of untagged enum AgentMessage",
            "`timestamp`: invalid type: null, expected u64 at line 1 column 44",
        ),
        (
            r#"{"role":"user","content":[],"timestamp":1,"turnId":7,"kind":"k","data":1}"#,
            r#"{"role":"user","kind":"k","data":1}"#,
            "`turnId`: invalid type: integer `7`, expected a turn: an object with `loopId` and `turnIndex` at line 1 column 52",
        ),
    ] {
        assert_eq!(derived(text), theirs_is);
        assert_eq!(ours(text), ours_is);
    }
    // `flatten` and `tag` without `untagged` are correct, but their errors say less.
    let text = r#"{"role":"user","content":[],"timestamp":null}"#;
    let error = serde_json::from_str::<derived::LlmMessage>(text).unwrap_err();
    assert_eq!(
        error.to_string(),
        "invalid type: null, expected u64 at line 1 column 45"
    );
    let error = serde_json::from_str::<derived::Message>(text).unwrap_err();
    assert_eq!(error.to_string(), "invalid type: null, expected u64");
    // The error about a turn id that the page shows.
    let text = r#"{"loopId":"s.c.1","turnIndex":-1}"#;
    let error = serde_json::from_str::<TurnId>(text).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`turnIndex`: invalid value: integer `-1`, expected u64 at line 1 column 32"
    );
}
