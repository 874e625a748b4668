//! Section 12.6: Exit codes

use claw_code::hooks::*;

use super::support::*;

const DENY: &str = r#"{"decision": "block", "reason": "from JSON"}"#;
const ASK: &str = r#"{"hookSpecificOutput": {"permissionDecision": "ask"}}"#;
const ALLOW: &str = r#"{"hookSpecificOutput": {"permissionDecision": "allow"}}"#;

#[test]
fn test_ch12_silent_success_has_no_opinion() {
    for event in [before_bash("ls"), prompt("hello")] {
        let answer = exited(0, "", "a warning for the log").answer(&event);
        assert_eq!(
            answer,
            Ok(HookAnswer::default()),
            "nothing is said, and an empty context adds nothing: {event:?}"
        );
    }
}

#[test]
fn test_ch12_json_counts_with_every_exit_code() {
    for event in [before_bash("ls"), prompt("hello"), stop()] {
        for code in [0, 1, 3] {
            let answer = exited(code, &format!("\n {DENY}\n"), "").answer(&event);
            assert_eq!(
                answer,
                Ok(denies("from JSON")),
                "exit code {code}: {event:?}"
            );
        }
    }
}

#[test]
fn test_ch12_exit_code_2_denies_with_standard_error() {
    for event in [before_bash("ls"), prompt("hello"), after_bash(), stop()] {
        for stdout in ["", "checking", ALLOW, ASK, "{oops"] {
            let answer = exited(2, stdout, "no rm here\nuse mv\n").answer(&event);
            assert_eq!(
                answer,
                Ok(denies("no rm here\nuse mv")),
                "all of standard error, whatever standard output says: {stdout:?}, {event:?}"
            );
        }
    }
    let long = "x".repeat(MAX_CONTEXT_BYTES + 1);
    let answer = exited(2, "", &long).answer(&before_bash("ls"));
    let decision = answer.map(|answer| answer.decision);
    let expected = HookDecision::Deny(bounded(&long));
    assert!(
        decision == Ok(Some(expected)),
        "the reason of {} bytes is bounded to {MAX_CONTEXT_BYTES}",
        long.len()
    );
    let mut run = exited(2, ALLOW, "no rm here");
    run.output.stdout.is_truncated = true;
    let answer = run.answer(&before_bash("ls"));
    assert_eq!(answer, Ok(denies("no rm here")), "a part is missing");
}

#[test]
fn test_ch12_exit_code_2_keeps_the_reason_of_the_json() {
    let answer = exited(2, DENY, "from stderr").answer(&before_bash("ls"));
    assert_eq!(answer, Ok(denies("from JSON")), "the JSON denies too");
    let message = r#"{"systemMessage": "see CI"}"#;
    let expected = HookAnswer {
        messages: vec!["see CI".into()],
        ..denies("no rm here")
    };
    let answer = exited(2, message, "no rm here").answer(&before_bash("ls"));
    assert_eq!(answer, Ok(expected), "the rest of the JSON counts");
}

#[test]
fn test_ch12_exit_code_2_without_a_reason_denies() {
    let answer = exited(2, "", "").answer(&before_bash("ls"));
    assert_eq!(answer, Ok(denies(NO_REASON)), "the code is enough");
}

#[test]
fn test_ch12_other_exit_code_only_informs_the_user() {
    let answer = exited(1, "", "Traceback\nline 2").answer(&before_bash("ls"));
    let expected = HookAnswer {
        messages: vec!["exit code 1: Traceback".into()],
        ..HookAnswer::default()
    };
    assert_eq!(answer, Ok(expected), "the first line of standard error");
    let long = "x".repeat(2 * MAX_CONTEXT_BYTES);
    let answer = exited(1, "", &long).answer(&before_bash("ls"));
    let length = answer.map(|answer| answer.messages.concat().len());
    assert!(
        length.is_ok_and(|it| it <= "exit code 1: ".len() + MAX_CONTEXT_BYTES),
        "standard error is bounded in the message too"
    );
}

#[test]
fn test_ch12_command_that_the_shell_could_not_run_is_an_error() {
    for code in [126, 127, 137, 159] {
        let answer = exited(code, ALLOW, "./a.sh:\nnot found").answer(&before_bash("ls"));
        assert_eq!(
            answer,
            Err(format!("exit code {code}: ./a.sh:\nnot found")),
            "the hook has not run to its end, and all of standard error says why"
        );
    }
    let long = "x".repeat(MAX_CONTEXT_BYTES + 1);
    let answer = exited(127, "", &long).answer(&before_bash("ls"));
    let expected = format!("exit code 127: {}", bounded(&long));
    assert_eq!(answer, Err(expected), "standard error is bounded");
    for code in [125, 160, 255] {
        let answer = exited(code, "", "").answer(&before_bash("ls"));
        assert!(answer.is_ok(), "{code} is a program's own code: {answer:?}");
    }
}

#[test]
fn test_ch12_failed_process_is_an_error() {
    let run = HookRun {
        end: HookEnd::Failed("it was killed".into()),
        output: exited(0, ALLOW, "").output,
    };
    let answer = run.answer(&before_bash("ls"));
    assert_eq!(answer, Err("it was killed".into()), "no answer counts");
}

#[test]
fn test_ch12_plain_text_is_context_for_prompts_and_starts() {
    let run = exited(0, "Branch: main\n", "");
    let start = HookEvent::SessionStart {
        source: "startup".into(),
    };
    for event in [prompt("hello"), start] {
        let answer = run.answer(&event);
        assert_eq!(answer, Ok(adds("Branch: main")), "{event:?}");
    }
    let long = "x".repeat(MAX_CONTEXT_BYTES + 1);
    let answer = exited(0, &long, "").answer(&prompt("hello"));
    assert_eq!(answer, Ok(adds(&bounded(&long))), "a context is bounded");
    for event in [before_bash("ls"), after_bash(), stop()] {
        for text in ["checking", "[1]"] {
            let answer = exited(0, text, "").answer(&event);
            assert_eq!(answer, Ok(HookAnswer::default()), "{text}: {event:?}");
        }
    }
}

#[test]
fn test_ch12_plain_text_of_a_failure_is_no_context() {
    let answer = exited(1, "half of it", "").answer(&prompt("hello"));
    let context = answer.map(|answer| answer.context);
    assert_eq!(context, Ok(Vec::new()), "the hook did not succeed");
}

#[test]
fn test_ch12_broken_json_is_an_error() {
    for event in [before_bash("ls"), prompt("hello")] {
        for code in [0, 1] {
            let answer = exited(code, "{oops", "").answer(&event);
            let error = answer.expect_err("no answer can be read");
            assert!(
                error.contains("its answer is not valid"),
                "exit code {code}, and the error says so: {error}"
            );
        }
    }
}

#[test]
fn test_ch12_answer_beyond_the_limit_is_an_error() {
    for code in [0, 1] {
        let mut run = exited(code, ALLOW, "");
        run.output.stdout.is_truncated = true;
        let error = run
            .answer(&before_bash("ls"))
            .expect_err("a part is missing");
        assert!(
            error.contains("its answer is longer than 1048576 bytes"),
            "exit code {code}, and the error says so: {error}"
        );
    }
}
