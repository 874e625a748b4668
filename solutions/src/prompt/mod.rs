//! The system prompt: instructions that never change, then the facts of this session.
//!
//! A [`PromptBuilder`] orders [`PromptSection`]s and builds a [`SystemPrompt`], which marks
//! the boundary between the two parts. [`Environment`] gathers the facts. [`agent_prompt`]
//! is the default prompt of `claw`.

mod builder;
mod default_prompt;
mod environment;
mod git;
mod section;

pub use builder::*;
pub use default_prompt::*;
pub use environment::*;
pub use git::*;
pub use section::*;
