//! Section 16.2: Partial replies

use claw_code::agent::*;

use super::support::*;

#[test]
fn test_ch16_deltas_of_one_kind_form_one_block() {
    let mut partial = PartialReply::new("test", "m-1");
    for delta in [
        thinking("Let "),
        thinking("me."),
        text_delta("The "),
        text_delta("answer."),
        thinking("Hm."),
        text_delta("No."),
    ] {
        partial.push(&delta);
    }
    assert_eq!(
        content(&partial.message(StopReason::Stop, None, 1)),
        [
            thought("Let me."),
            text("The answer."),
            thought("Hm."),
            text("No."),
        ],
        "a delta extends the last block if that has its kind, and begins a new block otherwise"
    );
}

#[test]
fn test_ch16_argument_deltas_add_no_block() {
    let mut partial = PartialReply::new("test", "m-1");
    partial.push(&text_delta("Look: "));
    partial.push(&StreamDelta::ToolCallDelta {
        delta: "{\"pa".into(),
    });
    partial.push(&text_delta("there."));
    assert_eq!(
        content(&partial.message(StopReason::Aborted, None, 1)),
        [text("Look: there.")],
        "argument deltas add no block, because an incomplete call cannot be answered"
    );
}

#[test]
fn test_ch16_partial_reply_carries_stop_reason_and_error() {
    let mut partial = PartialReply::new("test", "m-1");
    partial.push(&text_delta("The bug is"));
    let message = partial.message(StopReason::Error, Some("it broke".into()), 7);
    assert_eq!(
        message,
        Message::Assistant {
            content: vec![text("The bug is")],
            stop_reason: StopReason::Error,
            model: "m-1".into(),
            provider: "test".into(),
            usage: Usage::default(),
            timestamp: 7,
            error_message: Some("it broke".into()),
        },
        "the message has the blocks so far, the given end, and no usage"
    );
}
