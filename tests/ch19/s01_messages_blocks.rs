//! Section 19.1: Blocks for the Messages API

use claw_code::chat::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch19_text_is_sent_unless_it_is_blank() {
    assert_sent("a text is sent", "user", text("Hi."), text("Hi."));
    let spaced = text(" Hi.\n");
    assert_sent(
        "the spaces and line ends around a text are sent too",
        "user",
        spaced.clone(),
        spaced,
    );
    assert_not_sent("the API rejects an empty text", "assistant", text(""));
    assert_not_sent("the API rejects whitespace", "user", text(" \n"));
}

#[test]
fn test_ch19_only_user_turns_have_images() {
    let mut detailed = png();
    detailed["detail"] = json!("low");
    assert_sent(
        "an image is sent without `detail`, which this API does not know",
        "user",
        detailed,
        png(),
    );
    assert_sent(
        "an image in an assistant message becomes a line of text",
        "assistant",
        png(),
        text("[an image (image/png) was here; this connection cannot carry it]"),
    );
}

#[test]
fn test_ch19_only_user_turns_have_documents() {
    let pdf = |kind: &str| {
        let source = json!({ "type": kind, "media_type": "application/pdf", "data": "JVBE" });
        json!({ "type": "document", "title": "a.pdf", "source": source })
    };
    assert_sent(
        "a document in a user message is sent in the spelling of this API",
        "user",
        pdf("base64_pdf"),
        pdf("base64"),
    );
    let notes = json!({ "type": "text", "media_type": "text/plain", "data": "Notes." });
    assert_sent(
        "a text document becomes its text where documents are not allowed",
        "assistant",
        json!({ "type": "document", "source": notes }),
        text("Notes."),
    );
}

#[test]
fn test_ch19_signed_thinking_is_sent_untouched() {
    assert_sent(
        "signed thinking is sent untouched",
        "assistant",
        signed(" a\n", " c2ln+/=\n"),
        json!({ "type": "thinking", "thinking": " a\n", "signature": " c2ln+/=\n" }),
    );
    assert_sent(
        "signed thinking may have no text",
        "assistant",
        signed("", "c2ln"),
        json!({ "type": "thinking", "thinking": "", "signature": "c2ln" }),
    );
    assert_sent(
        "signed thinking is sent without its id and its encrypted content",
        "assistant",
        thought(
            "a",
            json!({ "signature": "c2ln", "id": "rs_1", "encrypted_content": "ENC" }),
        ),
        json!({ "type": "thinking", "thinking": "a", "signature": "c2ln" }),
    );
}

#[test]
fn test_ch19_redacted_thinking_is_sent_untouched() {
    assert_sent(
        "redacted thinking is sent as its data, untouched",
        "assistant",
        redacted(" DATA==\n"),
        json!({ "type": "redacted_thinking", "data": " DATA==\n" }),
    );
    assert_sent(
        "a signature beside the data makes no difference",
        "assistant",
        thought(
            "",
            json!({ "redacted": true, "encrypted_content": "DATA==", "signature": "c2ln" }),
        ),
        json!({ "type": "redacted_thinking", "data": "DATA==" }),
    );
}

#[test]
fn test_ch19_redacted_thinking_without_data_is_not_sent() {
    for fields in [
        json!({ "redacted": true }),
        json!({ "redacted": true, "signature": "c2ln" }),
    ] {
        assert_not_sent(
            "redacted thinking without its data can't be read by any provider",
            "assistant",
            thought("", fields),
        );
    }
}

#[test]
fn test_ch19_thinking_without_a_signature_is_not_sent() {
    assert_not_sent(
        "the API rejects thinking without a signature",
        "assistant",
        thought("a", json!({})),
    );
    assert_not_sent(
        "an empty signature counts as missing",
        "assistant",
        signed("a", ""),
    );
    assert_sent(
        "any other signature is the provider's business",
        "assistant",
        signed("a", " "),
        json!({ "type": "thinking", "thinking": "a", "signature": " " }),
    );
    assert_not_sent(
        "thinking of another provider has no signature of this API",
        "assistant",
        thought("a", json!({ "id": "rs_1", "encrypted_content": "ENC" })),
    );
}

