//! Section 13.6: Prompts and resumed sessions

use claw_code::plan::*;
use claw_code::types::*;

use super::support::*;

#[test]
fn test_ch13_prompt_in_plan_mode_ends_with_the_notice() {
    let mode = PlanMode::new(true);
    let texts = [
        format!("  what does this mean? {PLAN_ENDED}"),
        format!("they say: {PLAN_NOTICE} And: {PLAN_ENDED}"),
        format!("what does this mean? {PLAN_NOTICE}"),
        "plan this\n".to_string(),
    ];
    let approved = answered(proposal("1. Read."), &approval("1. Read."));
    for history in [vec![], vec![planning_prompt()], approved.to_vec()] {
        for text in &texts {
            assert_eq!(
                prompt_with_notice(text, &mode, &history),
                format!("{text}\n\n{PLAN_NOTICE}"),
                "every prompt says that plan mode is on, after the user's unchanged text"
            );
        }
    }
}

#[test]
fn test_ch13_ordinary_prompt_is_unchanged() {
    let mode = PlanMode::new(false);
    let approved = answered(proposal("1. Read."), &approval("1. Read."));
    let [call, result] = approved;
    for history in [vec![], vec![planning_prompt(), call, result]] {
        assert_eq!(
            prompt_with_notice("go on\n", &mode, &history),
            "go on\n",
            "the model knows that plan mode is off"
        );
    }
}

#[test]
fn test_ch13_first_prompt_after_plan_mode_says_that_it_is_over() {
    let mode = PlanMode::new(false);
    let [call, result] = refused(proposal("1. Read."), "the user rejected the plan");
    let mut history = vec![planning_prompt(), call, result];
    let prompt = prompt_with_notice("just do it", &mode, &history);
    assert_eq!(
        prompt,
        format!("just do it\n\n{PLAN_ENDED}"),
        "the model still believes that plan mode is on"
    );
    history.push(Message::user(prompt));
    assert_eq!(
        prompt_with_notice("go on", &mode, &history),
        "go on",
        "it is said once"
    );
}

#[test]
fn test_ch13_notice_is_left_out_where_a_prompt_is_shown() {
    let planning = prompt_with_notice("go on", &PlanMode::new(true), &[]);
    let ended = prompt_with_notice("go on", &PlanMode::new(false), &[planning_prompt()]);
    for prompt in [planning, ended, "go on".to_string()] {
        assert_eq!(
            without_notice(&prompt),
            "go on",
            "the user reads only their own text of {prompt:?}"
        );
    }
}

#[test]
fn test_ch13_prompts_and_state_agree() {
    let mode = PlanMode::default();
    let mut history = Vec::new();
    for is_on in [false, true, true, false, false, true] {
        match is_on {
            true => mode.enter(),
            false => mode.leave(),
        }
        // The user pastes a notice, which must not count.
        let pasted = format!("see: {PLAN_ENDED}");
        let prompt = prompt_with_notice(&pasted, &mode, &history);
        history.push(Message::user(prompt));
        if is_on {
            assert!(
                PlanState::from_messages(&history).is_planning(),
                "a resumed session must be in plan mode, too"
            );
        }
    }
}

#[test]
fn test_ch13_resumed_session_is_in_the_mode_of_its_history() {
    let rejected = refused(proposal("1. Read."), "the user rejected the plan");
    let approved = answered(proposal("1. Read."), &approval("1. Read."));
    let begin = [planning_prompt()];
    let ended = Message::user(format!("just do it\n\n{PLAN_ENDED}"));
    for (history, expected, why) in [
        (vec![], false, "a new session"),
        (
            vec![Message::user("go on")],
            false,
            "no prompt has a notice",
        ),
        (
            vec![planning_prompt(), ended],
            false,
            "the user has turned plan mode off",
        ),
        (begin.to_vec(), true, "no plan yet"),
        (
            [&begin[..], &rejected].concat(),
            true,
            "no plan is approved",
        ),
        (
            [&begin[..], &approved].concat(),
            false,
            "the plan is approved",
        ),
    ] {
        assert_eq!(restored_mode(None, &history).is_on(), expected, "{why}");
    }
}

#[test]
fn test_ch13_mode_that_the_user_chooses_decides() {
    let approved = answered(proposal("1. Read."), &approval("1. Read."));
    for history in [vec![], vec![planning_prompt()], approved.to_vec()] {
        let plan = restored_mode(Some(&PermissionMode::Plan), &history);
        assert!(plan.is_on(), "the user starts in mode `plan`");
        for mode in [
            PermissionMode::Default,
            PermissionMode::Auto,
            PermissionMode::DontAsk,
            PermissionMode::Bypass,
        ] {
            let other = restored_mode(Some(&mode), &history);
            let messages = history.len();
            assert!(
                !other.is_on(),
                "the user starts in mode {mode:?}, and the history has length {messages}"
            );
        }
    }
}
