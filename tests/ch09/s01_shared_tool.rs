//! Section 9.1: One tool in several sets

use std::sync::atomic::Ordering;

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch9_shared_tool_forwards_every_method() {
    let shared = SharedTool::new(Special::default());
    let args = json!({ "path": "x" });
    assert_eq!(
        shared.definition().name,
        "special",
        "the definition is the tool's own"
    );
    assert_eq!(
        shared.summary(&args),
        "special of x",
        "the tool overrides the default summary, and the shared tool should use it"
    );
    assert_eq!(
        shared.activity_description(&args),
        Some("Being special of x...".to_string()),
        "the tool overrides the default activity, and the shared tool should use it"
    );
    assert_eq!(
        shared.validate_input(&json!({ "path": "bad" })),
        bad_path(),
        "the shared tool should refuse what the tool refuses; the trait's default would accept everything"
    );
    assert_eq!(shared.validate_input(&args), ValidationResult::Ok);
}

#[test]
fn test_ch9_shared_tool_has_the_flags_of_its_tool() {
    for flag in 0..3 {
        let mut expected = [false; 3];
        expected[flag] = true;
        let tool = Special {
            flags: expected,
            ..Special::default()
        };
        assert_eq!(
            flags(&SharedTool::new(tool)),
            expected,
            "the flags read-only, concurrent-safe and destructive are each those of the tool"
        );
    }
}

#[tokio::test]
async fn test_ch9_clones_share_one_tool() {
    let tool = Special::default();
    let calls = tool.calls.clone();
    let first = SharedTool::new(tool);
    let second = first.clone();
    for shared in [&first, &second] {
        let args = json!({ "path": "bad" });
        let result = shared.call(args.clone()).await;
        assert_eq!(
            result.expect("the tool returns a result"),
            special_result(&args),
            "`call` only passes the arguments to the tool, without a check, and returns the tool's result unchanged"
        );
    }
    assert_eq!(
        calls.load(Ordering::SeqCst),
        2,
        "both clones should call the same tool"
    );
    let failed = first.call(json!({ "path": "broken" })).await;
    assert_eq!(
        failed.map_err(|error| format!("{error:#}")),
        Err("the tool is broken: a gear is stuck".to_string()),
        "an `Err` of the tool should come back unchanged, with its cause"
    );
}
