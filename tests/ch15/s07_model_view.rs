//! Section 15.7: The model's view

use claw_code::agent::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch15_convert_to_llm_keeps_model_messages_in_order() {
    let history = [
        AgentMessage::Extension(an_extension()),
        AgentMessage::Llm(llm(a_user(), None)),
        AgentMessage::Llm(llm(a_reply(), Some(a_turn()))),
        AgentMessage::Extension(an_extension()),
        AgentMessage::Llm(llm(a_result(), Some(a_turn()))),
        AgentMessage::Extension(an_extension()),
        AgentMessage::Llm(llm(a_user(), None)),
        AgentMessage::Llm(llm(a_user(), None)),
    ];
    assert_eq!(
        convert_to_llm(&history),
        [a_user(), a_reply(), a_result(), a_user(), a_user()],
        "the result has the messages of the model's lane in order and nothing else"
    );
}

#[test]
fn test_ch15_failed_replies_reach_the_model() {
    for reason in [StopReason::Error, StopReason::Aborted] {
        let mut failed = a_reply();
        if let Message::Assistant { stop_reason, .. } = &mut failed {
            *stop_reason = reason;
        }
        let history = [a_user(), failed.clone(), a_result()]
            .map(|message| AgentMessage::Llm(llm(message, None)));
        assert_eq!(
            convert_to_llm(&history),
            [a_user(), failed, a_result()],
            "a reply that ended with {reason:?} is a message of the model's lane like any other"
        );
    }
}

#[test]
fn test_ch15_extensions_never_reach_the_model() {
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
        "an extension never reaches the model, whatever its fields contain: its type decides"
    );
}

#[test]
fn test_ch15_unknown_parts_never_reach_the_model() {
    let mut entry = llm(a_newer_user(), None);
    entry.other.insert("cost".to_string(), json!(3));
    let audio = Message::User {
        content: read(r#"[{"type":"audio"}]"#),
        timestamp: 1,
    };
    let history = [entry, llm(audio, None)].map(AgentMessage::Llm);
    assert_json(
        "a model sees the known part of each block, and no unknown field of a message; a message stays even if no block is left",
        &to_json(&convert_to_llm(&history)),
        &json!([
            { "role": "user", "content": [{ "type": "text", "text": "Hi." }], "timestamp": 1 },
            { "role": "user", "content": [], "timestamp": 1 }
        ]),
    );
}
