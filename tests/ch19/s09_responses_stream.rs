//! Section 19.9: Streaming the Responses API

use claw_code::agent::*;
use claw_code::chat::*;
use claw_code::models::*;
use claw_code::provider::*;
use claw_code::tools::Api;
use serde_json::{Value, json};

use super::bodies;
use super::readers;
use super::support::*;
use super::wire;

#[test]
fn test_ch19_responses_stream_becomes_reply() {
    let reply = readers::reply::<ResponsesReader>(&readers::whole_response(true));
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
    assert_eq!(reply.stop_reason, StopReason::ToolUse, "it has a call");
    assert_eq!(reply.note, None, "a normal reply has no note");
}

#[test]
fn test_ch19_responses_usage_counts_cached_tokens_once() {
    let reply = readers::reply::<ResponsesReader>(&readers::whole_response(true));
    assert_eq!(
        reply.usage,
        Usage {
            input: 20,
            output: 40,
            reasoning: 30,
            cache_read: 1000,
            cache_write: 300,
            total_tokens: 1365
        },
        "this API includes cached tokens in input_tokens, so they have to be subtracted; the total is the server's own"
    );
}

#[test]
fn test_ch19_more_cached_than_input_tokens_leave_no_input() {
    for details in [
        json!({ "cached_tokens": 9 }),
        json!({ "cached_tokens": 9, "cache_write_tokens": 3 }),
    ] {
        let usage = json!({ "input_tokens": 5, "input_tokens_details": details });
        let response = json!({ "status": "completed", "output": [], "usage": usage });
        let end = json!({ "type": "response.completed", "response": response });
        let reply = readers::reply::<ResponsesReader>(&[end.to_string()]);
        assert_eq!(
            (reply.usage.input, reply.usage.cache_read),
            (0, 9),
            "the subtraction stops at 0, also with {details}"
        );
    }
}

#[test]
fn test_ch19_repeating_events_give_no_delta() {
    let (_, deltas) = readers::read(ResponsesReader::default(), &readers::whole_response(true));
    assert_eq!(
        deltas,
        [
            readers::thinking("List first."),
            readers::said("Let me "),
            readers::said("look."),
            readers::arguments("{\"path\":\"src\"}"),
        ],
        "only the deltas: events that repeat others give none"
    );
}

#[test]
fn test_ch19_complete_output_is_the_reply() {
    let events = [
        item_done(json!(0), said("Draft.")),
        completed(json!([said("Done.")])),
    ];
    assert_json(
        "a complete `output` of the response object is the reply",
        &to_json(&readers::reply::<ResponsesReader>(&events).content),
        &json!([text("Done.")]),
    );
}

#[test]
fn test_ch19_finished_items_replace_an_empty_output() {
    let reply = readers::reply::<ResponsesReader>(&readers::whole_response(false));
    assert_eq!(
        reply,
        readers::reply::<ResponsesReader>(&readers::whole_response(true)),
        "some servers send an empty `output`: then the finished items are the reply, and decide its stop reason"
    );
}

#[test]
fn test_ch19_finished_items_replace_an_incomplete_output() {
    let events = [
        item_done(json!(0), said("One.")),
        item_done(json!(1), said("Two.")),
        completed(json!([said("Two.")])),
    ];
    assert_json(
        "if `output` has fewer items than were finished, the finished items are the reply",
        &to_json(&readers::reply::<ResponsesReader>(&events).content),
        &json!([text("One."), text("Two.")]),
    );
}

#[test]
fn test_ch19_responses_stop_reasons() {
    use StopReason::*;
    for (status, why, reason, note) in [
        ("completed", None, Stop, ""),
        ("incomplete", Some("max_output_tokens"), Length, ""),
        (
            "incomplete",
            Some("content_filter"),
            GuardRail,
            "content filter",
        ),
        ("incomplete", Some("solar_flare"), Length, "solar_flare"),
        ("queued", None, Stop, "queued"),
    ] {
        let event = ended(status, why, json!([said("Hi.")]));
        let reply = readers::reply::<ResponsesReader>(&[event]);
        assert_eq!(
            reply.stop_reason, reason,
            "the stop reason of a response with status {status} and reason {why:?}"
        );
        readers::assert_note(&reply, note);
    }
}

