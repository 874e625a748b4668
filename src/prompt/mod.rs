//! What a model is told before the first word: instructions that never change, then the
//! facts of this session.
//!
//! A [`PromptBuilder`] puts [`PromptSection`]s in order and builds a [`SystemPrompt`] in
//! which the two parts can be told apart. [`Environment`] gathers the facts.
//! [`agent_prompt`] is the prompt that `claw` starts with.

mod builder;
mod default;
mod environment;
mod git;
mod section;

pub use builder::*;
pub use default::*;
pub use environment::*;
pub use git::*;
pub use section::*;
