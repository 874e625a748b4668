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
    json!({ "role": "user", "content": text })
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
    let mut request = json!({ "model": MODEL, "messages": messages });
    if !tools.is_empty() {
        request["tools"] = json!(tools);
    }
    let response = model.complete(&request)?;
    Ok(response["choices"][0]["message"].clone())
}

/// The definition of the tool `bash`: a function with one required argument, the string
/// `command`. Its description tells the model what the tool does.
pub fn bash_tool() -> Value {
    json!({
        "type": "function",
        "function": {
            "name": "bash",
            "description": "Runs a shell command. Returns its output and its exit code.",
            "parameters": {
                "type": "object",
                "properties": { "command": { "type": "string" } },
                "required": ["command"],
            },
        },
    })
}

/// Runs `sh -c command`, waits for it and returns its output: everything from standard output,
/// then everything from standard error. If the exit code is not 0, the line `[exit code 1]`, with
/// that code, follows on a line of its own.
///
/// # Errors
/// If `sh` does not start.
pub fn bash(command: &str) -> Result<String> {
    let output = Command::new("sh").args(["-c", command]).output()?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text += &String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        // A command that a signal ended has no exit code.
        let code = output.status.code().unwrap_or(-1);
        text += &format!("\n[exit code {code}]");
    }
    Ok(text)
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
    let arguments = call["function"]["arguments"].as_str().unwrap_or_default();
    let arguments: Value = serde_json::from_str(arguments)?;
    let command = arguments["command"].as_str().context("no `command`")?;
    eprintln!("$ {command}");
    let output = bash(command)?;
    Ok(json!({ "role": "tool", "tool_call_id": call["id"], "content": output }))
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
    loop {
        let message = ask(model, messages, &[bash_tool()])?;
        messages.push(message.clone());
        let Some(calls) = message["tool_calls"].as_array() else {
            let text = message["content"].as_str().unwrap_or_default();
            return Ok(text.to_string());
        };
        for call in calls {
            messages.push(run_call(call)?);
        }
    }
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
    let mut messages = Vec::new();
    for line in lines {
        messages.push(user_message(&line?));
        let answer = run_turn(model, &mut messages)?;
        writeln!(output, "{answer}")?;
    }
    Ok(())
}
