//! Section 1.7: ToolResult

use claw_code::types::*;

use super::support::*;

#[test]
fn test_ch1_tool_result_text() {
    let result = ToolResult::text("3 files");
    assert_eq!(result.content, "3 files");
    assert!(
        !result.is_error,
        "ToolResult::text set is_error; a text is the output of a success"
    );
    assert!(
        !result.is_truncated,
        "ToolResult::text set is_truncated; a text is whole"
    );
    assert_eq!(
        ToolResult::text(String::from("  owned\n")).content,
        "  owned\n",
        "the content is kept to the letter, white space included"
    );
}

#[test]
fn test_ch1_tool_result_error() {
    let result = ToolResult::error("no such file");
    assert_eq!(
        result.content, "error: no such file",
        "the model reads plain text: the prefix is how it knows that the tool failed"
    );
    assert!(
        result.is_error,
        "ToolResult::error did not set is_error; the program knows by this field that the tool failed"
    );
    assert!(
        !result.is_truncated,
        "ToolResult::error set is_truncated; an error is whole"
    );
    assert_eq!(
        ToolResult::error(String::from("owned\n")).content,
        "error: owned\n"
    );
}

#[test]
fn test_ch1_a_failure_gets_its_prefix() {
    for (message, is_error, content) in [
        ("no such file", true, "error: no such file"),
        ("", true, "error: "),
        ("error: no such file", true, "error: error: no such file"),
        ("3 files", false, "3 files"),
        ("error: 3 warnings", false, "error: 3 warnings"),
    ] {
        assert_eq!(
            result_content(message, is_error),
            content,
            "the content of {message:?}, with is_error {is_error}"
        );
    }
}

#[test]
fn test_ch1_the_flag_decides_what_a_failure_is() {
    for (content, is_error, message, why) in [
        (
            "error: 3 warnings\n",
            false,
            "error: 3 warnings\n",
            "this is the output of a success, so it stays unchanged",
        ),
        ("3 files", false, "3 files", "so is this"),
        ("error: no", true, "no", "a failure loses its prefix"),
        ("error: ", true, "", "a failure loses its prefix"),
        (
            "error: error: no",
            true,
            "error: no",
            "one prefix is removed",
        ),
        (
            "no such file",
            true,
            "no such file",
            "a failure that another program wrote without the prefix stays unchanged",
        ),
    ] {
        assert_eq!(
            result_message(content, is_error),
            message,
            "{why}: {content:?}, with is_error {is_error}"
        );
    }
}

#[test]
fn test_ch1_a_result_becomes_a_message() {
    for (result, content, is_error, is_truncated) in [
        (ToolResult::text("3 files"), "3 files", false, false),
        (ToolResult::text("error: x"), "error: x", false, false),
        (ToolResult::error("no"), "error: no", true, false),
        (
            ToolResult {
                is_truncated: true,
                ..ToolResult::error("late")
            },
            "error: late",
            true,
            true,
        ),
    ] {
        let message = ToolResultMessage::new("call_1", result.clone());
        assert_is_new_id(&message.id);
        assert_eq!(
            message.tool_use_id, "call_1",
            "the message names the call that it answers"
        );
        let written = to_json(&Message::ToolResult(message.clone()));
        assert_eq!(
            (message.content.as_str(), message.is_error),
            (content, is_error),
            "content and is_error of {result:?}"
        );
        assert_eq!(
            written["is_truncated"], is_truncated,
            "is_truncated of {result:?}"
        );
    }
}
