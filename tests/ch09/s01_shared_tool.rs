//! Section 9.1: One tool in several sets

use std::sync::atomic::Ordering;

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch9_a_shared_tool_says_what_its_tool_says() {
    let special = SharedTool::new(Special::default());
    let args = json!({ "path": "x" });
    assert_eq!(
        special.definition().name,
        "special",
        "the definition is the tool's own"
    );
    assert_eq!(
        special.summary(&args),
        "special of x",
        "a tool may word its row for the terminal itself; sharing it must not change that"
    );
    assert_eq!(
        special.activity_description(&args),
        Some("Being special...".to_string()),
        "what is shown while it runs is the tool's to say"
    );
    assert_eq!(
        special.validate_input(&json!({ "path": "bad" })),
        refusal(),
        "what the tool refuses, the shared tool refuses: a default in its place lets everything through"
    );
    assert_eq!(special.validate_input(&args), ValidationResult::Ok);
}

#[test]
fn test_ch9_a_shared_tool_has_the_flags_of_its_tool() {
    let flags = |tool: &dyn Tool| {
        [
            tool.is_read_only(),
            tool.is_concurrent_safe(),
            tool.is_destructive(),
        ]
    };
    for which in 0..3 {
        let mut expected = [false; 3];
        expected[which] = true;
        let tool = Special {
            flags: expected,
            ..Special::default()
        };
        assert_eq!(
            flags(&SharedTool::new(tool)),
            expected,
            "read-only, concurrent-safe and destructive, each as the tool says of itself"
        );
    }
}

#[tokio::test]
async fn test_ch9_clones_are_the_same_tool() {
    let tool = Special::default();
    let runs = tool.runs.clone();
    let one = SharedTool::new(tool);
    let other = one.clone();
    for shared in [&one, &other] {
        let result = shared.call(json!({ "path": "x" })).await;
        assert_eq!(
            result.expect("the tool answers"),
            ToolResult::text(r#"{"path":"x"}"#),
            "the tool gets the arguments as they are, and its answer comes back"
        );
    }
    assert_eq!(
        runs.load(Ordering::SeqCst),
        2,
        "both calls reached the one tool"
    );
    let failed = one.call(json!({ "path": "broken" })).await;
    assert!(failed.is_err(), "an `Err` of the tool comes back as one");
}
