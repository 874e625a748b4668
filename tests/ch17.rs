//! Chapter 17, Host Transcripts.
//!
//! Entries are written as JSON here and read back as JSON. The sentences about the standard
//! tools are made from what those tools really answer, in a folder of their own. What is
//! recorded are the events of real agents, whose models play scripts; time is paused there.

use std::collections::{BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use claw_code::agent::{self, Agent, AgentEvent};
use claw_code::engine::{Decision, Gate, QueryConfig, report};
use claw_code::provider::ProviderError;
use claw_code::tools::{Registry, execute};
use claw_code::transcript::narrate::*;
use claw_code::transcript::*;
use claw_code::types::{Tool, ToolCall, ToolDefinition, ToolResult, ToolSet};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::time::sleep;

// 17.1 Five roles

#[test]
fn test_ch17_every_role_round_trips() {
    for entry in [
        json!({ "role": "system", "content": "Be brief.", "timestamp": 1 }),
        json!({
            "role": "assistant", "content": [], "stop_reason": "error", "timestamp": 2,
            "error_message": "overloaded",
            "usage": {
                "input_tokens": 1, "output_tokens": 2,
                "cache_creation_input_tokens": 3, "cache_read_input_tokens": 4
            }
        }),
        json!({
            "role": "tool_result", "tool_call_id": "t1", "tool_name": "bash", "content": [],
            "is_error": true, "narration": "Ran ls.", "details": { "artifacts": [1] },
            "timestamp": 3
        }),
        json!({ "role": "custom", "kind": "note", "payload": { "a": [null] }, "timestamp": 4 }),
        json!({ "role": "custom", "kind": "mark", "payload": null }),
    ] {
        assert_round_trip::<AgentMessage>(&entry);
    }
    let user = AgentMessage::User {
        content: UserContent::Text("Hi.".to_string()),
        timestamp: Some(5),
    };
    assert_json(
        "what a user said is written as the bare text",
        &to_json(&user),
        &json!({ "role": "user", "content": "Hi.", "timestamp": 5 }),
    );
}

#[test]
fn test_ch17_none_is_left_out() {
    for entry in [
        json!({ "role": "system", "content": "" }),
        json!({ "role": "assistant", "content": [], "stop_reason": "end_turn" }),
        json!({
            "role": "tool_result", "tool_call_id": "t1", "tool_name": "bash", "content": [],
            "is_error": false
        }),
    ] {
        assert_round_trip::<AgentMessage>(&entry);
    }
}

#[test]
fn test_ch17_json_that_predates_a_field_loads() {
    let old = r#"{"role":"tool_result","tool_call_id":"t1","tool_name":"bash","content":[],"is_error":false}"#;
    assert_eq!(
        read::<AgentMessage>(old),
        a_result("t1", "bash", "", None),
        "there were no narrations, details or times once: they are None, and no time is made up"
    );
    let null = r#"{"role":"tool_result","tool_call_id":"t1","tool_name":"bash","content":[],"is_error":false,"narration":null,"details":null,"timestamp":null}"#;
    assert_eq!(
        read::<AgentMessage>(null),
        read(old),
        "`null` is read as None"
    );
    assert_eq!(
        read::<Usage>(r#"{"input_tokens":1,"output_tokens":2}"#),
        Usage {
            input_tokens: 1,
            output_tokens: 2,
            ..Usage::default()
        },
        "a usage from before the cache was counted has counts of 0"
    );
    let newer = r#"{"role":"system","content":"x","colour":"red"}"#;
    assert_eq!(
        to_json(&read::<AgentMessage>(newer)),
        json!({ "role": "system", "content": "x" }),
        "a field of a newer program is passed over"
    );
}

#[test]
fn test_ch17_stop_reasons() {
    for word in [
        "end_turn",
        "tool_use",
        "max_tokens",
        "error",
        "aborted",
        "other",
    ] {
        assert_round_trip::<StopReason>(&json!(word));
    }
    for wrong in ["EndTurn", "endTurn", "stop", "refusal", ""] {
        refused::<StopReason>(&json!(wrong), wrong);
    }
}

#[test]
fn test_ch17_broken_entries_are_refused() {
    for (broken, word) in [
        (json!({ "content": "x" }), "role"),
        (json!({ "role": "toolResult" }), "tool_result"),
        (json!({ "role": "system" }), "content"),
        (json!({ "role": "assistant", "content": [] }), "stop_reason"),
        (json!({ "role": "custom", "kind": "k" }), "payload"),
        (
            json!({ "role": "tool_result", "tool_call_id": "t", "tool_name": "n", "content": [] }),
            "is_error",
        ),
        (
            json!({ "role": "tool_result", "tool_name": "n", "content": [], "is_error": false }),
            "tool_call_id",
        ),
        (
            json!({ "role": "system", "content": "x", "timestamp": -1 }),
            "-1",
        ),
    ] {
        refused::<AgentMessage>(&broken, word);
    }
    refused::<Usage>(&json!({ "input_tokens": 1 }), "output_tokens");
}

#[test]
fn test_ch17_every_entry_has_a_role_and_may_have_a_time() {
    let times = [1, 2, 3, 4, 5].map(Some);
    for (entry, time) in with_secrets().iter().zip(times) {
        assert_eq!(
            entry.role(),
            to_json(entry)["role"],
            "the role is the one that JSON has"
        );
        assert_eq!(entry.timestamp(), time, "the time of {}", entry.role());
    }
    for entry in [a_reply(&[]), a_result("t1", "bash", "", None)] {
        assert_eq!(
            entry.timestamp(),
            None,
            "where the time is not known, no time is made up: {}",
            entry.role()
        );
    }
}

// 17.2 Words or blocks

#[test]
fn test_ch17_user_content_keeps_its_form() {
    for content in [
        json!("Hi."),
        json!(""),
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
fn test_ch17_an_error_is_the_blocks_own() {
    for (broken, word) in [
        (json!(7), "a string or a list of blocks"),
        (
            json!({ "type": "text", "text": "x" }),
            "a string or a list of blocks",
        ),
        (json!(null), "a string or a list of blocks"),
        (json!([{ "type": "text" }]), "missing field `text`"),
        (json!([{ "type": "video", "source": "x" }]), "video"),
        (json!([{ "type": "image" }]), "missing field `source`"),
    ] {
        refused::<UserContent>(&broken, word);
    }
}

#[test]
fn test_ch17_blocks_of_a_reply() {
    let content = json!([
        { "type": "thinking", "thinking": "plan", "signature": "s" },
        { "type": "thinking", "thinking": "plan" },
        { "type": "reasoning", "text": "plan" },
        { "type": "reasoning_details", "details": [{ "type": "reasoning.encrypted" }] },
        { "type": "text", "text": "Hi." },
        { "type": "tool_call", "id": "t1", "name": "bash", "arguments": { "command": "ls" } }
    ]);
    assert_round_trip::<AssistantContent>(&content);
    assert_round_trip::<AgentMessage>(
        &json!({ "role": "assistant", "content": content, "stop_reason": "tool_use" }),
    );
    refused::<AssistantContent>(&json!("Hi."), "expected");
    refused::<AssistantContent>(&json!([{ "type": "toolCall" }]), "tool_call");
}

#[test]
fn test_ch17_the_text_of_a_result() {
    let content: ToolResultContent = from_json(&json!([
        { "type": "text", "text": "a" },
        { "type": "image", "source": "https://example.org/a.png", "alt": "no words of its own" },
        { "type": "text", "text": "" },
        { "type": "text", "text": "b" }
    ]));
    assert_eq!(
        content.text(),
        "a\n\nb",
        "the text blocks, an empty one too, joined by line ends; a picture has no words"
    );
    assert_eq!(
        ToolResultContent::default().text(),
        "",
        "nothing has no text"
    );
}

// 17.3 What a provider sees

#[test]
fn test_ch17_the_wire_has_these_fields_alone() {
    let expected = [
        json!({ "role": "system", "content": "Be brief." }),
        json!({ "role": "user", "content": "Hi." }),
        json!({
            "role": "assistant",
            "content": [
                { "type": "thinking", "thinking": "plan", "signature": "seal" },
                { "type": "tool_call", "id": "t1", "name": "bash", "arguments": { "command": "ls" } }
            ]
        }),
        json!({
            "role": "tool_result", "tool_call_id": "t1", "tool_name": "bash",
            "content": [{ "type": "text", "text": "src" }], "is_error": true
        }),
    ];
    let entries: Vec<AgentMessage> = with_secrets();
    for (entry, expected) in entries.iter().zip(expected) {
        assert_json(
            "on the wire are the role, what was said and, of a result, the call and whether it failed; of a reply its sealed thoughts as well",
            &to_json(&WireMessage::of(entry)),
            &expected,
        );
    }
}

#[test]
fn test_ch17_a_custom_entry_never_reaches_the_wire() {
    let custom = with_secrets().pop().expect("the last is a custom entry");
    assert_eq!(
        WireMessage::of(&custom),
        None,
        "a provider has no use for the host's own entries: there is nothing to send"
    );
}

#[test]
fn test_ch17_no_secret_reaches_the_wire() {
    let transcript = with_secrets();
    let wire = to_wire(&transcript);
    let roles: Vec<Value> = wire.iter().map(|it| to_json(it)["role"].clone()).collect();
    assert_eq!(
        roles,
        ["system", "user", "assistant", "tool_result"],
        "every entry but the custom one, in the transcript's order"
    );
    let text = to_json(&wire).to_string();
    assert!(
        !text.contains("SECRET"),
        "narration, details, custom entries and error messages are for the host; the wire has {text}"
    );
    let system = transcript[0].clone();
    let failed = a_reply_with(vec![], StopReason::Error);
    let mixed = [a_user("Hi."), failed, a_note(None), a_user("So?"), system];
    let wire = to_wire(&mixed);
    let roles: Vec<Value> = wire.iter().map(|it| to_json(it)["role"].clone()).collect();
    assert_eq!(
        roles,
        ["user", "assistant", "user", "system"],
        "the role alone decides: a reply that failed and a late system message are sent, each in its place"
    );
    assert_eq!(to_wire(&[]), [], "of nothing, nothing");
}

// 17.4 To the agent

#[test]
fn test_ch17_to_agent_carries() {
    let usage = Usage {
        input_tokens: 1,
        output_tokens: 20,
        cache_creation_input_tokens: 300,
        cache_read_input_tokens: 4000,
    };
    let reply = AgentMessage::Assistant {
        content: AssistantContent(vec![
            text_block("I look."),
            sealed_thoughts(),
            AssistantBlock::Reasoning {
                text: "why".to_string(),
            },
            a_call("t1", "bash", json!({ "command": "ls" })),
        ]),
        stop_reason: StopReason::ToolUse,
        error_message: Some("e".to_string()),
        timestamp: Some(2),
        usage: Some(usage),
    };
    let result = AgentMessage::ToolResult {
        tool_call_id: "t1".to_string(),
        tool_name: "bash".to_string(),
        content: result_text("src"),
        is_error: true,
        narration: None,
        details: None,
        timestamp: Some(3),
    };
    let crossing = to_agent(&[
        a_user("Hi."),
        a_user_with(vec![
            words("Look:"),
            a_png(),
            picture("data:image/gif;base64,AA==", None, None),
        ]),
        reply,
        result,
        a_note(None),
    ]);
    let expected = json!([
        { "role": "user", "content": [{ "type": "text", "text": "Hi." }], "timestamp": 2 },
        { "role": "user", "timestamp": 0, "content": [
            { "type": "text", "text": "Look:" },
            { "type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png" },
            { "type": "image", "data": "AA==", "mimeType": "image/gif" }
        ] },
        {
            "role": "assistant", "stopReason": "toolUse", "model": "", "provider": "",
            "timestamp": 2, "error_message": "e",
            "content": [
                { "type": "text", "text": "I look." },
                { "type": "thinking", "thinking": "plan", "signature": "seal" },
                { "type": "thinking", "thinking": "why" },
                { "type": "toolCall", "id": "t1", "name": "bash", "arguments": { "command": "ls" } }
            ],
            "usage": {
                "input": 1, "output": 20, "reasoning": 0, "cache_read": 4000,
                "cache_write": 300, "total_tokens": 4321
            }
        },
        {
            "role": "toolResult", "toolCallId": "t1", "toolName": "bash", "isError": true,
            "content": [{ "type": "text", "text": "src" }], "timestamp": 3
        },
        { "role": "extension", "kind": "note", "data": { "a": 1 } }
    ]);
    assert_json(
        "all of this has a place",
        &to_json(&crossing.messages),
        &expected,
    );
    assert_eq!(crossing.losses, [], "so nothing is lost");
}

#[test]
fn test_ch17_to_agent_says_what_is_lost() {
    let details = AssistantBlock::ReasoningDetails { details: json!([]) };
    let result = AgentMessage::ToolResult {
        tool_call_id: "t".to_string(),
        tool_name: "n".to_string(),
        content: ToolResultContent(vec![picture("https://example.org/a.png", None, None)]),
        is_error: false,
        narration: Some("Ran.".to_string()),
        details: Some(json!({})),
        timestamp: None,
    };
    let odd = picture(
        "data:image/png;base64,AA==",
        Some("image/gif"),
        Some("a cat"),
    );
    for (entry, lost) in [
        (with_secrets().swap_remove(0), vec!["system"]),
        (a_user_with(vec![odd.clone()]), vec!["alt", "media_type"]),
        (
            a_reply_with(vec![details], StopReason::Other),
            vec!["reasoning_details", "stop_reason"],
        ),
        (result, vec!["narration", "details", "image"]),
        (a_note(Some(1)), vec!["timestamp"]),
    ] {
        let crossing = to_agent(&[a_user("before"), entry.clone()]);
        let found: BTreeSet<_> = crossing.losses.iter().map(|loss| loss.what).collect();
        assert_eq!(
            found,
            lost.iter().copied().collect(),
            "what an agent has no place for is in the list: {entry:?}"
        );
        assert_eq!(crossing.losses.len(), lost.len(), "each once: {entry:?}");
        assert!(
            crossing.losses.iter().all(|loss| loss.message == 1),
            "it was the second entry that lost something, the one with the index 1: {:?}",
            crossing.losses
        );
    }
    let crossing = to_agent(&[a_user_with(vec![odd])]);
    assert_json(
        "where the `data:` URL and `media_type` differ, it is `media_type` that is lost",
        &to_json(&crossing.messages)[0]["content"],
        &json!([{ "type": "image", "data": "AA==", "mimeType": "image/png" }]),
    );
}

#[test]
fn test_ch17_an_image_on_the_web_is_named() {
    for source in ["https://example.org/a.png", "data:text/plain,hello"] {
        let image = picture(source, Some("image/png"), Some("a cat"));
        let crossing = to_agent(&[a_user_with(vec![image])]);
        let lost: BTreeSet<_> = crossing.losses.iter().map(|loss| loss.what).collect();
        assert_eq!(
            lost,
            BTreeSet::from(["alt", "image"]),
            "of an image that becomes a text, what it shows is lost as well: {source}"
        );
        assert_json(
            "an agent's image is its bytes in base64; where there are none, the model is at least told of it",
            &to_json(&crossing.messages)[0]["content"],
            &json!([{ "type": "text", "text": format!("[image: {source}]") }]),
        );
    }
}

#[test]
fn test_ch17_stop_reasons_to_agent() {
    for (ours, theirs) in [
        (StopReason::EndTurn, "stop"),
        (StopReason::ToolUse, "toolUse"),
        (StopReason::MaxTokens, "length"),
        (StopReason::Error, "error"),
        (StopReason::Aborted, "aborted"),
        (StopReason::Other, "stop"),
    ] {
        let crossing = to_agent(&[a_reply_with(vec![], ours)]);
        assert_eq!(
            to_json(&crossing.messages)[0]["stopReason"],
            theirs,
            "what {ours:?} is for an agent"
        );
        assert_eq!(
            crossing.losses.len(),
            usize::from(ours == StopReason::Other),
            "only Other says less over there: {ours:?}"
        );
    }
}

#[test]
fn test_ch17_a_huge_usage_does_not_overflow() {
    let mut reply = a_reply_with(vec![], StopReason::Error);
    if let AgentMessage::Assistant { usage, .. } = &mut reply {
        *usage = Some(Usage {
            input_tokens: u64::MAX,
            output_tokens: u64::MAX,
            ..Usage::default()
        });
    }
    let crossing = to_agent(&[reply]);
    assert_eq!(
        to_json(&crossing.messages)[0]["usage"]["total_tokens"],
        u64::MAX,
        "a sum that is too large stays at the largest number"
    );
}

// 17.5 And back

#[test]
fn test_ch17_there_and_back() {
    let mut whole = a_reply_with(
        vec![
            text_block("a"),
            sealed_thoughts(),
            a_call("t1", "n", json!([])),
        ],
        StopReason::MaxTokens,
    );
    if let AgentMessage::Assistant {
        error_message,
        timestamp,
        usage,
        ..
    } = &mut whole
    {
        *error_message = Some("e".to_string());
        *timestamp = Some(2);
        *usage = Some(Usage {
            input_tokens: 1,
            output_tokens: 2,
            cache_creation_input_tokens: 3,
            cache_read_input_tokens: 4,
        });
    }
    let mut failed = a_result("t1", "n", "x", None);
    if let AgentMessage::ToolResult { is_error, .. } = &mut failed {
        *is_error = true;
    }
    let transcript = [
        a_user("Hi."),
        a_user_with(vec![a_png()]),
        a_user_with(vec![words("a"), words("b")]),
        a_user_with(vec![]),
        whole,
        a_reply_with(vec![], StopReason::EndTurn),
        failed,
        a_note(None),
    ];
    // By way of JSON, so that the way there is not asked of the same section as the way back.
    let there: Vec<agent::AgentMessage> = [
        json!({ "role": "user", "content": [{ "type": "text", "text": "Hi." }], "timestamp": 2 }),
        json!({ "role": "user", "timestamp": 0, "content": [
            { "type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png" }
        ] }),
        json!({ "role": "user", "timestamp": 0, "content": [
            { "type": "text", "text": "a" }, { "type": "text", "text": "b" }
        ] }),
        json!({ "role": "user", "timestamp": 0, "content": [] }),
        json!({
            "role": "assistant", "stopReason": "length", "model": "", "provider": "",
            "timestamp": 2, "error_message": "e",
            "content": [
                { "type": "text", "text": "a" },
                { "type": "thinking", "thinking": "plan", "signature": "seal" },
                { "type": "toolCall", "id": "t1", "name": "n", "arguments": [] }
            ],
            "usage": { "input": 1, "output": 2, "cache_write": 3, "cache_read": 4, "total_tokens": 10 }
        }),
        json!({
            "role": "assistant", "stopReason": "stop", "model": "", "provider": "",
            "timestamp": 0, "content": [], "usage": { "input": 0, "output": 0 }
        }),
        json!({
            "role": "toolResult", "toolCallId": "t1", "toolName": "n", "isError": true,
            "content": [{ "type": "text", "text": "x" }], "timestamp": 0
        }),
        json!({ "role": "extension", "kind": "note", "data": { "a": 1 } }),
    ]
    .iter()
    .map(from_json)
    .collect();
    let back = from_agent(&there);
    assert_json(
        "what both sides have a place for comes back as it went",
        &to_json(&back.messages),
        &to_json(&transcript),
    );
    assert_eq!(back.losses, [], "nothing is lost on the way back");
    let crossing = to_agent(&transcript);
    assert_json(
        "and this is how it went",
        &to_json(&crossing.messages),
        &to_json(&there),
    );
    assert_eq!(crossing.losses, [], "nothing was lost on the way there");
}

#[test]
fn test_ch17_from_agent_says_what_is_lost() {
    let usage = json!({ "input": 0, "output": 0 });
    for (entry, lost) in [
        (
            json!({ "role": "user", "content": [], "timestamp": 1,
                "turnId": { "loopId": "s.c.1", "turnIndex": 0 } }),
            vec!["turnId"],
        ),
        (
            json!({ "role": "user", "timestamp": 1, "content": [
                { "type": "thinking", "thinking": "x" },
                { "type": "toolCall", "id": "t", "name": "n", "arguments": {} }
            ] }),
            vec!["thinking", "toolCall"],
        ),
        (
            json!({ "role": "assistant", "timestamp": 1, "stopReason": "paused", "model": "m",
                "provider": "p", "usage": { "input": 1, "output": 2, "reasoning": 1, "total_tokens": 4 },
                "content": [{ "type": "image", "data": "AA==", "mimeType": "image/png" }] }),
            vec![
                "model",
                "provider",
                "image",
                "stopReason",
                "usage.reasoning",
                "usage.total_tokens",
            ],
        ),
        (
            json!({ "role": "assistant", "timestamp": 1, "stopReason": "stop", "model": "",
                "provider": "", "usage": usage, "content": [] }),
            vec![],
        ),
        (
            json!({ "role": "toolResult", "toolCallId": "t", "toolName": "n", "content": [],
                "isError": false, "timestamp": 1, "childLoopId": "c" }),
            vec!["childLoopId"],
        ),
        (
            json!({ "role": "extension", "kind": "k", "data": 1 }),
            vec![],
        ),
    ] {
        let crossing = from_agent(&[from_json::<agent::AgentMessage>(&entry)]);
        let found: Vec<_> = crossing.losses.iter().map(|loss| loss.what).collect();
        assert_eq!(
            found.iter().collect::<BTreeSet<_>>(),
            lost.iter().collect(),
            "what a transcript has no place for is in the list: {entry}"
        );
        assert_eq!(found.len(), lost.len(), "each once: {found:?}");
        assert_eq!(
            crossing.messages.len(),
            1,
            "the entry itself is there: {entry}"
        );
    }
    let thoughts = json!({ "role": "toolResult", "toolCallId": "t", "toolName": "n", "isError": false,
        "timestamp": 1, "content": [{ "type": "thinking", "thinking": "x" }] });
    let crossing = from_agent(&[from_json::<agent::AgentMessage>(&thoughts)]);
    assert_json(
        "a block that is lost leaves nothing in its place",
        &to_json(&crossing.messages)[0]["content"],
        &json!([]),
    );
    for (usage, tokens) in [
        (
            json!({ "input": 0, "output": 0, "cache_read": 5, "total_tokens": 5 }),
            [0, 0, 0, 5],
        ),
        (json!({ "input": 1, "output": 2 }), [1, 2, 0, 0]),
    ] {
        let entry = json!({ "role": "assistant", "timestamp": 1, "stopReason": "stop", "model": "",
            "provider": "", "usage": usage, "content": [] });
        let crossing = from_agent(&[from_json::<agent::AgentMessage>(&entry)]);
        assert_json(
            &format!("a usage is known if any of its counts is not 0: {usage}"),
            &to_json(&crossing.messages)[0]["usage"],
            &json!({
                "input_tokens": tokens[0], "output_tokens": tokens[1],
                "cache_creation_input_tokens": tokens[2], "cache_read_input_tokens": tokens[3]
            }),
        );
    }
}

#[test]
fn test_ch17_stop_reasons_from_agent() {
    for (theirs, ours) in [
        ("stop", "end_turn"),
        ("length", "max_tokens"),
        ("toolUse", "tool_use"),
        ("error", "error"),
        ("aborted", "aborted"),
        ("maxTurns", "other"),
        ("userStop", "other"),
        ("handoff", "other"),
        ("guardRail", "other"),
        ("contextCompacted", "other"),
        ("paused", "other"),
    ] {
        let entry = json!({ "role": "assistant", "timestamp": 0, "stopReason": theirs, "model": "",
            "provider": "", "usage": { "input": 0, "output": 0 }, "content": [] });
        let crossing = from_agent(&[from_json::<agent::AgentMessage>(&entry)]);
        assert_json(
            &format!(
                "what `{theirs}` is in a transcript; a time of 0 and a usage of nothing are not known"
            ),
            &to_json(&crossing.messages),
            &json!([{ "role": "assistant", "content": [], "stop_reason": ours }]),
        );
        assert_eq!(
            crossing.losses.len(),
            usize::from(ours == "other"),
            "a word that becomes `other` is lost: {theirs}"
        );
    }
}

// 17.6 One short line

#[test]
fn test_ch17_plain_is_one_line() {
    for (text, expected) in [
        ("ls -la", "ls -la"),
        ("a\nb\tc\r", r"a\nb\tc\r"),
        ("\u{1b}[31mred", r"\u{1b}[31mred"),
        ("abc\u{202e}txt.exe", r"abc\u{202e}txt.exe"),
        ("a\u{2028}b\u{200b}c", r"a\u{2028}b\u{200b}c"),
        ("né 漢字 👩\u{200d}🚀", "né 漢字 👩\u{200d}🚀"),
        (r"a\nb", r"a\nb"),
    ] {
        assert_eq!(
            plain(text, 100),
            expected,
            "control characters and hidden marks are written as escapes, all else as it is"
        );
    }
}

#[test]
fn test_ch17_plain_is_bounded() {
    for (text, limit, expected) in [
        ("abcde", 5, "abcde"),
        ("abcdef", 5, "abcd…"),
        ("漢字漢字漢字", 5, "漢字漢字…"),
        ("", 5, ""),
        ("abc\n", 5, r"abc\n"),
        ("abcd\n", 5, "abcd…"),
        ("abc\nd", 5, "abc…"),
        ("\u{1b}\u{1b}", 7, "\\u{1b}…"),
        ("abc", 1, "…"),
    ] {
        assert_eq!(
            plain(text, limit),
            expected,
            "{text:?} in at most {limit} characters, of which the last is `…` if something is missing; an escape is there as a whole or not at all"
        );
    }
}

#[test]
fn test_ch17_short_paths_keep_their_end() {
    assert_eq!(short_path("src/main.rs"), "src/main.rs");
    assert_eq!(short_path("a\nb"), r"a\nb", "a path is one line as well");
    let exactly = "d/".repeat(25) + "0123456789";
    assert_eq!(short_path(&exactly), exactly, "60 characters fit");
    let deep = format!("{}/{}", "d".repeat(40), "e".repeat(30));
    assert_eq!(
        short_path(&deep),
        format!("…/{}", "e".repeat(30)),
        "of a long path the end is shown, from the first whole name on"
    );
    let long = "x".repeat(100);
    assert_eq!(
        short_path(&long),
        format!("…{}", "x".repeat(59)),
        "of a single long name as much of its end as fits"
    );
}

#[test]
fn test_ch17_sizes() {
    for (bytes, expected) in [
        (0, "0 bytes"),
        (1, "1 byte"),
        (1023, "1023 bytes"),
        (1024, "1 KB"),
        (1536, "1.5 KB"),
        (4096, "4 KB"),
        (10_188, "9.9 KB"),
        (10_239, "10 KB"),
        (10_752, "11 KB"),
        (1_048_063, "1023 KB"),
        (1_048_575, "1 MB"),
        (1_048_576, "1 MB"),
        (1_572_864, "1.5 MB"),
        (1 << 30, "1 GB"),
        (1 << 40, "1 TB"),
        (u64::MAX, "16777216 TB"),
    ] {
        assert_eq!(size(bytes), expected, "{bytes} bytes, for people");
    }
}

#[test]
fn test_ch17_reasons() {
    for (error, expected) in [
        ("no such file", "no such file"),
        ("`a` is a folder; list it instead", "`a` is a folder"),
        (
            "it took too long. Give it more time.\nOutput:",
            "it took too long",
        ),
        ("waited 1.5 s", "waited 1.5 s"),
        ("first:\nsecond", "first"),
        ("done.", "done"),
        ("", ""),
        ("\n", ""),
    ] {
        assert_eq!(
            reason(error),
            expected,
            "of {error:?} people need what went wrong, and not what a model should do"
        );
    }
    let long = reason(&"x".repeat(500));
    assert_eq!(
        long.chars().count(),
        MAX_REASON,
        "a long reason is cut: {long}"
    );
}

// 17.7 Files

#[tokio::test]
async fn test_ch17_reading() {
    let tools = Tools::new();
    tools.file("a.txt", &"x\n".repeat(20));
    tools.file("one.txt", "[lines 1 to 2 of 3]");
    tools.file("empty.txt", "");
    tools.file("p.png", "GIF89a000000");
    for (args, expected) in [
        (json!({ "path": "a.txt" }), "Read a.txt (20 lines)"),
        (json!({ "path": "one.txt" }), "Read one.txt (1 line)"),
        (json!({ "path": "empty.txt" }), "Read empty.txt (empty)"),
        (
            json!({ "path": "a.txt", "offset": 5, "limit": 5 }),
            "Read a.txt (lines 5 to 9 of 20)",
        ),
        (
            json!({ "path": "a.txt", "offset": 19 }),
            "Read a.txt (lines 19 to 20 of 20)",
        ),
        (
            json!({ "path": "p.png" }),
            "Looked at p.png (image/gif, 12 bytes)",
        ),
    ] {
        tools.deed("read", &ReadNarrator, args, expected).await;
    }
    tools.file("q.txt", &("x\n".repeat(9) + "tail"));
    let part = json!({ "path": "q.txt", "offset": 10 });
    tools
        .deed(
            "read",
            &ReadNarrator,
            part,
            "Read q.txt (lines 10 to 10 of 10)",
        )
        .await;
}

#[tokio::test]
async fn test_ch17_listing() {
    let tools = Tools::new();
    tools.file("src/a", "");
    tools.file("src/b", "");
    tools.file("one/[x]", "");
    std::fs::create_dir(tools.folder.join("none")).expect("a folder");
    for (args, expected) in [
        (json!({}), "Listed the root folder (3 entries)"),
        (json!({ "path": "." }), "Listed the root folder (3 entries)"),
        (json!({ "path": "src" }), "Listed src (2 entries)"),
        (json!({ "path": "one" }), "Listed one (1 entry)"),
        (json!({ "path": "none" }), "Listed none (empty)"),
    ] {
        tools.deed("list", &ListNarrator, args, expected).await;
    }
    let long = "a\n".repeat(1000) + "[7 more entries left out]";
    assert_eq!(
        ListNarrator.deed(&json!({ "path": "d" }), &long).as_deref(),
        Some("Listed d (1007 entries)"),
        "entries that were left out are counted, and the line that says so is none"
    );
    let cut = "a\n[1234 bytes left out]\nb";
    assert_eq!(
        ListNarrator.deed(&json!({ "path": "d" }), cut).as_deref(),
        Some("Listed d"),
        "of a text that was cut in its middle nobody can count the lines: better no number than a false one"
    );
}

#[tokio::test]
async fn test_ch17_writing() {
    let tools = Tools::new();
    let page = |size: usize| json!({ "path": "index.html", "content": "x".repeat(size) });
    tools
        .deed(
            "write",
            &WriteNarrator,
            page(4096),
            "Wrote index.html (4 KB)",
        )
        .await;
    tools
        .deed(
            "write",
            &WriteNarrator,
            page(1),
            "Wrote index.html (1 byte)",
        )
        .await;
    let odd = json!({ "path": "a (2 lines, 9 bytes).txt", "content": "" });
    let expected = "Wrote a (2 lines, 9 bytes).txt (0 bytes)";
    tools.deed("write", &WriteNarrator, odd, expected).await;
    assert_eq!(
        WriteNarrator.deed(&json!({ "path": "a" }), "saved"),
        None,
        "a text that the tool does not write tells nothing"
    );
}

#[tokio::test]
async fn test_ch17_editing() {
    let tools = Tools::new();
    tools.file("a.txt", "one\none\ntwo\nthree\n");
    tools.run("read", json!({ "path": "a.txt" })).await;
    let edit = |old: &str, new: &str, all: bool| json!({ "old_string": old, "new_string": new, "replace_all": all });
    let with_path = |mut args: Value| {
        args["path"] = json!("a.txt");
        args
    };
    let args = with_path(edit("two", "2", false));
    tools
        .deed("edit", &EditNarrator, args, "Edited a.txt")
        .await;
    let args = with_path(edit("one", "1", true));
    tools
        .deed("edit", &EditNarrator, args, "Edited a.txt (2 places)")
        .await;
    let args = with_path(
        json!({ "edits": [edit("1", "one", true), edit("2", "two", false), edit("three", "3", false)] }),
    );
    tools
        .deed("multi_edit", &EditNarrator, args, "Edited a.txt (3 edits)")
        .await;
    let args = with_path(json!({ "edits": [edit("two", "2", false)] }));
    tools
        .deed("multi_edit", &EditNarrator, args, "Edited a.txt")
        .await;
    assert_eq!(
        EditNarrator.deed(&json!({ "path": "a" }), "done"),
        None,
        "a text that the tool does not write tells nothing"
    );
}

// 17.8 Commands and searches

#[tokio::test]
async fn test_ch17_commands() {
    let tools = Tools::new();
    for (command, expected) in [
        ("ls -la", "Ran ls -la"),
        ("exit 3", "Ran exit 3 (exit code 3)"),
        (
            "kill -9 $$",
            "Ran kill -9 $$ (exit code 137: killed by SIGKILL)",
        ),
        ("\n  true\necho 2", "Ran true …"),
        ("echo '[exit code x]'", "Ran echo '[exit code x]'"),
        ("echo '[exit code 1]'\necho 2", "Ran echo '[exit code 1]' …"),
    ] {
        let args = json!({ "command": command });
        tools.deed("bash", &BashNarrator, args, expected).await;
    }
    let long = json!({ "command": format!("echo {}", "x".repeat(100)) });
    let expected = format!("Ran echo {}…", "x".repeat(54));
    assert_eq!(
        BashNarrator.deed(&long, "").as_deref(),
        Some(expected.as_str()),
        "a command is shown in 60 characters"
    );
}

#[tokio::test]
async fn test_ch17_output_that_looks_like_an_error() {
    let tools = Tools::new();
    let text = tools
        .run(
            "bash",
            json!({ "command": "echo 'error: no main'; exit 101" }),
        )
        .await;
    assert!(
        BashNarrator.is_answer(&text),
        "the exit code shows that the command has run, whatever its output begins with: {text}"
    );
    for text in ["error: `command` is empty", "error: it stood still", ""] {
        assert!(
            !BashNarrator.is_answer(text),
            "no exit code, no answer: {text}"
        );
    }
}

#[tokio::test]
async fn test_ch17_looking_for_files() {
    let tools = Tools::new();
    for name in ["a.rs", "b/c.rs", "[id].rs"] {
        tools.file(name, "");
    }
    for (args, expected) in [
        (json!({ "pattern": "*.rs" }), "Looked for *.rs: 3 files"),
        (json!({ "pattern": "a.*" }), "Looked for a.*: 1 file"),
        (json!({ "pattern": "*.zip" }), "Looked for *.zip: no files"),
        (
            json!({ "pattern": "*.rs", "limit": 1 }),
            "Looked for *.rs: 3 files",
        ),
    ] {
        tools.deed("glob", &GlobNarrator, args, expected).await;
    }
    let unread = "a.rs\n[2 could not be read, such as d: Permission denied]";
    assert_eq!(
        GlobNarrator
            .deed(&json!({ "pattern": "*.rs" }), unread)
            .as_deref(),
        Some("Looked for *.rs: 1 file"),
        "what could not be read was not found"
    );
}

#[tokio::test]
async fn test_ch17_searching() {
    let tools = Tools::new();
    tools.file("a.rs", "todo 1\n\nx\n2: no\ntodo 3\n");
    tools.file("b.rs", "x\ntodo: 1:2\n");
    tools.file("12:c.rs", "todo\n");
    for (args, expected) in [
        (json!({ "pattern": "todo" }), "4 results in 3 files"),
        (
            json!({ "pattern": "todo", "context": 1 }),
            "4 results in 3 files",
        ),
        (
            json!({ "pattern": "todo", "limit": 1 }),
            "4 results in 3 files",
        ),
        (
            json!({ "pattern": "todo", "path": "b.rs" }),
            "1 result in 1 file",
        ),
        (
            json!({ "pattern": "todo", "output_mode": "files" }),
            "3 files",
        ),
        (
            json!({ "pattern": "todo", "output_mode": "files", "limit": 2 }),
            "3 files",
        ),
        (
            json!({ "pattern": "todo", "output_mode": "count" }),
            "4 results in 3 files",
        ),
        (
            json!({ "pattern": "todo", "output_mode": "count", "limit": 2 }),
            "3 files",
        ),
        (json!({ "pattern": "todo", "glob": "*.zip" }), "no results"),
    ] {
        let expected = format!("Searched for todo: {expected}");
        tools.deed("grep", &GrepNarrator, args, &expected).await;
    }
    tools.file("d.rs", "[7 are shown\ntwo[9] // are shown]\n");
    tools
        .deed(
            "grep",
            &GrepNarrator,
            json!({ "pattern": "are shown" }),
            "Searched for are shown: 2 results in 1 file",
        )
        .await;
    for mode in ["content", "files", "count"] {
        let args = json!({ "pattern": "fixme", "output_mode": mode });
        tools
            .deed(
                "grep",
                &GrepNarrator,
                args,
                "Searched for fixme: no results",
            )
            .await;
    }
}

// 17.9 Who narrates

#[tokio::test]
async fn test_ch17_every_standard_tool_narrates() {
    let narrators = Narrators::standard();
    let tools = Tools::new();
    tools.file("a.txt", "x\n");
    let args = json!({
        "path": "a.txt", "command": "ls -la", "pattern": "x", "content": "x", "old_string": "x",
        "new_string": "y", "edits": []
    });
    let registry = Registry::standard(&tools.folder).expect("the standard tools");
    for name in registry.names() {
        let failed = narrators.narrate(&call(name, args.clone()), &ToolResult::error("no"));
        assert!(
            failed.starts_with("Could not ") && !failed.contains(" use "),
            "`{name}` should have a narrator of its own; it says: {failed}"
        );
    }
    for (name, args, expected) in [
        ("bash", json!({ "command": "ls -la" }), "Ran ls -la."),
        (
            "write",
            json!({ "path": "index.html", "content": "x".repeat(4096) }),
            "Wrote index.html (4 KB).",
        ),
        ("read", json!({ "path": "a.txt" }), "Read a.txt (1 line)."),
        (
            "edit",
            json!({ "path": "a.txt", "old_string": "x", "new_string": "y" }),
            "Edited a.txt.",
        ),
        (
            "multi_edit",
            json!({ "path": "a.txt", "edits": [{ "old_string": "y", "new_string": "z" }] }),
            "Edited a.txt.",
        ),
        ("list", json!({}), "Listed the root folder (2 entries)."),
        (
            "glob",
            json!({ "pattern": "*.txt" }),
            "Looked for *.txt: 1 file.",
        ),
        (
            "grep",
            json!({ "pattern": "z" }),
            "Searched for z: 1 result in 1 file.",
        ),
    ] {
        let result = tools.run(name, args.clone()).await;
        let said = narrators.narrate(&call(name, args), &ToolResult::text(result));
        assert_eq!(said, expected, "one sentence about `{name}`");
    }
}

#[tokio::test]
async fn test_ch17_failures_say_so() {
    let narrators = Narrators::standard();
    let tools = Tools::new();
    tools.file("src/a.txt", "x\n");
    for (name, args, beginning) in [
        (
            "read",
            json!({ "path": "no.txt" }),
            "Could not read no.txt: ",
        ),
        ("read", json!({ "path": 7 }), "Could not read a file: "),
        (
            "list",
            json!({ "path": "src/a.txt" }),
            "Could not list src/a.txt: ",
        ),
        (
            "write",
            json!({ "path": "src", "content": "" }),
            "Could not write src: ",
        ),
        (
            "edit",
            json!({ "path": "src/a.txt", "old_string": "q", "new_string": "r" }),
            "Could not edit src/a.txt: ",
        ),
        (
            "multi_edit",
            json!({ "path": "src/a.txt", "edits": [] }),
            "Could not edit src/a.txt: ",
        ),
        ("bash", json!({ "command": " " }), "Could not run "),
        ("bash", json!(null), "Could not run a command: "),
        (
            "glob",
            json!({ "pattern": "*", "path": "src/a.txt" }),
            "Could not look for *: ",
        ),
        (
            "grep",
            json!({ "pattern": "(" }),
            "Could not search for (: ",
        ),
    ] {
        let result = tools.run(name, args.clone()).await;
        let said = narrators.narrate(&call(name, args), &ToolResult::text(&*result));
        let reason = said.strip_prefix(beginning).unwrap_or_default();
        assert!(
            reason.len() > 5 && !reason.contains("error: "),
            "it should begin with {beginning:?}, and the reason should follow, without the mark `error: `; it is {said:?}, and the result was {result:?}"
        );
        assert_one_sentence(&said);
    }
    let said = narrators.narrate(
        &call("bash", json!({ "command": "cargo build" })),
        &ToolResult::text("error: no main\n[exit code 101]"),
    );
    assert_eq!(
        said, "Ran cargo build (exit code 101).",
        "a command that has run did run, whatever it wrote"
    );
}

#[test]
fn test_ch17_tools_that_nobody_knows() {
    let narrators = Narrators::standard();
    let deploy = call("deploy", json!({ "to": "prod" }));
    let said = |text: &str| narrators.narrate(&deploy, &ToolResult::text(text));
    assert_eq!(said("done"), "Used deploy.");
    assert_eq!(
        said("log: no error: done"),
        "Used deploy.",
        "a result has failed if it begins with `error: `"
    );
    assert_eq!(
        said("error: quota reached; ask later"),
        "Could not use deploy: quota reached."
    );
    assert_eq!(
        said("error: "),
        "Could not use deploy.",
        "a failure without a reason"
    );
    let odd = call("write", json!({ "path": "a" }));
    assert_eq!(
        narrators.narrate(&odd, &ToolResult::text("saved")),
        "Used write.",
        "a narrator that can't tell leaves it at what is sure"
    );
}

#[test]
fn test_ch17_a_narrator_can_be_added() {
    let narrators = Narrators::standard()
        .with("deploy", Loud)
        .with("bash", Loud);
    for name in ["deploy", "bash"] {
        let said = narrators.narrate(&call(name, json!({})), &ToolResult::text("done"));
        assert_one_sentence(&said);
        assert!(
            said.starts_with(r"Deployed\nloudly"),
            "the narrator that was added last for `{name}` counts, and its text is made one line: {said}"
        );
    }
}

#[test]
fn test_ch17_narrations_are_one_short_line() {
    let narrators = Narrators::standard();
    let nasty = "\u{202e}x\n\u{7}".repeat(5000);
    for name in [
        "read", "write", "edit", "bash", "glob", "grep", "list", &nasty, "",
    ] {
        for args in [
            json!({ "path": nasty, "command": nasty, "pattern": nasty, "edits": 7 }),
            json!(nasty),
            json!(null),
            json!([1]),
        ] {
            let call = call(name, args);
            for text in [
                &nasty,
                "",
                "error: ",
                &format!("error: {nasty}"),
                "[",
                "]",
                "[]\n\n\n",
            ] {
                assert_one_sentence(&narrators.narrate(&call, &ToolResult::text(text)));
            }
        }
    }
}

#[test]
fn test_ch17_fill_narrates_a_transcript() {
    let mut transcript = vec![
        a_user("go"),
        a_reply(&[
            ("t1", "bash", json!({ "command": "ls" })),
            ("t2", "deploy", json!({})),
        ]),
        a_result("t1", "bash", "src", None),
        a_result("t2", "deploy", "error: not now", None),
        a_result("t3", "bash", "nobody has called", None),
        a_reply(&[("t1", "bash", json!({ "command": "pwd" }))]),
        a_result("t1", "bash", "/", None),
        a_result("t1", "bash", "/", Some("Said before.")),
        a_result("t4", "bash", "", None),
        a_reply(&[("t4", "bash", json!({ "command": "later" }))]),
    ];
    if let AgentMessage::ToolResult { is_error, .. } = &mut transcript[3] {
        *is_error = true;
    }
    Narrators::standard().fill(&mut transcript);
    for (index, expected, why) in [
        (
            2,
            Some("Ran ls."),
            "the call is the one with the result's id",
        ),
        (
            3,
            Some("Could not use deploy: not now."),
            "the call is the one with the result's id",
        ),
        (4, None, "no call of this id stands before it"),
        (
            6,
            Some("Ran pwd."),
            "of two calls with this id, the last before it counts",
        ),
        (7, Some("Said before."), "one that has a narration keeps it"),
        (8, None, "a call behind the result is not its own"),
    ] {
        assert_eq!(
            narration(&transcript[index]),
            Some(expected),
            "the result at index {index} of the transcript: {why}"
        );
    }
}

#[test]
fn test_ch17_fill_believes_the_flag() {
    for (text, is_failure, expected) in [
        ("quota", true, "Could not use deploy: quota."),
        ("error: as a word of its output", false, "Used deploy."),
        ("error: quota", true, "Could not use deploy: quota."),
    ] {
        let mut transcript = vec![
            a_reply(&[("t1", "deploy", json!({}))]),
            a_result("t1", "deploy", text, None),
        ];
        if let AgentMessage::ToolResult { is_error, .. } = &mut transcript[1] {
            *is_error = is_failure;
        }
        Narrators::standard().fill(&mut transcript);
        assert_eq!(
            narration(&transcript[1]),
            Some(Some(expected)),
            "in a transcript `is_error` says whether {text:?} is an error: here {is_failure}"
        );
    }
}

// 17.10 The rows of a run

#[test]
fn test_ch17_what_is_not_whole_has_no_row() {
    let mut recorder = a_recorder();
    for event in [
        message_start(reply("", &[])),
        AgentEvent::MessageUpdate {
            loop_id: "s.c.1".into(),
            message: reply("Let ", &[]).into(),
            delta: agent::StreamDelta::Text {
                delta: "Let ".into(),
            },
        },
    ] {
        recorder.record(&event);
        assert_eq!(recorder.rows(), [], "a reply that grows has no row yet");
    }
    let said = reply("Let me.", &[("t1", "bash", json!({ "command": "ls" }))]);
    recorder.record(&message_end(said));
    recorder.record(&call_starts("t1", json!({ "command": "ls" })));
    recorder.record(&AgentEvent::ToolExecutionUpdate {
        loop_id: "s.c.1".into(),
        tool_call_id: "t1".into(),
        tool_name: "bash".into(),
        partial_result: shown("half", json!({ "half": true })),
    });
    let details = json!({ "entries": 1 });
    recorder.record(&call_ends("t1", "src", details.clone()));
    assert_eq!(
        recorder.rows().len(),
        1,
        "a result has its row when its message is whole; that the call has ended is told before"
    );
    recorder.record(&message_end(result("t1", "src")));
    assert_eq!(
        row(&recorder, 1),
        &result_row("t1", "src", Some("Ran ls."), Some(details)),
        "what a tool had so far is not in the row of its result"
    );
}

#[test]
fn test_ch17_details_are_those_of_the_event() {
    for (details, expected) in [
        (Value::Null, None),
        (
            json!({ "artifacts": [1] }),
            Some(json!({ "artifacts": [1] })),
        ),
        (json!({}), Some(json!({}))),
        (json!(false), Some(json!(false))),
    ] {
        let mut recorder = a_recorder();
        tell_call(&mut recorder, "ls", details.clone());
        assert_eq!(
            results(&recorder),
            [result_row("t1", "src", Some("Ran ls."), expected)],
            "the event of the call's end has the details {details}; `null` are none"
        );
    }
}

#[test]
fn test_ch17_an_id_may_come_again() {
    let mut recorder = a_recorder();
    for (command, details) in [("ls", json!({ "entries": 1 })), ("pwd", Value::Null)] {
        tell_call(&mut recorder, command, details);
    }
    recorder.record(&message_end(result("t1", "src")));
    assert_eq!(
        results(&recorder),
        [
            result_row("t1", "src", Some("Ran ls."), Some(json!({ "entries": 1 }))),
            result_row("t1", "src", Some("Ran pwd."), None),
            result_row("t1", "src", None, None),
        ],
        "each result has what was told of the call before it, and one of whose call nothing was told has neither narration nor details"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch17_a_run_has_a_row_for_each_message() {
    let mut recorder = a_recorder();
    let mut agent = an_agent([
        reply(
            "Let me look.",
            &[("t1", "bash", json!({ "command": "ls -la" }))],
        ),
        reply("Two files.", &[]),
    ]);
    let note = agent::ExtensionMessage::new("note", json!({ "a": 1 }));
    let question = agent::Message::User {
        content: vec![agent::Content::Text {
            text: "What is here?".into(),
        }],
        timestamp: 5,
    };
    let prompt = vec![note.into(), question.into()];
    play(&mut agent, prompt, |_, event| recorder.record(event)).await;
    let usage = json!({
        "input_tokens": 10, "output_tokens": 2,
        "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0
    });
    let expected = json!([
        { "role": "custom", "kind": "note", "payload": { "a": 1 } },
        { "role": "user", "content": "What is here?", "timestamp": 5 },
        { "role": "assistant", "stop_reason": "tool_use", "timestamp": 7, "usage": usage,
          "content": [
            { "type": "text", "text": "Let me look." },
            { "type": "tool_call", "id": "t1", "name": "bash",
              "arguments": { "command": "ls -la" } }
        ] },
        { "role": "tool_result", "tool_call_id": "t1", "tool_name": "bash", "is_error": false,
          "content": [{ "type": "text", "text": "done" }], "narration": "Ran ls -la.",
          "timestamp": 7 },
        { "role": "assistant", "stop_reason": "end_turn", "timestamp": 7, "usage": usage,
          "content": [{ "type": "text", "text": "Two files." }] }
    ]);
    assert_json(
        "each message of the run has one row, as JSON, in the order in which they came to their ends",
        &to_json(&recorder.into_rows()),
        &expected,
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch17_the_rows_are_the_agents_messages() {
    let calls = [
        ("t1", "slow", json!({})),
        ("t2", "broken", json!({})),
        ("t3", "nowhere", json!({})),
        ("t1", "bash", json!({ "command": "pwd" })),
    ];
    for (what, calls, interrupt) in [
        ("words alone", &calls[..0], Interrupt::No),
        ("calls, of which two fail", &calls, Interrupt::No),
        ("calls that steering skips", &calls, Interrupt::Steer),
        ("calls that an abort cuts off", &calls, Interrupt::Abort),
        ("calls after a note", &calls, Interrupt::Note),
    ] {
        let mut recorder = a_recorder();
        // A filter rejects the second prompt, and for the last one the script has no reply.
        let mut agent = an_agent([reply("First", calls), reply("Then", &[]), reply("So", &[])]);
        for prompt in ["Go.", "bad words", "Go on.", "And?", "Still?"] {
            play(&mut agent, prompt, |agent, event| {
                recorder.record(event);
                if let AgentEvent::ToolExecutionStart { .. } = event {
                    interrupt.act(agent);
                }
            })
            .await;
            assert_rows_of(
                &agent,
                recorder.rows(),
                &format!("{what}, after {prompt:?}"),
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn test_ch17_what_a_slow_reader_misses_is_not_missed() {
    let mut all = a_recorder();
    let mut few = a_recorder();
    let calls = [
        ("t1", "slow", json!({})),
        ("t2", "bash", json!({ "command": "ls" })),
    ];
    let mut agent = an_agent([
        reply("Let me look at it.", &calls),
        reply("There it is.", &[]),
    ]);
    play(&mut agent, "Go.", |_, event| {
        all.record(event);
        match event {
            AgentEvent::MessageUpdate { .. }
            | AgentEvent::ToolExecutionUpdate { .. }
            | AgentEvent::ProgressMessage { .. } => {}
            event => few.record(event),
        }
    })
    .await;
    assert_eq!(
        all.rows().len(),
        5,
        "the rows of the run: {:#?}",
        all.rows()
    );
    assert_eq!(
        few.rows(),
        all.rows(),
        "whoever reads slowly misses pieces and progress; the rows are the same without them"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch17_a_narration_is_about_what_ran() {
    let mut recorder = a_recorder();
    let asked = [("t1", "bash", json!({ "command": "rm -rf /" }))];
    let mut agent = an_agent([reply("", &asked), reply("Done.", &[])]);
    play(&mut agent, "Tidy up.", |_, event| recorder.record(event)).await;
    assert_eq!(
        narration(row(&recorder, 2)),
        Some(Some("Ran ls build.")),
        "a gate has put `ls build` in the place of the command: that is what has run"
    );
    assert_eq!(
        row(&recorder, 1),
        &from_agent(&agent.messages()[1..2]).messages[0],
        "the reply's row has what the model asked for"
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch17_calls_that_run_together_keep_their_own() {
    let mut recorder = a_recorder();
    let calls = [
        ("t1", "bash", json!({ "command": "cat long", "for": 9 })),
        ("t2", "bash", json!({ "command": "cat short" })),
    ];
    let mut agent = an_agent([reply("", &calls), reply("Done.", &[])]);
    let mut ended = Vec::new();
    play(&mut agent, "Read both.", |_, event| {
        recorder.record(event);
        if let AgentEvent::ToolExecutionEnd { tool_call_id, .. } = event {
            ended.push(tool_call_id.clone());
        }
    })
    .await;
    assert_eq!(ended, ["t2", "t1"], "the second call ends first here");
    let found = [2, 3].map(|at| {
        let row = to_json(row(&recorder, at));
        json!([row["tool_call_id"], row["narration"], row["details"]])
    });
    let details = json!({ "is_truncated": true });
    assert_json(
        "the results stand in call order, each with the narration and the details of its own call: only the first was cut",
        &json!(found),
        &json!([
            ["t1", "Ran cat long.", details],
            ["t2", "Ran cat short.", null]
        ]),
    );
}

#[tokio::test(start_paused = true)]
async fn test_ch17_calls_that_failed_say_so() {
    for (tool, interrupt, expected) in [
        ("broken", Interrupt::No, "Could not use broken: it broke."),
        (
            "bash",
            Interrupt::Steer,
            "Could not run ls: Skipped due to queued user message.",
        ),
        ("bash", Interrupt::Abort, "Could not run ls: "),
    ] {
        let mut recorder = a_recorder();
        let calls = [
            ("t1", "slow", json!({})),
            ("t2", tool, json!({ "command": "ls" })),
        ];
        let mut agent = an_agent([reply("", &calls), reply("Done.", &[])]);
        play(&mut agent, "Go.", |agent, event| {
            recorder.record(event);
            if let AgentEvent::ToolExecutionStart { .. } = event {
                interrupt.act(agent);
            }
        })
        .await;
        let row = row(&recorder, 3);
        let Some(said) = narration(row).flatten() else {
            panic!("a call that failed has a narration as well; there is none in {row:?}");
        };
        assert!(
            said.starts_with(expected) && said.ends_with('.'),
            "a result says by `is_error` whether its call has failed; the narration should begin with {expected:?} and is {said:?}, of {row:?}"
        );
    }
}

// What the tests above are made of.

fn to_json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("it can be written as JSON")
}

/// Reads through text, as a file is read.
#[track_caller]
fn read<T: DeserializeOwned>(text: &str) -> T {
    match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => panic!("this JSON should load: {text}\nserde says: {error}"),
    }
}

#[track_caller]
fn from_json<T: DeserializeOwned>(json: &Value) -> T {
    read(&json.to_string())
}

#[track_caller]
fn assert_json(what: &str, found: &Value, expected: &Value) {
    // Of a list, one element is enough to read.
    if let (Value::Array(found), Value::Array(expected)) = (found, expected)
        && found.len() == expected.len()
    {
        for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
            assert!(
                found == expected,
                "{what} (here the element at index {index})\n  expected: {expected}\n  found:    {found}"
            );
        }
    }
    assert!(
        found == expected,
        "{what}\n  expected: {expected}\n  found:    {found}"
    );
}

#[track_caller]
fn assert_round_trip<T: Serialize + DeserializeOwned>(json: &Value) {
    let found = to_json(&from_json::<T>(json));
    assert_json("what was read is written the same again", &found, json);
}

/// Checks that this JSON is an error with `word` in it.
#[track_caller]
fn refused<T: DeserializeOwned + std::fmt::Debug>(json: &Value, word: &str) {
    match serde_json::from_str::<T>(&json.to_string()) {
        Ok(value) => panic!("this JSON should be refused: {json}\nit was read as {value:?}"),
        Err(error) => assert!(
            error.to_string().contains(word),
            "the error for {json} should have {word:?} in it; it is: {error}"
        ),
    }
}

#[track_caller]
fn assert_one_sentence(said: &str) {
    assert!(
        said.ends_with('.') && said.chars().count() <= MAX_NARRATION,
        "a narration ends in a full stop and has at most {MAX_NARRATION} characters; this has {}: {said}",
        said.chars().count()
    );
    assert!(
        !said
            .chars()
            .any(|letter| letter.is_control() || letter == '\u{202e}'),
        "a narration is one line that reads as it is written: {said:?}"
    );
}

/// One entry of each role, with SECRET in all that no provider may see.
fn with_secrets() -> Vec<AgentMessage> {
    let result = AgentMessage::ToolResult {
        tool_call_id: "t1".to_string(),
        tool_name: "bash".to_string(),
        content: result_text("src"),
        is_error: true,
        narration: Some("SECRET".to_string()),
        details: Some(json!({ "SECRET": "SECRET" })),
        timestamp: Some(4),
    };
    let reply = AgentMessage::Assistant {
        content: AssistantContent(vec![
            sealed_thoughts(),
            a_call("t1", "bash", json!({ "command": "ls" })),
        ]),
        stop_reason: StopReason::ToolUse,
        error_message: Some("SECRET".to_string()),
        timestamp: Some(3),
        usage: Some(Usage::default()),
    };
    let system = AgentMessage::System {
        content: "Be brief.".to_string(),
        timestamp: Some(1),
    };
    let custom = AgentMessage::Custom {
        kind: "SECRET".to_string(),
        payload: json!("SECRET"),
        timestamp: Some(5),
    };
    vec![system, a_user("Hi."), reply, result, custom]
}

fn a_user(text: &str) -> AgentMessage {
    AgentMessage::User {
        content: UserContent::Text(text.to_string()),
        timestamp: Some(2),
    }
}

fn a_user_with(blocks: Vec<ContentBlock>) -> AgentMessage {
    AgentMessage::User {
        content: UserContent::Blocks(blocks),
        timestamp: None,
    }
}

fn words(text: &str) -> ContentBlock {
    ContentBlock::Text {
        text: text.to_string(),
    }
}

fn picture(source: &str, media_type: Option<&str>, alt: Option<&str>) -> ContentBlock {
    ContentBlock::Image {
        source: source.to_string(),
        media_type: media_type.map(str::to_string),
        alt: alt.map(str::to_string),
    }
}

fn a_png() -> ContentBlock {
    let source = "data:image/png;base64,iVBORw0KGgo=";
    picture(source, Some("image/png"), None)
}

fn a_note(timestamp: Option<u64>) -> AgentMessage {
    AgentMessage::Custom {
        kind: "note".to_string(),
        payload: json!({ "a": 1 }),
        timestamp,
    }
}

fn text_block(text: &str) -> AssistantBlock {
    AssistantBlock::Text {
        text: text.to_string(),
    }
}

fn sealed_thoughts() -> AssistantBlock {
    AssistantBlock::Thinking {
        thinking: "plan".to_string(),
        signature: Some("seal".to_string()),
    }
}

fn a_call(id: &str, name: &str, arguments: Value) -> AssistantBlock {
    AssistantBlock::ToolCall {
        id: id.to_string(),
        name: name.to_string(),
        arguments,
    }
}

fn a_reply(calls: &[(&str, &str, Value)]) -> AgentMessage {
    let calls = calls
        .iter()
        .map(|(id, name, args)| a_call(id, name, args.clone()));
    a_reply_with(calls.collect(), StopReason::ToolUse)
}

fn a_reply_with(blocks: Vec<AssistantBlock>, stop_reason: StopReason) -> AgentMessage {
    AgentMessage::Assistant {
        content: AssistantContent(blocks),
        stop_reason,
        error_message: None,
        timestamp: None,
        usage: None,
    }
}

fn a_result(id: &str, tool: &str, text: &str, narration: Option<&str>) -> AgentMessage {
    AgentMessage::ToolResult {
        tool_call_id: id.to_string(),
        tool_name: tool.to_string(),
        content: match text {
            "" => ToolResultContent::default(),
            text => result_text(text),
        },
        is_error: false,
        narration: narration.map(str::to_string),
        details: None,
        timestamp: None,
    }
}

fn result_text(text: &str) -> ToolResultContent {
    ToolResultContent(vec![words(text)])
}

fn narration(message: &AgentMessage) -> Option<Option<&str>> {
    match message {
        AgentMessage::ToolResult { narration, .. } => Some(narration.as_deref()),
        _ => None,
    }
}

fn call(name: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: "call_1".to_string(),
        name: name.to_string(),
        arguments,
    }
}

/// A narrator that does not keep to one line.
struct Loud;

impl Narrator for Loud {
    fn aim(&self, _: &Value) -> String {
        "deploy".to_string()
    }

    fn deed(&self, _: &Value, _: &str) -> Option<String> {
        Some("Deployed\nloudly".repeat(100))
    }
}

/// A recorder that was told something, of which no row is made.
#[track_caller]
fn a_recorder() -> Recorder {
    let mut recorder = Recorder::new(Narrators::standard());
    recorder.record(&AgentEvent::ProgressMessage {
        loop_id: "s.c.1".into(),
        tool_call_id: "t0".into(),
        tool_name: "bash".into(),
        text: "on it".into(),
    });
    assert_eq!(
        recorder.rows(),
        [],
        "progress is no message, and has no row"
    );
    recorder
}

#[track_caller]
fn row(recorder: &Recorder, at: usize) -> &AgentMessage {
    let rows = recorder.rows();
    rows.get(at).unwrap_or_else(|| {
        panic!(
            "a message that is whole has a row; at index {at} there is none, of {}: {rows:#?}",
            rows.len()
        )
    })
}

/// An agent with this script, whose clock stands at 7.
fn an_agent<const N: usize>(script: [agent::Message; N]) -> Agent {
    let tools = ToolSet::new()
        .with(Waiting::new("bash", "done"))
        .with(Waiting::new("slow", "at last"))
        .with(Waiting::new("broken", "error: it broke"));
    Agent::builder(Script(Mutex::new(script.into())))
        .tools(tools)
        .gate(Careful)
        .filter(NoBadWords)
        .limits(QueryConfig {
            max_result_bytes: 400,
            ..QueryConfig::default()
        })
        .clock(Arc::new(|| 7))
        .build()
}

/// Runs a loop, and shows each event as it comes.
async fn play(
    agent: &mut Agent,
    prompt: impl Into<agent::Prompt>,
    mut show: impl FnMut(&Agent, &AgentEvent),
) {
    let mut events = agent.prompt(prompt);
    while let Some(event) = events.recv().await {
        show(agent, &event);
    }
    agent.finish().await;
}

#[track_caller]
fn assert_rows_of(agent: &Agent, rows: &[AgentMessage], what: &str) {
    let bare: Vec<AgentMessage> = rows.iter().cloned().map(without_extras).collect();
    assert_json(
        &format!("without narrations and details, the rows are the agent's history: {what}"),
        &to_json(&bare),
        &to_json(&from_agent(agent.messages()).messages),
    );
}

fn without_extras(mut row: AgentMessage) -> AgentMessage {
    if let AgentMessage::ToolResult {
        narration, details, ..
    } = &mut row
    {
        (*narration, *details) = (None, None);
    }
    row
}

/// What a user does while a call runs.
enum Interrupt {
    No,
    Steer,
    Note,
    Abort,
}

impl Interrupt {
    fn act(&self, agent: &Agent) {
        match self {
            Self::No => {}
            Self::Steer => agent.steer(agent::Message::user("Stop that.")),
            Self::Note => agent.steer(agent::ExtensionMessage::new("note", "seen")),
            Self::Abort => agent.abort(),
        }
    }
}

/// A model that gives these replies, each in pieces first, and fails when there are no more.
struct Script(Mutex<VecDeque<agent::Message>>);

#[async_trait]
impl agent::LanguageModel for Script {
    fn provider(&self) -> &str {
        "test"
    }

    fn model(&self) -> &str {
        "m-1"
    }

    async fn stream(
        &self,
        _: &agent::ModelRequest<'_>,
        deltas: &agent::DeltaSender,
    ) -> Result<agent::Message, ProviderError> {
        let next = self.0.lock().expect("nobody panics with it").pop_front();
        let reply = next.ok_or_else(|| ProviderError::BadRequest("no more".into()))?;
        if let agent::Message::Assistant { content, .. } = &reply
            && let Some(agent::Content::Text { text }) = content.first()
        {
            for word in text.split_inclusive(' ') {
                let delta = word.to_string();
                let _ = deltas.send(agent::StreamDelta::Text { delta }).await;
            }
        }
        Ok(reply)
    }
}

/// A tool that takes as many milliseconds as it is told, or one, and says more the longer it
/// takes. Only `bash` runs beside others.
struct Waiting {
    definition: ToolDefinition,
    answer: &'static str,
}

impl Waiting {
    fn new(name: &'static str, answer: &'static str) -> Self {
        Self {
            definition: ToolDefinition::new(name, "A tool for a test")
                .param("command", "string", "Is passed over", false)
                .param("for", "number", "How many milliseconds it takes", false),
            answer,
        }
    }
}

#[async_trait]
impl Tool for Waiting {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        report("on it");
        let time = args["for"].as_u64().unwrap_or(1);
        sleep(Duration::from_millis(time)).await;
        let more = "x".repeat(100 * (time as usize - 1));
        Ok(ToolResult::text(format!("{}{more}", self.answer)))
    }

    fn is_concurrent_safe(&self) -> bool {
        self.definition.name == "bash"
    }
}

/// Has nothing removed.
struct Careful;

#[async_trait]
impl Gate for Careful {
    async fn before(&self, call: &ToolCall, _: &dyn Tool) -> Decision {
        match call.arguments["command"] == "rm -rf /" {
            true => Decision::Change {
                arguments: Some(json!({ "command": "ls build" })),
                context: None,
            },
            false => Decision::Pass,
        }
    }
}

struct NoBadWords;

impl agent::InputFilter for NoBadWords {
    fn check(&self, message: &agent::Message) -> Result<(), String> {
        match to_json(message).to_string().contains("bad") {
            true => Err("no bad words".into()),
            false => Ok(()),
        }
    }
}

/// A reply as a model makes it: (id, name, arguments) of each call.
fn reply(text: &str, calls: &[(&str, &str, Value)]) -> agent::Message {
    let mut content = Vec::new();
    if !text.is_empty() {
        content.push(agent::Content::Text { text: text.into() });
    }
    content.extend(
        calls
            .iter()
            .map(|(id, name, arguments)| agent::Content::ToolCall {
                id: id.to_string(),
                name: name.to_string(),
                arguments: arguments.clone(),
            }),
    );
    agent::Message::Assistant {
        content,
        stop_reason: match calls {
            [] => agent::StopReason::Stop,
            _ => agent::StopReason::ToolUse,
        },
        model: "m-1".into(),
        provider: "test".into(),
        usage: agent::Usage {
            input: 10,
            output: 2,
            total_tokens: 12,
            ..agent::Usage::default()
        },
        timestamp: 0,
        error_message: None,
    }
}

fn result(id: &str, text: &str) -> agent::Message {
    agent::Message::ToolResult {
        tool_call_id: id.into(),
        tool_name: "bash".into(),
        content: vec![agent::Content::Text { text: text.into() }],
        is_error: false,
        timestamp: 7,
        child_loop_id: None,
    }
}

/// The row of such a result.
fn result_row(
    id: &str,
    text: &str,
    narration: Option<&str>,
    details: Option<Value>,
) -> AgentMessage {
    let mut row = a_result(id, "bash", text, narration);
    if let AgentMessage::ToolResult {
        details: none,
        timestamp,
        ..
    } = &mut row
    {
        (*none, *timestamp) = (details, Some(7));
    }
    row
}

/// Tells a recorder of the call `t1` of `bash`, from the reply to the result.
fn tell_call(recorder: &mut Recorder, command: &str, details: Value) {
    let args = json!({ "command": command });
    let reply = reply("", &[("t1", "bash", args.clone())]);
    recorder.record(&message_end(reply));
    recorder.record(&call_starts("t1", args));
    recorder.record(&call_ends("t1", "src", details));
    recorder.record(&message_end(result("t1", "src")));
}

fn results(recorder: &Recorder) -> Vec<AgentMessage> {
    let rows = recorder.rows().iter();
    rows.filter(|row| narration(row).is_some())
        .cloned()
        .collect()
}

fn message_start(message: agent::Message) -> AgentEvent {
    AgentEvent::MessageStart {
        loop_id: "s.c.1".into(),
        message: message.into(),
    }
}

fn message_end(message: agent::Message) -> AgentEvent {
    AgentEvent::MessageEnd {
        loop_id: "s.c.1".into(),
        message: message.into(),
    }
}

fn call_starts(id: &str, args: Value) -> AgentEvent {
    AgentEvent::ToolExecutionStart {
        loop_id: "s.c.1".into(),
        tool_call_id: id.into(),
        tool_name: "bash".into(),
        args,
    }
}

fn call_ends(id: &str, text: &str, details: Value) -> AgentEvent {
    AgentEvent::ToolExecutionEnd {
        loop_id: "s.c.1".into(),
        tool_call_id: id.into(),
        tool_name: "bash".into(),
        result: shown(text, details),
        is_error: false,
        child_loop_id: None,
    }
}

fn shown(text: &str, details: Value) -> agent::ToolExecutionResult {
    agent::ToolExecutionResult {
        content: vec![agent::Content::Text { text: text.into() }],
        details,
        child_loop_id: None,
    }
}

/// The standard tools in a folder of their own, which goes when this goes.
struct Tools {
    folder: PathBuf,
    set: ToolSet,
}

impl Tools {
    fn new() -> Self {
        let name = format!("claw-ch17-{}", uuid::Uuid::new_v4());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir(&folder).expect("a new folder");
        let set = Registry::standard(&folder)
            .expect("the standard tools")
            .tool_set();
        Self { folder, set }
    }

    fn file(&self, name: &str, text: &str) {
        let path = self.folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder above")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    async fn run(&self, name: &str, args: Value) -> String {
        execute(&self.set, &call(name, args)).await.content
    }

    /// Runs the tool and checks what the narrator says of its answer.
    async fn deed(&self, name: &str, narrator: &dyn Narrator, args: Value, expected: &str) {
        let text = self.run(name, args.clone()).await;
        let said = narrator.deed(&args, &text);
        assert_eq!(
            said.as_deref(),
            Some(expected),
            "the tool `{name}` was called with {args} and answered:\n{text}"
        );
    }
}

impl Drop for Tools {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
