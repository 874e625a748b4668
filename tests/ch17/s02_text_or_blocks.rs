//! Section 17.2: Text or blocks

use claw_code::transcript::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch17_user_content_keeps_its_form() {
    for content in [
        json!("Hi."),
        json!(""),
        json!(" Hi.\n"),
        json!([]),
        json!([{ "type": "text", "text": "Hi." }]),
        json!([
            { "type": "text", "text": "Look:" },
            { "type": "image", "source": "data:image/png;base64,iVBORw0KGgo=",
              "media_type": "image/png", "alt": "a cat" },
            { "type": "image", "source": "https://example.org/cat.png" }
        ]),
    ] {
        assert_round_trip::<UserContent>(&content);
        assert_round_trip::<AgentMessage>(&json!({ "role": "user", "content": content }));
    }
}

#[test]
fn test_ch17_an_error_describes_the_invalid_block() {
    for (invalid, error) in [
        (json!(7), "a string or a list of blocks"),
        (
            json!({ "type": "text", "text": "x" }),
            "a string or a list of blocks",
        ),
        (json!(null), "a string or a list of blocks"),
        (json!([{ "type": "text" }]), "missing field `text`"),
        (json!([{ "source": "x" }]), "missing field `type`"),
        (json!([{ "type": "image" }]), "missing field `source`"),
    ] {
        assert_refused::<UserContent>(&invalid, error);
    }
}

#[test]
fn test_ch17_blocks_of_a_reply() {
    let content = json!([
        { "type": "thinking", "text": "plan", "signature": "s" },
        { "type": "thinking", "text": "plan" },
        { "type": "reasoning", "text": "plan" },
        { "type": "reasoning_details", "details": [{ "type": "reasoning.encrypted" }] },
        { "type": "text", "text": "Hi." },
        { "type": "tool_call", "id": "t1", "name": "bash", "arguments": { "command": "ls" } },
        { "type": "tool_call", "id": "t2", "name": "bash", "arguments": null }
    ]);
    assert_round_trip::<AssistantContent>(&content);
    assert_round_trip::<AgentMessage>(
        &json!({ "role": "assistant", "content": content, "stop_reason": "tool_use" }),
    );
    assert_refused::<AssistantContent>(&json!("Hi."), "expected");
    assert_refused::<AssistantContent>(&json!([{ "type": "tool_call" }]), "tool_call");
}

#[test]
fn test_ch17_older_name_of_the_thinking_text_loads() {
    let older = json!([{ "type": "thinking", "thinking": "plan" }]);
    assert_json(
        "`thinking` is an older name of the field `text`",
        &to_json(&from_json::<AssistantContent>(&older)),
        &json!([{ "type": "thinking", "text": "plan" }]),
    );
}

#[test]
fn test_ch17_unknown_blocks_and_fields_are_kept() {
    let audio = json!({ "type": "audio", "source": "data:audio/wav;base64,AAAA" });
    let cited = json!({ "type": "text", "text": "Hi.", "citations": [1] });
    let text = json!([{ "type": "text", "text": "Hi." }]);
    let blocks = json!([audio, cited]);
    assert_round_trip::<UserContent>(&blocks);
    assert_round_trip::<ToolResultContent>(&blocks);
    assert_round_trip::<AssistantContent>(&blocks);
    for known in [
        to_json(&from_json::<UserContent>(&blocks).known()),
        to_json(&from_json::<ToolResultContent>(&blocks).known()),
        to_json(&from_json::<AssistantContent>(&blocks).known()),
    ] {
        assert_json(
            "`known` is the content without unknown parts",
            &known,
            &text,
        );
    }
}

#[test]
fn test_ch17_a_result_joins_its_text_blocks() {
    let content: ToolResultContent = from_json(&json!([
        { "type": "text", "text": "a " },
        { "type": "image", "source": "https://example.org/a.png", "alt": "not part of the text" },
        { "type": "text", "text": "" },
        { "type": "text", "text": "b\n" }
    ]));
    assert_eq!(
        content.text(),
        "a \n\nb\n",
        "the text blocks, also an empty one, are joined by line ends, unchanged and without the image"
    );
    assert_eq!(
        ToolResultContent::default().text(),
        "",
        "a result without blocks has an empty text"
    );
}

#[test]
fn test_ch17_text_of_a_block_with_an_unknown_field_is_text() {
    let content: ToolResultContent = from_json(&json!([
        { "type": "audio", "source": "data:audio/wav;base64,AAAA" },
        { "type": "text", "text": "Hi.", "citations": [1] }
    ]));
    assert_eq!(
        content.text(),
        "Hi.",
        "the text of a block with an unknown field is text"
    );
}
