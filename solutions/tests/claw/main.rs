//! `claw` as a process: what it prints, sends, saves, and how it ends.

#[cfg_attr(
    not(feature = "ch20"),
    allow(dead_code, reason = "the tests of sessions use these")
)]
mod support;

mod command_line;
mod conversation;
mod model_choice;
mod offline_tasks;
mod output;
mod piped_input;
mod tool_rows;

#[cfg(feature = "ch20")]
mod api_choice;
#[cfg(feature = "ch20")]
mod convert;
#[cfg(feature = "ch20")]
mod images;
#[cfg(feature = "ch20")]
mod sessions;
#[cfg(unix)]
mod signals;
#[cfg(unix)]
mod terminal;
#[cfg(feature = "ch20")]
mod thinking;
