//! Section 19.9: A stream of the Responses API

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
fn test_ch19_a_stream_of_items_is_a_reply() {
    let (reply, pieces) = readers::read(ResponsesReader::default(), &readers::whole_response(true));
    let reply = reply.expect("a whole reply");
    assert_json(
        "thoughts with their seal, words and a call, in their order",
        &to_json(&reply.content),
        &json!([
            { "type": "thinking", "thinking": "List first.", "signature": "rs_1|ENC==" },
            { "type": "text", "text": "Let me look." },
            { "type": "toolCall", "id": "call_1", "name": "list", "arguments": { "path": "src" } },
        ]),
    );
    assert_eq!(reply.stop_reason, StopReason::ToolUse);
    assert_eq!(reply.note, None, "nothing unusual has happened");
    assert_eq!(
        pieces,
        [
            readers::thinking("List first."),
            readers::said("Let me "),
            readers::said("look."),
            readers::arguments("{\"path\":\"src\"}"),
        ],
        "the pieces alone: events that say again what others said show nothing"
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
        "here the tokens of the cache are among those that were read, and have to be taken out"
    );
}

#[test]
fn test_ch19_a_response_without_its_output() {
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
        "what the response has at its end is the reply, where no item is missing in it"
    );
    let (reply, _) = readers::read(ResponsesReader::default(), &readers::whole_response(false));
    assert_eq!(
        reply.expect("a whole reply").content.len(),
        3,
        "some servers end with an empty `output`: then the items count that were done one by one"
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
        "where fewer items are in the `output` than were done one by one, those that were done count",
        &to_json(&reply.expect("a whole reply").content),
        &json!([text("One."), text("Two.")]),
    );
}

#[test]
fn test_ch19_why_a_response_ended() {
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
            "for {status}, {why} the note should speak of {note:?}, and say nothing where that is empty; it says {found:?}"
        );
    }
}

#[test]
fn test_ch19_a_call_that_was_cut_does_not_run() {
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
            "a call of which {written:?} had come: no tool may run with that"
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
        "the call before the one that was cut is whole, and has no arguments"
    );
}

#[test]
fn test_ch19_deep_arguments_of_a_response_are_text() {
    for levels in [MAX_DEPTH, MAX_DEPTH + 1, 126, 5000] {
        let written = readers::nested(levels);
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
            "arguments of {levels} levels: those that are too deep are kept to the letter, as those that are not JSON"
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
fn test_ch19_a_refusal_says_that_it_is_one() {
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
        "the mark is shown once, before the first piece"
    );
    assert_json(
        "and what is kept says the same",
        &to_json(&reply.expect("a whole reply").content),
        &json!([{ "type": "text", "text": "[refusal] I can't." }]),
    );
}

#[test]
fn test_ch19_items_without_an_index_follow_each_other() {
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
        "an item whose index the server leaves out is the next: it takes no other's place",
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
        "and so are pieces without one: each refusal has its mark, once"
    );
}

#[test]
fn test_ch19_what_was_skipped_is_noted() {
    let response = json!({ "type": "response.completed", "response": { "status": "completed", "output": [
        { "type": "reasoning", "id": "rs_1", "summary": [{ "type": "summary_audio", "data": "UklG" }] },
        { "type": "message", "id": "msg_1", "role": "assistant", "content": [
            { "type": "output_audio", "data": "UklG" }, { "type": "output_text", "text": "Hi." } ] } ] } });
    let (reply, _) = readers::read(ResponsesReader::default(), &[response.to_string()]);
    let reply = reply.expect("one part that nobody knows does not take the rest away");
    assert!(
        reply
            .content
            .contains(&Content::Text { text: "Hi.".into() }),
        "what is known is kept: {:?}",
        reply.content
    );
    let note = reply.note.unwrap_or_default();
    assert!(
        note.contains("summary_audio") && note.contains("output_audio"),
        "and the note names what is not: {note:?}"
    );
}

#[test]
fn test_ch19_a_stream_of_items_that_breaks_off() {
    let whole = readers::whole_response(true);
    for events in 0..whole.len() {
        let (reply, _) = readers::read(ResponsesReader::default(), &whole[..events]);
        let is_whole = events == whole.len();
        assert!(
            is_whole
                || matches!(&reply, Err(ProviderError::Network(why)) if why.contains("broke off")),
            "after {events} events of {} the reply is incomplete: {reply:?}",
            whole.len()
        );
    }
    let (reply, _) = readers::read(ResponsesReader::default(), &whole[..whole.len() - 1]);
    assert!(
        matches!(&reply, Err(ProviderError::Network(why)) if why.contains("12 characters") && why.contains("1 tool call")),
        "it says how much had come, `Let me look.` and a call: {reply:?}"
    );
}

#[test]
fn test_ch19_odd_events_of_responses() {
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
        "the note says how the response ended, and it names an item that cannot be kept: {note:?}"
    );
}

#[test]
fn test_ch19_a_response_in_one_piece() {
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
    assert_eq!(reader.finish(), streamed, "the same as from a stream");
    let hidden = json!({ "status": "completed", "output": [
        { "type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "ENC==" } ] });
    assert_eq!(
        ResponsesReader::default().read_whole(&hidden.to_string()),
        Ok(vec![]),
        "of thoughts that are not shown there is no piece to show"
    );
    let none = ResponsesReader::default().read_whole("{\"hello\":1}");
    assert!(
        matches!(none, Err(ProviderError::MalformedReply(_))),
        "an object without `output` is no response: {none:?}"
    );
}
