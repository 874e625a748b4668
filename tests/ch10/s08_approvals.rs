//! Section 10.8: Approvals

use claw_code::permission::*;
use claw_code::types::ToolCall;
use serde_json::json;

use super::support::*;

/// The approvals after one approval of a call.
fn approved(approval: Approval, call: &ToolCall) -> Approvals {
    let mut approvals = Approvals::default();
    approvals.add(approval, call, &places());
    approvals
}

#[test]
fn test_ch10_once_covers_nothing_later() {
    let approvals = approved(Approval::Once, &bash("cargo test"));
    assert!(
        !approvals.cover(&bash("cargo test")),
        "the same call is asked about again"
    );
}

#[test]
fn test_ch10_this_call_covers_equal_calls() {
    let approvals = approved(Approval::ThisCall, &bash("cargo test; cargo doc"));
    let again = ToolCall {
        id: "call_2".into(),
        ..bash("cargo test; cargo doc")
    };
    assert!(
        approvals.cover(&again),
        "another call with the same arguments"
    );
}

#[test]
fn test_ch10_this_call_covers_no_other_call() {
    let approvals = approved(Approval::ThisCall, &bash("cargo test"));
    for other in [
        bash("cargo test --release"),
        bash("cargo"),
        call("bash", json!({ "command": "cargo test", "timeout": 5 })),
        call("shell", json!({ "command": "cargo test" })),
    ] {
        assert!(!approvals.cover(&other), "{other:?} is another call");
    }
}

#[test]
fn test_ch10_this_tool_covers_what_its_rule_matches() {
    let approvals = approved(Approval::ThisTool, &edit("src/a.rs"));
    assert!(approvals.cover(&edit("README.md")), "`edit(**)`");
    assert!(!approvals.cover(&edit("/etc/passwd")), "outside");
    let approvals = approved(Approval::ThisTool, &bash("cargo test"));
    let longer = json!({ "command": "cargo test", "timeout": 5 });
    assert!(approvals.cover(&call("bash", longer)), "the same command");
    assert!(!approvals.cover(&bash("cargo test -q")), "another command");
    assert!(
        !approvals.cover_exactly(&bash("cargo test")),
        "the rule is remembered, and no exact call"
    );
    assert!(
        !approvals.cover(&bash("cargo test; rm -rf .")),
        "two commands"
    );
}

#[test]
fn test_ch10_this_tool_without_a_rule_covers_nothing() {
    let approvals = approved(Approval::ThisTool, &bash("cargo test; rm -rf ."));
    assert!(
        !approvals.cover(&bash("cargo test")),
        "no rule is offered for two commands"
    );
    assert!(
        !approvals.cover(&bash("cargo test; rm -rf .")),
        "and none is made"
    );
}

#[test]
fn test_ch10_approvals_add_up() {
    let mut approvals = approved(Approval::ThisCall, &bash("cargo test"));
    approvals.add(Approval::ThisTool, &edit("src/a.rs"), &places());
    approvals.add(Approval::ThisTool, &bash("ls"), &places());
    approvals.add(Approval::ThisCall, &bash("cargo doc"), &places());
    for covered in [
        bash("cargo test"),
        edit("README.md"),
        bash("ls"),
        bash("cargo doc"),
    ] {
        assert!(approvals.cover(&covered), "{covered:?} was approved");
    }
}
