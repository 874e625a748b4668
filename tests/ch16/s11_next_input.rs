//! Section 16.11: The next input

use claw_code::agent::*;

use super::support::*;

#[test]
fn test_ch16_next_input_is_steering_or_a_follow_up() {
    let mut agent = agent(&ScriptedModel::default());
    agent.follow_up(Message::user("later"));
    agent.steer(Message::user("now"));
    let (inputs, events) = next_inputs(&mut agent, &[false, false, true, true]);
    assert_eq!(
        inputs,
        ["user:now", "", "user:later", ""],
        "steering at any time, a follow-up only at a natural stop, and nothing from empty queues"
    );
    assert_eq!(
        names(&events),
        "",
        "`next_input` only takes the messages: the turn adds them to the history"
    );
}

#[test]
fn test_ch16_next_input_skips_rejected_messages() {
    let mut agent = Agent::builder(ScriptedModel::default())
        .filter(Refuse("not here", "bad"))
        .build();
    for text in ["bad", "bad", "good"] {
        agent.steer(Message::user(text));
    }
    let (inputs, events) = next_inputs(&mut agent, &[false]);
    assert_eq!(
        inputs,
        ["user:good"],
        "the queues are asked again until a message is accepted"
    );
    assert_eq!(
        names(&events),
        "InputRejected InputRejected",
        "each rejected message sends an event"
    );
}

#[test]
fn test_ch16_next_input_adds_extensions_at_once() {
    let mut agent = agent(&ScriptedModel::default());
    agent.steer(note("for the screen"));
    agent.follow_up(note("also for the screen"));
    agent.follow_up(Message::user("later"));
    let (inputs, events) = next_inputs(&mut agent, &[true]);
    assert_eq!(
        inputs,
        ["user:later"],
        "extensions alone are not input, so the queues are asked again"
    );
    assert_eq!(
        names(&events),
        "MessageStart MessageEnd MessageStart MessageEnd",
        "each extension goes into the history at once"
    );
    assert_eq!(
        roles(agent.messages()),
        "extension: extension:",
        "the message itself is added by its turn"
    );
}

#[test]
fn test_ch16_next_input_keeps_extensions_with_their_message() {
    let mut agent = agent(&ScriptedModel::default());
    agent
        .handle()
        .set_modes(QueueMode::All, QueueMode::OneAtATime);
    agent.steer(note("for the screen"));
    agent.steer(Message::user("now"));
    let (inputs, events) = next_inputs(&mut agent, &[false]);
    assert_eq!(
        inputs,
        ["extension: user:now"],
        "messages that are taken together stay together and in order"
    );
    assert_eq!(names(&events), "", "the turn adds them to the history");
}

/// Asks for the next input once for each `natural`, and returns the inputs, as `role:text`,
/// and the events.
fn next_inputs(agent: &mut Agent, natural: &[bool]) -> (Vec<String>, Vec<AgentEvent>) {
    in_loop(agent, async |work| {
        let mut inputs = Vec::new();
        for natural in natural {
            inputs.push(roles(&work.next_input(*natural).await));
        }
        inputs
    })
}