#[test]
fn test_ch19_user_turns_have_no_thinking_and_no_calls() {
    let why = "the API accepts it only in the model's turn";
    for role in ["user", "system"] {
        assert_not_sent(why, role, signed("a", "c2ln"));
        assert_not_sent(why, role, redacted("DATA=="));
        assert_not_sent(why, role, tool_use(json!({})));
    }
}

#[test]
fn test_ch19_input_of_a_call_is_an_object() {
    for arguments in [
        json!("{\"comm"),
        json!("{\"a\":1}"),
        json!(""),
        json!(["ls"]),
        json!(7),
        json!(null),
    ] {
        assert_sent(
            "arguments that are not an object are wrapped in one, unchanged",
            "assistant",
            tool_use(arguments.clone()),
            tool_use(json!({ "raw_arguments": arguments })),
        );
    }
}

#[test]
fn test_ch19_failed_results_have_a_flag() {
    let mut failed = tool_result(json!("no"));
    failed["is_error"] = json!(true);
    assert_sent(
        "a failure has a field in this API",
        "user",
        failed.clone(),
        failed,
    );
    let warnings = tool_result(json!("error: 3 warnings"));
    assert_sent(
        "output that begins like a failure is not a failure",
        "user",
        warnings.clone(),
        warnings,
    );
}

#[test]
fn test_ch19_content_of_a_result_is_text_or_blocks() {
    assert_sent(
        "a result of other JSON is sent as its text",
        "user",
        tool_result(json!({ "a": 1 })),
        tool_result(json!("{\"a\":1}")),
    );
    assert_sent(
        "a result of several blocks is sent without the empty text",
        "user",
        tool_result(json!([text("a"), text("")])),
        tool_result(json!([text("a")])),
    );
    let result = tool_result(json!("x"));
    assert_sent(
        "a result is sent in the model's turn too",
        "assistant",
        result.clone(),
        result,
    );
}

#[test]
fn test_ch19_unknown_blocks_and_fields_are_not_sent() {
    assert_not_sent(
        "a block of an unknown type is left out",
        "assistant",
        json!({ "type": "compaction", "content": "s" }),
    );
    assert_sent(
        "a block is sent without an unknown field",
        "assistant",
        json!({ "type": "text", "text": "Hi.", "citations": [1] }),
        text("Hi."),
    );
    for known in [tool_result(json!("x")), png()] {
        let mut newer = known.clone();
        newer["cached"] = json!(true);
        assert_sent(
            "a result or an image is sent without a field that this program does not know",
            "user",
            newer,
            known,
        );
    }
}

#[test]
fn test_ch19_call_and_thinking_are_sent_without_unknown_fields() {
    let mut call = tool_use(json!({ "a": 1 }));
    call["caller"] = json!("direct");
    assert_sent(
        "a call is sent without a field that this program does not know",
        "assistant",
        call,
        tool_use(json!({ "a": 1 })),
    );
    assert_sent(
        "thinking is sent without a field that this program does not know",
        "assistant",
        thought("a", json!({ "signature": "c2ln", "tokens": 12 })),
        json!({ "type": "thinking", "thinking": "a", "signature": "c2ln" }),
    );
}

/// Fails unless `block`, in a turn with this role, is sent as `wire`.
#[track_caller]
fn assert_sent(why: &str, role: &str, block: Value, wire: Value) {
    let made = wire_block(from_json(json!(role)), &from_json(block.clone()));
    assert_json(
        &format!("{why}; in a turn with the role `{role}`: {block}"),
        &to_json(&made),
        &wire,
    );
}

/// Fails unless `block`, in a turn with this role, is left out.
#[track_caller]
fn assert_not_sent(why: &str, role: &str, block: Value) {
    assert_sent(why, role, block, Value::Null);
}
