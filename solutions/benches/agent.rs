//! The messages of chapters 14 and 15: writing and reading a history of 10,000 messages with
//! the reference's serde code, through a `serde_json::Value`, and with serde's derived code
//! (`tag`, `flatten` and `untagged`).

#[path = "../tests/derived/mod.rs"]
mod derived;

use claw_code_solutions::agent::{
    AgentMessage, Content, ExtensionMessage, LlmMessage, Message, StopReason, TurnId, Usage,
};
use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use serde_json::{Value, json};

const ENTRIES: usize = 10_000;

fn main() {
    divan::main();
}

/// Turns of four messages: a question, a reply with a call, its result, and an extension.
fn history() -> Vec<AgentMessage> {
    (0..ENTRIES).map(entry).collect()
}

fn entry(number: usize) -> AgentMessage {
    let turn = TurnId {
        loop_id: "0f8fad5b-d9cb-469f-a165-70867728950e.default.1".to_string(),
        turn_index: (number / 4) as u64,
    };
    let timestamp = 1_767_225_600_000 + number as u64;
    let text = |text: String| Content::Text { text };
    let message = match number % 4 {
        0 => Message::User {
            content: vec![text(format!("Does the wörd {number} stand in \"src\"?"))],
            timestamp,
        },
        1 => Message::Assistant {
            content: vec![
                Content::Thinking {
                    thinking: "The user wants a search.\nI take grep. ".repeat(8),
                    signature: Some("EqQBCgIYAhIM".repeat(20)),
                },
                text("Let me look.".to_string()),
                Content::ToolCall {
                    id: format!("toolu_{number:024}"),
                    name: "grep".to_string(),
                    arguments: json!({ "pattern": format!("w.rd {number}"), "path": "src", "limit": 50 }),
                },
            ],
            stop_reason: StopReason::ToolUse,
            model: "small-model".to_string(),
            provider: "offline".to_string(),
            usage: Usage {
                input: number as u64,
                output: 120,
                cache_read: 40_000,
                total_tokens: 40_120,
                ..Usage::default()
            },
            timestamp,
            error_message: None,
        },
        2 => Message::ToolResult {
            tool_call_id: format!("toolu_{:024}", number - 1),
            tool_name: "grep".to_string(),
            content: vec![text("src/main.rs:12:    let word = read();\n".repeat(25))],
            is_error: false,
            timestamp,
            child_loop_id: None,
        },
        _ => {
            let data = json!({ "text": "25 lines in 1 file", "ms": number });
            return ExtensionMessage::new("notification", data).into();
        }
    };
    LlmMessage::with_turn(message, turn).into()
}

fn lines() -> Vec<String> {
    let lines = history();
    lines
        .iter()
        .map(|entry| serde_json::to_string(entry).expect("messages can be written"))
        .collect()
}

fn write<T>(bencher: Bencher, history: Vec<T>, to_string: impl Fn(&T) -> String + Sync) {
    let bytes: usize = history.iter().map(|entry| to_string(entry).len()).sum();
    bencher
        .counter(ItemsCount::new(ENTRIES))
        .counter(BytesCount::new(bytes))
        .bench_local(|| {
            for entry in &history {
                black_box(to_string(entry));
            }
        });
}

fn parse<T>(bencher: Bencher, from_str: impl Fn(&str) -> T + Sync) {
    let lines = lines();
    let bytes: usize = lines.iter().map(String::len).sum();
    bencher
        .counter(ItemsCount::new(ENTRIES))
        .counter(BytesCount::new(bytes))
        .bench_local(|| {
            for line in &lines {
                black_box(from_str(line));
            }
        });
}

#[divan::bench]
fn write_ours(bencher: Bencher) {
    write(bencher, history(), |entry| {
        serde_json::to_string(entry).expect("messages can be written")
    });
}

/// Writes the message to a `Value` and adds the turn id.
#[divan::bench]
fn write_through_value(bencher: Bencher) {
    write(bencher, history(), |entry| {
        let value = match entry {
            AgentMessage::Llm(llm) => {
                let mut value =
                    serde_json::to_value(&llm.message).expect("messages can be written");
                if let Some(turn) = &llm.turn_id {
                    value["turnId"] = serde_json::to_value(turn).expect("messages can be written");
                }
                value
            }
            AgentMessage::Extension(note) => {
                serde_json::to_value(note).expect("messages can be written")
            }
        };
        value.to_string()
    });
}

#[divan::bench]
fn write_derived(bencher: Bencher) {
    let history: Vec<derived::AgentMessage> = lines()
        .iter()
        .map(|line| serde_json::from_str(line).expect("the line is a message"))
        .collect();
    write(bencher, history, |entry| {
        serde_json::to_string(entry).expect("messages can be written")
    });
}

#[divan::bench]
fn parse_ours(bencher: Bencher) {
    parse(bencher, |line| {
        serde_json::from_str::<AgentMessage>(line).expect("the line is a message")
    });
}

/// Reads the object as a `Value`, removes the turn id, and reads the rest as a message.
#[divan::bench]
fn parse_through_value(bencher: Bencher) {
    parse(bencher, |line| {
        let mut value: Value = serde_json::from_str(line).expect("the line is JSON");
        if value["role"] == "extension" {
            return AgentMessage::Extension(
                serde_json::from_value(value).expect("the line is a message"),
            );
        }
        let turn = value
            .as_object_mut()
            .and_then(|fields| fields.remove("turnId"));
        AgentMessage::Llm(LlmMessage {
            turn_id: turn.map(|turn| serde_json::from_value(turn).expect("the line is a message")),
            ..LlmMessage::new(serde_json::from_value(value).expect("the line is a message"))
        })
    });
}

#[divan::bench]
fn parse_derived(bencher: Bencher) {
    parse(bencher, |line| {
        serde_json::from_str::<derived::AgentMessage>(line).expect("the line is a message")
    });
}

/// The lower bound: the parser alone, which keeps nothing.
#[divan::bench]
fn parse_and_drop(bencher: Bencher) {
    parse(bencher, |line| {
        serde_json::from_str::<serde::de::IgnoredAny>(line).expect("the line is JSON")
    });
}
