//! How a turn ended, in words.

use crate::agent::{Agent, Content, Message, StopReason};

/// What the user is told about a turn that ended so, and what to do next. `None` when there
/// is nothing to tell.
pub fn complaint(agent: &Agent, reason: &StopReason) -> Option<String> {
    match reason {
        StopReason::Stop if !has_answer(agent) => {
            Some("the model ended its turn without a word; ask it what it did".into())
        }
        StopReason::Stop | StopReason::Aborted => None,
        StopReason::Error => Some(failure(agent)),
        StopReason::Length => {
            Some("the reply reached the limit on its length; say `go on` for the rest".into())
        }
        StopReason::MaxTurns => {
            let times = agent.settings().max_turns;
            Some(format!(
                "the model was asked {times} times; say `go on` to ask further"
            ))
        }
        other => Some(format!(
            "the turn ended early ({other:?}); say `go on` to try again"
        )),
    }
}

/// What went wrong with the last reply.
fn failure(agent: &Agent) -> String {
    let why = match last_reply(agent) {
        Some(Message::Assistant { error_message, .. }) => error_message.clone(),
        _ => None,
    };
    why.unwrap_or_else(|| "the model failed, and did not say why; ask again".into())
}

/// Whether the last reply has words in it.
fn has_answer(agent: &Agent) -> bool {
    let is_word =
        |block: &Content| matches!(block, Content::Text { text } if !text.trim().is_empty());
    match last_reply(agent) {
        Some(Message::Assistant { content, .. }) => content.iter().any(is_word),
        _ => false,
    }
}

fn last_reply(agent: &Agent) -> Option<&Message> {
    let messages = agent.messages().iter().rev();
    messages
        .filter_map(|entry| entry.as_llm())
        .find(|message| matches!(message, Message::Assistant { .. }))
}