#[test]
fn test_ch19_cut_call_gets_invalid_arguments() {
    for (written, kept) in [("", json!("")), ("{\"comm", json!("{\"comm"))] {
        let mut call = call_item("call_1", written);
        call["status"] = json!("incomplete");
        assert_eq!(
            arguments_of_cut(json!([call])),
            kept,
            "a call cut after {written:?}: no tool may run with that"
        );
    }
}

#[test]
fn test_ch19_call_before_the_cut_one_is_complete() {
    let [mut first, mut second] = ["a", "b"].map(|id| call_item(id, ""));
    first["status"] = json!("completed");
    second["status"] = json!("incomplete");
    assert_eq!(
        arguments_of_cut(json!([first, second])),
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
        let events = [completed(json!([call_item("c", &written)]))];
        let content = readers::reply::<ResponsesReader>(&events).content;
        assert!(
            readers::arguments_of(&content) == kept,
            "arguments with {levels} levels: those nested too deeply are kept as text, like those that are not JSON"
        );
        let message = bodies::with_content(content);
        readers::assert_can_be_kept(&message);
        let chat = from_agent(&[message], Api::Responses, "anthropic");
        readers::assert_can_be_kept(&chat);
    }
}

#[test]
fn test_ch19_refusal_is_marked_once() {
    let event = |delta: &str| {
        json!({ "type": "response.refusal.delta", "output_index": 0, "content_index": 0, "delta": delta }).to_string()
    };
    let done = completed(json!([refused("I can't.")]));
    let events = [event("I "), event("can't."), done];
    let (reply, deltas) = readers::read(ResponsesReader::default(), &events);
    let shown: String = deltas.iter().map(readers::text_of).collect();
    assert_eq!(
        shown, "[refusal] I can't.",
        "the mark comes once, before the first delta"
    );
    assert_json(
        "the reply has the same mark",
        &to_json(&reply.expect("a whole reply").content),
        &json!([text("[refusal] I can't.")]),
    );
}

#[test]
fn test_ch19_empty_responses_delta_is_no_delta() {
    for kind in ["output_text", "refusal", "reasoning_summary_text"] {
        let event =
            json!({ "type": format!("response.{kind}.delta"), "output_index": 0, "delta": "" });
        let events = [event.to_string(), completed(json!([said("Hi.")]))];
        let (_, deltas) = readers::read(ResponsesReader::default(), &events);
        assert_eq!(
            deltas,
            [],
            "an empty delta of {kind} shows nothing, so a stream that breaks after it can be retried"
        );
    }
}

#[test]
fn test_ch19_items_without_index_follow_each_other() {
    let reply = readers::reply::<ResponsesReader>(&[
        item_done(json!(4), refused("a")),
        item_done(Value::Null, refused("b")),
        item_done(Value::Null, refused("cc")),
        completed(json!([])),
    ]);
    assert_json(
        "an item without an index comes next and replaces no other item",
        &to_json(&reply.content),
        &json!([
            text("[refusal] a"),
            text("[refusal] b"),
            text("[refusal] cc")
        ]),
    );
}

#[test]
fn test_ch19_deltas_without_index_belong_to_the_next_item() {
    let piece = |text: &str| json!({ "type": "response.refusal.delta", "delta": text }).to_string();
    let events = [
        item_done(json!(4), refused("a")),
        piece("b"),
        item_done(Value::Null, refused("b")),
        piece("c"),
        piece("c"),
        item_done(Value::Null, refused("cc")),
        completed(json!([])),
    ];
    let (reply, deltas) = readers::read(ResponsesReader::default(), &events);
    assert_eq!(
        reply.expect("a whole reply").content.len(),
        3,
        "three items"
    );
    let shown: String = deltas.iter().map(readers::text_of).collect();
    assert_eq!(
        shown, "[refusal] b[refusal] cc",
        "deltas without an index belong to the next item: each refusal has its mark once"
    );
}

