//! Section 14.2: Stop reasons

use claw_code::agent::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch14_stop_reasons_round_trip() {
    for word in [
        "stop",
        "length",
        "toolUse",
        "error",
        "aborted",
        "maxTurns",
        "userStop",
        "handoff",
        "guardRail",
        "contextCompacted",
        "paused",
    ] {
        assert_round_trip::<StopReason>(json!(word));
        let reason: StopReason = read(&json!(word).to_string());
        assert!(
            format!("{reason:?}").eq_ignore_ascii_case(word),
            "{word:?} is the JSON of {reason:?}: later chapters need the names on the page"
        );
    }
}

#[test]
fn test_ch14_unknown_stop_reasons_are_rejected() {
    for word in ["Stop", "tool_use", "end_turn", ""] {
        let said = assert_rejected::<StopReason>(&json!(word).to_string(), word);
        assert!(
            said.contains("guardRail") && said.contains("paused"),
            "the error should list the eleven known stop reasons: {said}"
        );
    }
}
