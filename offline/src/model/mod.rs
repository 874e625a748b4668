//! The rule model: no weights, no randomness and no memory. A reply depends only on the
//! conversation and on the tools in the request.
//!
//! `task_parser` finds the tasks in the last user message, with the table in `rules` and the
//! patterns in `pattern`. `planner` compares them with the tool calls made so far and picks
//! the next actions, and `tool_choice` turns those into calls of the tools on offer.

mod action;
mod conversation_summary;
mod exchange;
mod forced_reply;
mod images;
mod operator_fix;
mod pattern;
mod planner;
mod repair;
mod reply_limits;
mod result_summary;
mod rules;
mod schema_sample;
mod small_talk;
mod task;
mod task_parser;
mod thinking_text;
mod tool_choice;

use crate::model_request::{ModelRequest, ToolDefinition};
use crate::reply::{Reply, ToolCall};
use crate::reply_settings::ToolChoice;
use crate::thought_signature::sign;

use action::Action;
use exchange::{Exchange, next_call_number};
use forced_reply::force;
use planner::next_step;
use reply_limits::limit;
use task::Step;
use task_parser::parse_tasks;
use thinking_text::{Basis, thinking_text};
use tool_choice::choose_call;

/// The model's reply. Equal conversations and tools get equal replies.
pub(crate) fn reply(request: &ModelRequest) -> Reply {
    let exchange = Exchange::last(&request.turns);
    let (basis, reply) = reply_by_rules(&exchange, request);
    let reply = force(reply, &exchange, request);
    let reply = match request.wants_thinking {
        false => reply,
        true => {
            let thought = thinking_text(&exchange, &basis, &reply);
            let signature = sign(&thought, request.digest);
            reply.thinking(thought, signature)
        }
    };
    limit(reply, &request.settings)
}

/// What the rules answer, before the form that the request asks for.
fn reply_by_rules(exchange: &Exchange, request: &ModelRequest) -> (Basis, Reply) {
    let prompt = exchange.prompt;
    if images::is_question(prompt) {
        let text = images::answer(&request.turns);
        return (Basis::SmallTalk, Reply::text(text));
    }
    let notice = images::notice(exchange.images);
    if let Some(text) = conversation_summary::answer(prompt, &request.turns) {
        return (Basis::SmallTalk, Reply::text(notice + &text));
    }
    if let Some(text) = small_talk::answer(prompt) {
        return (Basis::SmallTalk, Reply::text(notice + text));
    }
    let tasks = parse_tasks(prompt);
    if tasks.is_empty() {
        let text = match exchange.rounds.last() {
            Some(round) => round.summary(),
            None => small_talk::no_rule(),
        };
        return (Basis::NoRule, Reply::text(notice + &text));
    }
    let reply = match next_step(&tasks, &exchange.rounds) {
        Step::Done { text, .. } => Reply::text(text),
        Step::Act { text, actions } => match calls(&actions, request) {
            Ok(calls) => Reply {
                calls,
                ..Reply::text(text)
            },
            Err(missing) => return (Basis::MissingTool, Reply::text(missing)),
        },
    };
    (Basis::Tasks(tasks.len()), reply)
}

/// The tool calls for these actions, or a message that names the missing tool.
fn calls(actions: &[Action], request: &ModelRequest) -> Result<Vec<ToolCall>, String> {
    let choice = &request.settings.tool_choice;
    if *choice == ToolChoice::None {
        return Err("I need a tool for that, but the request forbids calls.".into());
    }
    let is_allowed = |tool: &&ToolDefinition| match choice {
        ToolChoice::Tool(name) => tool.name == *name,
        _ => true,
    };
    let tools: Vec<&ToolDefinition> = request.tools.iter().filter(is_allowed).collect();
    let first = next_call_number(&request.turns);
    let numbered = (first..).zip(actions);
    numbered
        .map(|(number, action)| {
            let (name, arguments) = choose_call(action, &tools)?;
            Ok(ToolCall {
                id: format!("call_{number}"),
                name,
                arguments: arguments.to_string(),
            })
        })
        .collect()
}
