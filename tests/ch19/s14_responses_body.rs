//! Section 19.14: A request to the Responses API

use claw_code::agent::*;
use serde_json::json;

use super::bodies;
use super::support::*;

#[test]
fn test_ch19_responses_request_body() {
    let mut asked = bodies::Asked::new();
    let strict = |name| {
        let mut tool = bodies::tool_json(name, "parameters");
        tool["type"] = json!("function");
        tool
    };
    let plain = bodies::responses(&asked);
    let mut tools = plain["tools"].clone();
    for tool in tools.as_array_mut().expect("a list of tools") {
        assert!(
            tool["strict"].is_boolean(),
            "each tool says whether it is strict: {tool}"
        );
        tool.as_object_mut().expect("an object").remove("strict");
    }
    assert_json(
        "the tools",
        &tools,
        &json!([strict("bash"), strict("list")]),
    );
    let mut rest = plain.clone();
    rest.as_object_mut().expect("an object").remove("tools");
    assert_json(
        "without settings, the body has no reasoning and no limit",
        &rest,
        &json!({
            "model": "m", "stream": true, "store": false,
            "instructions": "Be brief.\nIt is Friday.",
            "input": [{ "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "Hi." }] }],
        }),
    );
    asked.system = bodies::prompt("", "");
    asked.tools.clear();
    asked.max_tokens = Some(10);
    let body = bodies::responses(&asked);
    assert_eq!(body["max_output_tokens"], 10);
    for field in ["instructions", "tools"] {
        assert!(
            body.get(field).is_none(),
            "the empty field `{field}` is left out: {body}"
        );
    }
}

#[test]
fn test_ch19_reasoning_effort_by_level() {
    use ThinkingLevel::*;
    for (level, effort) in [
        (Off, None),
        (Minimal, Some("minimal")),
        (Low, Some("low")),
        (Medium, Some("medium")),
        (High, Some("high")),
    ] {
        let mut asked = bodies::Asked::new();
        asked.thinking = level;
        let body = bodies::responses(&asked);
        let reasoning = effort.map(|effort| json!({ "effort": effort, "summary": "auto" }));
        let include = effort.map(|_| json!(["reasoning.encrypted_content"]));
        assert_json(
            &format!("{level:?}"),
            &json!([body["reasoning"], body["include"]]),
            &json!([reasoning, include]),
        );
    }
}
