//! Provider data in one string

use claw_code::agent::*;
use claw_code::chat::*;
use claw_code::tools::Api;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn one_token_is_stored_unchanged() {
    assert_round_trip(
        "a plain signature is stored unchanged",
        Api::Messages,
        signed("t", "c2ln"),
        Some("c2ln"),
    );
    assert_round_trip(
        "encrypted content without an id is stored unchanged, as in older transcripts",
        Api::Responses,
        thought("t", json!({ "encrypted_content": "ENC" })),
        Some("ENC"),
    );
}

#[test]
fn several_fields_are_stored_as_a_json_object() {
    assert_round_trip(
        "an id and encrypted content are two fields of a JSON object",
        Api::Responses,
        thought("t", json!({ "encrypted_content": "ENC", "id": "rs_1" })),
        Some(r#"{"encrypted_content":"ENC","id":"rs_1"}"#),
    );
    assert_round_trip(
        "so are an id and a signature",
        Api::Responses,
        thought("t", json!({ "signature": "c2ln+/==", "id": "rs_1" })),
        Some(r#"{"signature":"c2ln+/==","id":"rs_1"}"#),
    );
    assert_round_trip(
        "an id alone is a field of an object too",
        Api::Responses,
        thought("t", json!({ "id": "rs_1" })),
        Some(r#"{"id":"rs_1"}"#),
    );
    assert_round_trip(
        "a signature and encrypted content are two tokens, so they are fields of an object too",
        Api::Messages,
        thought(
            "t",
            json!({ "signature": "c2ln", "encrypted_content": "ENC" }),
        ),
        Some(r#"{"signature":"c2ln","encrypted_content":"ENC"}"#),
    );
}

#[test]
fn redacted_thinking_is_stored_with_its_flag() {
    assert_round_trip(
        "redacted thinking is a JSON object with its data and the flag",
        Api::Messages,
        redacted("DATA"),
        Some(r#"{"encrypted_content":"DATA","redacted":true}"#),
    );
    assert_round_trip(
        "the flag is kept beside a signature too",
        Api::Messages,
        thought("t", json!({ "signature": "c2ln", "redacted": true })),
        Some(r#"{"signature":"c2ln","redacted":true}"#),
    );
    assert_round_trip(
        "the flag is kept without any token too",
        Api::Messages,
        thought("", json!({ "redacted": true })),
        Some(r#"{"redacted":true}"#),
    );
}

#[test]
fn signature_that_is_an_object_goes_into_one() {
    assert_round_trip(
        "a signature that is such an object itself goes into one",
        Api::Messages,
        signed("t", "{}"),
        Some(r#"{"signature":"{}"}"#),
    );
    assert_round_trip(
        "encrypted content that is such an object itself goes into one too",
        Api::Responses,
        thought("t", json!({ "encrypted_content": "{}" })),
        Some(r#"{"encrypted_content":"{}"}"#),
    );
}

#[test]
fn thinking_without_data_has_no_signature() {
    for api in [Api::Messages, Api::Responses, Api::ChatCompletions] {
        assert_round_trip(
            &format!("thinking without provider data has no signature, for {api:?}"),
            api,
            thought("t", json!({})),
            None,
        );
        assert_json(
            &format!("an empty signature is none, for {api:?}"),
            &to_json(&thought_block(api, "t", Some(""))),
            &thought("t", json!({})),
        );
    }
}

#[test]
fn any_other_string_is_the_token_of_its_api() {
    for (api, signature, field) in [
        (Api::Messages, r#"{"type":"text"}"#, "signature"),
        (Api::ChatCompletions, "c2ln", "signature"),
        (Api::Responses, "redacted", "encrypted_content"),
    ] {
        let mut block = thought("t", json!({}));
        block[field] = json!(signature);
        assert_json(
            &format!("any other string is the `{field}` for {api:?}: {signature}"),
            &to_json(&thought_block(api, "t", Some(signature))),
            &block,
        );
    }
}

#[test]
fn text_is_no_thought_content() {
    let text = UnifiedContentBlock::Text { text: "a".into() };
    assert_eq!(thought_content(text), None, "a text is not thinking");
}

/// Fails unless `block` is stored with this signature and read back unchanged.
#[track_caller]
fn assert_round_trip(why: &str, api: Api, block: Value, signature: Option<&str>) {
    let thinking = block["thinking"].as_str().expect("a text");
    let expected = Content::Thinking {
        thinking: thinking.into(),
        signature: signature.map(str::to_string),
    };
    assert_eq!(
        thought_content(from_json(block.clone())),
        Some(expected),
        "{why}"
    );
    assert_json(
        &format!("{why}; reading it back should give the same block"),
        &to_json(&thought_block(api, thinking, signature)),
        &block,
    );
}
