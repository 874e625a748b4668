//! The message in the event of a delta

use claw_code::agent::*;

use super::support::*;

#[test]
fn messages_so_far_are_compared_and_shown_by_their_content() {
    let [one, same, other] = ["one", "one", "other"].map(|text| {
        MessageSoFar::from(AgentMessage::from(model_reply(text, &[], StopReason::Stop)))
    });
    assert_eq!(one, same);
    assert_ne!(one, other);
    assert!(format!("{other:?}").contains("other"), "{other:?}");
}
