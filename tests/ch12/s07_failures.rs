//! Section 12.7: Hooks that fail

use std::panic::AssertUnwindSafe;

use async_trait::async_trait;
use claw_code::hooks::*;
use futures_util::FutureExt;

use super::support::*;
use crate::support::panic_silently;

#[test]
fn test_ch12_failed_guard_denies() {
    for event in [before_bash("ls"), prompt("hello")] {
        let answer = failure_answer(&event, "guard.sh", "it was killed");
        let text = "the hook `guard.sh` failed: it was killed";
        let expected = HookAnswer {
            messages: vec![text.into()],
            ..denies(text)
        };
        assert_eq!(answer, expected, "who has not agreed is a no: {event:?}");
    }
}

#[test]
fn test_ch12_failure_of_another_hook_is_only_reported() {
    let compaction = HookEvent::PreCompact {
        trigger: "auto".into(),
        custom_instructions: String::new(),
    };
    for event in [after_bash(), stop(), compaction] {
        let answer = failure_answer(&event, "log.sh", "it was killed");
        assert_eq!(answer.decision, None, "nothing to guard: {event:?}");
        assert_eq!(
            answer.messages,
            ["the hook `log.sh` failed: it was killed"],
            "the user learns of it"
        );
    }
}

/// A hook with a bug.
struct Broken;

#[async_trait]
impl Hook for Broken {
    fn name(&self) -> &str {
        "broken"
    }

    async fn run(&self, _input: &HookInput) -> Result<HookAnswer, String> {
        panic_silently("a bug")
    }
}

#[tokio::test]
async fn test_ch12_panic_is_a_failure() {
    let input = HookInput {
        session: work_session(),
        event: before_bash("ls"),
    };
    let asked = AssertUnwindSafe(ask_hook(&Broken, &input)).catch_unwind();
    let Ok(answer) = asked.await else {
        panic!("the hook's panic has reached the caller: `ask_hook` must turn it into a failure");
    };
    let expected = failure_answer(&input.event, "broken", "it panicked");
    assert_eq!(answer, expected, "a hook's bug does not end the turn");
}

#[tokio::test]
async fn test_ch12_answer_of_a_hook_is_unchanged() {
    let input = HookInput {
        session: work_session(),
        event: before_bash("ls"),
    };
    let answer = ask_hook(&Fixed(adds("on main")), &input).await;
    assert_eq!(answer, adds("on main"), "it did not fail");
}

#[tokio::test]
async fn test_ch12_message_of_a_program_names_the_program() {
    let folder = HookFolder::new();
    let input = HookInput {
        session: session(folder.path()),
        event: before_bash("ls"),
    };
    let answer = in_time(ask_hook(&command_hook("exit 1"), &input)).await;
    assert_eq!(
        answer.messages,
        ["the hook `exit 1`: exit code 1: "],
        "the user learns which hook this is"
    );
}

#[tokio::test]
async fn test_ch12_each_way_to_fail_has_its_outcome() {
    let cases = [
        ("kill -9 $$", true),
        ("sh -c 'kill -9 $$'; exit $?", true),
        ("/no/such/hook.sh", true),
        ("echo '{oops'", true),
        ("printf '{'; head -c 10000000 /dev/zero", true),
        ("head -c 10000000 /dev/zero", false),
        ("echo garbage", false),
        ("true", false),
        ("exit 1", false),
    ];
    let folder = HookFolder::new();
    // More input than any pipe holds, so that no hook gets away without reading it.
    let input = HookInput {
        session: session(folder.path()),
        event: before_bash(&"x".repeat(200_000)),
    };
    for (command, is_denied) in cases {
        let answer = in_time(ask_hook(&command_hook(command), &input)).await;
        assert_eq!(
            matches!(answer.decision, Some(HookDecision::Deny(_))),
            is_denied,
            "whether the call is denied by the hook `{command}`"
        );
    }
}
