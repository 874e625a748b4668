//! Section 19.5: Deltas of the Messages API

use claw_code::agent::*;
use claw_code::models::*;
use claw_code::provider::*;
use serde_json::{Value, json};

use super::readers;
use super::support::*;

#[test]
fn test_ch19_each_delta_becomes_one_piece() {
    let whole = readers::whole_message();
    let about_blocks = whole.iter().filter(|it| it.contains("content_block"));
    let (_, pieces) = read(about_blocks);
    assert_eq!(
        pieces,
        [
            readers::thinking("List "),
            readers::thinking("first."),
            readers::said("Let me "),
            readers::said("look."),
            readers::arguments("{\"path\":"),
            readers::arguments("\"src\"}"),
        ],
        "each non-empty delta, once"
    );
}

#[test]
fn test_ch19_each_delta_is_added_to_its_block() {
    let whole = readers::whole_message();
    let about_blocks = whole.iter().filter(|it| it.contains("content_block"));
    let (blocks, _) = read(about_blocks);
    let arguments = tool_use_of("{\"path\":\"src\"}");
    assert_json(
        "each delta is added to the block with its index; a call's arguments are one string",
        &blocks,
        &json!([
            { "type": "thinking", "thinking": "List first.", "signature": "c2ln+/==" },
            { "type": "redacted_thinking", "data": "DATA==" },
            text("Let me look."),
            arguments,
        ]),
    );
}

#[test]
fn test_ch19_white_space_of_a_delta_stays() {
    let pieces = ["Let me", " look", "\n", " now."];
    let of = |index, kind: &str, field: &str, piece: &str| {
        readers::delta(index, json!({ "type": kind, field: piece }))
    };
    let mut events = vec![
        readers::begin(0, json!({ "type": "text", "text": "" })),
        readers::begin(
            1,
            json!({ "type": "thinking", "thinking": "", "signature": "" }),
        ),
    ];
    for piece in pieces {
        events.push(of(0, "text_delta", "text", piece));
        events.push(of(1, "thinking_delta", "thinking", piece));
    }
    let (blocks, deltas) = read(&events);
    let whole = pieces.concat();
    assert_json(
        "white space at the start of a delta, or alone in one, is part of the reply",
        &blocks,
        &json!([text(&whole), { "type": "thinking", "thinking": whole, "signature": "" }]),
    );
    let expected = pieces.map(|piece| [readers::said(piece), readers::thinking(piece)]);
    assert_eq!(deltas, expected.concat(), "the screen gets it too");
}

#[test]
fn test_ch19_later_signature_replaces_the_first() {
    let (blocks, _) = read(&[
        readers::begin(
            0,
            json!({ "type": "thinking", "thinking": "", "signature": "b2xk" }),
        ),
        readers::delta(0, json!({ "type": "signature_delta", "signature": "c2ln" })),
        readers::delta(0, json!({ "type": "signature_delta", "signature": "bmV3" })),
    ]);
    assert_json(
        "a signature arrives in one piece, so a later one replaces the first",
        &blocks,
        &json!([{ "type": "thinking", "thinking": "", "signature": "bmV3" }]),
    );
}

#[test]
fn test_ch19_delta_without_a_signature_keeps_it() {
    let (blocks, _) = read(&[
        readers::begin(
            0,
            json!({ "type": "thinking", "thinking": "", "signature": "" }),
        ),
        readers::delta(0, json!({ "type": "signature_delta", "signature": "c2ln" })),
        readers::delta(0, json!({ "type": "thinking_delta", "thinking": "Look." })),
    ]);
    assert_json(
        "a delta without a signature leaves the signature as it is",
        &blocks,
        &json!([{ "type": "thinking", "thinking": "Look.", "signature": "c2ln" }]),
    );
}

