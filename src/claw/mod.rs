//! `claw`: the agent in a terminal. A line of yours, the reply as it is written, a row
//! for each tool, and Ctrl-C to break off a turn.
//!
//! Data flows one way: [`Options`] choose a [`Model`] and the tools ([`equip`]), the
//! engine runs turns, and [`Screen`] shows their events. From chapter 20 on, `claw convert`
//! takes a conversation from one vocabulary into another.

#[cfg(feature = "ch20")]
mod convert;
mod model;
mod options;
mod repl;
mod screen;
mod tools;

#[cfg(feature = "ch20")]
pub use convert::ConvertOptions;
pub use model::{Endpoint, Model, choose};
#[cfg(feature = "ch20")]
pub use options::Command;
pub use options::Options;
pub use screen::Screen;
pub use tools::equip;

use std::process::ExitCode;

/// Runs `claw`. The exit code is 0 when all went well, 1 when a turn failed, and 2 when
/// it could not start.
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
            eprintln!("claw: cannot start: {error}");
            return ExitCode::from(2);
        }
    };
    let outcome = runtime.block_on(repl::run(options));
    // A thread that waits for a line of input does not hold up the end.
    runtime.shutdown_background();
    match outcome {
        Ok(code) => code,
        Err(error) => {
            eprintln!("claw: {error:#}");
            ExitCode::from(2)
        }
    }
}

#[cfg(feature = "ch20")]
impl Command {
    fn run(&self) -> ExitCode {
        let outcome = match self {
            Self::Convert(options) => convert::run(options),
        };
        outcome.unwrap_or_else(|error| {
            eprintln!("claw: {error:#}");
            ExitCode::from(2)
        })
    }
}
