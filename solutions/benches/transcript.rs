//! The messages of chapters 1 and 17: writing and reading 10,000 of each as JSON lines, and
//! converting a transcript to an agent's history and back.
//!
//! ```console
//! $ cargo bench -p claw-code-solutions --bench transcript
//! ```

use claw_code_solutions::{transcript, types};
use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

const MESSAGES: usize = 10_000;

fn main() {
    divan::main();
}

#[divan::bench(types = [types::Message, transcript::AgentMessage])]
fn serialize<T: Vocabulary>(bencher: Bencher) {
    let messages = session::<T>();
    counted::<T>(bencher).bench_local(|| lines(black_box(&messages)));
}

#[divan::bench(types = [types::Message, transcript::AgentMessage])]
fn parse<T: Vocabulary>(bencher: Bencher) {
    let lines = lines(&session::<T>());
    counted::<T>(bencher).bench_local(|| {
        let lines = black_box(&lines).lines();
        lines
            .map(|line| serde_json::from_str(line).expect("this benchmark wrote the text"))
            .collect::<Vec<T>>()
    });
}

/// Converts the transcript to an agent's history.
#[divan::bench]
fn to_agent(bencher: Bencher) {
    let messages = session::<transcript::AgentMessage>();
    counted::<transcript::AgentMessage>(bencher)
        .bench_local(|| transcript::to_agent(black_box(&messages)));
}

/// Converts the history to a transcript.
#[divan::bench]
fn from_agent(bencher: Bencher) {
    let there = transcript::to_agent(&session()).messages;
    counted::<transcript::AgentMessage>(bencher)
        .bench_local(|| transcript::from_agent(black_box(&there)));
}

/// Borrows everything that a provider may see.
#[divan::bench]
fn to_wire(bencher: Bencher) {
    let messages = session::<transcript::AgentMessage>();
    counted::<transcript::AgentMessage>(bencher).bench_local(|| {
        black_box(transcript::to_wire(black_box(&messages)));
    });
}

fn counted<'a, 'b, T: Vocabulary>(bencher: Bencher<'a, 'b>) -> Bencher<'a, 'b> {
    let bytes = lines(&session::<T>()).len();
    bencher
        .counter(BytesCount::new(bytes))
        .counter(ItemsCount::new(MESSAGES))
}

fn lines<T: Serialize>(messages: &[T]) -> String {
    let mut lines = String::new();
    for message in messages {
        lines.push_str(&serde_json::to_string(message).expect("messages can be written"));
        lines.push('\n');
    }
    lines
}

fn session<T: Vocabulary>() -> Vec<T> {
    let round: Vec<T> = serde_json::from_value(T::round()).expect("four messages");
    round.into_iter().cycle().take(MESSAGES).collect()
}

/// Rounds of four messages: a question, a call, its result, a reply.
trait Vocabulary: Serialize + DeserializeOwned + Clone + 'static {
    fn round() -> Value;
}

impl Vocabulary for types::Message {
    fn round() -> Value {
        json!([
            { "type": "User", "id": "6f1c0b3e-0000-4000-8000-000000000001",
              "content": "What is in src, and does it build?" },
            { "type": "Assistant", "id": "6f1c0b3e-0000-4000-8000-000000000002",
              "text": "Let me look.", "stop_reason": "ToolUse",
              "tool_calls": [{ "id": "call_1", "name": "bash",
                "arguments": { "command": "ls src", "timeout": 10 } }],
              "usage": { "input_tokens": 900, "output_tokens": 30,
                "cache_read_tokens": 800, "cache_creation_tokens": 0 } },
            { "type": "ToolResult", "id": "6f1c0b3e-0000-4000-8000-000000000003",
              "tool_use_id": "call_1", "content": "main.rs\nlib.rs\n".repeat(20), "is_truncated": false },
            { "type": "Assistant", "id": "6f1c0b3e-0000-4000-8000-000000000004",
              "text": "Two files, and it builds.", "tool_calls": [], "stop_reason": "Stop", "usage": null }
        ])
    }
}

impl Vocabulary for transcript::AgentMessage {
    fn round() -> Value {
        json!([
            { "role": "user", "content": "What is in src, and does it build?", "timestamp": 1_767_225_600_123_u64 },
            { "role": "assistant", "stop_reason": "tool_use", "timestamp": 1_767_225_600_124_u64,
              "content": [
                { "type": "thinking", "text": "The user asks for the files.",
                  "signature": "c2lnbmF0dXJlIG9mIHRoZSB0aG91Z2h0cw==" },
                { "type": "text", "text": "Let me look." },
                { "type": "tool_call", "id": "call_1", "name": "bash",
                  "arguments": { "command": "ls src", "timeout": 10 } }
              ],
              "usage": { "input_tokens": 900, "output_tokens": 30,
                "cache_creation_input_tokens": 0, "cache_read_input_tokens": 800 } },
            { "role": "tool_result", "tool_call_id": "call_1", "tool_name": "bash", "is_error": false,
              "content": [{ "type": "text", "text": "main.rs\nlib.rs\n".repeat(20) }],
              "narration": "Ran ls src.", "details": { "entries": 40 }, "timestamp": 1_767_225_600_125_u64 },
            { "role": "assistant", "stop_reason": "end_turn",
              "content": [{ "type": "text", "text": "Two files, and it builds." }] }
        ])
    }
}
