//! What 10,000 chat messages cost: as JSON, read and written a line a message, and across
//! the border to unified messages and back.
//!
//! ```console
//! $ cargo bench -p claw-code-solutions --bench chat
//! ```

use claw_code_solutions::chat::*;
use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use serde_json::{Value, json};

const MESSAGES: usize = 10_000;

fn main() {
    divan::main();
}

/// One JSON line for each message.
#[divan::bench]
fn serialize(bencher: Bencher) {
    let messages = session();
    counted(bencher).bench_local(|| lines(divan::black_box(&messages)));
}

/// The lines, read into messages.
#[divan::bench]
fn parse(bencher: Bencher) {
    let lines = lines(&session());
    counted(bencher).bench_local(|| {
        let lines = divan::black_box(&lines).lines();
        lines
            .map(|line| serde_json::from_str(line).expect("written by us"))
            .collect::<Vec<ChatMessage>>()
    });
}

/// For comparison, the same lines read into JSON values without a shape.
#[divan::bench]
fn parse_without_types(bencher: Bencher) {
    let lines = lines(&session());
    counted(bencher).bench_local(|| {
        let lines = divan::black_box(&lines).lines();
        lines
            .map(|line| serde_json::from_str(line).expect("written by us"))
            .collect::<Vec<Value>>()
    });
}

/// The session as it goes to a provider.
#[divan::bench]
fn to_unified_messages(bencher: Bencher) {
    let messages = session();
    counted(bencher).bench_local(|| to_unified(divan::black_box(&messages)));
}

/// And back.
#[divan::bench]
fn from_unified_messages(bencher: Bencher) {
    let unified = to_unified(&session()).expect("every result names its call");
    counted(bencher).bench_local(|| from_unified(divan::black_box(&unified)));
}

fn counted<'a, 'b>(bencher: Bencher<'a, 'b>) -> Bencher<'a, 'b> {
    let bytes = lines(&session()).len();
    bencher
        .counter(BytesCount::new(bytes))
        .counter(ItemsCount::new(MESSAGES))
}

fn lines(messages: &[ChatMessage]) -> String {
    let mut lines = String::new();
    for message in messages {
        lines.push_str(&serde_json::to_string(message).expect("every duration is finite"));
        lines.push('\n');
    }
    lines
}

/// Rounds of a question, a call with signed thinking, its result and a reply.
fn session() -> Vec<ChatMessage> {
    let round = json!([
        { "role": "user", "content": "What is in src, and does it build?",
          "timestamp": "2026-01-02T03:04:05.678Z" },
        { "role": "assistant", "content": "Let me look.", "reasoning": "The user asks for the files.",
          "tool_calls": [{ "id": "call_1", "type": "function",
            "function": { "name": "bash", "arguments": "{\"command\":\"ls src\",\"timeout\":10}" } }],
          "raw_content_blocks": [
            { "type": "thinking", "thinking": "The user asks for the files.",
              "signature": "c2lnbmF0dXJlIG9mIHRoZSB0aG91Z2h0cw==", "redacted": false },
            { "type": "text", "text": "Let me look." },
            { "type": "tool_use", "id": "call_1", "name": "bash",
              "input": { "command": "ls src", "timeout": 10 } }
          ],
          "timestamp": "2026-01-02T03:04:06Z", "id": "msg_1", "status": "completed" },
        { "role": "tool", "tool_call_id": "call_1", "content": "main.rs\nlib.rs\n".repeat(20),
          "tool_metadata": { "success": true, "duration_ms": 12.5, "tool_name": "bash",
            "arguments": "{\"command\":\"ls src\",\"timeout\":10}" } },
        { "role": "assistant", "content": "Two files, and it builds.", "id": "msg_2", "status": "completed" }
    ]);
    let round: Vec<ChatMessage> = serde_json::from_value(round).expect("four messages");
    round.into_iter().cycle().take(MESSAGES).collect()
}
