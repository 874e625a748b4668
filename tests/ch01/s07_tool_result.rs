//! Section 1.7: ToolResult

use claw_code::types::*;

#[test]
fn test_ch1_tool_result_text() {
    let result = ToolResult::text("3 files");
    assert_eq!(result.content, "3 files");
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
        !result.is_truncated,
        "ToolResult::error set is_truncated; an error is whole"
    );
    assert_eq!(
        ToolResult::error(String::from("owned\n")).content,
        "error: owned\n"
    );
}
