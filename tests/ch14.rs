//! Chapter 14, Content Blocks.
//!
//! What a section asks for is seen through the public types and their JSON. Objects are
//! read from text, since text has an order of its own and may name a field twice.

use std::time::{SystemTime, UNIX_EPOCH};

use claw_code::agent::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

// 14.1 Blocks

#[test]
fn test_ch14_text_and_image_blocks() {
    assert_round_trip::<Content>(json!({ "type": "text", "text": "hi" }));
    assert_round_trip::<Content>(json!({
        "type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"
    }));
}

#[test]
fn test_ch14_thinking_block() {
    assert_round_trip::<Content>(json!({ "type": "thinking", "thinking": "plan" }));
    // A seal goes back as it came, whatever is in it.
    for seal in ["EqQBCgIYAhIM", "", " a/b+c==\n", "{\"type\":\"text\"}"] {
        assert_round_trip::<Content>(json!({
            "type": "thinking", "thinking": "plan", "signature": seal
        }));
    }
    assert_loads_as::<Content>(
        json!({ "type": "thinking", "thinking": "plan", "signature": null }),
        json!({ "type": "thinking", "thinking": "plan" }),
    );
}

#[test]
fn test_ch14_tool_call_block() {
    for arguments in [
        json!({ "command": "ls" }),
        json!({ "deep": [{ "a": null }, -1, 0.5, "x", 18446744073709551615u64] }),
        json!({}),
        json!("not what the tool asked for"),
        json!(null),
    ] {
        assert_round_trip::<Content>(json!({
            "type": "toolCall", "id": "t1", "name": "bash", "arguments": arguments
        }));
    }
}

