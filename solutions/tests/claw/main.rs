//! `claw` as a process: what it prints, sends, saves, and how it ends.

#[cfg_attr(
    not(feature = "ch20"),
    allow(
        dead_code,
        unused_imports,
        reason = "the tests of later chapters use these"
    )
)]
mod support;

// The tools of chapters 6 to 8, as far as they are open.
#[cfg(feature = "ch8")]
mod demo_task;
mod offline_tasks;

#[cfg(feature = "ch9")]
mod command_line;
#[cfg(feature = "ch9")]
mod conversation;
#[cfg(feature = "ch9")]
mod model_choice;
#[cfg(feature = "ch9")]
mod output;
#[cfg(feature = "ch9")]
mod piped_input;
#[cfg(all(feature = "ch9", unix))]
mod signals;
#[cfg(all(feature = "ch9", unix))]
mod terminal;
#[cfg(feature = "ch9")]
mod tool_rows;

#[cfg(feature = "ch20")]
mod api_choice;
#[cfg(feature = "ch20")]
mod convert;
#[cfg(all(unix, feature = "ch12"))]
mod hooks;
#[cfg(feature = "ch20")]
mod images;
#[cfg(feature = "ch20")]
mod output_format;
#[cfg(feature = "ch10")]
mod permissions;
#[cfg(feature = "ch13")]
mod planning;
#[cfg(feature = "ch20")]
mod repl_commands;
#[cfg(all(unix, feature = "ch11"))]
mod safety;
#[cfg(feature = "ch9")]
mod search_limit;
#[cfg(feature = "ch20")]
mod sessions;
#[cfg(feature = "ch20")]
mod thinking;
