//! Section 12.9: Side by side

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use claw_code::hooks::*;
use tokio::sync::Barrier;

use super::support::*;

/// A hook that records its inputs.
struct Recorder(Arc<Mutex<Vec<HookInput>>>);

#[async_trait]
impl Hook for Recorder {
    fn name(&self) -> &str {
        "recorder"
    }

    async fn run(&self, input: &HookInput) -> Result<HookAnswer, String> {
        self.0.lock().unwrap().push(input.clone());
        Ok(HookAnswer::default())
    }
}

/// The inputs that a hook for this event and name gets.
async fn recorded(event: &str, name: &str, raised: HookEvent) -> Vec<HookInput> {
    let inputs = Arc::new(Mutex::new(Vec::new()));
    let (mut hooks, _) = Hooks::new(work_session());
    let matcher = Matcher::Names(vec![name.into()]);
    hooks.add(event, matcher, Recorder(inputs.clone()));
    hooks.raise(raised).await;
    let inputs = inputs.lock().unwrap();
    inputs.clone()
}

#[tokio::test]
async fn test_ch12_hook_gets_the_session_and_the_event() {
    let expected = HookInput {
        session: work_session(),
        event: before_bash("ls"),
    };
    let inputs = recorded("PreToolUse", "Bash", before_bash("ls")).await;
    assert_eq!(inputs, [expected], "one run with the whole input");
}

#[tokio::test]
async fn test_ch12_hook_runs_only_for_its_event_and_matcher() {
    for (event, matcher) in [("PostToolUse", "Bash"), ("PreToolUse", "Edit")] {
        let inputs = recorded(event, matcher, before_bash("ls")).await;
        assert_eq!(inputs, [], "not a hook for this: {event} {matcher}");
    }
    let subagent_stop = HookEvent::SubagentStop {
        stop_hook_active: false,
        agent_id: "a".into(),
        agent_type: "Explore".into(),
        last_assistant_message: String::new(),
    };
    let inputs = recorded("Stop", "Explore", subagent_stop).await;
    assert_eq!(inputs, [], "`Stop` is another event than `SubagentStop`");
}

#[tokio::test]
async fn test_ch12_matcher_does_not_count_without_a_subject() {
    let inputs = recorded("UserPromptSubmit", "Bash", prompt("hello")).await;
    assert_eq!(inputs.len(), 1, "a prompt has nothing to match");
    let inputs = recorded("Stop", "Bash", stop()).await;
    assert_eq!(inputs.len(), 1, "the end of a turn has nothing to match");
}

/// A hook that waits until the other one runs too.
struct Meeting(Arc<Barrier>, &'static str);

#[async_trait]
impl Hook for Meeting {
    fn name(&self) -> &str {
        self.1
    }

    async fn run(&self, _input: &HookInput) -> Result<HookAnswer, String> {
        let arrived = self.0.wait().await;
        if !arrived.is_leader() {
            tokio::task::yield_now().await;
        }
        Ok(adds(self.1))
    }
}

#[tokio::test]
async fn test_ch12_hooks_run_side_by_side() {
    let barrier = Arc::new(Barrier::new(2));
    let (mut hooks, _) = Hooks::new(work_session());
    for name in ["a", "b"] {
        hooks.add("Stop", Matcher::All, Meeting(barrier.clone(), name));
    }
    let answer = in_time(hooks.raise(stop())).await;
    assert_eq!(
        answer.context,
        ["a", "b"],
        "each waits for the other, and the order is that of the hooks"
    );
}

/// A hook that starts when the test is ready too, and never answers.
struct Endless(Arc<Barrier>);

#[async_trait]
impl Hook for Endless {
    fn name(&self) -> &str {
        "endless"
    }

    async fn run(&self, _input: &HookInput) -> Result<HookAnswer, String> {
        self.0.wait().await;
        std::future::pending().await
    }
}

#[tokio::test]
async fn test_ch12_hooks_end_when_the_turn_is_cancelled() {
    let barrier = Arc::new(Barrier::new(2));
    let (mut hooks, _) = Hooks::new(work_session());
    hooks.add("PreToolUse", Matcher::All, Endless(barrier.clone()));
    let cancelled = async {
        tokio::select! {
            answer = hooks.raise(before_bash("ls")) => panic!("no hook has answered: {answer:?}"),
            _ = barrier.wait() => {}
        }
    };
    in_time(cancelled).await;
    drop(hooks);
    tokio::task::yield_now().await;
    assert_eq!(
        Arc::strong_count(&barrier),
        1,
        "when the turn is cancelled, the future of each hook is dropped"
    );
}

#[tokio::test]
async fn test_ch12_answers_are_combined() {
    let (mut hooks, _) = Hooks::new(work_session());
    for answer in [decides(HookDecision::Allow), denies("no"), adds("text")] {
        hooks.add("PreToolUse", Matcher::All, Fixed(answer));
    }
    let answer = hooks.raise(before_bash("ls")).await;
    let expected = HookAnswer {
        context: vec!["text".into()],
        ..denies("no")
    };
    assert_eq!(answer, expected, "the strictest decision, and all texts");
}

#[tokio::test]
async fn test_ch12_texts_for_the_user_are_notices() {
    let (mut hooks, mut notices) = Hooks::new(work_session());
    let answer = HookAnswer {
        messages: vec!["see CI".into()],
        stop: Some("the build is broken".into()),
        ..HookAnswer::default()
    };
    let second = HookAnswer {
        stop: Some("it is late".into()),
        ..HookAnswer::default()
    };
    for answer in [answer, second] {
        hooks.add("Stop", Matcher::All, Fixed(answer));
    }
    hooks.raise(stop()).await;
    drop(hooks);
    let mut sent = Vec::new();
    while let Some(notice) = notices.recv().await {
        sent.push(notice);
    }
    let expected = [
        HookNotice::Message("see CI".into()),
        HookNotice::Stop("the build is broken".into()),
    ];
    assert_eq!(
        sent, expected,
        "once, in this order, of the combined answer"
    );
}
