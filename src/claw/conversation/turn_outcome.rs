//! What the user reads about how a turn ended.

use crate::agent::{Agent, Content, Message, StopReason};

/// The message for a turn of `agent` that ended for `reason`: what happened and what to do
/// next. `None` if the turn completed with a reply, or the user stopped it.
pub fn outcome_message(agent: &Agent, reason: &StopReason) -> Option<String> {
    match reason {
        StopReason::Stop if !has_text(agent) => {
            Some("the model ended its turn without any text; ask it what it did".into())
        }
        StopReason::Stop | StopReason::Aborted => None,
        StopReason::Error => Some(error_message(agent)),
        StopReason::Length => {
            Some("the reply reached its length limit; say `go on` for the rest".into())
        }
        StopReason::MaxTurns => {
            let limit = agent.settings().max_turns;
            Some(format!(
                "the turn reached its limit of {limit} model requests; say `go on` to continue"
            ))
        }
        other => Some(format!(
            "the turn ended early ({other:?}); say `go on` to try again"
        )),
    }
}

/// The error message of the last reply.
fn error_message(agent: &Agent) -> String {
    let message = match last_reply(agent) {
        Some(Message::Assistant { error_message, .. }) => error_message.clone(),
        _ => None,
    };
    message.unwrap_or_else(|| "the model failed without an error message; ask again".into())
}

/// Whether the last reply has a text that is not blank.
fn has_text(agent: &Agent) -> bool {
    let is_text =
        |block: &Content| matches!(block, Content::Text { text } if !text.trim().is_empty());
    match last_reply(agent) {
        Some(Message::Assistant { content, .. }) => content.iter().any(is_text),
        _ => false,
    }
}

fn last_reply(agent: &Agent) -> Option<&Message> {
    let messages = agent.messages().iter().rev();
    messages
        .filter_map(|entry| entry.as_llm())
        .find(|message| matches!(message, Message::Assistant { .. }))
}
