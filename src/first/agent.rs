//! The agent: about 60 lines between a model and a shell.
//!
//! A message is a JSON value in the shape of the Chat Completions API, and the conversation is
//! a list of messages.

use std::io::{self, Write};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::model::Model;

/// The name of the model. Every request states it.
pub const MODEL: &str = "claw-offline";

/// A message from the user: the role `user` and the text as `content`.
pub fn user_message(text: &str) -> Value {
    todo!("ask-a-model: write user_message")
}

/// Asks the model for the next message of a conversation.
///
/// The request has the fields `model`, which is [`MODEL`], `messages` and `tools`. Without
/// tools, it has no field `tools`, because the API refuses an empty list. Returns the message
/// at `choices[0].message` of the response, unchanged.
///
/// # Errors
/// If the model returns an error.
pub fn ask(model: &mut dyn Model, messages: &[Value], tools: &[Value]) -> Result<Value> {
    todo!("ask-a-model: write ask")
}

/// The definition of the tool `bash`: a function with one required argument, the string
/// `command`. Its description tells the model what the tool does.
pub fn bash_tool() -> Value {
    todo!("offer-it-a-tool: write bash_tool")
}

/// Runs `sh -c command`, waits for it and returns its output: everything from standard output,
/// then everything from standard error. If the exit code is not 0, the line `[exit code 1]`, with
/// that code, follows on a line of its own.
///
/// # Errors
/// If `sh` does not start.
pub fn bash(command: &str) -> Result<String> {
    todo!("run-the-call: write bash")
}

/// Runs one tool call and returns the message with its result: the role `tool`, the id of the
/// call as `tool_call_id`, and the output of [`bash`] as `content`.
///
/// `call` is an entry of a message's `tool_calls`. Its `function.arguments` is a string that
/// contains JSON, such as `{"command":"ls"}`. Prints the command on standard error before it
/// runs, such as `$ ls`.
///
/// # Errors
/// If the arguments are not JSON or have no `command`, or if [`bash`] fails.
pub fn run_call(call: &Value) -> Result<Value> {
    todo!("run-the-call: write run_call")
}

/// Lets the model work until it answers without tool calls. Returns the text of that answer,
/// or an empty string if it has none.
///
/// Asks the model, with the tool [`bash_tool`]. Adds its message to `messages`, and after it
/// one result for each tool call, in the order of the calls. Then asks again.
///
/// # Errors
/// If [`ask`] or [`run_call`] fails. The messages up to that point stay in `messages`.
pub fn run_turn(model: &mut dyn Model, messages: &mut Vec<Value>) -> Result<String> {
    todo!("loop-until-it-stops: write run_turn")
}

/// Talks to a user. Each line is a user message, and the answer to it is written to `output` as
/// a line of its own before the next line is read. All lines are one conversation.
///
/// # Errors
/// If a line cannot be read, [`run_turn`] fails, or the answer cannot be written.
pub fn talk(
    model: &mut dyn Model,
    lines: impl Iterator<Item = io::Result<String>>,
    mut output: impl Write,
) -> Result<()> {
    todo!("talk-to-it: write talk")
}
