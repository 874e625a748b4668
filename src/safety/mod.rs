//! Safety checks: they judge a call by what it would do.
//!
//! [`real_path`] finds where a path leads, and [`PathCheck`] judges the paths of calls.
//! [`classify`] reads a shell command with a parser and compares it with tables of programs,
//! and [`CommandCheck`] turns the result into an [`Assessment`](crate::permission::Assessment)
//! for chapter 10's engine. [`InsideAccess`] holds the file tools to the workspace, and
//! [`Sandbox`] lets the operating system hold a command to it.

mod classify;
mod command_check;
mod effects;
mod inside_access;
mod inside_tools;
mod open_inside;
mod path_check;
mod program_tables;
mod protected_files;
mod real_path;
mod sandbox;
mod sandboxed_bash;
mod script;
mod shell_word;
mod suspicion;
mod usage;

pub use classify::{certain_effects, classify, exec_commands};
pub use command_check::CommandCheck;
pub use effects::{Access, CommandClass, Effects, PathUse};
pub use inside_access::InsideAccess;
pub use inside_tools::hold_inside;
pub use open_inside::open_inside;
pub use path_check::PathCheck;
pub use program_tables::{DESTRUCTIVE, NETWORK, READ_ONLY, WRITES};
pub use protected_files::{PROTECTED_FILES, ProtectedFile, folded, protection};
pub use real_path::{MAX_LINKS, real_path};
pub use sandbox::{Sandbox, SandboxLevel};
pub use sandboxed_bash::{SANDBOX_NOTE, SandboxedBash};
pub use script::Script;
pub use shell_word::{Word, literal};
pub use suspicion::{has_word, suspected_class};
pub use usage::Usage;
