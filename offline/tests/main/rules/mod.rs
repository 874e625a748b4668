//! The model that answers by rules.

mod calls;
mod plans;
mod repair;
mod result_summaries;
mod small_talk;
mod tasks;
mod tool_choice;