#[test]
fn test_ch19_unknown_parts_do_not_discard_the_rest() {
    let reply = readers::reply::<ResponsesReader>(&[response_with_unknown_parts()]);
    let hi = Content::Text { text: "Hi.".into() };
    assert!(
        reply.content.contains(&hi),
        "an unknown part does not discard the known parts: {:?}",
        reply.content
    );
}

#[test]
fn test_ch19_note_names_skipped_parts() {
    let reply = readers::reply::<ResponsesReader>(&[response_with_unknown_parts()]);
    let note = reply.note.unwrap_or_default();
    assert!(
        note.contains("summary_audio") && note.contains("output_audio"),
        "the note names the unknown parts: {note:?}"
    );
}

#[test]
fn test_ch19_note_names_skipped_items() {
    let search = json!({ "type": "web_search_call", "id": "ws_1" });
    let end = |output| ended("solar_flare", None, output);
    for events in [
        vec![end(json!([search]))],
        vec![item_done(json!(0), search.clone()), end(json!([]))],
    ] {
        let note = readers::reply::<ResponsesReader>(&events).note;
        let note = note.unwrap_or_default();
        assert!(
            note.contains("web_search_call") && note.contains("solar_flare"),
            "the note gives the end of the response and names the unknown item of the reply: {note:?}\n the events: {events:?}"
        );
    }
}

#[test]
fn test_ch19_interrupted_responses_stream_is_an_error() {
    let whole = readers::whole_response(true);
    for events in 0..whole.len() {
        let (reply, _) = readers::read(ResponsesReader::default(), &whole[..events]);
        assert!(
            matches!(&reply, Err(ProviderError::Network(why)) if why.contains("broke off")),
            "after {events} of {} events the reply is incomplete, and the error should say that it broke off: {reply:?}",
            whole.len()
        );
    }
}

#[test]
fn test_ch19_interrupted_response_counts_what_arrived() {
    let whole = readers::whole_response(true);
    let (reply, _) = readers::read(ResponsesReader::default(), &whole[..whole.len() - 1]);
    assert!(
        matches!(&reply, Err(ProviderError::Network(why)) if why.contains("12 characters") && why.contains("1 tool call")),
        "the error should count what arrived, `Let me look.` and a call: {reply:?}"
    );
}

#[test]
fn test_ch19_unknown_response_events_are_skipped() {
    let event = json!({ "type": "response.brand_new.delta", "delta": "x" });
    assert_eq!(
        ResponsesReader::default().read(&event.to_string()),
        Ok(vec![]),
        "{event} is skipped and gives no delta"
    );
}

#[test]
fn test_ch19_failed_response_becomes_the_matching_error() {
    let failed = |status: Value, code: &str| {
        let error = json!({ "code": code, "message": "x" });
        json!({ "type": "response.failed", "response": { "status": status, "error": error } })
    };
    let limited = json!({ "type": "error", "code": "rate_limit_exceeded", "message": "x" });
    let nested = json!({ "type": "error", "error": { "type": "server_error", "message": "x" } });
    for (expected, event) in [
        ("RateLimited", limited),
        ("Overloaded", nested),
        ("Overloaded", failed(json!("failed"), "server_error")),
        (
            "ContextOverflow",
            failed(Value::Null, "context_length_exceeded"),
        ),
    ] {
        let read = ResponsesReader::default().read(&event.to_string());
        let error = read.expect_err("an event that reports an error");
        assert_eq!(
            wire::kind(&error),
            expected,
            "{event} should become the matching error of chapter 2; read() gave {error:?}"
        );
    }
}

