//! Section 16.4: Steering and follow-ups

use claw_code::agent::*;

use super::support::*;

#[test]
fn test_ch16_queue_gives_one_at_a_time() {
    let mut queue = queue(QueueMode::OneAtATime, &["a", "b", "c"]);
    assert_eq!(queue.take(), [user_text("a")], "the oldest message");
    assert_eq!(queue.take(), [user_text("b")], "then the next one");
    assert_eq!(queue.waiting, [user_text("c")], "the others stay queued");
}

#[test]
fn test_ch16_queue_gives_all() {
    let mut queue = queue(QueueMode::All, &["a", "b", "c"]);
    let all = ["a", "b", "c"].map(user_text);
    assert_eq!(queue.take(), all, "All gives every message in order");
    assert_eq!(queue.take(), [], "the queue is empty");
}

#[test]
fn test_ch16_empty_queue_gives_no_message() {
    let taken = Queue::default().take();
    assert_eq!(taken, [], "an empty queue gives no message");
}

#[test]
fn test_ch16_extensions_are_not_model_input() {
    for (rule, waiting, expected) in [
        ("an empty queue has no model input", vec![], false),
        ("extensions are not model input", vec![note("a")], false),
        (
            "a user message is model input",
            vec![note("a"), user_text("b"), note("c")],
            true,
        ),
    ] {
        let queue = Queue {
            mode: QueueMode::All,
            waiting: waiting.into(),
        };
        assert_eq!(queue.has_model_input(), expected, "{rule}");
    }
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
    let mut queues = steering_and_follow_up();
    queues.steering.waiting = [note("for the screen")].into();
    assert_eq!(
        queues.take(true),
        [note("for the screen")],
        "steering comes first, even if it is only an extension"
    );
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
