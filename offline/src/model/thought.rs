//! What the rules think before they speak: what was asked, what they have seen, and what
//! they do next. It is drawn from what the answer is made from, and from nothing else.

use super::Round;
use super::picture::set_aside;
use super::summary::{counted, quoted};
use crate::script::Reply;

/// How a reply came about.
pub(super) enum Plan {
    /// It needs no tool.
    Talk,
    /// No rule fits what was asked.
    NoRule,
    /// A rule fits, and the tool that it takes is not there.
    Lack,
    /// So many tasks were asked for.
    Tasks(usize),
}

/// The thought before a reply.
pub(super) fn thought(ask: &str, rounds: &[Round], plan: &Plan, reply: &Reply) -> String {
    let mut said = vec![asked(ask)];
    said.push(match plan {
        Plan::Talk => "That needs no tool.".into(),
        Plan::NoRule => "None of my rules fits that.".into(),
        Plan::Lack => "I have a rule for that, and not the tool.".into(),
        Plan::Tasks(1) => "I have a rule for that.".into(),
        Plan::Tasks(count) => format!("I have rules for that, and make {count} tasks of it."),
    });
    if let (Plan::Tasks(_), []) = (plan, rounds) {
        said.push("I have seen nothing of it yet.".into());
    }
    if let Some(last) = rounds.last() {
        let calls = rounds.iter().map(|round| round.done.len()).sum();
        let calls = counted(calls, "tool call");
        said.push(format!("So far {calls} came back. {}", last.summary()));
    }
    said.push(next(plan, reply));
    said.join(" ")
}

/// What was asked, and whether pictures came with it.
fn asked(ask: &str) -> String {
    let (words, pictures) = set_aside(ask);
    let asked = match words.trim() {
        "" => "Nothing was asked in words.".to_string(),
        words => format!("I was asked: {}", quoted(words)),
    };
    match pictures {
        0 => asked,
        count => format!(
            "{asked} {} came with it, and rules have no eyes.",
            counted(count, "picture")
        ),
    }
}

fn next(plan: &Plan, reply: &Reply) -> String {
    let names: Vec<String> = (reply.calls.iter())
        .map(|call| format!("`{}`", call.name))
        .collect();
    match (names.as_slice(), plan) {
        ([], Plan::Tasks(_)) => "No call is left for me to make: I say how it stands.".into(),
        ([], _) => "I answer at once.".into(),
        (names, _) => format!("Next I call {}.", names.join(" and ")),
    }
}
