//! The text of the thought before a reply: the request, the results so far, and the next
//! step. It comes from what determines the reply, and from nothing else.

use super::exchange::Exchange;
use super::result_summary::{count, quote};
use crate::reply::Reply;

/// What a reply is based on.
pub(super) enum Basis {
    /// The prompt needs no tool.
    SmallTalk,
    /// No rule matches the prompt.
    NoRule,
    /// A rule matches, but the request does not offer the tool that it needs.
    MissingTool,
    /// The prompt has this many tasks.
    Tasks(usize),
}

/// The thought before a reply.
pub(super) fn thinking_text(exchange: &Exchange, basis: &Basis, reply: &Reply) -> String {
    let mut sentences = vec![prompt_text(exchange)];
    sentences.push(match basis {
        Basis::SmallTalk => "That needs no tool.".into(),
        Basis::NoRule => "None of my rules matches that.".into(),
        Basis::MissingTool => "I have a rule for that, but not the tool.".into(),
        Basis::Tasks(1) => "I have a rule for that.".into(),
        Basis::Tasks(count) => format!("I have rules for that, as {count} tasks."),
    });
    if let (Basis::Tasks(_), []) = (basis, exchange.rounds.as_slice()) {
        sentences.push("I have no results yet.".into());
    }
    if let Some(last) = exchange.rounds.last() {
        let calls = exchange.rounds.iter().map(|round| round.results.len());
        let calls = count(calls.sum(), "tool call");
        sentences.push(format!("I have the results of {calls}. {}", last.summary()));
    }
    sentences.push(next_text(basis, reply));
    sentences.join(" ")
}

fn prompt_text(exchange: &Exchange) -> String {
    let prompt = match exchange.prompt.trim() {
        "" => "The message has no text.".to_string(),
        prompt => format!("I was asked: {}", quote(prompt)),
    };
    match exchange.images {
        0 => prompt,
        images => format!(
            "{prompt} It came with {}, which rules cannot see.",
            count(images, "image")
        ),
    }
}

fn next_text(basis: &Basis, reply: &Reply) -> String {
    let names: Vec<String> = (reply.calls.iter())
        .map(|call| format!("`{}`", call.name))
        .collect();
    match (names.as_slice(), basis) {
        ([], Basis::Tasks(_)) => "No more calls are needed: I report the result.".into(),
        ([], _) => "I answer directly.".into(),
        (names, _) => format!("Next I call {}.", names.join(" and ")),
    }
}
