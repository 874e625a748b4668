//! Section 13.5: The state in the history

use claw_code::plan::*;
use claw_code::types::*;
use serde_json::json;

use super::support::*;

/// The state at the end of these parts of a history.
fn state(parts: &[&[Message]]) -> PlanState {
    PlanState::from_messages(&parts.concat())
}

/// Plan mode is on, with this proposal.
fn planning(proposal: Option<&str>) -> PlanState {
    PlanState::Planning {
        proposal: proposal.map(String::from),
    }
}

/// A prompt without a notice.
fn prompt() -> Message {
    Message::user("go on")
}

#[test]
fn test_ch13_session_begins_without_plan_mode() {
    assert_eq!(state(&[]), PlanState::Off, "an empty history");
    assert_eq!(state(&[&[prompt()]]), PlanState::Off, "an ordinary prompt");
}

#[test]
fn test_ch13_notice_begins_plan_mode() {
    let history = [planning_prompt()];
    assert_eq!(state(&[&history]), planning(None), "the prompt says so");
}

#[test]
fn test_ch13_prompt_without_a_notice_changes_nothing() {
    let history = [planning_prompt(), prompt()];
    assert_eq!(
        state(&[&history]),
        planning(None),
        "only a notice or an approval ends plan mode"
    );
}

#[test]
fn test_ch13_approval_ends_plan_mode_with_its_plan() {
    let approved = answered(proposal("1. Read."), &approval("1. Read."));
    let edited = answered(call("edit", json!({})), "ok");
    assert_eq!(
        state(&[&[planning_prompt()], &approved, &edited, &[prompt()]]),
        PlanState::Approved("1. Read.".into()),
        "the plan of the result"
    );
    assert_eq!(
        state(&[&approved]),
        PlanState::Approved("1. Read.".into()),
        "plan mode began after the prompt was sent, so no prompt has a notice"
    );
    let second = answered(proposal("1. Test."), &approval("1. Test."));
    assert_eq!(
        state(&[&approved, &second]),
        PlanState::Approved("1. Test.".into()),
        "the last plan that the user approved"
    );
}

#[test]
fn test_ch13_edited_plan_is_in_the_state() {
    let approved = answered(proposal("1. Read."), &approval("1. Test."));
    assert_eq!(
        state(&[&[planning_prompt()], &approved]),
        PlanState::Approved("1. Test.".into()),
        "the user has edited the plan of the call"
    );
}

#[test]
fn test_ch13_rejected_plan_is_the_proposal() {
    let rejected = refused(proposal("1. Read."), "the user rejected the plan");
    let history = [planning_prompt()];
    assert_eq!(
        state(&[&history, &rejected]),
        planning(Some("1. Read.")),
        "plan mode is still on"
    );
    let second = refused(proposal("1. Test."), "the user rejected the plan");
    let read = answered(call("read", json!({})), "text");
    assert_eq!(
        state(&[&history, &rejected, &second, &read, &[prompt()], &history]),
        planning(Some("1. Test.")),
        "the last proposal, also after other calls and prompts"
    );
    let mut cut = refused(proposal("1. Check."), "the user rejected the plan");
    if let Message::ToolResult(result) = &mut cut[1] {
        result.is_truncated = true;
    }
    assert_eq!(
        state(&[&history, &rejected, &cut]),
        planning(Some("1. Check.")),
        "the proposal is that of the last failed call, also if its error was truncated"
    );
}

#[test]
fn test_ch13_lost_result_is_no_approval() {
    let history = [planning_prompt(), reply([proposal("1. Read.")])];
    assert_eq!(
        state(&[&history]),
        planning(None),
        "the call has no result yet"
    );
    let mut repaired = history.to_vec();
    claw_code::engine::repair_history(&mut repaired);
    assert_eq!(
        PlanState::from_messages(&repaired),
        planning(Some("1. Read.")),
        "the placeholder of a lost result is an error"
    );
}

#[test]
fn test_ch13_user_ends_plan_mode_without_a_plan() {
    let ended = Message::user(format!("just do it\n\n{PLAN_ENDED}"));
    let rejected = refused(proposal("1. Read."), "the user rejected the plan");
    assert_eq!(
        state(&[&[planning_prompt()], &rejected, &[ended]]),
        PlanState::Off,
        "the prompt says so"
    );
}

