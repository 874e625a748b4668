//! Six ways in which the agent fails. Each plays a short conversation with your own functions.

use std::io::Write;
use std::sync::mpsc;
use std::{env, fs, process, thread};

use anyhow::{Context, Result};
use claw_offline::Reply;
use serde_json::{Value, json};

use super::agent::{ask, bash_tool, run_call, run_turn, user_message};
use super::model::OfflineModel;

/// A failure that can be played.
pub struct Breakage {
    /// Its name on the command line.
    pub name: &'static str,
    /// What goes wrong, for the list of all breakages.
    pub about: &'static str,
    play: fn(&mut dyn Write) -> Result<()>,
}

/// The failures, in the order of the chapter.
pub const BREAKAGES: [Breakage; 6] = [
    Breakage {
        name: "swapped-results",
        about: "two results change places",
        play: swapped_results,
    },
    Breakage {
        name: "cancelled-turn",
        about: "a turn ends between a call and its result",
        play: cancelled_turn,
    },
    Breakage {
        name: "broken-arguments",
        about: "the arguments of a call are not JSON",
        play: broken_arguments,
    },
    Breakage {
        name: "unknown-tool",
        about: "the model calls tools that do not exist",
        play: unknown_tool,
    },
    Breakage {
        name: "endless-output",
        about: "a command does not stop printing",
        play: endless_output,
    },
    Breakage {
        name: "unapproved-command",
        about: "a command runs that nobody approved",
        play: unapproved_command,
    },
];

impl Breakage {
    /// Plays the failure in a new temporary folder, which it removes at the end.
    ///
    /// # Errors
    /// If the folder cannot be used, or if your functions fail where they should not.
    pub fn play(&self, output: &mut dyn Write) -> Result<()> {
        let folder = env::temp_dir().join(format!("claw-first-{}", process::id()));
        fs::create_dir_all(&folder).context("cannot make a temporary folder")?;
        // The commands of a failure must not run in the user's folder.
        env::set_current_dir(&folder).context("cannot enter the temporary folder")?;
        let played = (self.play)(output);
        env::set_current_dir(env::temp_dir())?;
        fs::remove_dir_all(&folder)?;
        played
    }
}

/// Adds a line of the user's to the conversation, runs a turn, and writes the line and the
/// answer or the error.
fn say(
    output: &mut dyn Write,
    model: &mut OfflineModel,
    messages: &mut Vec<Value>,
    line: &str,
) -> Result<()> {
    writeln!(output, "> {line}")?;
    messages.push(user_message(line));
    match run_turn(model, messages) {
        Ok(answer) => writeln!(output, "{answer}")?,
        Err(error) => writeln!(output, "error: {error:#}")?,
    }
    Ok(())
}

fn swapped_results(output: &mut dyn Write) -> Result<()> {
    fs::write("a.txt", "apples\n")?;
    fs::write("b.txt", "bananas\n")?;
    let mut model = OfflineModel::with([Reply::empty().and_tool_calls([
        ("call_1", "bash", json!({ "command": "sleep 1; cat a.txt" })),
        ("call_2", "bash", json!({ "command": "cat b.txt" })),
    ])]);
    let line = "What is in the two files?";
    writeln!(output, "> {line}")?;
    let mut messages = vec![user_message(line)];
    let message = ask(&mut model, &messages, &[bash_tool()])?;
    let calls = message["tool_calls"].as_array().context("no tool calls")?;
    messages.push(message.clone());
    // Both commands run at the same time, and the results arrive in the order in which the
    // commands end. The mistake is to take the first result for the first call's.
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for call in calls {
            let sender = sender.clone();
            scope.spawn(move || sender.send(run_call(call)));
        }
    });
    for (call, result) in calls.iter().zip(results) {
        let mut result = result?;
        result["tool_call_id"] = call["id"].clone();
        messages.push(result);
    }
    writeln!(output, "{}", run_turn(&mut model, &mut messages)?)?;
    Ok(())
}

fn cancelled_turn(output: &mut dyn Write) -> Result<()> {
    let mut model = OfflineModel::new();
    let line = "run sleep 600";
    writeln!(output, "> {line}")?;
    let mut messages = vec![user_message(line)];
    let message = ask(&mut model, &messages, &[bash_tool()])?;
    messages.push(message);
    // The user has lost patience: the turn ends before `run_call` returns.
    writeln!(output, "(The user cancels the turn.)")?;
    say(output, &mut model, &mut messages, "run ls")?;
    say(output, &mut model, &mut messages, "hello")
}

fn broken_arguments(output: &mut dyn Write) -> Result<()> {
    let cut = Reply::empty().and_raw_call("call_1", "bash", r#"{"command": "ls"#);
    let mut model = OfflineModel::with([cut]);
    let mut messages = Vec::new();
    say(output, &mut model, &mut messages, "list the files")?;
    say(output, &mut model, &mut messages, "hello")
}

fn unknown_tool(output: &mut dyn Write) -> Result<()> {
    let mut model = OfflineModel::with([
        Reply::tool_calls([("call_1", "python", json!({ "command": "print(6 * 7)" }))]),
        Reply::text("I will try another tool.").and_tool_calls([(
            "call_2",
            "calculator",
            json!({ "expression": "6 * 7" }),
        )]),
    ]);
    let mut messages = Vec::new();
    say(output, &mut model, &mut messages, "How much is 6 * 7?")
}

fn endless_output(output: &mut dyn Write) -> Result<()> {
    let mut model = OfflineModel::new();
    let mut messages = Vec::new();
    // `yes` never ends by itself. `head` ends it here, so that this stays safe.
    let line = "run yes | head -c 30000000";
    say(output, &mut model, &mut messages, line)?;
    let last = messages.last().context("no messages")?;
    let bytes = last["content"].as_str().unwrap_or_default().len();
    writeln!(output, "(The last message has {bytes} bytes.)")?;
    say(output, &mut model, &mut messages, "hello")
}

fn unapproved_command(output: &mut dyn Write) -> Result<()> {
    fs::write("thesis.txt", "Three years of work.\n")?;
    let delete = ("call_1", "bash", json!({ "command": "rm thesis.txt" }));
    let mut model = OfflineModel::with([Reply::empty().and_tool_calls([delete])]);
    let mut messages = Vec::new();
    say(output, &mut model, &mut messages, "Tidy up this folder.")?;
    let is_there = fs::exists("thesis.txt")?;
    writeln!(output, "(thesis.txt exists: {is_there})")?;
    Ok(())
}
