//! Section 10.12: Explanations

use claw_code::permission::*;
use claw_code::types::PermissionMode::*;
use claw_code::types::*;

use super::support::*;

/// The explanation of a decision.
fn explanation(permission: Permission, source: PermissionSource) -> String {
    Decision { permission, source }.explain()
}

#[test]
fn test_ch10_explanation_says_what_happens() {
    for (permission, beginning) in [
        (Permission::Allow, "The call runs"),
        (Permission::Deny("no".into()), "The call does not run"),
        (
            Permission::Ask("Allow?".into()),
            "The call runs if you agree",
        ),
    ] {
        for (source, who) in [
            (
                PermissionSource::Hook("format".into()),
                "the hook `format` decided so",
            ),
            (
                PermissionSource::Safety("paths".into()),
                "the safety check `paths` decided so",
            ),
        ] {
            assert_eq!(
                explanation(permission.clone(), source),
                format!("{beginning}: {who}."),
                "what happens to the call and who decided, and no reason or question"
            );
        }
    }
}

#[test]
fn test_ch10_explanation_names_the_rule() {
    for (rule, end) in [
        (allow("bash(ls *)"), "the rule `bash(ls *)` allows it."),
        (deny("bash"), "the rule `bash` denies it."),
        (ask("edit"), "the rule `edit` asks about it."),
    ] {
        let text = explanation(Permission::Allow, PermissionSource::Rule(rule));
        assert!(text.ends_with(end), "`…{end}`, not `{text}`");
    }
}

#[test]
fn test_ch10_explanation_names_the_mode() {
    for (mode, name) in [
        (Default, "`default`"),
        (Auto, "`auto`"),
        (Bypass, "`bypass`"),
        (Plan, "`plan`"),
        (DontAsk, "`dont-ask`"),
    ] {
        let text = explanation(Permission::Allow, PermissionSource::Mode(mode));
        assert!(
            text.contains(name),
            "mode {name} is named as on the command line: {text}"
        );
        for verdict in ["allows it", "denies it", "refuses it"] {
            assert!(
                !text.contains(verdict),
                "the text is also used for a call that the mode treats in another way: {text}"
            );
        }
    }
    let text = explanation(
        Permission::Ask("Allow?".into()),
        PermissionSource::Mode(Default),
    );
    assert_eq!(
        text,
        "The call runs if you agree: no rule matches, and mode `default` allows only read-only tools.",
        "the text for `default` is in section 10.12"
    );
    for mode in [Bypass, Plan, DontAsk] {
        let text = explanation(Permission::Deny("no".into()), PermissionSource::Mode(mode));
        assert!(
            !text.contains(": no rule matches"),
            "a rule may match a call about which this mode decides, so the text is not true: {text}"
        );
    }
}

#[test]
fn test_ch10_explanation_names_hooks_checks_and_approvals() {
    for (source, part) in [
        (
            PermissionSource::Hook("format".into()),
            "the hook `format` decided so",
        ),
        (
            PermissionSource::Safety("paths".into()),
            "the safety check `paths` decided so",
        ),
        (
            PermissionSource::Session,
            "you approved it earlier in this session",
        ),
    ] {
        let text = explanation(Permission::Allow, source);
        assert!(text.contains(part), "`{part}` is the source: {text}");
    }
}
