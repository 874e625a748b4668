//! Sections in order, and the prompt that they make.

use crate::types::{Message, SystemMessage, new_id};

use super::{PromptSection, SectionKind};

/// The tag of the system message with the static sections. A provider may mark its end
/// as the end of what is worth caching.
pub const STATIC_TAG: &str = "prompt_static";

/// The tag of the system message with the dynamic sections.
pub const DYNAMIC_TAG: &str = "prompt_dynamic";

/// Puts a system prompt together, section by section.
#[derive(Debug, Clone, Default)]
pub struct PromptBuilder {
    /// In the order of their first mention. No two have one tag.
    sections: Vec<PromptSection>,
}

impl PromptBuilder {
    /// A builder without sections.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a section behind those that are there. One of the same tag is replaced, and
    /// the new one takes its place; an empty one thereby takes it out of the prompt.
    pub fn section(mut self, section: PromptSection) -> Self {
        todo!("5.2: write PromptBuilder::section")
    }

    /// The sections so far, in their order, empty ones among them.
    pub fn sections(&self) -> &[PromptSection] {
        &self.sections
    }

    /// The prompt: first the static sections, then the dynamic ones, each group in the
    /// builder's order, with an empty line between one section and the next. Empty
    /// sections leave no trace. The same sections always make the same bytes.
    pub fn build(&self) -> SystemPrompt {
        todo!("5.3: write PromptBuilder::build")
    }
}

/// A whole system prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct SystemPrompt {
    /// What the model reads.
    pub text: String,
    /// How many bytes at the beginning of `text` the static sections take up. The empty
    /// line behind them is not counted: the bytes before the boundary are the same
    /// whether dynamic sections follow or not.
    pub cache_boundary: usize,
}

impl SystemPrompt {
    /// The static part.
    pub fn prefix(&self) -> &str {
        todo!("5.4: write SystemPrompt::prefix")
    }

    /// The dynamic part, without the empty line before it.
    pub fn rest(&self) -> &str {
        todo!("5.4: write SystemPrompt::rest")
    }

    /// The prompt as messages: one with the static part, tagged [`STATIC_TAG`], then one
    /// with the dynamic part, tagged [`DYNAMIC_TAG`]. A part that is empty makes none.
    ///
    /// Each call makes new ids; the contents are the same bytes each time.
    pub fn messages(&self) -> Vec<Message> {
        todo!("5.4: write SystemPrompt::messages")
    }

    /// How many bytes at the beginning this prompt shares with `other`: as much as a
    /// cache filled with one can serve of the other.
    pub fn shared_with(&self, other: &SystemPrompt) -> usize {
        todo!("5.5: write SystemPrompt::shared_with")
    }
}
