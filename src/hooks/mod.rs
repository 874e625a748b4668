//! Hooks: programs and functions of the user's own that watch, block or rewrite what the agent
//! does.
//!
//! A [`HookEvent`] happens, [`Hooks::raise`] runs each [`Hook`] whose [`Matcher`] matches it, and
//! [`HookAnswer::combine`] keeps the strictest of their answers. A [`CommandHook`] runs a program:
//! it writes the event to the program's standard input as JSON and reads the answer from its
//! standard output and exit code, in the format of Claude Code's hooks. [`HookGate`] raises the
//! events of tool calls.
//!
//! Command hooks require Unix, like the shell tool.

mod answer;
mod command_hook;
mod event;
mod failure;
mod gate;
mod hook;
mod matcher;
mod output;
mod published_names;
mod registry;
mod settings;
mod turn_events;

pub use answer::{
    HookAnswer, HookDecision, MAX_CONTEXT_BYTES, NO_REASON, bounded, parse_answer, strictness,
};
pub use command_hook::{
    CommandHook, HookEnd, HookPipes, HookRun, OUTPUT_GRACE, exchange, hook_process, run_hook,
    start_hook,
};
pub use event::{HookEvent, HookInput, HookSession};
pub use failure::{ask_hook, failure_answer};
pub use gate::HookGate;
pub use hook::Hook;
pub use matcher::Matcher;
pub use output::{Captured, HookOutput, MAX_OUTPUT_BYTES, read_bounded};
pub use published_names::{
    own_input, published_input, published_mode, published_name, published_response,
};
pub use registry::{HookNotice, Hooks};
pub use settings::default_timeout;
pub use turn_events::MAX_CONTINUATIONS;
