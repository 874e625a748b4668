//! 10,000 chat messages: read and written as JSON lines, converted to unified messages and
//! back, and converted to the request text of three APIs and from reply text back.
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

/// One JSON line per message.
#[divan::bench]
fn serialize(bencher: Bencher) {
    let messages = session();
    counted(bencher).bench_local(|| lines(divan::black_box(&messages)));
}

/// Reads the lines into messages.
#[divan::bench]
fn parse(bencher: Bencher) {
    let lines = lines(&session());
    counted(bencher).bench_local(|| {
        let lines = divan::black_box(&lines).lines();
        lines
            .map(|line| serde_json::from_str(line).expect("this benchmark wrote the text"))
            .collect::<Vec<ChatMessage>>()
    });
}

/// For comparison: reads the same lines into untyped JSON values.
#[divan::bench]
fn parse_without_types(bencher: Bencher) {
    let lines = lines(&session());
    counted(bencher).bench_local(|| {
        let lines = divan::black_box(&lines).lines();
        lines
            .map(|line| serde_json::from_str(line).expect("this benchmark wrote the text"))
            .collect::<Vec<Value>>()
    });
}

/// Converts the session to unified messages.
#[divan::bench]
fn to_unified_messages(bencher: Bencher) {
    let messages = session();
    counted(bencher).bench_local(|| to_unified(divan::black_box(&messages)));
}

/// Converts unified messages to chat messages.
#[divan::bench]
fn from_unified_messages(bencher: Bencher) {
    let unified = to_unified(&session()).expect("every result names its call");
    counted(bencher).bench_local(|| from_unified(divan::black_box(&unified)));
}

/// Writes the session as request text for the Responses API.
#[divan::bench]
fn to_responses_text(bencher: Bencher) {
    let messages = session();
    counted(bencher).bench_local(|| {
        let input = to_input(divan::black_box(&messages)).expect("every result names its call");
        serde_json::to_string(&input).expect("items can be written")
    });
}

/// Reads replies of the Responses API, each a list of items, into messages.
#[divan::bench]
fn from_responses_text(bencher: Bencher) {
    let reply = json!([
        { "type": "reasoning", "id": "rs_1", "encrypted_content": "c2lnbmF0dXJlIG9mIHRoZSB0aG91Z2h0cw==",
          "summary": [{ "type": "summary_text", "text": "The user asks for the files." }] },
        { "type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
          "content": [{ "type": "output_text", "text": "Let me look.", "annotations": [] }] },
        { "type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "bash",
          "arguments": "{\"command\":\"ls src\",\"timeout\":10}", "status": "completed" }
    ]);
    let text = reply.to_string();
    let bencher = bencher.counter(BytesCount::new(text.len() * MESSAGES));
    bencher.counter(ItemsCount::new(MESSAGES)).bench_local(|| {
        let read = |_| -> Vec<ChatMessage> {
            let items: Vec<OutputItem> = serde_json::from_str(divan::black_box(&text))
                .expect("this benchmark wrote the text");
            ChatMessage::from_output_items(&items)
        };
        (0..MESSAGES).flat_map(read).collect::<Vec<_>>()
    });
}

/// Writes the session as request text for the Messages API.
#[divan::bench]
fn to_messages_text(bencher: Bencher) {
    let messages = session();
    counted(bencher).bench_local(|| {
        let input = to_messages(divan::black_box(&messages)).expect("every result names its call");
        serde_json::to_string(&input).expect("turns can be written")
    });
}

/// Reads the same text into messages.
#[divan::bench]
fn from_messages_text(bencher: Bencher) {
    let input = to_messages(&session()).expect("every result names its call");
    let text = serde_json::to_string(&input).expect("turns can be written");
    let bencher = bencher.counter(BytesCount::of_str(&text));
    bencher.counter(ItemsCount::new(MESSAGES)).bench_local(|| {
        let input =
            serde_json::from_str(divan::black_box(&text)).expect("this benchmark wrote the text");
        from_messages(&input)
    });
}

/// Writes the session as request text for Chat Completions.
#[divan::bench]
fn to_completions_text(bencher: Bencher) {
    let messages = session();
    counted(bencher).bench_local(|| {
        let sent =
            to_completions(divan::black_box(&messages)).expect("every result names its call");
        serde_json::to_string(&sent).expect("messages can be written")
    });
}

/// Reads the same text into messages.
#[divan::bench]
fn from_completions_text(bencher: Bencher) {
    let sent = to_completions(&session()).expect("every result names its call");
    let text = serde_json::to_string(&sent).expect("messages can be written");
    let bencher = bencher.counter(BytesCount::of_str(&text));
    bencher.counter(ItemsCount::new(MESSAGES)).bench_local(|| {
        let sent: Vec<CompletionMessage> =
            serde_json::from_str(divan::black_box(&text)).expect("this benchmark wrote the text");
        from_completions(&sent)
    });
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

/// Rounds of four messages: a question, a call with signed thinking, its result, a reply.
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
