//! Section 12.12: The beginning and the end of a turn

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use claw_code::hooks::*;

use super::support::*;

#[tokio::test]
async fn test_ch12_prompt_gets_the_contexts_of_hooks() {
    let decisions = [
        None,
        Some(HookDecision::Allow),
        Some(HookDecision::Ask("ok?".into())),
    ];
    for decision in decisions {
        let answer = HookAnswer {
            context: vec!["Branch: main".into(), "CI: red".into()],
            decision,
            ..HookAnswer::default()
        };
        let hooks = hooks_with("UserPromptSubmit", answer);
        let prompt = hooks.submit_prompt("fix the test").await;
        assert_eq!(
            prompt.as_deref(),
            Ok("fix the test\n\nBranch: main\n\nCI: red"),
            "the user's own text comes first, then each context after an empty line"
        );
    }
}

#[tokio::test]
async fn test_ch12_prompt_without_hooks_is_unchanged() {
    let (hooks, _) = Hooks::new(work_session());
    let prompt = hooks.submit_prompt("fix the test").await;
    assert_eq!(prompt.as_deref(), Ok("fix the test"), "nothing is added");
}

#[tokio::test]
async fn test_ch12_blocked_prompt_is_an_error_for_the_user() {
    let hooks = hooks_with("UserPromptSubmit", denies("it holds a password"));
    let prompt = hooks.submit_prompt("my password is x").await;
    assert_eq!(
        prompt,
        Err("it holds a password".into()),
        "the model must not read it"
    );
    for answer in [denies("it holds a password"), adds("Branch: main")] {
        let stop = HookAnswer {
            stop: Some("closed on Sundays".into()),
            ..answer
        };
        let prompt = hooks_with("UserPromptSubmit", stop)
            .submit_prompt("hi")
            .await;
        assert_eq!(
            prompt,
            Err("closed on Sundays".into()),
            "a stop comes first, and blocks the prompt without a denial too"
        );
    }
}

#[tokio::test]
async fn test_ch12_turn_ends_without_an_objection() {
    for answer in [HookAnswer::default(), decides(HookDecision::Allow)] {
        let text = hooks_with("Stop", answer).end_turn("Done.", 0).await;
        assert_eq!(text, None, "no hook objects");
    }
}

#[tokio::test]
async fn test_ch12_turn_continues_with_the_reason_or_the_context() {
    let context = vec!["a".to_string(), "b".to_string()];
    let decisions = [
        (None, "a\n\nb"),
        (Some(HookDecision::Allow), "a\n\nb"),
        (Some(HookDecision::Ask("ok?".into())), "a\n\nb"),
        (
            Some(HookDecision::Deny("run the tests".into())),
            "run the tests",
        ),
    ];
    for (decision, expected) in decisions {
        let answer = HookAnswer {
            context: context.clone(),
            decision,
            ..HookAnswer::default()
        };
        assert_eq!(
            hooks_with("Stop", answer).end_turn("Done.", 0).await,
            Some(expected.into()),
            "the reason of a denial, otherwise the contexts"
        );
    }
}

#[tokio::test]
async fn test_ch12_ask_has_no_effect_on_a_prompt_or_a_stop() {
    let ask = || decides(HookDecision::Ask("ok?".into()));
    let submitted = hooks_with("UserPromptSubmit", ask())
        .submit_prompt("fix it")
        .await;
    assert_eq!(
        submitted,
        Ok("fix it".into()),
        "a prompt can't be asked about"
    );
    let text = hooks_with("Stop", ask()).end_turn("Done.", 0).await;
    assert_eq!(text, None, "a stop can't be asked about");
}

#[tokio::test]
async fn test_ch12_hooks_cannot_keep_a_turn_going_forever() {
    for answer in [denies("again"), adds("again")] {
        let hooks = hooks_with("Stop", answer.clone());
        let last = hooks.end_turn("Done.", MAX_CONTINUATIONS - 1).await;
        assert_eq!(last.as_deref(), Some("again"), "the last time: {answer:?}");
        for count in [MAX_CONTINUATIONS, MAX_CONTINUATIONS + 1] {
            let text = hooks.end_turn("Done.", count).await;
            assert_eq!(
                text, None,
                "{count}: the limit is {MAX_CONTINUATIONS}, for contexts too: {answer:?}"
            );
        }
    }
}

#[tokio::test]
async fn test_ch12_stop_is_stronger_than_an_objection() {
    for answer in [denies("again"), adds("again")] {
        let answer = HookAnswer {
            stop: Some("enough".into()),
            ..answer
        };
        let text = hooks_with("Stop", answer).end_turn("Done.", 0).await;
        assert_eq!(text, None, "`continue: false` ends the turn");
    }
}

/// A hook that records its events.
struct Recorder(Arc<Mutex<Vec<HookEvent>>>);

#[async_trait]
impl Hook for Recorder {
    fn name(&self) -> &str {
        "recorder"
    }

    async fn run(&self, input: &HookInput) -> Result<HookAnswer, String> {
        self.0.lock().unwrap().push(input.event.clone());
        Ok(HookAnswer::default())
    }
}

#[tokio::test]
async fn test_ch12_hook_knows_whether_the_turn_was_continued() {
    let events = Arc::new(Mutex::new(Vec::new()));
    let (mut hooks, _) = Hooks::new(work_session());
    hooks.add("Stop", Matcher::All, Recorder(events.clone()));
    hooks.end_turn("Done.", 0).await;
    hooks.end_turn("Done again.", 1).await;
    hooks.end_turn("Enough.", MAX_CONTINUATIONS).await;
    let expected = [(false, "Done."), (true, "Done again."), (true, "Enough.")];
    let expected = expected.map(|(stop_hook_active, text)| HookEvent::Stop {
        stop_hook_active,
        last_assistant_message: text.into(),
    });
    assert_eq!(
        *events.lock().unwrap(),
        expected,
        "a hook reads it and need not object again, and at the limit the hooks still run"
    );
}
