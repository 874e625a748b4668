//! A request to the Responses API

use claw_code::agent::*;
use claw_code::models::*;
use serde_json::{Value, json};

use super::bodies::{self, Asked};
use super::support::*;

#[test]
fn responses_request_has_its_fixed_fields() {
    let mut body = responses(&bodies::Asked::new());
    body.as_object_mut().expect("an object").remove("tools");
    let mut asked = bodies::Asked::after_call(bodies::with_content(vec![
        Content::Thinking {
            thinking: "t".into(),
            signature: Some("ENC".into()),
        },
        Content::Text { text: "a".into() },
    ]));
    for (provider, kind) in [("anthropic", "reasoning"), ("openai", "message")] {
        asked.provider = provider;
        assert_eq!(
            responses(&asked)["input"][1]["type"],
            kind,
            "thinking of anthropic, for a configuration with the provider {provider}"
        );
    }
    assert_json(
        "without settings, the body has no reasoning and no limit",
        &body,
        &json!({
            "model": "m", "stream": true, "store": false,
            "instructions": "Be brief.\nIt is Friday.",
            "input": [{ "type": "message", "role": "user", "content": [input_text("Hi.")] }],
        }),
    );
}

#[test]
fn responses_request_has_its_tools() {
    let function = |name, strict: &Value| {
        let mut tool = bodies::tool_json(name, "parameters");
        tool["type"] = json!("function");
        tool["strict"] = strict.clone();
        tool
    };
    let tools = &responses(&bodies::Asked::new())["tools"];
    let [bash, list] = [&tools[0]["strict"], &tools[1]["strict"]];
    assert!(
        bash.is_boolean() && list.is_boolean(),
        "each tool says whether it is strict: {tools}"
    );
    assert_json(
        "each tool is a function with its name, description and parameters",
        tools,
        &json!([function("bash", bash), function("list", list)]),
    );
}

#[test]
fn responses_request_may_set_max_tokens() {
    let mut asked = bodies::Asked::new();
    asked.max_tokens = Some(10);
    let body = responses(&asked);
    assert_eq!(body["max_output_tokens"], 10, "the request's number counts");
}

#[test]
fn responses_request_leaves_out_empty_fields() {
    let mut asked = bodies::Asked::new();
    asked.tools.clear();
    for prompt in ["", " \n"] {
        asked.system = bodies::prompt(prompt, "");
        let body = responses(&asked);
        for field in ["instructions", "tools"] {
            assert!(
                body.get(field).is_none(),
                "with the prompt {prompt:?} and without tools, the field `{field}` is left out: {body}"
            );
        }
    }
}

#[test]
fn reasoning_effort_by_level() {
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
        let body = responses(&asked);
        let reasoning = effort.map(|effort| json!({ "effort": effort, "summary": "auto" }));
        let include = effort.map(|_| json!(["reasoning.encrypted_content"]));
        assert_json(
            &format!("`reasoning` and `include` of a request with the level {level:?}"),
            &json!([body["reasoning"], body["include"]]),
            &json!([reasoning, include]),
        );
    }
}

fn responses(asked: &Asked) -> Value {
    let mut config = ResponsesConfig::new("http://127.0.0.1/v1", "m");
    config.provider = asked.provider.to_string();
    let body = asked.with(|request| responses_body(&config, request));
    body.expect("a good request")
}
