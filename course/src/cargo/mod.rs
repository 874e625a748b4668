//! Builds test programs with the real cargo, runs them and reads their output. The results
//! are those of a plain `cargo test`.

mod build;
mod command;
mod json_messages;
mod libtest;
mod limits;
mod outcome;
mod panic_location;
mod process;
mod process_group;
mod progress;
mod run;
mod run_tests;
mod supervisor;
mod test_program;
mod witness;

pub use build::{Built, Compile, build_ahead, build_program, compile_tests, leave_out};
pub use command::{cargo, not_started, remove_package_variables};
pub use limits::Limits;
pub use outcome::Results;
pub use process::{kill_running, kills};
pub use progress::Step;
pub use run::{Diagnostic, Failure, Request, Run, Test};
pub use run_tests::test;
pub use supervisor::{adopt_orphans, kill_descendants, supervise_if_asked};
pub use test_program::Program;
pub use witness::WITNESS;
