//! Section 15.7: What the model sees

use claw_code::agent::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch15_convert_to_llm() {
    let history = [
        AgentMessage::Extension(an_extension()),
        AgentMessage::Llm(LlmMessage {
            message: a_user(),
            turn_id: None,
        }),
        AgentMessage::Llm(LlmMessage {
            message: a_reply(),
            turn_id: Some(a_turn()),
        }),
        AgentMessage::Extension(an_extension()),
        AgentMessage::Llm(LlmMessage {
            message: a_result(),
            turn_id: Some(a_turn()),
        }),
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
            kind: "user".to_string(),
            data: json!({ "role": "user", "content": [], "timestamp": 1 }),
        }),
    ];
    assert_eq!(
        convert_to_llm(&notes),
        [],
        "an extension stays out, whatever stands in its fields: the lane is its type"
    );
}
