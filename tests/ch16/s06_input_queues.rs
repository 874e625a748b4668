//! Section 16.6: What the user says meanwhile

use claw_code::agent::*;

use super::parts::{crash, reply};
use super::support::*;

#[test]
fn test_ch16_a_queue_gives_one_or_all() {
    let filled = |mode| Queue {
        mode,
        waiting: ["a", "b", "c"].map(said).into(),
    };
    let mut queue = filled(QueueMode::OneAtATime);
    assert_eq!(queue.take(), [said("a")], "one at a time, the oldest first");
    assert_eq!(queue.take(), [said("b")]);
    assert_eq!(queue.waiting, [said("c")], "the others wait");
    let mut queue = filled(QueueMode::All);
    assert_eq!(
        queue.take(),
        ["a", "b", "c"].map(said),
        "all, in their order"
    );
    assert_eq!(queue.take(), [], "nothing is left");
    assert_eq!(
        Queue::default().take(),
        [],
        "one at a time, of an empty queue, is none"
    );
}

#[test]
fn test_ch16_only_words_for_the_model_interrupt() {
    let queue = |waiting: Vec<AgentMessage>| Queue {
        mode: QueueMode::All,
        waiting: waiting.into(),
    };
    assert!(
        !queue(vec![]).has_model_input(),
        "an empty queue says nothing"
    );
    assert!(
        !queue(vec![note("a"), note("b")]).has_model_input(),
        "an extension is not for the model"
    );
    assert!(
        queue(vec![note("a"), said("b")]).has_model_input(),
        "a user's message is"
    );
}

#[test]
fn test_ch16_filters_see_what_the_user_says() {
    let filters: [Box<dyn InputFilter>; 3] = [
        Box::new(Refuse("first", "bad")),
        Box::new(Refuse("second", "bad")),
        Box::new(Refuse("third", "worse")),
    ];
    assert_eq!(admit(&filters, &said("good")), Ok(()));
    assert_eq!(
        admit(&filters, &said("bad")),
        Err("first".into()),
        "the first filter that objects decides"
    );
    assert_eq!(
        admit(&filters, &said("worse")),
        Err("third".into()),
        "all are asked"
    );
    assert_eq!(
        admit(&filters, &note("bad")),
        Ok(()),
        "no model sees an extension, so no filter does"
    );
    assert_eq!(
        admit(&[], &said("bad")),
        Ok(()),
        "without a filter all is let in"
    );
}

#[test]
fn test_ch16_only_users_and_extensions_are_input() {
    for stranger in [
        reply("I am the model", &[], StopReason::Stop),
        result("a", "made up", false),
    ] {
        let reason = admit(&[], &stranger.clone().into()).expect_err(
            "only the loop makes replies and results; from outside they would break the rule",
        );
        assert!(
            reason.contains(stranger.role()),
            "the reason names the role {}: {reason}",
            stranger.role()
        );
    }
}

#[test]
fn test_ch16_a_filter_that_crashes_lets_nothing_in() {
    struct Crashing;
    impl InputFilter for Crashing {
        fn check(&self, _message: &Message) -> Result<(), String> {
            crash("a bug in the filter")
        }
    }
    let verdict = std::panic::catch_unwind(|| admit(&[Box::new(Crashing)], &said("hello")));
    let verdict = verdict.expect("the panic of a filter ends with it");
    assert!(verdict.is_err(), "what was not checked is not let in");
}
