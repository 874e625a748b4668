//! Section 19.4: A request to the Messages API

use claw_code::agent::*;
use claw_code::models::*;
use serde_json::{Value, json};

use super::bodies;
use super::support::*;

#[test]
fn test_ch19_messages_request_has_its_fixed_fields() {
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
}

#[test]
fn test_ch19_messages_request_may_set_max_tokens() {
    let mut asked = bodies::Asked::new();
    asked.max_tokens = Some(10);
    let body = bodies::messages(&asked);
    assert_eq!(body["max_tokens"], 10, "the request's number counts");
    asked.max_tokens = None;
    let mut config = AnthropicConfig::new("http://127.0.0.1", "m");
    config.max_tokens = 4096;
    let body = asked.with(|request| messages_body(&config, request));
    assert_eq!(
        body.expect("a good request")["max_tokens"],
        4096,
        "without one, the configuration's number counts"
    );
}

#[test]
fn test_ch19_messages_request_leaves_out_empty_fields() {
    let mut asked = bodies::Asked::new();
    asked.system = bodies::prompt("", "");
    asked.tools.clear();
    let body = bodies::messages(&asked);
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
    let (system, tool, message) = ("/system/0", "/tools/1", "/messages/2/content/0");
    for (enabled, strategy, expected) in [
        (true, CacheStrategy::Auto, vec![message, system, tool]),
        (true, CacheStrategy::Disabled, vec![]),
        (false, CacheStrategy::Auto, vec![]),
        (false, manual(true, true, true), vec![]),
        (true, manual(true, false, false), vec![system]),
        (true, manual(false, true, false), vec![tool]),
        (true, manual(false, false, true), vec![message]),
    ] {
        let body = cached_body(CacheConfig { enabled, strategy });
        assert_eq!(
            bodies::cached_parts(&body),
            expected,
            "cache_control on the static prompt, the last tool and the last message, and on no other block, since the dynamic prompt differs in each session; with enabled={enabled} and {strategy:?}: {body}"
        );
    }
}

#[test]
fn test_ch19_last_block_of_the_last_message_is_cached() {
    let mut asked = bodies::Asked::new();
    let texts = ["Look:", "So?"].map(|text| Content::Text { text: text.into() });
    asked.messages = vec![Message::User {
        content: texts.to_vec(),
        timestamp: 0,
    }];
    let body = bodies::messages(&asked);
    assert_eq!(
        bodies::cached_parts(&body),
        ["/messages/0/content/1", "/system/0", "/tools/1"],
        "cache_control is on the last block of the message: {body}"
    );
    let asked = bodies::Asked::after_call(reply("anthropic", StopReason::ToolUse));
    let body = bodies::messages(&asked);
    assert_eq!(
        bodies::cached_parts(&body),
        ["/messages/2/content/0", "/system/0", "/tools/1"],
        "cache_control is on a tool's result, if that is the last block: {body}"
    );
    let mut asked = bodies::Asked::new();
    asked.messages = vec![Message::user(" ")];
    let body = bodies::messages(&asked);
    assert_eq!(
        bodies::cached_parts(&body),
        ["/system/0", "/tools/1"],
        "blank text is no turn, so there is no last block to mark: {body}"
    );
}

#[test]
fn test_ch19_thinking_budget_by_level() {
    use ThinkingLevel::*;
    let why = "the budget grows with the level";
    assert_budget(why, Off, 32_000, None);
    assert_budget(why, Minimal, 32_000, Some(1024));
    assert_budget(why, Low, 32_000, Some(2048));
    assert_budget(why, Medium, 32_000, Some(8192));
    assert_budget(why, High, 64_000, Some(16_384));
}

#[test]
fn test_ch19_thinking_budget_is_at_most_half_of_the_reply() {
    use ThinkingLevel::*;
    let why = "the budget is at most half of it, since thinking counts against the limit";
    assert_budget(why, High, 32_000, Some(16_000));
    assert_budget(why, High, 4096, Some(2048));
    assert_budget(why, Minimal, 2048, Some(1024));
    let mut asked = bodies::Asked::new();
    asked.thinking = High;
    let mut config = AnthropicConfig::new("http://127.0.0.1", "m");
    config.max_tokens = 4096;
    let body = asked.with(|request| messages_body(&config, request));
    assert_eq!(
        body.expect("a good request")["thinking"]["budget_tokens"],
        2048,
        "{why}, even if that limit is the configuration's 4096"
    );
}

#[test]
fn test_ch19_no_thinking_below_the_least_budget() {
    use ThinkingLevel::*;
    let why = "the API rejects a budget below 1024, so the request asks for no thinking";
    assert_budget(why, Minimal, 2047, None);
    assert_budget(why, High, 10, None);
}

#[test]
fn test_ch19_call_chain_keeps_its_thinking_mode() {
    for (own, provider, thinks) in [
        ("anthropic", "anthropic", true),
        ("another", "anthropic", false),
        ("proxy", "proxy", true),
    ] {
        let mut asked = bodies::Asked::after_call(reply(own, StopReason::ToolUse));
        asked.provider = provider;
        assert_eq!(
            bodies::messages(&asked).get("thinking").is_some(),
            thinks,
            "calls of {own}, for a configuration with the provider {provider}: whether the request asks for thinking. It must not if the last reply has calls without thinking before them, which `from_agent` leaves out if it comes from another provider"
        );
    }
}

#[test]
fn test_ch19_redacted_thinking_counts_as_thinking() {
    let withheld = Content::Thinking {
        thinking: String::new(),
        signature: Some(r#"{"encrypted_content":"DATA==","redacted":true}"#.into()),
    };
    let call = Content::ToolCall {
        id: "call_1".into(),
        name: "bash".into(),
        arguments: json!({}),
    };
    let asked = bodies::Asked::after_call(bodies::with_content(vec![withheld, call]));
    assert!(
        bodies::messages(&asked).get("thinking").is_some(),
        "redacted thinking counts as thinking"
    );
}

#[test]
fn test_ch19_reply_without_calls_ends_the_call_chain() {
    let mut asked = bodies::Asked::after_call(reply("another", StopReason::ToolUse));
    let done = Content::Text {
        text: "Done.".into(),
    };
    asked.messages.push(bodies::with_content(vec![done]));
    asked.messages.push(Message::user("So?"));
    assert!(
        bodies::messages(&asked).get("thinking").is_some(),
        "a reply without calls ends the chain, so the request may ask for thinking again"
    );
}

/// The body of a request with three messages.
fn cached_body(cache: CacheConfig) -> Value {
    let mut asked = bodies::Asked::new();
    asked.cache = cache;
    asked.messages.push(reply("anthropic", StopReason::Stop));
    asked.messages.push(Message::user("So?"));
    bodies::messages(&asked)
}

/// Fails unless a reply of `max_tokens` gets this thinking budget.
#[track_caller]
fn assert_budget(why: &str, level: ThinkingLevel, max_tokens: u64, budget: Option<u64>) {
    let mut asked = bodies::Asked::new();
    asked.thinking = level;
    asked.max_tokens = Some(max_tokens);
    let expected = budget.map(|tokens| json!({ "type": "enabled", "budget_tokens": tokens }));
    assert_json(
        &format!("{why}; {level:?} in a reply of {max_tokens} tokens"),
        &bodies::messages(&asked)["thinking"],
        &expected.unwrap_or(Value::Null),
    );
}
