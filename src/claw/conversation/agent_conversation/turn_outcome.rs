//! What the user reads about how a turn ended, and what the turns have used.

use crate::agent::{Agent, Content, Message, StopReason, Usage};

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

/// The tokens that were used, and what is known about their price.
pub fn usage_text(usage: &Usage, is_offline: bool) -> String {
    let cached = match usage.cache_read {
        0 => String::new(),
        count => format!(", {} from the cache", grouped(count)),
    };
    let read = usage.input.saturating_add(usage.cache_read);
    let read = grouped(read.saturating_add(usage.cache_write));
    let price = match is_offline {
        true => "the offline model costs nothing",
        false => "see your provider's prices",
    };
    let written = grouped(usage.output);
    format!("Tokens: {read} read{cached}, {written} written; {price}.")
}

/// A number with a comma between each three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
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
