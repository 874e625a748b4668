//! Section 19.7: A request to the Messages API

use claw_code::agent::*;
use serde_json::{Value, json};

use super::bodies;
use super::support::*;

#[test]
fn test_ch19_messages_request_body() {
    let mut asked = bodies::Asked::new();
    asked.cache.enabled = false;
    assert_json(
        "without settings, the body has no thinking and no cache_control",
        &bodies::messages(&asked),
        &json!({
            "model": "m", "max_tokens": 32000, "stream": true,
            "system": [{ "type": "text", "text": "Be brief." }, { "type": "text", "text": "It is Friday." }],
            "messages": [{ "role": "user", "content": [{ "type": "text", "text": "Hi." }] }],
            "tools": [bodies::tool_json("bash", "input_schema"), bodies::tool_json("list", "input_schema")],
        }),
    );
    asked.system = bodies::prompt("", "");
    asked.tools.clear();
    asked.max_tokens = Some(10);
    let body = bodies::messages(&asked);
    assert_eq!(body["max_tokens"], 10, "the request's number counts");
    for field in ["system", "tools"] {
        assert!(
            body.get(field).is_none(),
            "the empty field `{field}` is left out: {body}"
        );
    }
}

#[test]
fn test_ch19_cache_control_marks_the_cached_parts() {
    let manual = |cache_system, cache_tools, cache_messages| CacheStrategy::Manual {
        cache_system,
        cache_tools,
        cache_messages,
    };
    for (enabled, strategy, expected) in [
        (true, CacheStrategy::Auto, (true, true, true)),
        (true, CacheStrategy::Disabled, (false, false, false)),
        (false, CacheStrategy::Auto, (false, false, false)),
        (false, manual(true, true, true), (false, false, false)),
        (true, manual(true, false, false), (true, false, false)),
        (true, manual(false, true, false), (false, true, false)),
        (true, manual(false, false, true), (false, false, true)),
    ] {
        let mut asked = bodies::Asked::new();
        asked.cache = CacheConfig { enabled, strategy };
        asked.messages.push(reply("anthropic", StopReason::Stop));
        asked.messages.push(Message::user("So?"));
        let body = bodies::messages(&asked);
        let marks = |block: &Value| block["cache_control"] == json!({ "type": "ephemeral" });
        let found = (
            marks(&body["system"][0]),
            marks(&body["tools"][1]),
            marks(&body["messages"][2]["content"][0]),
        );
        assert_eq!(
            found, expected,
            "cache_control on the static prompt, the last tool and the last message, with enabled={enabled} and {strategy:?}: {body}"
        );
        let all = body.to_string().matches("cache_control").count();
        let due = [expected.0, expected.1, expected.2];
        assert_eq!(
            all,
            due.iter().filter(|it| **it).count(),
            "no other block has cache_control, since the dynamic prompt differs in each session: {body}"
        );
    }
}

#[test]
fn test_ch19_thinking_budget_by_level() {
    use ThinkingLevel::*;
    for (level, max_tokens, budget) in [
        (Off, 32_000, None),
        (Minimal, 32_000, Some(1024)),
        (Low, 32_000, Some(2048)),
        (Medium, 32_000, Some(8192)),
        (High, 64_000, Some(16_384)),
        (High, 32_000, Some(16_000)),
        (High, 4096, Some(2048)),
        (Minimal, 2048, Some(1024)),
        (Minimal, 2047, None),
        (High, 10, None),
    ] {
        let mut asked = bodies::Asked::new();
        asked.thinking = level;
        asked.max_tokens = Some(max_tokens);
        let expected = budget.map(|tokens| json!({ "type": "enabled", "budget_tokens": tokens }));
        assert_json(
            &format!(
                "the budget for {level:?} in a reply of {max_tokens} tokens: at most half of it, and at least 1024"
            ),
            &bodies::messages(&asked)["thinking"],
            &expected.unwrap_or(Value::Null),
        );
    }
}

#[test]
fn test_ch19_call_chain_keeps_its_thinking_mode() {
    let mut asked = bodies::Asked::new();
    asked.thinking = ThinkingLevel::Low;
    let result = Message::ToolResult {
        tool_call_id: "call_1".into(),
        tool_name: "bash".into(),
        content: vec![Content::Text { text: "x".into() }],
        is_error: false,
        timestamp: 0,
        child_loop_id: None,
    };
    for (provider, thinks) in [("anthropic", true), ("another", false)] {
        asked.messages = vec![
            Message::user("Hi."),
            reply(provider, StopReason::ToolUse),
            result.clone(),
        ];
        assert_eq!(
            bodies::messages(&asked).get("thinking").is_some(),
            thinks,
            "calls of {provider}: if the last reply has calls without thinking before them, the request must not ask for thinking"
        );
    }
    let withheld = Content::Thinking {
        thinking: String::new(),
        signature: Some(r#"{"encrypted_content":"DATA==","redacted":true}"#.into()),
    };
    let call = Content::ToolCall {
        id: "call_1".into(),
        name: "bash".into(),
        arguments: json!({}),
    };
    asked.messages[1] = bodies::with_content(vec![withheld, call]);
    assert!(
        bodies::messages(&asked).get("thinking").is_some(),
        "redacted thinking counts as thinking"
    );
    asked
        .messages
        .push(bodies::with_content(vec![Content::Text {
            text: "Done.".into(),
        }]));
    asked.messages.push(Message::user("So?"));
    assert!(
        bodies::messages(&asked).get("thinking").is_some(),
        "a reply without calls ends the chain"
    );
}
