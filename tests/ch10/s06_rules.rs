//! Section 10.6: Rules in layers

use claw_code::permission::*;

use super::support::*;

#[test]
fn test_ch10_no_rule_decides_without_a_match() {
    let rules = project_rules([deny("write"), allow("bash(ls *)")]);
    assert_eq!(
        rules.decide(&bash("cargo test")),
        None,
        "no pattern matches `cargo test`"
    );
    assert_eq!(
        project_rules([]).decide(&bash("ls")),
        None,
        "there are no rules"
    );
}

#[test]
fn test_ch10_first_rule_of_a_layer_decides() {
    let rules = project_rules([allow("bash(git push origin docs)"), ask("bash(git push *)")]);
    assert_eq!(
        rules.decide(&bash("git push origin docs")),
        Some(&allow("bash(git push origin docs)")),
        "both rules match, and the exception comes first"
    );
    assert_eq!(
        rules.decide(&bash("git push origin main")),
        Some(&ask("bash(git push *)")),
        "the exception does not match"
    );
}

#[test]
fn test_ch10_stronger_layer_decides() {
    let rules = rules([
        (RuleLayer::User, allow("edit")),
        (RuleLayer::Flags, ask("edit(src/**)")),
    ]);
    assert_eq!(
        rules.decide(&edit("src/a.rs")),
        Some(&ask("edit(src/**)")),
        "the command line is stronger than the user's settings"
    );
    assert_eq!(
        rules.decide(&edit("README.md")),
        Some(&allow("edit")),
        "the stronger layer has no rule for this path"
    );
}

#[test]
fn test_ch10_layers_have_an_order() {
    let layers = [
        RuleLayer::Flags,
        RuleLayer::Local,
        RuleLayer::Project,
        RuleLayer::User,
    ];
    for (at, strongest) in layers.into_iter().enumerate() {
        let rules = rules(
            layers[at..]
                .iter()
                .rev()
                .map(|layer| match *layer == strongest {
                    true => (*layer, allow("bash")),
                    false => (*layer, ask("bash")),
                }),
        );
        assert_eq!(
            rules.decide(&bash("ls")),
            Some(&allow("bash")),
            "{strongest:?} is the strongest of {:?}",
            &layers[at..]
        );
    }
}

#[test]
fn test_ch10_denial_is_final_in_its_layer() {
    let rules = project_rules([allow("bash"), deny("bash(rm *)")]);
    for command in ["rm -rf .", "cd x && rm -rf y"] {
        assert_eq!(
            rules.decide(&bash(command)),
            Some(&deny("bash(rm *)")),
            "a rule that denies is stronger than one before it that allows: {command}"
        );
    }
}

#[test]
fn test_ch10_denial_is_final_in_every_layer() {
    let rules = rules([
        (RuleLayer::Flags, allow("bash")),
        (RuleLayer::User, deny("bash(rm *)")),
    ]);
    assert_eq!(
        rules.decide(&bash("rm -rf .")),
        Some(&deny("bash(rm *)")),
        "no stronger layer allows what a layer denies"
    );
}

#[test]
fn test_ch10_first_denial_decides() {
    let rules = rules([
        (RuleLayer::Flags, deny("bash(rm -rf *)")),
        (RuleLayer::User, deny("bash(rm *)")),
    ]);
    assert_eq!(
        rules.decide(&bash("rm -rf .")),
        Some(&deny("bash(rm -rf *)")),
        "of two rules that deny, the first one decides"
    );
}

#[test]
fn test_ch10_allowing_needs_a_certain_match() {
    let rules = project_rules([allow("bash(git status *)")]);
    assert!(
        rules.decide(&bash("git status -s")).is_some(),
        "one simple command"
    );
    assert_eq!(
        rules.decide(&bash("git status; rm -rf .")),
        None,
        "two commands"
    );
}

#[test]
fn test_ch10_denying_and_asking_need_a_possible_match() {
    for list in [deny("bash(rm *)"), ask("bash(rm *)")] {
        let rules = project_rules([list.clone()]);
        assert_eq!(
            rules.decide(&bash("cd x && rm -rf y")),
            Some(&list),
            "the second command may be `rm`"
        );
    }
}

#[test]
fn test_ch10_invalid_rule_is_not_added() {
    let mut rules = project_rules([]);
    let added = rules.add(RuleLayer::Project, allow("bash("));
    assert!(added.is_err(), "the pattern has no `)`");
    assert_eq!(rules.decide(&bash("ls")), None, "nothing was added");
}
