//! Builds test programs with the real cargo, runs them and reads their output. The results
//! are those of a plain `cargo test`.

mod command;
mod json_messages;
mod libtest;
mod outcome;
mod panic_location;
mod process;
mod progress;
mod run;
mod run_tests;
mod supervisor;
mod test_program;

pub use command::{cargo, not_started};
pub use process::kill_running;
pub use progress::Step;
pub use run::{Diagnostic, Failure, Request, Run, Test};
pub use run_tests::test;
pub use supervisor::supervise_if_asked;
pub use test_program::{Built, Compile, Program, compile_tests};
