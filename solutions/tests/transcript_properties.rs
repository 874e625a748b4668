//! Properties of every transcript and every narration.

use claw_code_solutions::transcript::narrate::*;
use claw_code_solutions::transcript::*;
use claw_code_solutions::types::{ToolCall, ToolResult};
use proptest::prelude::*;
use serde_json::{Value, json};

proptest! {
    #[test]
    fn narration_is_one_short_line(
        name in tool(), path in any::<String>(), text in result(), edits in 0_usize..4
    ) {
        let args = json!({
            "path": path, "command": path, "pattern": path, "edits": vec![Value::Null; edits],
        });
        let call = ToolCall { id: "t".to_string(), name, arguments: args };
        let narration = Narrators::standard().narrate(&call, &ToolResult::text(text));
        prop_assert!(narration.chars().count() <= MAX_NARRATION, "{narration}");
        prop_assert!(narration.ends_with('.'), "{narration}");
        prop_assert!(!narration.chars().any(char::is_control), "{narration:?}");
    }

    #[test]
    fn short_text_is_unchanged(text in "[a-zé漢 ]{0,20}", limit in 1_usize..30) {
        let line = one_line(&text, limit);
        prop_assert!(line.chars().count() <= limit);
        prop_assert_eq!(line == text, text.chars().count() <= limit);
    }

    #[test]
    fn size_number_is_below_1024(bytes in any::<u64>(), shift in 0_u32..64) {
        let narration = size(bytes >> shift);
        let number: f64 = narration.split(' ').next().unwrap_or_default().parse().unwrap_or(f64::NAN);
        prop_assert!(number < 1024.0 || narration.ends_with("TB"), "{narration}");
    }

    #[test]
    fn entries_round_trip_through_json(entry in entry()) {
        let json = serde_json::to_string(&entry).expect("an entry can be written");
        let again: AgentMessage = serde_json::from_str(&json).expect("and read");
        prop_assert_eq!(again, entry);
    }

    /// A wire message is a part of its entry and has none of the host's fields.
    #[test]
    fn wire_message_is_part_of_its_entry(entry in entry()) {
        let whole = serde_json::to_value(&entry).expect("an entry can be written");
        let Some(wire) = WireMessage::of(&entry) else {
            prop_assert!(matches!(entry, AgentMessage::Custom { .. }), "{entry:?}");
            return Ok(());
        };
        let wire = serde_json::to_value(&wire).expect("so can its part");
        for (name, value) in wire.as_object().expect("an object") {
            prop_assert_eq!(Some(value), whole.get(name), "{}", name);
            prop_assert!(!["narration", "details", "timestamp"].contains(&name.as_str()));
        }
    }

    /// After the first round trip through an agent's history, nothing more is lost.
    #[test]
    fn second_round_trip_loses_nothing(entries in prop::collection::vec(entry(), 0..6)) {
        let once = from_agent(&to_agent(&entries).messages);
        let there = to_agent(&once.messages);
        let twice = from_agent(&there.messages);
        prop_assert_eq!(&there.losses, &[]);
        prop_assert_eq!(&twice.losses, &[]);
        prop_assert_eq!(once.messages, twice.messages);
    }
}

fn tool() -> impl Strategy<Value = String> {
    const KNOWN: [&str; 8] = [
        "list",
        "read",
        "write",
        "edit",
        "multi_edit",
        "bash",
        "glob",
        "grep",
    ];
    prop_oneof![4 => prop::sample::select(&KNOWN[..]).prop_map(str::to_string), 1 => any::<String>()]
}

/// Texts that mix the patterns of the narrators with anything else.
fn result() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(
            &[
                "error: ",
                "[",
                "]",
                "\n",
                "lines ",
                " bytes)",
                ", ",
                "` is an image (",
                "edited `",
                "`: ",
                " places, ",
                "exit code ",
                "7",
                ":",
                "(",
                " of ",
                " are shown",
                ";",
                " could not be read, such as ",
                "99999999999999999999999",
            ][..]
        )
        .prop_map(str::to_string),
        "\\PC{0,3}",
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn entry() -> impl Strategy<Value = AgentMessage> {
    let time = || prop::option::of(1_u64..9);
    let text = || "[a-z]{0,3}";
    let block = || {
        prop_oneof![
            text().prop_map(|text| ContentBlock::Text { text }),
            (
                prop::sample::select(&["data:image/png;base64,AA==", "https://a", "data:,x"][..]),
                prop::option::of(Just("image/png".to_string())),
                prop::option::of(text()),
            )
                .prop_map(|(source, media_type, alt)| ContentBlock::Image {
                    source: source.to_string(),
                    media_type,
                    alt,
                }),
        ]
    };
    let blocks = move || prop::collection::vec(block(), 0..3);
    let reply = prop_oneof![
        text().prop_map(|text| AssistantBlock::Text { text }),
        text().prop_map(|text| AssistantBlock::Reasoning { text }),
        Just(AssistantBlock::ReasoningDetails {
            details: json!([1])
        }),
        (text(), prop::option::of(text())).prop_map(|(thinking, signature)| {
            AssistantBlock::Thinking {
                text: thinking,
                signature,
            }
        }),
        text().prop_map(|id| AssistantBlock::ToolCall {
            id,
            name: "n".to_string(),
            arguments: json!({}),
        }),
    ];
    let stop = prop::sample::select(
        &[
            StopReason::EndTurn,
            StopReason::ToolUse,
            StopReason::Other,
            StopReason::Error,
        ][..],
    );
    let usage = prop::option::of((0_u64..3, any::<u64>()).prop_map(
        |(input_tokens, output_tokens)| Usage {
            input_tokens,
            output_tokens,
            ..Usage::default()
        },
    ));
    prop_oneof![
        (text(), time())
            .prop_map(|(content, timestamp)| AgentMessage::System { content, timestamp }),
        (text(), time()).prop_map(|(text, timestamp)| AgentMessage::User {
            content: UserContent::Text(text),
            timestamp,
        }),
        (blocks(), time()).prop_map(|(blocks, timestamp)| AgentMessage::User {
            content: UserContent::Blocks(blocks),
            timestamp,
        }),
        (
            prop::collection::vec(reply, 0..4),
            stop,
            prop::option::of(text()),
            time(),
            usage
        )
            .prop_map(|(blocks, stop_reason, error_message, timestamp, usage)| {
                AgentMessage::Assistant {
                    content: AssistantContent(blocks),
                    stop_reason,
                    error_message,
                    timestamp,
                    usage,
                }
            }),
        (
            text(),
            blocks(),
            any::<bool>(),
            prop::option::of(text()),
            prop::option::of(Just(json!({}))),
            time()
        )
            .prop_map(|(id, blocks, is_error, narration, details, timestamp)| {
                AgentMessage::ToolResult {
                    tool_call_id: id,
                    tool_name: "n".to_string(),
                    content: ToolResultContent(blocks),
                    is_error,
                    narration,
                    details,
                    timestamp,
                }
            }),
        (text(), Just(json!([null])), time()).prop_map(|(kind, payload, timestamp)| {
            AgentMessage::Custom {
                kind,
                payload,
                timestamp,
            }
        }),
    ]
}
