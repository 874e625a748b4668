//! Section 17.4: To the agent

use std::collections::BTreeSet;

use claw_code::transcript::*;
use serde_json::json;

use super::conversions::*;
use super::support::*;

#[test]
fn test_ch17_user_and_custom_entries_become_messages() {
    let blocks = user_blocks(vec![
        content_text("Look:"),
        content_text(""),
        png_image(),
        image("data:image/gif;base64,AA==", None, None),
        image("data:text/plain;base64,AA==", None, None),
        image("data:image/svg+xml;charset=utf-8;base64,AA==", None, None),
    ]);
    assert_converted(
        "a string becomes one text block, a base64 URL an image, and a custom entry an extension",
        &[user_entry("Hi."), blocks, custom_entry(None)],
        json!([
            { "role": "user", "content": [{ "type": "text", "text": "Hi." }], "timestamp": 2 },
            { "role": "user", "timestamp": 0, "content": [
                { "type": "text", "text": "Look:" },
                { "type": "text", "text": "" },
                { "type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png" },
                { "type": "image", "data": "AA==", "mimeType": "image/gif" },
                { "type": "image", "data": "AA==", "mimeType": "text/plain" },
                { "type": "image", "data": "AA==", "mimeType": "image/svg+xml;charset=utf-8" }
            ] },
            { "role": "extension", "kind": "note", "data": { "a": 1 } }
        ]),
    );
}

#[test]
fn test_ch17_a_result_becomes_a_tool_result() {
    let result = AgentMessage::ToolResult {
        tool_call_id: "t1".to_string(),
        tool_name: "bash".to_string(),
        content: result_text("src"),
        is_error: true,
        narration: None,
        details: None,
        timestamp: Some(3),
    };
    assert_converted(
        "a result keeps its call, its content, its failure and its timestamp",
        &[result],
        json!([{
            "role": "toolResult", "toolCallId": "t1", "toolName": "bash", "isError": true,
            "content": [{ "type": "text", "text": "src" }], "timestamp": 3
        }]),
    );
}

#[test]
fn test_ch17_an_image_loses_its_description_and_other_media_type() {
    for alt in ["a cat", ""] {
        let odd = image("data:image/png;base64,AA==", Some("image/gif"), Some(alt));
        assert_lost_to_agent(user_blocks(vec![odd]), &["alt", "media_type"]);
    }
    let web = |source| image(source, None, Some("a cat"));
    let two = ["https://example.org/a.png", "https://example.org/b.png"].map(web);
    assert_lost_to_agent(user_blocks(two.into()), &["alt", "image", "alt", "image"]);
}

#[test]
fn test_ch17_the_hosts_data_is_lost() {
    let result = AgentMessage::ToolResult {
        tool_call_id: "t".to_string(),
        tool_name: "n".to_string(),
        content: ToolResultContent(vec![image("https://example.org/a.png", None, None)]),
        is_error: false,
        narration: Some("Ran.".to_string()),
        details: Some(json!({})),
        timestamp: None,
    };
    assert_lost_to_agent(result, &["narration", "details", "image"]);
    assert_lost_to_agent(custom_entry(Some(1)), &["timestamp"]);
    assert_lost_to_agent(entries_with_secrets().swap_remove(0), &["system"]);
}

#[test]
fn test_ch17_the_data_url_decides_the_media_type() {
    let (gif, cat) = (Some("image/gif"), Some("a cat"));
    let odd = image("data:image/png;base64,AA==", gif, cat);
    let conversion = to_agent(&[user_blocks(vec![odd])]);
    assert_json(
        "if the `data:` URL and `media_type` differ, `media_type` is lost",
        &to_json(&conversion.messages)[0]["content"],
        &json!([{ "type": "image", "data": "AA==", "mimeType": "image/png" }]),
    );
    let untyped = image("data:;base64,AA==", gif, None);
    let conversion = to_agent(&[user_blocks(vec![untyped])]);
    assert_json(
        "`media_type` counts if the `data:` URL has no type",
        &to_json(&conversion.messages)[0]["content"],
        &json!([{ "type": "image", "data": "AA==", "mimeType": "image/gif" }]),
    );
    assert_eq!(lost(&conversion), [""; 0], "then nothing is lost");
}

#[test]
fn test_ch17_an_image_without_data_becomes_text() {
    let web = [
        "https://example.org/a.png",
        "https://a.org/data:image/png;base64,AA==",
    ];
    for source in [web[0], web[1], "data:text/plain,hello"] {
        let picture = image(source, Some("image/png"), Some("a cat"));
        let conversion = to_agent(&[user_blocks(vec![picture])]);
        assert_eq!(
            BTreeSet::from_iter(lost(&conversion)),
            BTreeSet::from(["alt", "image"]),
            "an image that becomes text loses its description too: {source}"
        );
        assert_json(
            "an agent's image holds base64 data; without data, the model gets the URL as text",
            &to_json(&conversion.messages)[0]["content"],
            &json!([{ "type": "text", "text": format!("[image: {source}]") }]),
        );
    }
}

#[test]
fn test_ch17_unknown_object_is_lost_with_its_own_name() {
    let known = to_agent(&[user_blocks(vec![content_text("Hi.")])]);
    assert_eq!(lost(&known), [""; 0], "a known entry loses nothing");
    let entry = json!({ "role": "user", "content": [{ "type": "text", "text": "Hi." }], "style": { "color": "red" } });
    let conversion = to_agent(&[from_json(&entry)]);
    assert_eq!(
        lost(&conversion),
        ["style"],
        "an unknown field is in the list with its name, even if it holds an object"
    );
}

#[test]
fn test_ch17_to_agent_loses_what_is_unknown() {
    assert_unknown_is_lost_to_agent(
        user_blocks(vec![content_text("Hi.")]),
        json!({ "role": "user", "content": unknown_blocks(), "color": "red" }),
    );
}
