//! `claw`, the agent in a terminal: you type a line, the reply appears as the model writes
//! it, each tool call gets a row, and Ctrl-C stops a turn.
//!
//! Data flows one way: [`Options`] select a [`ModelConnection`] and the tools, [`Input`]
//! delivers what the user types, a [`Conversation`] runs turns, and a [`Screen`] shows them.
//!
//! - `options` is the command line; `server_api` holds the values of `--api`.
//! - `model` selects a model and connects to it; `tool_selection` selects its tools, and
//!   `search_limit` ends searches that take too long.
//! - `terminal` reads lines and signals and writes the screen. `output` writes listings and
//!   error messages. `data_dir` locates the files of `claw`. `safe_text` keeps control characters out of both.
//! - `typed_line` parses what the user types, and `repl` runs one prompt or a loop over lines.
//! - `output_format` is what a single prompt prints for scripts, from chapter 20 on.
//! - `preview` shows what a call would change.
//! - From chapter 10 on, `permissions` reads the rules and asks the user about calls.
//! - From chapter 12 on, `session_hooks` runs the hooks of settings files.
//! - From chapter 13 on, `planning` asks the user about plans and keeps the todo list.
//! - `conversation` runs turns on the engine of the open chapters.
//! - From chapter 20 on, `sessions` saves conversations and lists them, `image_file` reads
//!   images for the model, and `convert` translates messages between vocabularies.

mod conversation;
mod data_dir;
mod model;
mod options;
mod output;
#[cfg(feature = "ch20")]
mod output_format;
mod preview;
mod repl;
mod safe_text;
#[cfg(feature = "ch8")]
mod search_limit;
mod server_api;
mod terminal;
mod tool_selection;
mod typed_line;

#[cfg(feature = "ch20")]
mod convert;
#[cfg(feature = "ch20")]
mod image_file;
#[cfg(feature = "ch10")]
mod permissions;
#[cfg(feature = "ch13")]
mod planning;
#[cfg(all(unix, feature = "ch12"))]
mod session_hooks;
#[cfg(feature = "ch20")]
mod sessions;

pub use conversation::Conversation;
pub use model::{Endpoint, ModelConnection, choose};
pub use options::Options;
pub use server_api::ServerApi;
pub use terminal::{Input, Screen};

#[cfg(feature = "ch8")]
pub use search_limit::LimitedSearch;

#[cfg(feature = "ch20")]
pub use {convert::ConvertOptions, output_format::OutputFormat, sessions::SessionsOptions};
#[cfg(feature = "ch10")]
pub use {
    options::Command,
    permissions::{PermissionOptions, PermissionsCommand},
};

use std::process::ExitCode;

use output::report;

/// Runs `claw` and returns its exit code:
///
/// - 0: everything succeeded, or the reader of standard output closed it, as `head` does;
/// - 1: a turn failed outside a terminal, or standard output could not be written;
/// - 2: `claw` could not start;
/// - 3: outside a terminal, a call was refused or a plan was not reviewed because nobody could
///   be asked;
/// - 128 plus the signal number: SIGTERM or SIGHUP ended it, or Ctrl-C stopped a single prompt.
pub fn main(options: Options) -> ExitCode {
    #[cfg(feature = "ch10")]
    if let Some(command) = &options.command {
        return command.run();
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            report(format!("cannot start: {error}"));
            return ExitCode::from(2);
        }
    };
    let outcome = runtime.block_on(repl::run(options));
    // Does not wait for the thread that is blocked on reading standard input.
    runtime.shutdown_background();
    exit_code(outcome)
}

fn exit_code(outcome: anyhow::Result<ExitCode>) -> ExitCode {
    match outcome {
        Ok(code) => code,
        Err(error) => {
            report(format!("{error:#}"));
            ExitCode::from(2)
        }
    }
}

#[cfg(feature = "ch10")]
impl Command {
    /// Runs a subcommand. None of them needs a model.
    fn run(&self) -> ExitCode {
        match self {
            Self::Permissions(command) => exit_code(permissions::run(command)),
            #[cfg(feature = "ch20")]
            Self::Sessions(options) => exit_code(sessions::run(options)),
            #[cfg(feature = "ch20")]
            Self::Convert(options) => exit_code(convert::run(options)),
        }
    }
}
