//! The rule model: what it answers, and how it finds out. No weights, no chance, no
//! memory: the answer depends on the conversation and the tools, and on nothing else.

mod pattern;
mod picture;
mod repair;
mod rules;
mod summary;
mod talk;
mod task;
mod thought;
mod toolbox;

use crate::request::{Request, Turn};
use crate::script::{Call, Reply};
use crate::seal::seal;

use summary::summary;
use task::{Move, Task};
use thought::{Plan, thought};
use toolbox::{Action, Toolbox};

/// The model's reply: the same for the same conversation and tools.
pub(crate) fn reply(request: &Request) -> Reply {
    let (ask, rounds) = since_last_ask(&request.turns);
    let (plan, reply) = planned(ask, &rounds, request);
    if !request.wants_thoughts {
        return reply;
    }
    let thought = thought(ask, &rounds, &plan, &reply);
    let seal = seal(&thought, request.digest);
    reply.thinking(thought, seal)
}

/// The reply without a thought, and how it came about.
fn planned(ask: &str, rounds: &[Round], request: &Request) -> (Plan, Reply) {
    let (words, pictures) = picture::set_aside(ask);
    if let Some(said) = picture::answer(&words, &request.turns) {
        return (Plan::Talk, Reply::text(said));
    }
    let unseen = picture::unseen(pictures);
    if let Some(said) = talk::answer(&words, &request.turns) {
        return (Plan::Talk, Reply::text(unseen + &said));
    }
    let tasks = task::tasks(&words);
    if tasks.is_empty() {
        let said = match rounds.last() {
            Some(round) => round.summary(),
            None => talk::not_understood(),
        };
        return (Plan::NoRule, Reply::text(unseen + &said));
    }
    let reply = match work(&tasks, rounds) {
        Work::Done(said) => Reply::text(said),
        Work::Next(said, actions) => match calls(&actions, request) {
            Ok(calls) => Reply {
                calls,
                ..Reply::text(said)
            },
            Err(lack) => return (Plan::Lack, Reply::text(lack)),
        },
    };
    (Plan::Tasks(tasks.len()), reply)
}

/// Tool calls that were made together, each with its result.
struct Round<'a> {
    done: Vec<(&'a Call, &'a str)>,
}

impl Round<'_> {
    /// What the tools answered, one after the other.
    fn output(&self) -> String {
        let outputs: Vec<&str> = self.done.iter().map(|(_, output)| *output).collect();
        outputs.join("\n")
    }

    /// Whether one of the calls failed.
    fn has_failed(&self) -> bool {
        self.done.iter().any(|(_, output)| is_error(output))
    }

    /// What came of the calls, in a sentence or two each.
    fn summary(&self) -> String {
        let each = self.done.iter();
        let each: Vec<String> = each.map(|(call, output)| summary(call, output)).collect();
        each.join(" ")
    }
}

/// The mark of a failed call, whichever API it came through.
fn is_error(output: &str) -> bool {
    output.starts_with("error: ")
}

/// What was asked last, and what was done about it since.
fn since_last_ask(turns: &[Turn]) -> (&str, Vec<Round<'_>>) {
    let last = turns.iter().rposition(|turn| matches!(turn, Turn::User(_)));
    let ask = match last.map(|last| &turns[last]) {
        Some(Turn::User(text)) => text,
        _ => "",
    };
    let mut rounds = Vec::new();
    let mut open: &[Call] = &[];
    for turn in &turns[last.map_or(0, |last| last + 1)..] {
        match turn {
            Turn::Assistant { calls, .. } if !calls.is_empty() => {
                open = calls;
                rounds.push(Round { done: Vec::new() });
            }
            Turn::ToolResult { id, text } => {
                let call = open.iter().find(|call| call.id == *id);
                if let (Some(call), Some(round)) = (call, rounds.last_mut()) {
                    round.done.push((call, text.as_str()));
                }
            }
            _ => {}
        }
    }
    (ask, rounds)
}

/// What is to be done now.
enum Work {
    Done(String),
    Next(String, Vec<Action>),
}

/// Goes through the tasks and the rounds side by side: each task takes the rounds that
/// were its own, and the first that is not over says what is next.
fn work(tasks: &[Task], rounds: &[Round]) -> Work {
    let mut rest = rounds;
    let mut said = Vec::new();
    for task in tasks {
        match task.next(rest) {
            Move::Call(said, actions) => return Work::Next(said, actions),
            Move::Over {
                rounds,
                said: outcome,
                is_well,
            } => {
                rest = &rest[rounds..];
                said.push(outcome);
                if !is_well {
                    break;
                }
            }
        }
    }
    Work::Done(said.join(" "))
}

/// The calls for these actions, or what is missing for one of them.
fn calls(actions: &[Action], request: &Request) -> Result<Vec<Call>, String> {
    let toolbox = Toolbox::new(&request.tools);
    let first = next_number(&request.turns);
    let numbered = (first..).zip(actions);
    numbered
        .map(|(number, action)| {
            let (name, arguments) = toolbox.call(action)?;
            Ok(Call {
                id: format!("call_{number}"),
                name,
                arguments: arguments.to_string(),
            })
        })
        .collect()
}

/// One more than the highest number among the calls of the conversation, so that no id
/// comes twice, even when the start of the conversation has been left out.
fn next_number(turns: &[Turn]) -> u64 {
    let calls = turns.iter().flat_map(|turn| match turn {
        Turn::Assistant { calls, .. } => calls.as_slice(),
        _ => &[],
    });
    let numbers = calls.filter_map(|call| call.id.strip_prefix("call_")?.parse::<u64>().ok());
    // A number with no successor is not one of the model's own.
    numbers
        .max()
        .and_then(|max| max.checked_add(1))
        .unwrap_or(1)
}
