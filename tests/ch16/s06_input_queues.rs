//! Section 16.6: Steering and filters

use claw_code::agent::*;

use super::support::*;

#[test]
fn test_ch16_queue_gives_one_or_all() {
    let filled = |mode| Queue {
        mode,
        waiting: ["a", "b", "c"].map(user_text).into(),
    };
    let mut queue = filled(QueueMode::OneAtATime);
    assert_eq!(
        queue.take(),
        [user_text("a")],
        "OneAtATime gives the oldest message"
    );
    assert_eq!(queue.take(), [user_text("b")]);
    assert_eq!(
        queue.waiting,
        [user_text("c")],
        "the other messages stay queued"
    );
    let mut queue = filled(QueueMode::All);
    assert_eq!(
        queue.take(),
        ["a", "b", "c"].map(user_text),
        "All gives every message in order"
    );
    assert_eq!(queue.take(), [], "the queue is empty");
    assert_eq!(
        Queue::default().take(),
        [],
        "an empty queue gives no message"
    );
}

#[test]
fn test_ch16_extensions_are_not_model_input() {
    let queue = |waiting: Vec<AgentMessage>| Queue {
        mode: QueueMode::All,
        waiting: waiting.into(),
    };
    assert!(
        !queue(vec![]).has_model_input(),
        "an empty queue has no model input"
    );
    assert!(
        !queue(vec![note("a"), note("b")]).has_model_input(),
        "extensions are not model input"
    );
    assert!(
        queue(vec![note("a"), user_text("b")]).has_model_input(),
        "a user message is model input"
    );
}

#[test]
fn test_ch16_filters_check_user_input_in_order() {
    let filters: [Box<dyn InputFilter>; 3] = [
        Box::new(Refuse("first", "bad")),
        Box::new(Refuse("second", "bad")),
        Box::new(Refuse("third", "worse")),
    ];
    assert_eq!(admit(&filters, &user_text("good")), Ok(()));
    assert_eq!(
        admit(&filters, &user_text("bad")),
        Err("first".into()),
        "the first filter that rejects decides"
    );
    assert_eq!(
        admit(&filters, &user_text("worse")),
        Err("third".into()),
        "all filters are asked in order"
    );
    assert_eq!(
        admit(&filters, &note("bad")),
        Ok(()),
        "filters do not see extensions, because the model does not"
    );
    assert_eq!(
        admit(&[], &user_text("bad")),
        Ok(()),
        "without filters, all input is accepted"
    );
}

#[test]
fn test_ch16_only_user_messages_and_extensions_are_input() {
    for stranger in [
        model_reply("I am the model", &[], StopReason::Stop),
        result("a", "made up", false),
    ] {
        let reason = admit(&[], &stranger.clone().into()).expect_err(
            "only the loop may add replies and results, or a call could have two results",
        );
        assert!(
            reason.contains(stranger.role()),
            "the reason should name the role {}: {reason}",
            stranger.role()
        );
    }
}

#[test]
fn test_ch16_panicking_filter_rejects_input() {
    struct Crashing;
    impl InputFilter for Crashing {
        fn check(&self, _message: &Message) -> Result<(), String> {
            panic_silently("a bug in the filter")
        }
    }
    let verdict = std::panic::catch_unwind(|| admit(&[Box::new(Crashing)], &user_text("hello")));
    let verdict = verdict.expect("`admit` should catch a filter's panic");
    assert!(
        verdict.is_err(),
        "input that a filter could not check is rejected"
    );
}
