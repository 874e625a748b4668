//! `claw`: the agent in a terminal. A line of yours, the reply as it is written, a row
//! for each tool, and Ctrl-C to break off a turn.
//!
//! Data flows one way: [`Options`] choose a [`Model`] and the tools, [`Input`] is what the
//! user says, a [`Conversation`] has turns, and a [`Screen`] shows what they tell. Input is
//! made of `lines`, each read as a `line`, and of `interrupts`; `repl` brings it all
//! together.
//!
//! From chapter 20 on a conversation is kept: `place` says where, `keep` does it, `flat`
//! turns the agent's messages into those of a history and back, `sessions` lists them and
//! `printed` shows one. `archive` opens a history, and explains the trouble with it.
//! `convert` takes one from one vocabulary into another.

mod api;
mod input;
mod interrupts;
mod line;
mod lines;
mod model;
mod options;
mod out;
mod repl;
mod screen;
mod talk;
mod terminal;
mod tools;

#[cfg(feature = "ch20")]
mod archive;
#[cfg(feature = "ch20")]
mod convert;
#[cfg(feature = "ch20")]
mod flat;
#[cfg(feature = "ch20")]
mod images;
#[cfg(feature = "ch20")]
mod keep;
#[cfg(feature = "ch20")]
mod place;
#[cfg(feature = "ch20")]
mod printed;
#[cfg(feature = "ch20")]
mod sessions;

pub use api::Api;
pub use input::Input;
pub use model::{Endpoint, Model, choose};
pub use options::Options;
pub use screen::Screen;
pub use talk::Conversation;

#[cfg(feature = "ch20")]
pub use {convert::ConvertOptions, options::Command, sessions::SessionsOptions, talk::Show};

use std::process::ExitCode;

use out::say;

/// Runs `claw`. The exit code is 0 when all went well, 1 when a turn failed or what it
/// says could not be written, 2 when it could not start, and 128 and the signal's number
/// when SIGTERM or SIGHUP ended it. In a terminal a turn that failed is no failure of
/// `claw`; and a reader that has gone, such as `head`, is none either.
pub fn main(options: Options) -> ExitCode {
    #[cfg(feature = "ch20")]
    if let Some(command) = &options.command {
        return command.run();
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            say(format!("cannot start: {error}"));
            return ExitCode::from(2);
        }
    };
    let outcome = runtime.block_on(repl::run(options));
    // A thread that waits for a line of input does not hold up the end.
    runtime.shutdown_background();
    ended(outcome)
}

fn ended(outcome: anyhow::Result<ExitCode>) -> ExitCode {
    match outcome {
        Ok(code) => code,
        Err(error) => {
            say(format!("{error:#}"));
            ExitCode::from(2)
        }
    }
}

#[cfg(feature = "ch20")]
impl Command {
    /// These need no model.
    fn run(&self) -> ExitCode {
        match self {
            Self::Sessions(options) => ended(sessions::run(options)),
            Self::Convert(options) => ended(convert::run(options)),
        }
    }
}
