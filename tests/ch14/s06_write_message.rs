//! Section 14.6: Writing a message

use serde_json::json;

use super::support::*;

#[test]
fn test_ch14_user_json() {
    assert_json(
        "a user's message as JSON",
        &to_json(&a_user()),
        &user_json(),
    );
}

#[test]
fn test_ch14_assistant_json() {
    let mut written = assistant_json();
    assert_json(
        "a reply as JSON; what is None is left out",
        &to_json(&an_assistant()),
        &written,
    );
    written["error_message"] = json!("overloaded");
    assert_json(
        "the error message is the one field in snake case",
        &to_json(&with_error(an_assistant(), "overloaded")),
        &written,
    );
}

#[test]
fn test_ch14_tool_result_json() {
    let mut written = tool_result_json();
    assert_json(
        "a tool's result as JSON; what is None is left out",
        &to_json(&a_tool_result()),
        &written,
    );
    written["isError"] = json!(true);
    written["childLoopId"] = json!("s.sub.1");
    assert_json(
        "the loop that answered is written when there is one",
        &to_json(&a_child_result()),
        &written,
    );
}

#[test]
fn test_ch14_role_is_written_first() {
    for message in [a_user(), an_assistant(), a_tool_result()] {
        let text = serde_json::to_string(&message).expect("a message can be written");
        let start = format!(r#"{{"role":"{}","#, message.role());
        assert!(
            text.starts_with(&start),
            "the role is written first, so that whoever reads the rest knows what to expect: {text}"
        );
    }
}
