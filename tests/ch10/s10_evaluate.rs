//! Section 10.10: The decision

use claw_code::permission::*;
use claw_code::types::PermissionMode::*;
use claw_code::types::*;
use serde_json::json;

use super::support::*;

/// An engine in mode `default` with these rules and this check.
fn engine_with_check(
    list: impl IntoIterator<Item = PermissionRule>,
    assessment: Assessment,
) -> PermissionEngine {
    PermissionEngine::builder(project_rules(list))
        .check(FixedCheck(assessment))
        .build()
}

/// The outcome and the source of a call of a tool that can write.
fn decided(engine: &PermissionEngine, call: &ToolCall) -> (&'static str, PermissionSource) {
    let decision = engine.evaluate(call, &tool("bash"));
    (outcome(&decision), decision.source)
}

#[test]
fn test_ch10_rule_decides_with_its_behavior() {
    for (rule, expected) in [
        (allow("bash"), "allow"),
        (ask("bash"), "ask"),
        (deny("bash"), "deny"),
    ] {
        let engine = engine(Auto, [rule.clone()]);
        assert_eq!(
            decided(&engine, &bash("ls")),
            (expected, PermissionSource::Rule(rule)),
            "the rule is the source"
        );
        let decision = engine.evaluate(&bash("ls"), &tool("bash").read_only());
        assert_eq!(
            outcome(&decision),
            expected,
            "a rule also decides about a read-only tool"
        );
    }
}

#[test]
fn test_ch10_mode_decides_without_a_rule() {
    let engine = engine(Default, [allow("list")]);
    assert_eq!(
        decided(&engine, &bash("ls")),
        ("ask", PermissionSource::Mode(Default)),
        "no rule matches"
    );
}

#[test]
fn test_ch10_denial_names_its_rule() {
    let engine = engine(Default, [deny("bash(rm *)")]);
    let decision = engine.evaluate(&bash("rm x"), &tool("bash"));
    let Permission::Deny(reason) = decision.permission else {
        panic!("the call is denied; the decision is {decision:?}");
    };
    assert!(
        reason.contains("`bash(rm *)`"),
        "the model reads which rule: {reason}"
    );
}

#[test]
fn test_ch10_approval_is_stronger_than_a_question() {
    let engine = engine(Default, [ask("bash")]);
    assert_eq!(
        decided(&engine, &bash("cargo test")).0,
        "ask",
        "before the approval"
    );
    engine.approve(Approval::ThisCall, &bash("cargo test"));
    assert_eq!(
        decided(&engine, &bash("cargo test")),
        ("allow", PermissionSource::Session),
        "the user has answered this question"
    );
    assert_eq!(
        decided(&engine, &bash("cargo run")).0,
        "ask",
        "another call"
    );
}

#[test]
fn test_ch10_approved_rule_does_not_cover_a_risky_call() {
    let engine = engine_with_check([], Assessment::Risky("It has secrets.".into()));
    assert_eq!(decided(&engine, &edit(".env")).0, "ask", "the check asks");
    engine.approve(Approval::ThisTool, &edit("src/a.rs"));
    let decision = decided(&engine, &edit(".env"));
    assert_eq!(decision.0, "ask", "`edit(**)` was approved, and not this");
    engine.approve(Approval::ThisCall, &edit(".env"));
    let decision = decided(&engine, &edit(".env"));
    assert_eq!(decision.0, "allow", "exactly this call was approved");
}

#[test]
fn test_ch10_approved_rule_covers_a_harmless_call() {
    let engine = engine_with_check([ask("edit")], Assessment::Harmless);
    assert_eq!(decided(&engine, &edit("b")).0, "ask", "the rule asks");
    engine.approve(Approval::ThisTool, &edit("a"));
    let decision = decided(&engine, &edit("b"));
    assert_eq!(decision.0, "allow", "`edit(**)` was approved");
}

