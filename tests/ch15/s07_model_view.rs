//! Section 15.7: What the model sees

use claw_code::agent::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch15_convert_to_llm() {
    let history = [
        AgentMessage::Extension(an_extension()),
        AgentMessage::Llm(llm(a_user(), None)),
        AgentMessage::Llm(llm(a_reply(), Some(a_turn()))),
        AgentMessage::Extension(an_extension()),
        AgentMessage::Llm(llm(a_result(), Some(a_turn()))),
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
            ..an_extension()
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
    let blocks = json!([{ "type": "text", "text": "Hi.", "citations": [1] }, { "type": "audio" }]);
    let message = Message::User {
        content: read(&blocks.to_string()),
        timestamp: 1,
    };
    let mut entry = llm(message, None);
    entry.other.insert("cost".to_string(), json!(3));
    assert_json(
        "a model sees the known part of each block, and no unknown field of a message",
        &to_json(&convert_to_llm(&[AgentMessage::Llm(entry)])),
        &json!([{ "role": "user", "content": [{ "type": "text", "text": "Hi." }], "timestamp": 1 }]),
    );
}