#[test]
fn test_ch14_broken_blocks_are_refused() {
    for (broken, word) in [
        (r#"{"type":"video","data":""}"#, "video"),
        (r#"{"text":"hi"}"#, "type"),
        (r#"{"type":"text"}"#, "text"),
        (r#"{"type":"image","data":"iVBORw0KGgo="}"#, "mimeType"),
        (r#"{"type":"thinking","signature":"s"}"#, "thinking"),
        (
            r#"{"type":"toolCall","name":"bash","arguments":{}}"#,
            "missing field `id`",
        ),
        (
            r#"{"type":"toolCall","id":"t1","name":"bash"}"#,
            "arguments",
        ),
    ] {
        assert_refused::<Content>(broken, word);
    }
}

// 14.2 Stop reasons

#[test]
fn test_ch14_stop_reasons() {
    for word in [
        "stop",
        "length",
        "toolUse",
        "error",
        "aborted",
        "maxTurns",
        "userStop",
        "handoff",
        "guardRail",
        "contextCompacted",
        "paused",
    ] {
        assert_round_trip::<StopReason>(json!(word));
    }
}

#[test]
fn test_ch14_unknown_stop_reasons_are_refused() {
    for word in ["Stop", "tool_use", "end_turn", ""] {
        let said = assert_refused::<StopReason>(&json!(word).to_string(), word);
        assert!(
            said.contains("guardRail") && said.contains("paused"),
            "the error for an unknown stop reason lists the eleven that are known; it says: {said}"
        );
    }
}

// 14.3 What it costs

#[test]
fn test_ch14_estimated_cost() {
    let rates = CostConfig {
        input: 3.0,
        output: 15.0,
        cache_read: 0.25,
        cache_write: 4.0,
    };
    for (usage, dollars) in [
        (Usage::default(), 0.0),
        (counts(1_000_000, 0, 0, 0), 3.0),
        (counts(0, 1_000_000, 0, 0), 15.0),
        (counts(0, 0, 1_000_000, 0), 0.25),
        (counts(0, 0, 0, 1_000_000), 4.0),
        (counts(1_000, 200, 8_000, 500), 0.01),
    ] {
        assert_close("the cost", usage.estimated_cost(&rates), dollars, &usage);
    }
    let thought = Usage {
        reasoning: 900_000,
        total_tokens: 5_000_000,
        ..counts(0, 1_000_000, 0, 0)
    };
    assert_close(
        "thinking is part of the output and not charged again, and the total is not charged at all: the cost",
        thought.estimated_cost(&rates),
        15.0,
        &thought,
    );
}

#[test]
fn test_ch14_usage_combine() {
    let one = Usage {
        input: 1,
        output: 2,
        reasoning: 3,
        cache_read: 4,
        cache_write: 5,
        total_tokens: 6,
    };
    let other = Usage {
        input: 10,
        output: 20,
        reasoning: 30,
        cache_read: 40,
        cache_write: 50,
        total_tokens: 70,
    };
    let both = Usage {
        input: 11,
        output: 22,
        reasoning: 33,
        cache_read: 44,
        cache_write: 55,
        total_tokens: 76,
    };
    assert_eq!(
        one.combine(&other),
        both,
        "every count is added to its own, the total too: it is the provider's, and not worked out anew"
    );
    assert_eq!(other.combine(&one), both, "the order does not matter");
    assert_eq!(one.combine(&Usage::default()), one, "nothing adds nothing");
    let most = Usage {
        input: u64::MAX,
        output: u64::MAX,
        reasoning: u64::MAX,
        cache_read: u64::MAX,
        cache_write: u64::MAX,
        total_tokens: u64::MAX,
    };
    assert_eq!(
        most.combine(&one),
        most,
        "a sum that is too large stays at the largest number: a counter is no reason to panic"
    );
}

#[test]
fn test_ch14_cache_hit_rate() {
    for (usage, rate) in [
        (counts(25, 0, 75, 0), 0.75),
        (counts(0, 0, 10, 0), 1.0),
        (counts(10, 0, 0, 0), 0.0),
        (counts(10, 0, 20, 10), 0.5),
        (counts(0, 500, 0, 0), 0.0),
        (Usage::default(), 0.0),
        (counts(u64::MAX, 0, u64::MAX, u64::MAX), 1.0 / 3.0),
    ] {
        assert_close("the hit rate", usage.cache_hit_rate(), rate, &usage);
    }
}

// 14.4 Caching and thinking

#[test]
fn test_ch14_cache_settings_json() {
    for strategy in [
        json!("auto"),
        json!("disabled"),
        json!({ "manual": { "cache_system": true, "cache_tools": false, "cache_messages": true } }),
    ] {
        assert_round_trip::<CacheStrategy>(strategy.clone());
        assert_round_trip::<CacheConfig>(json!({ "enabled": false, "strategy": strategy }));
    }
    assert_refused::<CacheStrategy>(r#""always""#, "always");
    assert_refused::<CacheStrategy>(
        r#"{"manual":{"cache_system":true,"cache_tools":false}}"#,
        "cache_messages",
    );
}

#[test]
fn test_ch14_cache_default() {
    assert_json(
        "unless somebody decides otherwise, the cache is used and the provider's connection decides how",
        &to_json(&CacheConfig::default()),
        &json!({ "enabled": true, "strategy": "auto" }),
    );
}

#[test]
fn test_ch14_thinking_levels() {
    for word in ["off", "minimal", "low", "medium", "high"] {
        assert_round_trip::<ThinkingLevel>(json!(word));
    }
    assert_refused::<ThinkingLevel>(r#""max""#, "max");
}

// 14.5 Three roles

#[test]
fn test_ch14_now_in_milliseconds() {
    let clock = || {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        u64::try_from(since.expect("after 1970").as_millis()).expect("before the year 500 million")
    };
    let before = clock();
    let now = now_ms();
    let after = clock();
    assert!(
        (before..=after).contains(&now),
        "now_ms() gives the milliseconds since 1970: between {before} and {after}, not {now}"
    );
}

#[test]
fn test_ch14_user_message() {
    let before = now_ms();
    let message = Message::user(String::from("  Hello,\nworld "));
    let after = now_ms();
    let Message::User { content, timestamp } = &message else {
        panic!("Message::user makes a Message::User, not {message:?}");
    };
    assert_eq!(
        *content,
        [Content::Text {
            text: "  Hello,\nworld ".to_string()
        }],
        "the words are one block of text, to the letter"
    );
    assert!(
        (before..=after).contains(timestamp),
        "the message was made just now, between {before} and {after}; its timestamp is {timestamp}"
    );
}

#[test]
fn test_ch14_roles() {
    for (message, role) in [
        (a_user(), "user"),
        (an_assistant(), "assistant"),
        (a_tool_result(), "toolResult"),
    ] {
        assert_eq!(message.role(), role, "the role of {message:?}");
    }
}

#[test]
fn test_ch14_context_overflow() {
    for words in [
        "prompt is too long",
        "input is too long",
        "exceeds the context window",
        "exceeds the maximum",
        "maximum prompt length",
        "reduce the length of the messages",
        "maximum context length",
        "exceeds the limit of",
        "exceeds the available context size",
        "greater than the context length",
        "context window exceeds limit",
        "exceeded model token limit",
        "context length exceeded",
        "context_length_exceeded",
        "too many tokens",
        "token limit exceeded",
        "model_context_window_exceeded",
    ] {
        for said in [
            words.to_string(),
            format!("400: {} (131072 > 100000)", words.to_uppercase()),
        ] {
            assert!(
                failed(StopReason::Error, Some(&said)).is_context_overflow(),
                "an error that says {said:?} is a context overflow, in whatever case"
            );
        }
    }
}

#[test]
fn test_ch14_other_failures_are_no_overflow() {
    for (reason, said, why) in [
        (
            StopReason::Error,
            Some("overloaded"),
            "the words say something else",
        ),
        (StopReason::Error, Some(""), "the words say nothing"),
        (StopReason::Error, None, "there are no words"),
        (
            StopReason::Stop,
            Some("prompt is too long"),
            "the reply did not fail",
        ),
        (
            StopReason::Length,
            Some("too many tokens"),
            "the reply was cut: the context was read",
        ),
        (
            StopReason::Aborted,
            Some("prompt is too long"),
            "the caller cancelled",
        ),
    ] {
        assert!(
            !failed(reason, said).is_context_overflow(),
            "{reason:?} with {said:?} is no context overflow: {why}"
        );
    }
    assert!(
        !Message::user("prompt is too long").is_context_overflow(),
        "what a user says is no error"
    );
    assert!(!a_tool_result().is_context_overflow());
}

// 14.6 Writing a message

#[test]
fn test_ch14_user_json() {
    assert_json(
        "a user's message as JSON",
        &to_json(&a_user()),
        &user_json(),
    );
}

#[test]
fn test_ch14_assistant_json() {
    let mut written = assistant_json();
    assert_json(
        "a reply as JSON; what is None is left out",
        &to_json(&an_assistant()),
        &written,
    );
    written["error_message"] = json!("overloaded");
    assert_json(
        "the error message is the one field in snake case",
        &to_json(&with_error(an_assistant(), "overloaded")),
        &written,
    );
}

#[test]
fn test_ch14_tool_result_json() {
    let mut written = tool_result_json();
    assert_json(
        "a tool's result as JSON; what is None is left out",
        &to_json(&a_tool_result()),
        &written,
    );
    written["isError"] = json!(true);
    written["childLoopId"] = json!("s.sub.1");
    assert_json(
        "the loop that answered is written when there is one",
        &to_json(&a_child_result()),
        &written,
    );
}

#[test]
fn test_ch14_role_is_written_first() {
    for message in [a_user(), an_assistant(), a_tool_result()] {
        let text = serde_json::to_string(&message).expect("a message can be written");
        let start = format!(r#"{{"role":"{}","#, message.role());
        assert!(
            text.starts_with(&start),
            "the role is written first, so that whoever reads the rest knows what to expect: {text}"
        );
    }
}

// 14.7 Objects, read strictly

#[test]
fn test_ch14_usage_json() {
    assert_round_trip::<Usage>(json!({
        "input": 1, "output": 2, "reasoning": 0, "cache_read": 0, "cache_write": 0, "total_tokens": 3
    }));
    assert_round_trip::<Usage>(json!({
        "input": 18446744073709551615u64, "output": 2, "reasoning": 3,
        "cache_read": 4, "cache_write": 5, "total_tokens": 6
    }));
}

#[test]
fn test_ch14_usage_of_other_programs() {
    let least = json!({
        "input": 1, "output": 2, "reasoning": 0, "cache_read": 0, "cache_write": 0, "total_tokens": 0
    });
    assert_loads_as::<Usage>(json!({ "input": 1, "output": 2 }), least.clone());
    assert_loads_as::<Usage>(
        json!({
            "input": 1, "output": 2, "reasoning": 0,
            "cacheRead": 7, "cacheWrite": 8, "totalTokens": 18
        }),
        json!({
            "input": 1, "output": 2, "reasoning": 0,
            "cache_read": 7, "cache_write": 8, "total_tokens": 18
        }),
    );
    for newer in [
        r#"{"audio":{"in":[1,{"a":2}]},"input":1,"output":2}"#,
        r#"{"input":1,"audio":null,"output":2}"#,
        r#"{"input":1,"output":2,"audio":"none"}"#,
    ] {
        assert_json(
            "a field that nobody knows is passed over with all that is in it, and what follows is read",
            &to_json(&read::<Usage>(newer)),
            &least,
        );
    }
}

#[test]
fn test_ch14_usage_errors_name_the_field() {
    for (broken, word) in [
        (r#"{"output":2}"#, "missing field `input`"),
        (r#"{"input":1}"#, "missing field `output`"),
        (
            r#"{"input":null,"output":2}"#,
            "`input`: invalid type: null",
        ),
        (
            r#"{"input":1,"output":2.5}"#,
            "`output`: invalid type: floating point `2.5`",
        ),
        (
            r#"{"input":-1,"output":2}"#,
            "`input`: invalid value: integer `-1`",
        ),
        (r#"{"input":1,"output":2,"reasoning":"3"}"#, "`reasoning`"),
        (r#"{"input":1,"output":2,"cache_read":[]}"#, "`cache_read`"),
        (
            r#"{"input":1,"output":2,"cacheWrite":true}"#,
            "`cache_write`",
        ),
        (
            r#"{"input":1,"output":2,"total_tokens":{}}"#,
            "`total_tokens`",
        ),
    ] {
        assert_refused::<Usage>(broken, word);
    }
}

#[test]
fn test_ch14_errors_name_the_place() {
    let error = serde_json::from_str::<Usage>("{\"input\":1,\n\"output\":null}")
        .expect_err("null is no count");
    assert_eq!(
        (error.line(), error.column()),
        (2, 13),
        "the error keeps the line and the column of what is wrong; it says: {error}"
    );
}

#[test]
fn test_ch14_a_field_twice_is_refused() {
    for (twice, name) in [
        (r#"{"input":1,"output":2,"input":1}"#, "input"),
        (
            r#"{"input":1,"output":2,"cache_read":3,"cacheRead":3}"#,
            "cache_read",
        ),
    ] {
        assert_refused::<Usage>(twice, &format!("duplicate field `{name}`"));
    }
}

#[test]
fn test_ch14_only_an_object_is_an_object() {
    assert_refused::<Usage>("{}", "missing field `input`");
    for broken in ["[1,2,0,0,0,3]", "7", "null", r#""input""#] {
        assert_refused::<Usage>(broken, "expected token counts");
    }
}

// 14.8 The role first

#[test]
fn test_ch14_a_message_needs_its_role() {
    for broken in [
        "{}",
        r#"{"content":[],"timestamp":1}"#,
        r#"{"kind":"k","data":{"role":"user"}}"#,
    ] {
        assert_refused::<Message>(broken, "missing field `role`");
    }
}

#[test]
fn test_ch14_unknown_roles_are_refused() {
    for (broken, word) in [
        (r#"{"role":"system","content":[],"timestamp":1}"#, "system"),
        (
            r#"{"content":[],"timestamp":1,"role":"Assistant"}"#,
            "Assistant",
        ),
        (r#"{"role":"tool_result"}"#, "tool_result"),
        (r#"{"role":""}"#, "unknown variant ``"),
    ] {
        let said = assert_refused::<Message>(broken, word);
        assert!(
            ["`role`", "`user`", "`assistant`", "`toolResult`"]
                .iter()
                .all(|word| said.contains(word)),
            "the error for an unknown role names the field and the three roles; it says: {said}"
        );
    }
}

#[test]
fn test_ch14_a_role_is_a_string() {
    for broken in [
        r#"{"role":null,"content":[],"timestamp":1}"#,
        r#"{"role":1}"#,
        r#"{"role":["user"]}"#,
        r#"{"timestamp":1,"role":{}}"#,
    ] {
        let said = assert_refused::<Message>(broken, "`role`: invalid type");
        assert!(
            said.contains("expected a string"),
            "the error says what a role should be, a string; it says: {said}"
        );
    }
}

#[test]
fn test_ch14_only_an_object_is_a_message() {
    assert_refused::<Message>("{}", "missing field `role`");
    for broken in [
        r#"["user",[],1]"#,
        r#"[{"role":"user","content":[],"timestamp":1}]"#,
        r#""user""#,
        "null",
    ] {
        assert_refused::<Message>(broken, "expected a message");
    }
}

#[test]
fn test_ch14_messages_round_trip() {
    for (message, json) in examples() {
        assert_eq!(
            read::<Message>(&json.to_string()),
            message,
            "read from {json}"
        );
        let from_value: Message = match serde_json::from_value(json.clone()) {
            Ok(message) => message,
            Err(error) => panic!("this Value should load: {json}\nserde says: {error}"),
        };
        assert_eq!(from_value, message, "read from a serde_json::Value");
        assert_json("and written again", &to_json(&message), &json);
    }
}

#[test]
fn test_ch14_fields_in_any_order() {
    for (message, json) in examples() {
        let fields = fields_of(&json);
        for turned in 0..fields.len() {
            let (end, start) = fields.split_at(turned);
            let text = format!("{{{}}}", [start, end].concat().join(","));
            assert_eq!(
                read::<Message>(&text),
                message,
                "the order of the fields says nothing: {text}"
            );
        }
    }
}

#[test]
fn test_ch14_missing_fields_are_named() {
    for (_, whole) in examples() {
        for name in names_of(&whole) {
            if ["error_message", "childLoopId"].contains(&name.as_str()) {
                continue;
            }
            let mut broken = whole.clone();
            broken.as_object_mut().expect("an object").remove(&name);
            assert_refused::<Message>(&broken.to_string(), &format!("missing field `{name}`"));
        }
    }
}

#[test]
fn test_ch14_wrong_values_are_named() {
    for (_, whole) in examples() {
        for name in names_of(&whole) {
            let mut rest = whole.clone();
            rest.as_object_mut().expect("an object").remove(&name);
            let rest = fields_of(&rest).join(",");
            // First and last: before the role is known, and after.
            for text in [
                format!(r#"{{"{name}":0.5,{rest}}}"#),
                format!(r#"{{{rest},"{name}":0.5}}"#),
            ] {
                assert_refused::<Message>(&text, &format!("`{name}`: "));
            }
        }
    }
    let mut inside = assistant_json();
    inside["usage"] = json!({ "input": 1, "output": null });
    assert_refused::<Message>(&inside.to_string(), "`usage`: `output`: invalid type: null");
    inside = assistant_json();
    inside["stopReason"] = json!("end_turn");
    assert_refused::<Message>(
        &inside.to_string(),
        "`stopReason`: unknown variant `end_turn`",
    );
}

#[test]
fn test_ch14_what_may_be_missing() {
    let mut reply = assistant_json();
    reply["errorMessage"] = json!("overloaded");
    assert_eq!(
        read::<Message>(&reply.to_string()),
        with_error(an_assistant(), "overloaded"),
        "the error message is read in camel case too"
    );
    for (message, json, name) in [
        (an_assistant(), assistant_json(), "error_message"),
        (an_assistant(), assistant_json(), "errorMessage"),
        (a_tool_result(), tool_result_json(), "childLoopId"),
    ] {
        let mut with_null = json;
        with_null[name] = json!(null);
        assert_eq!(
            read::<Message>(&with_null.to_string()),
            message,
            "`{name}` may be missing, so null stands for None"
        );
    }
}

#[test]
fn test_ch14_fields_of_nobody_and_of_others() {
    let others = [
        json!({ "added_next_year": { "a": [1] }, "usage": 7, "isError": "no", "model": null }),
        json!({ "added_next_year": [], "toolCallId": 1, "childLoopId": {} }),
        json!({ "added_next_year": true, "stopReason": "nap", "usage": [] }),
    ];
    let ours = [
        (a_user(), user_json()),
        (an_assistant(), assistant_json()),
        (a_tool_result(), tool_result_json()),
    ];
    for ((message, json), others) in ours.into_iter().zip(others) {
        let fields = fields_of(&json).join(",");
        for other in fields_of(&others) {
            for text in [
                format!("{{{other},{fields}}}"),
                format!("{{{fields},{other}}}"),
            ] {
                assert_eq!(
                    read::<Message>(&text),
                    message,
                    "{other} is no field of a message with the role {}, so it is passed over, whatever is in it: {text}",
                    json["role"]
                );
            }
        }
    }
}

#[test]
fn test_ch14_a_message_field_twice_is_refused() {
    for (twice, name) in [
        (
            r#"{"role":"user","content":[],"timestamp":1,"timestamp":1}"#,
            "timestamp",
        ),
        (
            r#"{"timestamp":1,"role":"user","content":[],"timestamp":1}"#,
            "timestamp",
        ),
        (
            r#"{"content":[],"content":[],"role":"user","timestamp":1}"#,
            "content",
        ),
        (
            r#"{"role":"user","content":[],"timestamp":1,"role":"user"}"#,
            "role",
        ),
        (
            r#"{"role":"user","content":[],"timestamp":1,"role":"assistant"}"#,
            "role",
        ),
        (
            r#"{"role":"assistant","error_message":null,"errorMessage":"e"}"#,
            "error_message",
        ),
    ] {
        assert_refused::<Message>(twice, &format!("duplicate field `{name}`"));
    }
}

fn counts(input: u64, output: u64, cache_read: u64, cache_write: u64) -> Usage {
    Usage {
        input,
        output,
        cache_read,
        cache_write,
        ..Usage::default()
    }
}

fn text(text: &str) -> Content {
    Content::Text {
        text: text.to_string(),
    }
}

fn a_user() -> Message {
    Message::User {
        content: vec![text("What is in src?")],
        timestamp: 1767225600123,
    }
}

fn an_assistant() -> Message {
    Message::Assistant {
        content: vec![text("Let me look.")],
        stop_reason: StopReason::ToolUse,
        model: "small-model".to_string(),
        provider: "offline".to_string(),
        usage: Usage {
            total_tokens: 3,
            ..counts(1, 2, 0, 0)
        },
        timestamp: 1767225600456,
        error_message: None,
    }
}

fn a_tool_result() -> Message {
    Message::ToolResult {
        tool_call_id: "t1".to_string(),
        tool_name: "bash".to_string(),
        content: vec![text("main.rs")],
        is_error: false,
        timestamp: 1767225600789,
        child_loop_id: None,
    }
}

/// The same from a tool that is an agent itself, and failed.
fn a_child_result() -> Message {
    Message::ToolResult {
        tool_call_id: "t1".to_string(),
        tool_name: "bash".to_string(),
        content: vec![text("main.rs")],
        is_error: true,
        timestamp: 1767225600789,
        child_loop_id: Some("s.sub.1".to_string()),
    }
}

fn user_json() -> Value {
    json!({
        "role": "user",
        "content": [{ "type": "text", "text": "What is in src?" }],
        "timestamp": 1767225600123u64
    })
}

fn assistant_json() -> Value {
    json!({
        "role": "assistant",
        "content": [{ "type": "text", "text": "Let me look." }],
        "stopReason": "toolUse",
        "model": "small-model",
        "provider": "offline",
        "usage": {
            "input": 1, "output": 2, "reasoning": 0,
            "cache_read": 0, "cache_write": 0, "total_tokens": 3
        },
        "timestamp": 1767225600456u64
    })
}

fn tool_result_json() -> Value {
    json!({
        "role": "toolResult",
        "toolCallId": "t1",
        "toolName": "bash",
        "content": [{ "type": "text", "text": "main.rs" }],
        "isError": false,
        "timestamp": 1767225600789u64
    })
}

/// A message of each role, without what may be missing and with it, and its JSON.
fn examples() -> Vec<(Message, Value)> {
    let mut failed = assistant_json();
    failed["error_message"] = json!("overloaded");
    let mut from_a_child = tool_result_json();
    from_a_child["isError"] = json!(true);
    from_a_child["childLoopId"] = json!("s.sub.1");
    vec![
        (a_user(), user_json()),
        (an_assistant(), assistant_json()),
        (with_error(an_assistant(), "overloaded"), failed),
        (a_tool_result(), tool_result_json()),
        (a_child_result(), from_a_child),
    ]
}

fn names_of(object: &Value) -> Vec<String> {
    let fields = object.as_object().expect("an object");
    fields.keys().cloned().collect()
}

/// Each field as it stands in JSON text.
fn fields_of(object: &Value) -> Vec<String> {
    let fields = object.as_object().expect("an object").iter();
    fields
        .map(|(name, value)| format!("{}:{value}", json!(name)))
        .collect()
}

fn with_error(message: Message, said: &str) -> Message {
    let Message::Assistant {
        content,
        stop_reason,
        model,
        provider,
        usage,
        timestamp,
        ..
    } = message
    else {
        panic!("only a reply can fail");
    };
    Message::Assistant {
        content,
        stop_reason,
        model,
        provider,
        usage,
        timestamp,
        error_message: Some(said.to_string()),
    }
}

fn failed(stop_reason: StopReason, said: Option<&str>) -> Message {
    Message::Assistant {
        content: Vec::new(),
        stop_reason,
        model: "small-model".to_string(),
        provider: "offline".to_string(),
        usage: Usage::default(),
        timestamp: 1767225600456,
        error_message: said.map(str::to_string),
    }
}

fn to_json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("the value can be written as JSON")
}

#[track_caller]
fn read<T: DeserializeOwned>(text: &str) -> T {
    match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => panic!("this JSON should load: {text}\nserde says: {error}"),
    }
}

/// Expects an error with certain words in it, and gives all of its words.
#[track_caller]
fn assert_refused<T: DeserializeOwned + Serialize>(text: &str, words: &str) -> String {
    match serde_json::from_str::<T>(text) {
        Ok(value) => panic!(
            "this JSON should be refused: {text}\n it loaded as: {}",
            to_json(&value)
        ),
        Err(error) => {
            let said = error.to_string();
            assert!(
                said.contains(words),
                "the error should have {words:?} in it, so that one knows what to mend\n      JSON: {text}\nserde says: {said}"
            );
            said
        }
    }
}

#[track_caller]
fn assert_loads_as<T: DeserializeOwned + Serialize>(json: Value, written: Value) {
    let loaded: T = read(&json.to_string());
    assert_json(
        "the JSON loaded, but is not written back as expected",
        &to_json(&loaded),
        &written,
    );
}

#[track_caller]
fn assert_round_trip<T: DeserializeOwned + Serialize>(json: Value) {
    assert_loads_as::<T>(json.clone(), json);
}

/// Compares two JSON values, and on a difference shows both as JSON.
#[track_caller]
fn assert_json(why: &str, left: &Value, right: &Value) {
    assert!(
        left == right,
        "{why}\n      got: {left}\n expected: {right}"
    );
}

#[track_caller]
fn assert_close(what: &str, got: f64, expected: f64, usage: &Usage) {
    assert!(
        (got - expected).abs() < 1e-9,
        "{what} of {usage:?} is {expected}, not {got}"
    );
}
