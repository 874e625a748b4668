//! Section 19.4: Provider data in one string

use claw_code::agent::*;
use claw_code::chat::*;
use claw_code::tools::Api;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch19_signature_round_trips_through_one_string() {
    for (why, api, block, thinking, seal) in [
        (
            "a plain signature is stored unchanged",
            Api::Messages,
            json!({ "type": "thinking", "thinking": "t", "signature": "c2ln", "redacted": false }),
            "t",
            Some("c2ln"),
        ),
        (
            "redacted thinking is a JSON object with its data and the flag",
            Api::Messages,
            json!({ "type": "thinking", "thinking": "", "encrypted_content": "DATA", "redacted": true }),
            "",
            Some(r#"{"encrypted_content":"DATA","redacted":true}"#),
        ),
        (
            "an id and encrypted content are two fields of a JSON object",
            Api::Responses,
            json!({ "type": "thinking", "thinking": "t", "encrypted_content": "ENC", "id": "rs_1", "redacted": false }),
            "t",
            Some(r#"{"encrypted_content":"ENC","id":"rs_1"}"#),
        ),
        (
            "a block with an id only",
            Api::Responses,
            json!({ "type": "thinking", "thinking": "t", "id": "rs_1", "redacted": false }),
            "t",
            Some(r#"{"id":"rs_1"}"#),
        ),
        (
            "so are an id and a signature",
            Api::Responses,
            json!({ "type": "thinking", "thinking": "t", "signature": "c2ln+/==", "id": "rs_1", "redacted": false }),
            "t",
            Some(r#"{"signature":"c2ln+/==","id":"rs_1"}"#),
        ),
        (
            "a signature that is such an object itself goes into one",
            Api::Messages,
            json!({ "type": "thinking", "thinking": "t", "signature": "{}", "redacted": false }),
            "t",
            Some(r#"{"signature":"{}"}"#),
        ),
        (
            "encrypted content without an id is stored unchanged, as in older transcripts",
            Api::Responses,
            json!({ "type": "thinking", "thinking": "t", "encrypted_content": "ENC", "redacted": false }),
            "t",
            Some("ENC"),
        ),
        (
            "thinking without a signature",
            Api::Messages,
            json!({ "type": "thinking", "thinking": "t", "redacted": false }),
            "t",
            None,
        ),
    ] {
        let read: UnifiedContentBlock = from_json(block.clone());
        let content = thought_content(read.clone());
        let expected = Content::Thinking {
            thinking: thinking.into(),
            signature: seal.map(str::to_string),
        };
        assert_eq!(content, Some(expected), "{why}");
        assert_json(
            &format!("{why}; reading it back should give the same block"),
            &to_json(&thought_block(api, thinking, seal)),
            &block,
        );
    }
    for (api, signature, field) in [
        (Api::Messages, r#"{"type":"text"}"#, "signature"),
        (Api::Responses, "redacted", "encrypted_content"),
    ] {
        let mut block = json!({ "type": "thinking", "thinking": "t", "redacted": false });
        block[field] = json!(signature);
        assert_json(
            &format!("any other string is the `{field}` for {api:?}: {signature}"),
            &to_json(&thought_block(api, "t", Some(signature))),
            &block,
        );
    }
    assert_eq!(
        thought_content(UnifiedContentBlock::Text { text: "a".into() }),
        None,
        "a text is not thinking"
    );
}
