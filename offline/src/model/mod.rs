//! The rule model: no weights, no randomness and no memory. A reply depends only on the
//! conversation and on the tools in the request.
//!
//! `task_parser` finds the tasks in the last user message, with the table in `rules` and the
//! patterns in `pattern`. `planner` compares them with the tool calls made so far and picks
//! the next actions, and `tool_call` turns those into calls of the tools on offer. At the end,
//! `forced_reply` and `reply_limits` bring the reply into the form that the request asks for.

mod action;
mod conversation_summary;
mod exchange;
mod forced_reply;
mod images;
mod line_numbers;
mod operator_fix;
mod outcome;
mod patch;
mod pattern;
mod planner;
mod prompt_text;
mod repair;
mod reply_limits;
mod result_summary;
mod rules;
mod schema_sample;
mod shell_command;
mod small_talk;
mod task;
mod task_parser;
mod thinking_text;
mod tool_call;

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
use tool_call::{choose_call, needs_source};

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
    let prompt = exchange.prompt.as_str();
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
    let tools = allowed_tools(request);
    let reply = match next_step(&tasks, &exchange.rounds, needs_source(&tools)) {
        Step::Done { text, .. } => Reply::text(text),
        Step::Act { text, actions } => match calls(&actions, request, &tools) {
            Ok(calls) => Reply {
                calls,
                ..Reply::text(text)
            },
            Err(missing) => return (Basis::MissingTool, Reply::text(missing)),
        },
    };
    (Basis::Tasks(tasks.len()), reply)
}

/// The tools that the request allows a call of.
fn allowed_tools(request: &ModelRequest) -> Vec<&ToolDefinition> {
    let tools = request.tools.iter();
    tools
        .filter(|tool| match &request.settings.tool_choice {
            ToolChoice::Auto | ToolChoice::Required => true,
            ToolChoice::None => false,
            ToolChoice::Tool(name) => tool.name == *name,
        })
        .collect()
}

/// The tool calls for these actions, or a message that names the missing tool.
fn calls(
    actions: &[Action],
    request: &ModelRequest,
    tools: &[&ToolDefinition],
) -> Result<Vec<ToolCall>, String> {
    if request.settings.tool_choice == ToolChoice::None {
        return Err("I need a tool for that, but the request forbids calls.".into());
    }
    let first = next_call_number(&request.turns);
    let numbered = (first..).zip(actions);
    numbered
        .map(|(number, action)| {
            let (tool, arguments) = choose_call(action, tools)?;
            Ok(ToolCall {
                id: format!("call_{number}"),
                name: tool.name.clone(),
                arguments,
                is_freeform: tool.is_freeform,
            })
        })
        .collect()
}
