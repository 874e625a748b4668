//! The builder of a system prompt, and the prompt that it builds.

use crate::types::{Message, SystemMessage, new_id};

use super::{PromptSection, SectionKind};

/// The tag of the system message that holds the static sections. A provider may set its
/// cache breakpoint at the end of that message.
pub const STATIC_TAG: &str = "prompt_static";

/// The tag of the system message that holds the dynamic sections.
pub const DYNAMIC_TAG: &str = "prompt_dynamic";

/// Builds a system prompt from sections.
#[derive(Debug, Clone, Default)]
pub struct PromptBuilder {
    /// In the order in which their tags were first added. Tags are unique.
    sections: Vec<PromptSection>,
}

impl PromptBuilder {
    /// A builder without sections.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a section at the end, or replaces the section with the same tag in its
    /// position. A section with an empty text is no exception: it stays in the list, and
    /// `build` leaves it out.
    pub fn section(mut self, section: PromptSection) -> Self {
        todo!("one-section-per-tag: write PromptBuilder::section")
    }

    /// The sections so far, in order, including empty ones.
    pub fn sections(&self) -> &[PromptSection] {
        &self.sections
    }

    /// Builds the prompt: the static sections, then the dynamic ones, each group in the
    /// builder's order, with one empty line between two sections. Empty sections are left
    /// out. The same sections always give the same bytes.
    pub fn build(&self) -> SystemPrompt {
        todo!("static-sections-first: write PromptBuilder::build")
    }
}

/// A built system prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct SystemPrompt {
    /// The text that the model reads.
    pub text: String,
    /// The length of the static part at the start of `text`, in bytes. The empty line after
    /// the static part is not counted, so the bytes before the boundary are the same with
    /// and without dynamic sections.
    pub cache_boundary: usize,
}

impl SystemPrompt {
    /// The static part: the text before the boundary. Panics if the boundary is inside a
    /// character or after the end of the text.
    pub fn prefix(&self) -> &str {
        todo!("two-system-messages: write SystemPrompt::prefix")
    }

    /// The dynamic part: the text after the boundary, without the `\n` that makes the empty
    /// line between the parts. Only this one `\n` is removed. Panics like
    /// [`prefix`](Self::prefix).
    pub fn rest(&self) -> &str {
        todo!("two-system-messages: write SystemPrompt::rest")
    }

    /// The prompt as system messages: the static part, tagged [`STATIC_TAG`], then the
    /// dynamic part, tagged [`DYNAMIC_TAG`]. An empty part gives no message.
    ///
    /// Each call creates new ids. The contents are the same bytes each time.
    pub fn messages(&self) -> Vec<Message> {
        todo!("two-system-messages: write SystemPrompt::messages")
    }
}
