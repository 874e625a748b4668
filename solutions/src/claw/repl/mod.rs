//! A single prompt, or a loop that reads a line, runs it and reads the next one.
//!
//! `repl_loop` reads the lines, and `command_runner` runs them.

mod command_runner;
mod repl_loop;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};

use super::conversation::Conversation;
use super::data_dir;
use super::options::Options;
use super::terminal::Input;
use repl_loop::Repl;

/// Runs a conversation to its end and returns the exit code of [`main`](super::main). The
/// error says why it could not start.
pub async fn run(options: Options) -> Result<ExitCode> {
    match &options.prompt {
        Some(prompt) if prompt.trim().is_empty() => bail!(
            "the prompt after -p is empty; say what to do, such as: -p \"list the files here\""
        ),
        Some(prompt) => run_prompt(prompt, &options).await,
        None => {
            let conversation = Conversation::open(&options).await?;
            let history = history_file(&options);
            let mut repl = Repl::new(conversation, Input::interactive(history), &options);
            repl.start().await;
            repl.read_lines().await;
            Ok(repl.end().await)
        }
    }
}

/// The file that keeps the prompts of a conversation. `None` if the conversation is not saved.
fn history_file(options: &Options) -> Option<PathBuf> {
    #[cfg(feature = "ch20")]
    if options.no_session {
        return None;
    }
    let _ = options;
    data_dir::history_file().ok()
}

/// Runs a single prompt, with the piped input after it.
async fn run_prompt(prompt: &str, options: &Options) -> Result<ExitCode> {
    let mut input = Input::signals_only();
    let Some(piped) = input.piped().await? else {
        return Ok(ExitCode::from(input.interrupts.exit_code().unwrap_or(1)));
    };
    let prompt = match piped.trim() {
        "" => prompt.to_string(),
        _ => format!("{prompt}\n\n{piped}"),
    };
    let mut repl = Repl::new(Conversation::open(options).await?, input, options);
    match repl.start().await {
        true => repl.turn(&prompt).await,
        false => repl.has_failed = true,
    }
    #[cfg(feature = "ch20")]
    {
        let is_interrupted = repl.input.interrupts.exit_code().is_some();
        let is_error = repl.has_failed || repl.must_end();
        repl.conversation
            .show_result(is_error, is_interrupted)
            .await;
    }
    Ok(repl.end().await)
}