#[test]
fn test_ch10_approved_rule_answers_a_rule_that_asks() {
    let engine = engine(Default, [ask("bash")]);
    assert_eq!(decided(&engine, &bash("ls")).0, "ask", "the rule asks");
    engine.approve(Approval::ThisTool, &bash("cargo test"));
    let longer = json!({ "command": "cargo test", "timeout": 5 });
    assert_eq!(
        decided(&engine, &call("bash", longer)),
        ("allow", PermissionSource::Session),
        "an approved rule also answers a rule that asks"
    );
}

#[test]
fn test_ch10_denial_is_stronger_than_an_approval() {
    let engine = engine(Default, [deny("bash(rm *)")]);
    assert_eq!(
        decided(&engine, &bash("rm x")).0,
        "deny",
        "before the approval"
    );
    engine.approve(Approval::ThisCall, &bash("rm x"));
    assert_eq!(
        decided(&engine, &bash("rm x")).0,
        "deny",
        "a denial is final"
    );
}

#[test]
fn test_ch10_plan_mode_is_stronger_than_rules_and_approvals() {
    let engine = engine(Plan, [allow("bash")]);
    assert_eq!(
        decided(&engine, &bash("touch x")).0,
        "deny",
        "before the approval"
    );
    engine.approve(Approval::ThisCall, &bash("touch x"));
    assert_eq!(
        decided(&engine, &bash("touch x")),
        ("deny", PermissionSource::Mode(Plan)),
        "plan mode only reads"
    );
}

#[test]
fn test_ch10_bypass_ignores_rules() {
    let engine = engine(Bypass, [deny("bash")]);
    assert_eq!(
        decided(&engine, &bash("rm x")),
        ("allow", PermissionSource::Mode(Bypass)),
        "all runs"
    );
    let engine = PermissionEngine::builder(project_rules([]))
        .mode(Bypass)
        .check(FixedCheck(Assessment::Forbidden("it leaves".into())));
    assert_eq!(
        decided(&engine.build(), &bash("rm x")).0,
        "allow",
        "mode `bypass` also decides before the checks"
    );
}

#[test]
fn test_ch10_dont_ask_refuses_what_a_rule_asks_about() {
    let engine = engine(DontAsk, [ask("bash"), allow("edit")]);
    assert_eq!(
        decided(&engine, &bash("ls")),
        ("deny", PermissionSource::Mode(DontAsk)),
        "the rule wants a question"
    );
    assert_eq!(
        decided(&engine, &edit("x")).0,
        "allow",
        "a rule allows it without a question"
    );
    assert_eq!(
        decided(&engine, &call("write", json!({ "path": "x" }))),
        ("deny", PermissionSource::Mode(DontAsk)),
        "no rule matches, and the mode refuses its own question too"
    );
}

#[test]
fn test_ch10_dont_ask_refuses_what_a_check_asks_about() {
    let risky = FixedCheck(Assessment::Risky("It sends data.".into()));
    let engine = PermissionEngine::builder(project_rules([]))
        .mode(DontAsk)
        .check(risky)
        .build();
    assert_eq!(
        decided(&engine, &bash("ls")),
        ("deny", PermissionSource::Mode(DontAsk)),
        "a check wants a question"
    );
}

#[test]
fn test_ch10_rule_allows_a_destructive_tool() {
    let engine = engine(Auto, [allow("bash(ls *)")]);
    let destructive = tool("bash").destructive();
    assert_eq!(
        outcome(&engine.evaluate(&bash("ls"), &destructive)),
        "allow",
        "the user's rule"
    );
    assert_eq!(
        outcome(&engine.evaluate(&bash("rm x"), &destructive)),
        "ask",
        "no rule matches"
    );
}

#[test]
fn test_ch10_check_forbids_before_rules_allow() {
    let engine = engine_with_check([allow("bash")], Assessment::Forbidden("it leaves".into()));
    let decision = engine.evaluate(&bash("x"), &tool("bash"));
    assert_eq!(
        decision.permission,
        Permission::Deny("it leaves".into()),
        "the check's reason"
    );
    assert_eq!(
        decision.source,
        PermissionSource::Safety("fixed".into()),
        "the check's name"
    );
    engine.approve(Approval::ThisCall, &bash("x"));
    assert_eq!(
        decided(&engine, &bash("x")).0,
        "deny",
        "an approval does not cancel what a check forbids"
    );
}

