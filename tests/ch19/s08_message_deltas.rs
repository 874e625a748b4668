//! Section 19.8: Deltas of the Messages API

use claw_code::agent::*;
use claw_code::models::*;
use claw_code::provider::*;
use serde_json::json;

use super::readers;

#[test]
fn test_ch19_each_delta_becomes_one_piece() {
    let whole = readers::whole_message();
    let about_blocks = whole.iter().filter(|it| it.contains("content_block"));
    assert_eq!(
        pieces(about_blocks),
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
fn test_ch19_delta_of_another_kind_is_skipped() {
    let events = [
        readers::begin(0, json!({ "type": "text", "text": "Hi." })),
        readers::delta(0, json!({ "type": "thinking_delta", "thinking": "x" })),
        readers::delta(0, json!({ "type": "signature_delta", "signature": "c2ln" })),
    ];
    assert_eq!(
        pieces(&events),
        [readers::said("Hi.")],
        "a text block takes no thinking and no signature"
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

fn pieces<'a>(events: impl IntoIterator<Item = &'a String>) -> Vec<StreamDelta> {
    let mut reader = MessagesReader::default();
    let pieces = events.into_iter().map(|event| reader.read(event));
    let pieces: Result<Vec<_>, _> = pieces.collect();
    pieces.expect("good events").concat()
}
