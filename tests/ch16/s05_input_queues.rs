//! Section 16.5: Steering and follow-ups

use claw_code::agent::*;

use super::support::*;

#[test]
fn test_ch16_queue_gives_one_at_a_time() {
    let mut queue = queue(QueueMode::OneAtATime, &["a", "b", "c"]);
    assert_eq!(
        queue.take(),
        [user_text("a")],
        "OneAtATime gives the oldest message"
    );
    assert_eq!(queue.take(), [user_text("b")], "then the next one");
    assert_eq!(
        queue.waiting,
        [user_text("c")],
        "the other messages stay queued"
    );
}

#[test]
fn test_ch16_queue_gives_all() {
    let mut queue = queue(QueueMode::All, &["a", "b", "c"]);
    assert_eq!(
        queue.take(),
        ["a", "b", "c"].map(user_text),
        "All gives every message in order"
    );
    assert_eq!(queue.take(), [], "the queue is empty");
}

#[test]
fn test_ch16_empty_queue_gives_no_message() {
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
    let mut queues = steering_and_follow_up();
    assert_eq!(
        queues.take(true),
        [user_text("not that file")],
        "steering comes first, even at a natural stop"
    );
    assert_eq!(
        queues.take(true),
        [user_text("and a changelog")],
        "at a natural stop without steering, a follow-up is taken"
    );
    assert_eq!(queues.take(true), [], "both queues are empty");
}

#[test]
fn test_ch16_follow_up_waits_for_a_natural_stop() {
    let mut queues = steering_and_follow_up();
    assert_eq!(
        queues.take(false),
        [user_text("not that file")],
        "steering is taken at any time"
    );
    assert_eq!(
        queues.take(false),
        [],
        "a follow-up waits until the loop is at a natural stop"
    );
}

fn queue(mode: QueueMode, texts: &[&str]) -> Queue {
    Queue {
        mode,
        waiting: texts.iter().map(|text| user_text(text)).collect(),
    }
}

/// Queues with one message each.
fn steering_and_follow_up() -> Queues {
    Queues {
        steering: queue(QueueMode::OneAtATime, &["not that file"]),
        follow_up: queue(QueueMode::OneAtATime, &["and a changelog"]),
    }
}