#[test]
fn test_ch19_response_event_that_cannot_be_understood_is_malformed() {
    for event in [
        "{\"type\":".to_string(),
        "{}".to_string(),
        item_done(Value::Null, json!({ "type": "message" })),
    ] {
        let error = ResponsesReader::default().read(&event);
        assert!(
            matches!(error, Err(ProviderError::MalformedReply(_))),
            "{event} cannot be understood; read() gave {error:?}"
        );
    }
    let end = completed(json!([{ "type": "message" }]));
    let (reply, _) = readers::read(ResponsesReader::default(), &[end]);
    assert!(
        matches!(reply, Err(ProviderError::MalformedReply(_))),
        "finish() returns the error of a broken item in `output`, not a reply without it: {reply:?}"
    );
}

#[test]
fn test_ch19_complete_response_gives_its_deltas() {
    let (_, deltas) =
        readers::read_whole::<ResponsesReader>(&complete_response()).expect("a response");
    assert_eq!(
        deltas,
        [
            readers::thinking("List first."),
            readers::said("Let me look."),
            readers::arguments("{\"path\":\"src\"}")
        ],
        "one delta for each item"
    );
}

#[test]
fn test_ch19_complete_response_reads_like_a_stream() {
    let (reply, _) =
        readers::read_whole::<ResponsesReader>(&complete_response()).expect("a response");
    assert_eq!(
        reply,
        readers::reply::<ResponsesReader>(&readers::whole_response(true)),
        "a complete reply equals a streamed one"
    );
}

#[test]
fn test_ch19_hidden_reasoning_gives_no_delta() {
    let hidden = json!({ "status": "completed", "output": [
        { "type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "ENC==" } ] });
    let (_, deltas) = readers::read_whole::<ResponsesReader>(&hidden).expect("a response");
    assert_eq!(deltas, [], "hidden reasoning gives no delta");
}

#[test]
fn test_ch19_body_without_output_is_no_response() {
    let none = readers::read_whole::<ResponsesReader>(&json!({ "hello": 1 }));
    assert!(
        matches!(none, Err(ProviderError::MalformedReply(_))),
        "an object without `output` is not a response: {none:?}"
    );
}

/// A message item with this text.
fn said(text: &str) -> Value {
    json!({ "type": "message", "id": "msg_1", "role": "assistant", "content": [output_text(text)] })
}

/// A message item with this refusal.
fn refused(refusal: &str) -> Value {
    json!({ "type": "message", "id": "msg_1", "role": "assistant",
            "content": [{ "type": "refusal", "refusal": refusal }] })
}

/// The event that ends an item, which may lack its index.
fn item_done(index: Value, item: Value) -> String {
    json!({ "type": "response.output_item.done", "output_index": index, "item": item }).to_string()
}

/// The event that ends a complete response.
fn completed(output: Value) -> String {
    ended("completed", None, output)
}

/// The event that ends a response with this status, and the reason why it is incomplete.
fn ended(status: &str, reason: Option<&str>, output: Value) -> String {
    let kind = match status {
        "incomplete" => "response.incomplete",
        _ => "response.completed",
    };
    let details = json!({ "reason": reason });
    let response = json!({ "status": status, "incomplete_details": details, "output": output });
    json!({ "type": kind, "response": response }).to_string()
}

/// The arguments of the first call of a response that the length limit cut.
#[track_caller]
fn arguments_of_cut(output: Value) -> Value {
    let reason = Some("max_output_tokens");
    let event = ended("incomplete", reason, output);
    readers::arguments_of(&readers::reply::<ResponsesReader>(&[event]).content)
}

fn response_with_unknown_parts() -> String {
    let audio = json!({ "type": "output_audio", "data": "UklG" });
    completed(json!([
        { "type": "reasoning", "id": "rs_1", "summary": [{ "type": "summary_audio", "data": "UklG" }] },
        { "type": "message", "id": "msg_1", "role": "assistant", "content": [audio, output_text("Hi.")] },
    ]))
}

/// The response object of the stream's last event.
fn complete_response() -> Value {
    let events = readers::whole_response(true);
    let last = events.last().expect("events");
    let last: Value = serde_json::from_str(last).expect("JSON");
    last["response"].clone()
}
