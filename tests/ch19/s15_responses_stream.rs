//! Section 19.15: Streaming the Responses API

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
fn test_ch19_responses_stream_becomes_reply() {
    let (reply, pieces) = readers::read(ResponsesReader::default(), &readers::whole_response(true));
    let reply = reply.expect("a whole reply");
    assert_json(
        "reasoning with its encrypted content, text and a call, in order",
        &to_json(&reply.content),
        &json!([
            { "type": "thinking", "thinking": "List first.",
              "signature": r#"{"encrypted_content":"ENC==","id":"rs_1"}"# },
            { "type": "text", "text": "Let me look." },
            { "type": "toolCall", "id": "call_1", "name": "list", "arguments": { "path": "src" } },
        ]),
    );
    assert_eq!(reply.stop_reason, StopReason::ToolUse);
    assert_eq!(reply.note, None, "a normal reply has no note");
    assert_eq!(
        pieces,
        [
            readers::thinking("List first."),
            readers::said("Let me "),
            readers::said("look."),
            readers::arguments("{\"path\":\"src\"}"),
        ],
        "only the deltas: events that repeat others give none"
    );
    assert_eq!(
        reply.usage,
        Usage {
            input: 20,
            output: 40,
            reasoning: 30,
            cache_read: 1000,
            cache_write: 300,
            total_tokens: 1360
        },
        "this API includes cached tokens in input_tokens, so they have to be subtracted"
    );
}

#[test]
fn test_ch19_finished_items_replace_missing_output() {
    let said = |text: &str| {
        json!({ "type": "message", "id": "msg_1", "role": "assistant",
                "content": [{ "type": "output_text", "text": text }] })
    };
    let events = [
        json!({ "type": "response.output_item.done", "output_index": 0, "item": said("Draft.") }),
        json!({ "type": "response.completed", "response": { "status": "completed", "output": [said("Done.")] } }),
    ];
    let events = events.map(|event| event.to_string());
    let (reply, _) = readers::read(ResponsesReader::default(), &events);
    assert_eq!(
        reply.expect("a whole reply").content,
        [Content::Text {
            text: "Done.".into()
        }],
        "a complete `output` of the response object is the reply"
    );
    let (reply, _) = readers::read(ResponsesReader::default(), &readers::whole_response(false));
    assert_eq!(
        reply.expect("a whole reply").content.len(),
        3,
        "some servers send an empty `output`: then the finished items are the reply"
    );
    let done = |index: u64, text: &str| json!({ "type": "response.output_item.done", "output_index": index, "item": said(text) });
    let events = [
        done(0, "One."),
        done(1, "Two."),
        json!({ "type": "response.completed", "response": { "status": "completed", "output": [said("Two.")] } }),
    ];
    let events = events.map(|event| event.to_string());
    let (reply, _) = readers::read(ResponsesReader::default(), &events);
    assert_json(
        "if `output` has fewer items than were finished, the finished items are the reply",
        &to_json(&reply.expect("a whole reply").content),
        &json!([text("One."), text("Two.")]),
    );
}

#[test]
fn test_ch19_responses_stop_reasons() {
    for (status, why, reason, note) in [
        ("completed", Value::Null, StopReason::Stop, ""),
        (
            "incomplete",
            json!("max_output_tokens"),
            StopReason::Length,
            "",
        ),
        (
            "incomplete",
            json!("content_filter"),
            StopReason::GuardRail,
            "content filter",
        ),
        (
            "incomplete",
            json!("solar_flare"),
            StopReason::Length,
            "solar_flare",
        ),
        ("queued", Value::Null, StopReason::Stop, "queued"),
    ] {
        let response = json!({ "status": status, "incomplete_details": { "reason": why },
            "output": [{ "type": "message", "id": "msg_1", "role": "assistant",
                         "content": [{ "type": "output_text", "text": "Hi." }] }] });
        let kind = if status == "incomplete" {
            "response.incomplete"
        } else {
            "response.completed"
        };
        let event = json!({ "type": kind, "response": response }).to_string();
        let (reply, _) = readers::read(ResponsesReader::default(), &[event]);
        let reply = reply.expect("a whole reply");
        assert_eq!(reply.stop_reason, reason, "status {status}, reason {why}");
        let found = reply.note.unwrap_or_default();
        assert!(
            found.contains(note) && found.is_empty() == note.is_empty(),
            "the note for {status}, {why} should contain {note:?}, or be absent if that is empty; it is {found:?}"
        );
    }
}

#[test]
fn test_ch19_cut_call_gets_invalid_arguments() {
    for (written, kept) in [("", json!("")), ("{\"comm", json!("{\"comm"))] {
        let call = json!({ "type": "function_call", "call_id": "c", "name": "bash",
                           "arguments": written, "status": "incomplete" });
        let response = json!({ "status": "incomplete", "output": [call],
                               "incomplete_details": { "reason": "max_output_tokens" } });
        let event = json!({ "type": "response.incomplete", "response": response }).to_string();
        let (reply, _) = readers::read(ResponsesReader::default(), &[event]);
        assert_eq!(
            readers::arguments_of(&reply.expect("a whole reply").content),
            kept,
            "a call cut after {written:?}: no tool may run with that"
        );
    }
    let call = |id: &str, status: &str| {
        json!({ "type": "function_call", "call_id": id, "name": "list",
                                                "arguments": "", "status": status })
    };
    let response = json!({ "status": "incomplete", "incomplete_details": { "reason": "max_output_tokens" },
                           "output": [call("a", "completed"), call("b", "incomplete")] });
    let event = json!({ "type": "response.incomplete", "response": response }).to_string();
    let (reply, _) = readers::read(ResponsesReader::default(), &[event]);
    assert_eq!(
        readers::arguments_of(&reply.expect("a whole reply").content),
        json!({}),
        "the call before the cut one is complete and has no arguments"
    );
}

#[test]
fn test_ch19_deeply_nested_response_arguments_are_text() {
    for levels in [MAX_DEPTH, MAX_DEPTH + 1, 126, 5000] {
        let written = nested_json(levels);
        let kept = match levels > MAX_DEPTH {
            true => json!(written),
            false => serde_json::from_str(&written).expect("JSON"),
        };
        let call = json!({ "type": "function_call", "call_id": "c", "name": "bash", "arguments": written });
        let event = json!({ "type": "response.completed",
                            "response": { "status": "completed", "output": [call] } });
        let (reply, _) = readers::read(ResponsesReader::default(), &[event.to_string()]);
        let content = reply.expect("a whole reply").content;
        assert!(
            readers::arguments_of(&content) == kept,
            "arguments with {levels} levels: those nested too deeply are kept as text, like those that are not JSON"
        );
        let message = bodies::with_content(content);
        readers::assert_can_be_kept(&from_agent(
            std::slice::from_ref(&message),
            Api::Responses,
            "anthropic",
        ));
        readers::assert_can_be_kept(&message);
    }
}

#[test]
fn test_ch19_refusal_is_marked_once() {
    let event = |delta: &str| {
        json!({ "type": "response.refusal.delta", "output_index": 0, "content_index": 0, "delta": delta }).to_string()
    };
    let done = json!({ "type": "response.completed", "response": { "status": "completed", "output": [
        { "type": "message", "id": "msg_1", "role": "assistant",
          "content": [{ "type": "refusal", "refusal": "I can't." }] }] } });
    let (reply, pieces) = readers::read(
        ResponsesReader::default(),
        &[event("I "), event("can't."), done.to_string()],
    );
    let shown: String = pieces.iter().map(readers::text_of).collect();
    assert_eq!(
        shown, "[refusal] I can't.",
        "the mark comes once, before the first delta"
    );
    assert_json(
        "the reply has the same mark",
        &to_json(&reply.expect("a whole reply").content),
        &json!([{ "type": "text", "text": "[refusal] I can't." }]),
    );
}

#[test]
fn test_ch19_items_without_index_follow_each_other() {
    let done = |index: Value, text: &str| {
        json!({ "type": "response.output_item.done", "output_index": index, "item": {
            "type": "message", "id": "msg_1", "role": "assistant",
            "content": [{ "type": "refusal", "refusal": text }] } })
    };
    let piece = |text: &str| json!({ "type": "response.refusal.delta", "delta": text });
    let events = [
        done(json!(4), "a"),
        piece("b"),
        done(Value::Null, "b"),
        piece("c"),
        piece("c"),
        done(Value::Null, "cc"),
        json!({ "type": "response.completed", "response": { "status": "completed", "output": [] } }),
    ];
    let (reply, pieces) = readers::read(
        ResponsesReader::default(),
        &events.map(|event| event.to_string()),
    );
    assert_json(
        "an item without an index comes next and replaces no other item",
        &to_json(&reply.expect("a whole reply").content),
        &json!([
            text("[refusal] a"),
            text("[refusal] b"),
            text("[refusal] cc")
        ]),
    );
    let shown: String = pieces.iter().map(readers::text_of).collect();
    assert_eq!(
        shown, "[refusal] b[refusal] cc",
        "deltas without an index belong to the next item: each refusal has its mark once"
    );
}

#[test]
fn test_ch19_note_names_skipped_parts() {
    let response = json!({ "type": "response.completed", "response": { "status": "completed", "output": [
        { "type": "reasoning", "id": "rs_1", "summary": [{ "type": "summary_audio", "data": "UklG" }] },
        { "type": "message", "id": "msg_1", "role": "assistant", "content": [
            { "type": "output_audio", "data": "UklG" }, { "type": "output_text", "text": "Hi." } ] } ] } });
    let (reply, _) = readers::read(ResponsesReader::default(), &[response.to_string()]);
    let reply = reply.expect("an unknown part does not discard the rest");
    assert!(
        reply
            .content
            .contains(&Content::Text { text: "Hi.".into() }),
        "the known parts are kept: {:?}",
        reply.content
    );
    let note = reply.note.unwrap_or_default();
    assert!(
        note.contains("summary_audio") && note.contains("output_audio"),
        "the note names the unknown parts: {note:?}"
    );
}

#[test]
fn test_ch19_interrupted_responses_stream_is_an_error() {
    let whole = readers::whole_response(true);
    for events in 0..whole.len() {
        let (reply, _) = readers::read(ResponsesReader::default(), &whole[..events]);
        let is_whole = events == whole.len();
        assert!(
            is_whole
                || matches!(&reply, Err(ProviderError::Network(why)) if why.contains("broke off")),
            "after {events} of {} events the reply is incomplete: {reply:?}",
            whole.len()
        );
    }
    let (reply, _) = readers::read(ResponsesReader::default(), &whole[..whole.len() - 1]);
    assert!(
        matches!(&reply, Err(ProviderError::Network(why)) if why.contains("12 characters") && why.contains("1 tool call")),
        "the error should count what arrived, `Let me look.` and a call: {reply:?}"
    );
}

#[test]
fn test_ch19_unusual_responses_events() {
    let mut reader = ResponsesReader::default();
    let fine = json!({ "type": "response.brand_new.delta", "delta": "x" });
    assert_eq!(
        reader.read(&fine.to_string()),
        Ok(vec![]),
        "{fine} is passed over"
    );
    for (event, kind) in [
        (
            json!({ "type": "error", "code": "rate_limit_exceeded", "message": "slow down" }),
            "rate limit",
        ),
        (
            json!({ "type": "error", "error": { "type": "server_error", "message": "x" } }),
            "overloaded",
        ),
        (
            json!({ "type": "response.failed", "response": { "status": "failed",
                    "error": { "code": "server_error", "message": "x" } } }),
            "overloaded",
        ),
        (
            json!({ "type": "response.failed", "response": { "error": { "code": "context_length_exceeded", "message": "x" } } }),
            "overflow",
        ),
    ] {
        let error = reader.read(&event.to_string());
        let found = match &error {
            Err(ProviderError::RateLimited { .. }) => "rate limit",
            Err(ProviderError::Overloaded { .. }) => "overloaded",
            Err(ProviderError::ContextOverflow(_)) => "overflow",
            _ => "another",
        };
        assert_eq!(found, kind, "{event} gave {error:?}");
    }
    for bad in [
        "{\"type\":".to_string(),
        "{}".to_string(),
        json!({ "type": "response.output_item.done", "item": { "type": "message" } }).to_string(),
    ] {
        let error = reader.read(&bad);
        assert!(
            matches!(error, Err(ProviderError::MalformedReply(_))),
            "{bad} cannot be understood; readers::read() said {error:?}"
        );
    }
    let search = json!({ "type": "response.completed", "response": { "status": "solar_flare",
        "output": [{ "type": "web_search_call", "id": "ws_1" }] } });
    let (reply, _) = readers::read(ResponsesReader::default(), &[search.to_string()]);
    let note = reply.expect("a whole reply").note;
    assert!(
        note.as_deref()
            .is_some_and(|note| note.contains("web_search_call") && note.contains("solar_flare")),
        "the note gives the end of the response and names the unknown item: {note:?}"
    );
}

#[test]
fn test_ch19_complete_response_reads_like_a_stream() {
    let whole = readers::whole_response(true);
    let (streamed, _) = readers::read(ResponsesReader::default(), &whole);
    let last: Value = serde_json::from_str(&whole[whole.len() - 1]).expect("the last event");
    let mut reader = ResponsesReader::default();
    let pieces = reader.read_whole(&last["response"].to_string());
    assert_eq!(
        pieces.expect("a response"),
        [
            readers::thinking("List first."),
            readers::said("Let me look."),
            readers::arguments("{\"path\":\"src\"}")
        ]
    );
    assert_eq!(
        reader.finish(),
        streamed,
        "a complete reply equals a streamed one"
    );
    let hidden = json!({ "status": "completed", "output": [
        { "type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "ENC==" } ] });
    assert_eq!(
        ResponsesReader::default().read_whole(&hidden.to_string()),
        Ok(vec![]),
        "hidden reasoning gives no delta"
    );
    let none = ResponsesReader::default().read_whole("{\"hello\":1}");
    assert!(
        matches!(none, Err(ProviderError::MalformedReply(_))),
        "an object without `output` is no response: {none:?}"
    );
}