#[test]
fn test_ch10_rule_denies_before_a_check_forbids() {
    let rule = deny("bash");
    let engine = engine_with_check([rule.clone()], Assessment::Forbidden("it leaves".into()));
    assert_eq!(
        decided(&engine, &bash("x")),
        ("deny", PermissionSource::Rule(rule)),
        "both deny, and the rule comes first"
    );
}

#[test]
fn test_ch10_check_decides_before_the_mode() {
    let safety = PermissionSource::Safety("fixed".into());
    let harmless = engine_with_check([], Assessment::Harmless);
    assert_eq!(
        decided(&harmless, &bash("ls")),
        ("allow", safety.clone()),
        "no question"
    );
    let risky = PermissionEngine::builder(project_rules([]))
        .mode(Auto)
        .check(FixedCheck(Assessment::Risky("It sends data.".into())));
    assert_eq!(
        decided(&risky.build(), &bash("ls")),
        ("ask", safety),
        "a question, even in mode `auto`"
    );
    let unknown = engine_with_check([], Assessment::Unknown);
    assert_eq!(
        decided(&unknown, &bash("ls")).1,
        PermissionSource::Mode(Default),
        "nothing said"
    );
}

#[test]
fn test_ch10_strictest_check_decides() {
    let harmless = || Assessment::Harmless;
    let risky = || Assessment::Risky("It sends data.".into());
    let forbidden = || Assessment::Forbidden("it leaves".into());
    for (checks, expected) in [
        ([harmless(), risky()], "ask"),
        ([risky(), harmless()], "ask"),
        ([risky(), forbidden()], "deny"),
        ([forbidden(), risky()], "deny"),
    ] {
        let [first, second] = checks.clone();
        let engine = PermissionEngine::builder(project_rules([]))
            .check(FixedCheck(first))
            .check(FixedCheck(second))
            .build();
        assert_eq!(
            decided(&engine, &bash("x")).0,
            expected,
            "the strictest of two checks decides, in any order: {checks:?}"
        );
    }
}

#[test]
fn test_ch10_question_has_the_reason_of_the_first_check() {
    let by_rule = engine(Default, [ask("bash")]).evaluate(&bash("ls"), &tool("bash"));
    assert_eq!(
        by_rule.permission,
        Permission::Ask("Allow [bash: ls]?".into()),
        "a rule gives no reason"
    );
    let by_checks = PermissionEngine::builder(project_rules([]))
        .check(FixedCheck(Assessment::Risky("It sends data.".into())))
        .check(FixedCheck(Assessment::Risky("It is slow.".into())))
        .build();
    assert_eq!(
        by_checks.evaluate(&bash("ls"), &tool("bash")).permission,
        Permission::Ask("Allow [bash: ls]? It sends data.".into()),
        "both checks ask, and the first one's reason follows the question"
    );
}

#[test]
fn test_ch10_rule_is_stronger_than_a_mild_check() {
    let risky = engine_with_check([allow("bash")], Assessment::Risky("It sends data.".into()));
    assert_eq!(
        decided(&risky, &bash("x")).0,
        "allow",
        "the user's rule decides"
    );
    let harmless = engine_with_check([ask("bash")], Assessment::Harmless);
    assert_eq!(
        decided(&harmless, &bash("x")).0,
        "ask",
        "the user's rule decides"
    );
}

#[test]
fn test_ch10_evaluating_changes_nothing() {
    let engine = engine(Default, []);
    let first = engine.evaluate(&bash("ls"), &tool("bash"));
    for _ in 0..3 {
        assert_eq!(
            engine.evaluate(&bash("ls"), &tool("bash")),
            first,
            "the same decision"
        );
    }
}
