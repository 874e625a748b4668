//! Section 1.3: Message constructors

use std::collections::HashSet;

use claw_code::types::*;
use serde_json::Value;

use super::support::*;

#[test]
fn test_ch1_create_user_message() {
    let Message::User(user) = Message::user("Hello") else {
        panic!("Message::user should make a Message::User");
    };
    assert_eq!(user.content, "Hello");
    assert_is_new_id(&user.id);

    let content = long_text();
    assert_eq!(
        to_json(&Message::user(content.clone()))["content"],
        content,
        "the content is kept unchanged, including white space"
    );
}

#[test]
fn test_ch1_create_system_message() {
    let Message::System(system) = Message::system("Be brief.") else {
        panic!("Message::system should make a Message::System");
    };
    assert_eq!(system.content, "Be brief.");
    assert_is_new_id(&system.id);
    assert_eq!(
        to_json(&system)["tag"],
        Value::Null,
        "a new system message has no tag"
    );

    let content = long_text();
    assert_eq!(
        to_json(&Message::system(content.clone()))["content"],
        content,
        "the content is kept unchanged, including white space"
    );
}

#[test]
fn test_ch1_unique_message_ids() {
    let messages = [
        Message::user("same text"),
        Message::user("same text"),
        Message::system("same text"),
        Message::system("same text"),
    ];
    let ids: HashSet<String> = messages
        .iter()
        .map(|message| to_json(message)["id"].to_string())
        .collect();
    assert_eq!(
        ids.len(),
        messages.len(),
        "each message has its own id, even if the text is the same: {messages:#?}"
    );
}
