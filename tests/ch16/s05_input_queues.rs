//! Section 16.5: Steering and follow-ups

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
fn test_ch16_steering_is_taken_before_follow_ups() {
    let queue = |texts: &[&str]| Queue {
        mode: QueueMode::OneAtATime,
        waiting: texts.iter().map(|text| user_text(text)).collect(),
    };
    let mut queues = Queues {
        steering: queue(&["not that file"]),
        follow_up: queue(&["and a changelog"]),
    };
    assert_eq!(
        queues.take(true),
        [user_text("not that file")],
        "steering comes first, even at a natural stop"
    );
    assert_eq!(
        queues.take(false),
        [],
        "a follow-up waits until the loop is at a natural stop"
    );
    assert_eq!(
        queues.take(true),
        [user_text("and a changelog")],
        "at a natural stop without steering, a follow-up is taken"
    );
    assert_eq!(queues.take(true), [], "both queues are empty");
}