#[test]
fn test_ch13_notice_of_the_end_keeps_an_approved_plan() {
    let ended = Message::user(format!("just do it\n\n{PLAN_ENDED}"));
    let approved = answered(proposal("1. Read."), &approval("1. Read."));
    assert_eq!(
        state(&[&[planning_prompt()], &approved, &[ended]]),
        PlanState::Approved("1. Read.".into()),
        "plan mode was over before"
    );
}

#[test]
fn test_ch13_plan_mode_can_begin_again() {
    let approved = answered(proposal("1. Read."), &approval("1. Read."));
    assert_eq!(
        state(&[&[planning_prompt()], &approved, &[planning_prompt()]]),
        planning(None),
        "the old plan no longer counts"
    );
}

#[test]
fn test_ch13_notice_must_end_the_prompt() {
    let quoted = [PLAN_NOTICE, PLAN_ENDED].map(|notice| {
        ["the log says: ", ""].map(|before| Message::user(format!("{before}{notice}. Why?")))
    });
    for quote in quoted.into_iter().flatten() {
        for (begin, expected) in [
            (prompt(), PlanState::Off),
            (planning_prompt(), planning(None)),
        ] {
            let history = [begin, quote.clone()];
            assert_eq!(
                state(&[&history]),
                expected,
                "the user only quotes the notice"
            );
        }
    }
}

#[test]
fn test_ch13_results_of_other_tools_change_nothing() {
    let read = call("read", json!({ "path": "a", "plan": "1. Steal." }));
    for text in [PLAN_ENDED, PLAN_NOTICE, &approval("1. Steal.")] {
        let history = answered(read.clone(), text);
        let failed = refused(read.clone(), text);
        assert_eq!(
            state(&[&[planning_prompt()], &history, &failed]),
            planning(None),
            "a file can hold any text"
        );
        assert_eq!(state(&[&history]), PlanState::Off, "also without plan mode");
    }
}

#[test]
fn test_ch13_failed_call_is_no_approval_whatever_its_text() {
    let mut failed = answered(proposal("1. Read."), &approval("1. Read."));
    if let Message::ToolResult(result) = &mut failed[1] {
        result.is_error = true;
    }
    assert_eq!(
        state(&[&[planning_prompt()], &failed]),
        planning(Some("1. Read.")),
        "only is_error says whether a call failed"
    );
    let off = refused(proposal("1. Read."), NOT_PLANNING);
    assert_eq!(state(&[&off]), PlanState::Off, "plan mode was off");
    let approved = answered(proposal("1. Test."), &approval("1. Test."));
    assert_eq!(
        state(&[&[planning_prompt()], &approved, &off]),
        PlanState::Approved("1. Test.".into()),
        "the approved plan still counts"
    );
}

#[test]
fn test_ch13_unreadable_approval_keeps_plan_mode() {
    let strange = answered(proposal("1. Read."), "ok");
    assert_eq!(
        state(&[&[planning_prompt()], &strange]),
        planning(None),
        "no plan is in the result, so none is approved"
    );
    let rejected = refused(proposal("1. Read."), "the user rejected the plan");
    assert_eq!(
        state(&[&[planning_prompt()], &rejected, &strange]),
        planning(Some("1. Read.")),
        "the proposal stays"
    );
    let mut cut = answered(proposal("1. Read."), &approval("1. Read."));
    if let Message::ToolResult(result) = &mut cut[1] {
        result.is_truncated = true;
    }
    assert_eq!(
        state(&[&[planning_prompt()], &cut]),
        planning(None),
        "a part of the plan may be missing in a truncated result"
    );
    let approved = answered(proposal("1. Test."), &approval("1. Test."));
    for unclear in [&strange, &cut] {
        assert_eq!(
            state(&[&[planning_prompt()], &approved, unclear]),
            PlanState::Approved("1. Test.".into()),
            "a result that approves nothing leaves an approved plan as before"
        );
    }
}

#[test]
fn test_ch13_proposal_without_a_plan_is_none() {
    let broken = call("exit_plan", json!({ "plan": 7 }));
    let broken = refused(broken, "`plan` must be string, not 7");
    let begin = [planning_prompt()];
    assert_eq!(
        state(&[&begin, &broken]),
        planning(None),
        "the arguments hold no text"
    );
    let rejected = refused(proposal("1. Read."), "the user rejected the plan");
    assert_eq!(
        state(&[&begin, &rejected, &broken]),
        planning(None),
        "the last failed call decides, and it proposes nothing"
    );
}
