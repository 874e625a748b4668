//! Section 19.6: End of a streamed message

use claw_code::agent::*;
use claw_code::chat::*;
use claw_code::models::*;
use claw_code::provider::*;
use claw_code::tools::Api;
use serde_json::{Value, json};

use super::bodies;
use super::readers;
use super::support::*;

#[test]
fn test_ch19_messages_stream_becomes_reply() {
    let reply = readers::reply::<MessagesReader>(&readers::whole_message());
    assert_json(
        "thinking with its signature, redacted thinking, text and a call, in order",
        &to_json(&reply.content),
        &json!([
            { "type": "thinking", "thinking": "List first.", "signature": "c2ln+/==" },
            { "type": "thinking", "thinking": "",
              "signature": r#"{"encrypted_content":"DATA==","redacted":true}"# },
            { "type": "text", "text": "Let me look." },
            { "type": "toolCall", "id": "toolu_1", "name": "list", "arguments": { "path": "src" } },
        ]),
    );
    assert_eq!(reply.stop_reason, StopReason::ToolUse, "it has a call");
    assert_eq!(reply.note, None, "a normal reply has no note");
}

#[test]
fn test_ch19_event_without_a_stop_reason_keeps_the_earlier_one() {
    let mut events = readers::whole_message();
    let silent = json!({ "type": "message_delta", "delta": { "stop_reason": null } });
    events.insert(events.len() - 1, silent.to_string());
    let reply = readers::reply::<MessagesReader>(&events[..events.len() - 1]);
    assert_eq!(
        (reply.stop_reason, reply.note),
        (StopReason::ToolUse, None),
        "a later event without a `stop_reason` keeps the earlier one"
    );
}

#[test]
fn test_ch19_messages_usage_counts() {
    let (reply, _) = readers::read(MessagesReader::default(), &readers::whole_message());
    assert_eq!(
        reply.expect("a whole reply").usage,
        Usage {
            input: 20,
            output: 40,
            reasoning: 0,
            cache_read: 1000,
            cache_write: 300,
            total_tokens: 1360
        },
        "a later count replaces an earlier one of its kind; the total is the sum of all four, since the API sends none"
    );
}

#[test]
fn test_ch19_later_count_of_zero_counts() {
    let usage = usage_of([
        json!({ "input_tokens": 20, "output_tokens": 5 }),
        json!({ "input_tokens": 0, "cache_read_input_tokens": 20 }),
    ]);
    assert_eq!(
        (usage.input, usage.cache_read, usage.output),
        (0, 20, 5),
        "a later count replaces an earlier one, even by 0; a count that is missing replaces nothing"
    );
}

#[test]
fn test_ch19_huge_counts_have_a_total() {
    let usage = usage_of([
        json!({ "input_tokens": u64::MAX }),
        json!({ "output_tokens": 1 }),
    ]);
    assert_eq!(
        usage.total_tokens,
        u64::MAX,
        "a total beyond the largest number is the largest number"
    );
}

#[test]
fn test_ch19_messages_stop_reasons() {
    use StopReason::*;
    for (word, reason, note) in [
        ("end_turn", Stop, ""),
        ("stop_sequence", Stop, ""),
        ("max_tokens", Length, ""),
        ("model_context_window_exceeded", Length, "context window"),
        ("pause_turn", Paused, ""),
        ("refusal", GuardRail, "safety filter"),
        ("solar_flare", Stop, "solar_flare"),
        ("tool_use", Stop, ""),
    ] {
        let reply = text_reply(word);
        assert_eq!(
            reply.stop_reason, reason,
            "the stop reason of a reply without calls that ended with {word}"
        );
        readers::assert_note(&reply, note);
    }
}

#[test]
fn test_ch19_message_may_end_without_a_stop_reason() {
    let reply = readers::reply::<MessagesReader>(&[
        readers::begin(0, json!({ "type": "text", "text": "Hi." })),
        json!({ "type": "message_stop" }).to_string(),
    ]);
    assert_eq!(
        reply.stop_reason,
        StopReason::Stop,
        "the last event ends the reply, with or without a reason"
    );
    readers::assert_note(&reply, "no reason");
}

#[test]
fn test_ch19_reply_with_calls_ends_with_tool_use() {
    let call = json!({ "type": "tool_use", "id": "t", "name": "list", "input": {} });
    let events = [readers::begin(0, call), readers::end("end_turn")];
    assert_eq!(
        readers::reply::<MessagesReader>(&events).stop_reason,
        StopReason::ToolUse,
        "a reply with calls ends with ToolUse, whatever the server sends"
    );
}

#[test]
fn test_ch19_arguments_are_the_json_of_all_pieces() {
    assert_eq!(
        called("{\"command\":\"ls\"}", "tool_use"),
        json!({ "command": "ls" }),
        "the arguments are parsed"
    );
    for reason in ["tool_use", "end_turn", "pause_turn"] {
        assert_eq!(
            called("", reason),
            json!({}),
            "a call of a tool without parameters has no pieces, in a reply that ended with {reason}"
        );
    }
}

#[test]
fn test_ch19_incomplete_arguments_are_kept() {
    assert_eq!(
        called("{\"command\":\"rm -r /tmp", "max_tokens"),
        json!("{\"command\":\"rm -r /tmp"),
        "text that is not JSON is kept unchanged, and chapter 3 answers the call with an error"
    );
    assert_eq!(
        called("{\"command\":\"ls\"}", "max_tokens"),
        json!({ "command": "ls" }),
        "arguments that are complete are an object, even if the limit ended the reply after them"
    );
    for (blank, reason) in [
        ("", "max_tokens"),
        (" \n", "max_tokens"),
        ("", "model_context_window_exceeded"),
        ("", "refusal"),
    ] {
        assert_eq!(
            called(blank, reason),
            json!(blank),
            "{reason} cut the call before its first argument, so its text stays as it is: `{{}}` would run the tool without its arguments"
        );
    }
}

#[test]
fn test_ch19_length_limit_cuts_only_the_last_call() {
    let begun = |index, id: &str| {
        let block = json!({ "type": "tool_use", "id": id, "name": "list", "input": {} });
        readers::begin(index, block)
    };
    let events = [begun(0, "t0"), begun(1, "t1"), readers::end("max_tokens")];
    let reply = readers::reply::<MessagesReader>(&events);
    assert_eq!(
        readers::arguments_of(&reply.content),
        json!({}),
        "the limit cuts only the last block: the call before it is complete and has no arguments"
    );
}

#[test]
fn test_ch19_deeply_nested_message_arguments_are_text() {
    for levels in [MAX_DEPTH, MAX_DEPTH + 1, 120] {
        let written = nested_json(levels);
        let kept = match levels > MAX_DEPTH {
            true => json!(written),
            false => serde_json::from_str(&written).expect("JSON"),
        };
        for (way, reply) in readers::replies_with_call(&written) {
            assert!(
                readers::arguments_of(&reply.content) == kept,
                "arguments with {levels} levels that arrive {way}: those nested too deeply are kept as text, like those that are not JSON"
            );
        }
    }
}

#[test]
fn test_ch19_message_with_deeply_nested_arguments_can_be_stored() {
    for levels in [MAX_DEPTH, MAX_DEPTH + 1, 120] {
        for (_, reply) in readers::replies_with_call(&nested_json(levels)) {
            let message = bodies::with_content(reply.content);
            readers::assert_can_be_kept(&message);
            let chat = from_agent(&[message], Api::Messages, "anthropic");
            readers::assert_can_be_kept(&chat);
        }
    }
}

#[test]
fn test_ch19_interrupted_messages_stream_is_an_error() {
    let whole = readers::whole_message();
    for events in 0..whole.len() - 1 {
        let (reply, _) = readers::read(MessagesReader::default(), &whole[..events]);
        assert!(
            matches!(&reply, Err(ProviderError::Network(why)) if why.contains("broke off")),
            "after {events} of {} events the reply is incomplete, and the error should say that it broke off: {reply:?}",
            whole.len()
        );
    }
}

#[test]
fn test_ch19_interrupted_message_counts_what_arrived() {
    let whole = readers::whole_message();
    let (reply, _) = readers::read(MessagesReader::default(), &whole[..whole.len() - 2]);
    let why = reply
        .expect_err("a reply without a stop reason")
        .to_string();
    assert!(
        why.contains("12 characters") && why.contains("1 tool call"),
        "the error should count what arrived, `Let me look.` and a call: {why}"
    );
}

#[test]
fn test_ch19_message_is_complete_after_its_stop_reason() {
    let whole = readers::whole_message();
    let (reply, _) = readers::read(MessagesReader::default(), &whole[..whole.len() - 1]);
    assert!(
        reply.is_ok(),
        "after the stop reason, the reply is complete: {reply:?}"
    );
}

#[test]
fn test_ch19_message_stop_is_the_last_event() {
    let whole = readers::whole_message();
    let mut reader = MessagesReader::default();
    assert!(
        !reader.is_finished(),
        "a reader without events is not finished"
    );
    for event in &whole {
        assert!(!reader.is_over(), "{event} is still to come");
        reader.read(event).expect("a good event");
    }
    assert!(reader.is_over(), "`message_stop` is the last event");
}

#[test]
fn test_ch19_complete_message_gives_its_deltas() {
    let (_, deltas) =
        readers::read_whole::<MessagesReader>(&complete_message()).expect("a message");
    assert_eq!(
        deltas,
        [
            readers::thinking("t"),
            readers::said("Hi."),
            readers::arguments("{\"path\":\".\"}")
        ],
        "one delta for each block"
    );
}

#[test]
fn test_ch19_complete_message_reads_like_a_stream() {
    let (reply, _) = readers::read_whole::<MessagesReader>(&complete_message()).expect("a message");
    assert_json(
        "a complete reply equals a streamed one",
        &to_json(&reply.content),
        &json!([
            { "type": "thinking", "thinking": "t", "signature": "c2ln" },
            { "type": "text", "text": "Hi." },
            { "type": "toolCall", "id": "t", "name": "list", "arguments": { "path": "." } },
        ]),
    );
    assert_eq!(reply.usage.total_tokens, 3, "the sum of both counts");
}

#[test]
fn test_ch19_body_without_content_is_no_message() {
    let none = readers::read_whole::<MessagesReader>(&json!({ "hello": 1 }));
    assert!(
        matches!(none, Err(ProviderError::MalformedReply(_))),
        "an object without `content` is not a message: {none:?}"
    );
}

#[test]
fn test_ch19_skipped_deltas_are_not_in_the_reply() {
    let reply = readers::reply::<MessagesReader>(&[
        readers::begin(0, json!({ "type": "text", "text": "\n" })),
        readers::delta(0, json!({ "type": "thinking_delta", "thinking": "x" })),
        readers::delta(0, json!({ "type": "signature_delta", "signature": "c2ln" })),
        readers::end("end_turn"),
    ]);
    assert_eq!(
        reply.content,
        [Content::Text { text: "\n".into() }],
        "a delta of a different kind than its block is skipped"
    );
}

#[test]
fn test_ch19_note_names_skipped_blocks() {
    let search = json!({ "type": "server_tool_use", "id": "s", "name": "web_search", "input": {} });
    let input = json!({ "type": "input_json_delta", "partial_json": "{}" });
    let reply = readers::reply::<MessagesReader>(&[
        readers::begin(0, search),
        readers::delta(0, input),
        readers::begin(1, json!({ "type": "text", "text": "" })),
        readers::end("solar_flare"),
    ]);
    assert_eq!(reply.content, [], "an empty text is left out");
    let note = reply.note.unwrap_or_default();
    assert!(
        note.contains("server_tool_use") && note.contains("solar_flare"),
        "the note gives the end of the reply and names the unknown block: {note:?}"
    );
}

/// A reply with a text, ended with `stop_reason`.
fn text_reply(stop_reason: &str) -> Reply {
    readers::reply::<MessagesReader>(&[
        readers::begin(0, json!({ "type": "text", "text": "Hi." })),
        readers::end(stop_reason),
    ])
}

/// The token counts of a reply in which these arrive one after the other.
fn usage_of(counts: [Value; 2]) -> Usage {
    let event = |usage: &Value| json!({ "type": "message_delta", "usage": usage }).to_string();
    let mut events: Vec<String> = counts.iter().map(event).collect();
    events.push(json!({ "type": "message_stop" }).to_string());
    readers::reply::<MessagesReader>(&events).usage
}

/// The arguments of a call whose only piece is `json`, in a reply ended with `stop_reason`.
fn called(json: &str, stop_reason: &str) -> Value {
    let block = json!({ "type": "tool_use", "id": "t", "name": "bash", "input": {} });
    let piece = json!({ "type": "input_json_delta", "partial_json": json });
    let reply = readers::reply::<MessagesReader>(&[
        readers::begin(0, block),
        readers::delta(0, piece),
        readers::end(stop_reason),
    ]);
    readers::arguments_of(&reply.content)
}

fn complete_message() -> Value {
    json!({
        "type": "message", "role": "assistant", "stop_reason": "tool_use",
        "content": [
            { "type": "thinking", "thinking": "t", "signature": "c2ln" },
            { "type": "text", "text": "Hi." },
            { "type": "tool_use", "id": "t", "name": "list", "input": { "path": "." } },
        ],
        "usage": { "input_tokens": 1, "output_tokens": 2 },
    })
}
