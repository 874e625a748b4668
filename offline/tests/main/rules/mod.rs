//! The model that answers by rules.

mod calls;
mod command_outputs;
mod patches;
mod plans;
mod prompts;
mod repair;
mod result_summaries;
mod small_talk;
mod tasks;
mod tool_names;