#[test]
fn test_ch19_delta_of_another_kind_is_skipped() {
    let mut events = vec![
        readers::begin(0, json!({ "type": "text", "text": "Hi." })),
        readers::delta(0, json!({ "type": "thinking_delta", "thinking": "x" })),
        readers::delta(0, json!({ "type": "signature_delta", "signature": "c2ln" })),
        readers::delta(
            0,
            json!({ "type": "input_json_delta", "partial_json": "{}" }),
        ),
        readers::begin(1, tool_use(json!({}))),
        readers::delta(1, json!({ "type": "text_delta", "text": "x" })),
    ];
    let others = [
        json!({ "type": "thinking", "thinking": "", "signature": "" }),
        json!({ "type": "redacted_thinking", "data": "DATA==" }),
        json!({ "type": "server_tool_use", "id": "s", "name": "web_search", "input": {} }),
    ];
    for (index, block) in (2..).zip(&others) {
        events.push(readers::begin(index, block.clone()));
        for delta in [
            json!({ "type": "text_delta", "text": "x" }),
            json!({ "type": "input_json_delta", "partial_json": "{}" }),
        ] {
            events.push(readers::delta(index, delta));
        }
    }
    let hidden = json!({ "type": "thinking_delta", "thinking": "x" });
    events.push(readers::delta(3, hidden));
    let (blocks, pieces) = read(&events);
    assert_eq!(
        pieces,
        [readers::said("Hi.")],
        "a text block takes no thinking, no signature and no arguments, a call takes no text, thinking neither text nor arguments, and any other block takes no delta"
    );
    assert_json(
        "a delta of another kind does not change the block",
        &blocks,
        &json!([
            text("Hi."),
            tool_use(json!("")),
            others[0],
            others[1],
            others[2]
        ]),
    );
}

#[test]
fn test_ch19_event_without_index_is_malformed() {
    let block = json!({ "type": "text", "text": "Hi." });
    let begin = json!({ "type": "content_block_start", "content_block": block });
    let delta =
        json!({ "type": "content_block_delta", "delta": { "type": "text_delta", "text": "Hi." } });
    for event in [begin, delta] {
        let error = reader_of_text().read(&event.to_string());
        assert!(
            matches!(&error, Err(ProviderError::MalformedReply(why)) if why.contains("`index`")),
            "{event} has no `index`, so its block is unknown, and the error should name `index`. read() gave {error:?}"
        );
    }
}

#[test]
fn test_ch19_unknown_events_are_skipped() {
    let mut reader = reader_of_text();
    for event in [
        json!({ "type": "ping" }),
        json!({ "type": "brand_new_event", "x": 1 }),
        json!({ "type": "content_block_stop", "index": 9 }),
    ] {
        let pieces = reader.read(&event.to_string());
        assert_eq!(pieces, Ok(vec![]), "{event} is skipped and gives no delta");
    }
}

#[test]
fn test_ch19_error_event_becomes_the_matching_error() {
    let event = json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } });
    let error = reader_of_text().read(&event.to_string());
    assert!(
        matches!(error, Err(ProviderError::Overloaded { .. })),
        "an error event becomes the matching error of chapter 2; read() gave {error:?}"
    );
}

#[test]
fn test_ch19_event_that_cannot_be_understood_is_malformed() {
    let mut reader = reader_of_text();
    for event in [
        "{\"type\":".to_string(),
        "{}".to_string(),
        readers::delta(7, json!({ "type": "text_delta", "text": "x" })),
        readers::begin(0, json!({ "type": "text" })),
    ] {
        let error = reader.read(&event);
        assert!(
            matches!(error, Err(ProviderError::MalformedReply(_))),
            "{event} cannot be understood; read() gave {error:?}"
        );
    }
}

#[test]
fn test_ch19_error_names_the_missing_field_of_a_block() {
    let block = json!({ "type": "tool_use", "id": "t", "input": {} });
    let error = reader_of_text().read(&readers::begin(0, block));
    assert!(
        matches!(&error, Err(ProviderError::MalformedReply(why)) if why.contains("field `name`")),
        "the error should name the missing field `name`; read() gave {error:?}"
    );
}

/// A reader in the middle of a text block.
#[track_caller]
fn reader_of_text() -> MessagesReader {
    let mut reader = MessagesReader::default();
    let begun = reader.read(&readers::begin(0, json!({ "type": "text", "text": "" })));
    assert_eq!(begun, Ok(vec![]), "an empty text gives no delta");
    let delta = readers::delta(0, json!({ "type": "text_delta", "text": "Hel" }));
    let read = reader.read(&delta);
    assert_eq!(read, Ok(vec![readers::said("Hel")]), "one delta of text");
    reader
}

/// The blocks that these events become, and the pieces for the screen.
fn read<'a>(events: impl IntoIterator<Item = &'a String>) -> (Value, Vec<StreamDelta>) {
    let mut reader = MessagesReader::default();
    let pieces = events.into_iter().map(|event| reader.read(event));
    let pieces: Result<Vec<_>, _> = pieces.collect();
    let pieces = pieces.expect("good events").concat();
    (to_json(&reader.blocks()), pieces)
}

/// A call whose arguments have arrived up to here.
fn tool_use_of(arguments: &str) -> Value {
    json!({ "type": "tool_use", "id": "toolu_1", "name": "list", "input": arguments })
}
