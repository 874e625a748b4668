//! Section 1.7: ToolResult

use std::collections::HashSet;

use claw_code::types::*;

use super::support::*;

#[test]
fn test_ch1_tool_result_text() {
    let result = ToolResult::text("3 files");
    assert_eq!(result.content, "3 files");
    assert!(
        !result.is_error,
        "ToolResult::text is the output of a success, so is_error is false"
    );
    assert!(
        !result.is_truncated,
        "ToolResult::text is complete, so is_truncated is false"
    );
    for content in [long_text(), String::new()] {
        assert_eq!(
            ToolResult::text(content.clone()).content,
            content,
            "the content is kept unchanged, including white space"
        );
    }
}

#[test]
fn test_ch1_tool_result_error() {
    let result = ToolResult::error("no such file");
    assert_eq!(
        result.content, "error: no such file",
        "the model reads only text, and the prefix tells it that the tool failed"
    );
    assert!(
        result.is_error,
        "ToolResult::error should set is_error: this field tells the program that the tool failed"
    );
    assert!(
        !result.is_truncated,
        "ToolResult::error is complete, so is_truncated is false"
    );
    assert_eq!(
        ToolResult::error(String::from("Owned\n")).content,
        "error: Owned\n"
    );
    assert_eq!(
        ToolResult::error(long_text()).content,
        format!("error: {}", long_text()),
        "the message is kept unchanged after the prefix, including white space"
    );
    assert_eq!(
        ToolResult::error("error: no").content,
        "error: error: no",
        "the prefix is always added, so result_message returns the message unchanged"
    );
}

#[test]
fn test_ch1_result_content_adds_a_prefix_to_a_failure() {
    let long = long_text();
    let failure = format!("error: {long}");
    for (message, is_error, content) in [
        ("no such file", true, "error: no such file"),
        ("", true, "error: "),
        ("error: no such file", true, "error: error: no such file"),
        ("3 files", false, "3 files"),
        ("error: 3 warnings", false, "error: 3 warnings"),
        (&long, false, &long),
        (&long, true, &failure),
    ] {
        assert_eq!(
            result_content(message, is_error),
            content,
            "the content of {message:?}, with is_error {is_error}"
        );
    }
}

#[test]
fn test_ch1_result_message_removes_the_prefix_of_a_failure() {
    let long = long_text();
    let failure = format!("error: {long}");
    let success = "the output of a success stays unchanged";
    for (rule, content, is_error, message) in [
        (success, "error: 3 warnings\n", false, "error: 3 warnings\n"),
        (success, "3 files", false, "3 files"),
        ("a failure loses its prefix", "error: no", true, "no"),
        ("a failure loses its prefix", "error: ", true, ""),
        (
            "only one prefix is removed",
            "error: error: no",
            true,
            "error: no",
        ),
        (
            "a failure without the prefix, from another program, stays unchanged",
            "no such file",
            true,
            "no such file",
        ),
        (
            "only a prefix at the beginning is removed",
            "disk error: full",
            true,
            "disk error: full",
        ),
        (
            "a prefix after white space is not at the beginning",
            "  error: no",
            true,
            "  error: no",
        ),
        (
            "the prefix has one space after the colon",
            "error:no",
            true,
            "error:no",
        ),
        (
            "the prefix is in lower case",
            "Error: no",
            true,
            "Error: no",
        ),
        (success, &long, false, &long),
        ("white space stays", &failure, true, &long),
    ] {
        assert_eq!(
            result_message(content, is_error),
            message,
            "{rule}: {content:?}, with is_error {is_error}"
        );
    }
}

#[test]
fn test_ch1_tool_result_becomes_a_message() {
    let truncated = ToolResult {
        is_truncated: true,
        ..ToolResult::error("late")
    };
    let truncated_success = ToolResult {
        is_truncated: true,
        ..ToolResult::text("1 of 9 files")
    };
    let without_prefix = ToolResult {
        content: "no such file".to_string(),
        ..ToolResult::error("")
    };
    let long = long_text();
    let mut ids = HashSet::new();
    for (result, content, is_error, is_truncated) in [
        (ToolResult::text("3 files"), "3 files", false, false),
        (ToolResult::text("error: x"), "error: x", false, false),
        (ToolResult::error("no"), "error: no", true, false),
        (truncated, "error: late", true, true),
        (truncated_success, "1 of 9 files", false, true),
        (without_prefix, "no such file", true, false),
        (ToolResult::text(long.clone()), &long, false, false),
    ] {
        let message = ToolResultMessage::new(" call 1 ", result.clone());
        assert_is_new_id(&message.id);
        assert!(ids.insert(message.id.clone()), "each message has a new id");
        assert_eq!(
            message.tool_use_id, " call 1 ",
            "the id is kept unchanged, since it must equal that of the call"
        );
        assert_eq!(
            (message.content.as_str(), message.is_error),
            (content, is_error),
            "content and is_error of {result:?}"
        );
        assert_eq!(
            to_json(&Message::ToolResult(message))["is_truncated"],
            is_truncated,
            "is_truncated of {result:?}"
        );
    }
}
