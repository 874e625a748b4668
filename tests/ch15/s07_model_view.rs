//! Section 15.7: What the model sees

use claw_code::agent::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch15_convert_to_llm() {
    let history = [
        AgentMessage::Extension(an_extension()),
        AgentMessage::Llm(LlmMessage::new(a_user())),
        AgentMessage::Llm(LlmMessage::with_turn(a_reply(), a_turn())),
        AgentMessage::Extension(an_extension()),
        AgentMessage::Llm(LlmMessage::with_turn(a_result(), a_turn())),
        AgentMessage::Extension(an_extension()),
    ];
    assert_eq!(
        convert_to_llm(&history),
        [a_user(), a_reply(), a_result()],
        "the messages of the model's lane, in their order, and nothing else"
    );
}

#[test]
fn test_ch15_nothing_for_the_model() {
    assert_eq!(convert_to_llm(&[]), []);
    let notes = [
        AgentMessage::Extension(an_extension()),
        AgentMessage::Extension(ExtensionMessage {
            role: "user".to_string(),
            ..ExtensionMessage::new("user", a_user())
        }),
    ];
    assert_eq!(
        convert_to_llm(&notes),
        [],
        "an extension stays out, whatever stands in its fields: the lane is its type"
    );
}

#[test]
fn test_ch15_no_model_sees_what_is_unknown() {
    let history = json!([
        { "role": "user", "timestamp": 1, "content": [
            { "type": "text", "text": "Hi.", "citations": [1] }, { "type": "audio", "data": "AAAA" }] },
        { "role": "toolResult", "toolCallId": "t1", "toolName": "bash", "isError": false,
          "timestamp": 2, "content": [{ "type": "audio", "data": "AAAA" }], "cost": 3 }
    ]);
    let history: Vec<AgentMessage> = read(&history.to_string());
    assert_json(
        "known messages with the known part of their blocks",
        &to_json(&convert_to_llm(&history)),
        &json!([
            { "role": "user", "timestamp": 1, "content": [{ "type": "text", "text": "Hi." }] },
            { "role": "toolResult", "toolCallId": "t1", "toolName": "bash", "isError": false,
              "timestamp": 2, "content": [] }
        ]),
    );
}
