//! Section 1.12: Permission types

use claw_code::types::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch1_permission_modes_in_settings() {
    for (setting, variant) in [
        ("dont-ask", "DontAsk"),
        ("plan", "Plan"),
        ("default", "Default"),
        ("auto", "Auto"),
        ("bypass", "Bypass"),
    ] {
        let mode: PermissionMode = serde_json::from_value(json!(setting)).unwrap_or_else(|error| {
            panic!("a settings file with the mode `{setting}` should load; serde says: {error}")
        });
        assert_eq!(format!("{mode:?}"), variant, "`{setting}` is this variant");
        assert_json(
            "a mode is written as the name that loads it",
            &to_json(&mode),
            &json!(setting),
        );
    }
}

#[test]
fn test_ch1_unknown_permission_mode_is_an_error() {
    let error = serde_json::from_value::<PermissionMode>(json!("yolo"))
        .expect_err("`yolo` is not a mode, so it should not load")
        .to_string();
    for setting in ["default", "auto", "bypass", "plan", "dont-ask"] {
        assert!(
            error.contains(&format!("`{setting}`")),
            "the error should list the mode `{setting}`: {error}"
        );
    }
    for name in ["dontAsk", "DontAsk", "Default", ""] {
        assert!(
            serde_json::from_value::<PermissionMode>(json!(name)).is_err(),
            "`{name}` is not a mode, so it should not load"
        );
    }
}

#[test]
fn test_ch1_permission_rules_in_settings() {
    let settings = json!([
        { "tool_pattern": "read", "behavior": "allow" },
        { "tool_pattern": "bash", "behavior": "ask" },
        { "tool_pattern": "mcp__*", "behavior": "deny" }
    ]);
    let rules: Vec<PermissionRule> = from_json(&settings);
    let behaviors: Vec<String> = rules
        .iter()
        .map(|rule| format!("{:?}", rule.behavior))
        .collect();
    assert_eq!(
        behaviors,
        ["Allow", "Ask", "Deny"],
        "one variant for each name"
    );
    assert_json(
        "the rules are written as they were read",
        &to_json(&rules),
        &settings,
    );
    for broken in [
        json!({ "tool_pattern": "bash" }),
        json!({ "tool_pattern": "bash", "behavior": "denny" }),
        json!({ "tool_pattern": "bash", "behavior": "Allow" }),
    ] {
        assert!(
            serde_json::from_value::<PermissionRule>(broken.clone()).is_err(),
            "a rule without one of the three behaviors must not load, or it might allow calls: {broken}"
        );
    }
}
