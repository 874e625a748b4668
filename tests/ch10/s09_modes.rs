//! Section 10.9: Modes

use claw_code::permission::*;
use claw_code::types::PermissionMode::*;
use claw_code::types::*;

use super::support::*;

/// What [`decide_last`] decides about three tools: one that is read-only, one whose effects can
/// be undone, one whose effects can't.
fn last_decisions(mode: PermissionMode) -> [&'static str; 3] {
    let tools = [
        tool("list").read_only(),
        tool("write"),
        tool("bash").destructive(),
    ];
    tools.map(|tool| outcome(&decide_last(&mode, &bash("x"), &tool)))
}

#[test]
fn test_ch10_default_mode_allows_only_reading() {
    for mode in [Default, Plan, DontAsk] {
        assert_eq!(
            last_decisions(mode.clone()),
            ["allow", "ask", "ask"],
            "reading, writing, destroying in mode {mode:?}, if nothing else has decided; `without_questions` refuses later"
        );
    }
}

#[test]
fn test_ch10_read_only_tool_is_allowed_even_if_it_is_destructive() {
    let both = tool("list").read_only().destructive();
    assert_eq!(
        decide_first(&Plan, &both),
        None,
        "rules and checks decide about a read-only tool, even a destructive one"
    );
    for mode in [Default, Auto, Plan, DontAsk] {
        let decision = decide_last(&mode, &bash("x"), &both);
        assert_eq!(outcome(&decision), "allow", "in mode {mode:?}");
    }
}

#[test]
fn test_ch10_auto_mode_asks_about_destructive_tools() {
    assert_eq!(
        last_decisions(Auto),
        ["allow", "allow", "ask"],
        "reading, writing, destroying"
    );
}

#[test]
fn test_ch10_question_shows_the_summary() {
    let decision = decide_last(&Default, &bash("cargo test"), &tool("bash"));
    assert_eq!(
        decision.permission,
        Permission::Ask("Allow [bash: cargo test]?".into()),
        "`Allow`, the tool's summary and a question mark"
    );
}

#[test]
fn test_ch10_decision_of_a_mode_names_the_mode() {
    let decision = decide_last(&Auto, &bash("x"), &tool("write"));
    assert_eq!(decision.source, PermissionSource::Mode(Auto), "the source");
    let decision = decide_first(&Plan, &tool("write")).expect("a decision");
    assert_eq!(decision.source, PermissionSource::Mode(Plan), "the source");
}

#[test]
fn test_ch10_bypass_allows_every_tool_at_once() {
    let decision = decide_first(&Bypass, &tool("bash").destructive());
    assert_eq!(
        decision.as_ref().map(outcome),
        Some("allow"),
        "bypass checks nothing"
    );
}

#[test]
fn test_ch10_plan_mode_refuses_all_but_reading_at_once() {
    let decision = decide_first(&Plan, &tool("write")).expect("a decision");
    assert_eq!(
        decision.permission,
        Permission::Deny(ONLY_READING.into()),
        "a tool that writes"
    );
    assert_eq!(
        decide_first(&Plan, &tool("list").read_only()),
        None,
        "rules and checks decide about a read-only tool"
    );
}

#[test]
fn test_ch10_other_modes_decide_last() {
    for mode in [Default, Auto, DontAsk] {
        for tool in [
            tool("list").read_only(),
            tool("write"),
            tool("bash").destructive(),
        ] {
            let decision = decide_first(&mode, &tool);
            assert_eq!(decision, None, "{mode:?} lets the rules decide first");
        }
    }
}

#[test]
fn test_ch10_dont_ask_refuses_instead_of_asking() {
    let question = Decision {
        permission: Permission::Ask("Allow?".into()),
        source: PermissionSource::Rule(ask("bash")),
    };
    let decision = without_questions(&DontAsk, question);
    assert_eq!(
        decision.permission,
        Permission::Deny(NOBODY_TO_ASK.into()),
        "a refusal"
    );
    assert_eq!(
        decision.source,
        PermissionSource::Mode(DontAsk),
        "the mode refuses"
    );
}

#[test]
fn test_ch10_dont_ask_changes_no_other_decision() {
    for permission in [Permission::Allow, Permission::Deny("no".into())] {
        let decision = Decision {
            permission,
            source: PermissionSource::Session,
        };
        assert_eq!(
            without_questions(&DontAsk, decision.clone()),
            decision,
            "not a question"
        );
    }
}

#[test]
fn test_ch10_other_modes_keep_their_questions() {
    for mode in [Default, Auto, Plan] {
        let question = decide_last(&mode, &bash("x"), &tool("bash").destructive());
        assert_eq!(
            without_questions(&mode, question.clone()),
            question,
            "{mode:?} asks"
        );
    }
}
