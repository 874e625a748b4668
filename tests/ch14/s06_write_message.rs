//! Section 14.6: Writing a message

use serde_json::json;

use super::support::*;

#[test]
fn test_ch14_user_message_as_json() {
    assert_json(
        "the JSON of a user message",
        &to_json(&a_user()),
        &user_json(),
    );
}

#[test]
fn test_ch14_assistant_message_as_json() {
    let mut written = assistant_json();
    assert_json(
        "the JSON of a reply, without fields that are None",
        &to_json(&an_assistant()),
        &written,
    );
    written["error_message"] = json!("overloaded");
    assert_json(
        "`error_message` is the one field in snake case",
        &to_json(&with_error(an_assistant(), "overloaded")),
        &written,
    );
}

#[test]
fn test_ch14_tool_result_as_json() {
    let mut written = tool_result_json();
    assert_json(
        "the JSON of a tool result, without fields that are None",
        &to_json(&a_tool_result()),
        &written,
    );
    written["isError"] = json!(true);
    written["childLoopId"] = json!("s.sub.1");
    assert_json(
        "`childLoopId` is written if there is one",
        &to_json(&a_child_result()),
        &written,
    );
}

#[test]
fn test_ch14_role_is_the_first_field() {
    for message in [a_user(), an_assistant(), a_tool_result()] {
        let text = serde_json::to_string(&message).expect("a message can be written");
        let start = format!(r#"{{"role":"{}","#, message.role());
        assert!(
            text.starts_with(&start),
            "the role should be the first field, so that readers know which fields follow: {text}"
        );
    }
}
