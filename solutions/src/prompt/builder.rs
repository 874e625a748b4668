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
        let existing = self.sections.iter_mut().find(|one| one.tag == section.tag);
        match existing {
            Some(existing) => *existing = section,
            None => self.sections.push(section),
        }
        self
    }

    /// The sections so far, in order, including empty ones.
    pub fn sections(&self) -> &[PromptSection] {
        &self.sections
    }

    /// Builds the prompt: the static sections, then the dynamic ones, each group in the
    /// builder's order, with one empty line between two sections. Empty sections are left
    /// out. The same sections always give the same bytes.
    pub fn build(&self) -> SystemPrompt {
        let part = |kind| {
            let sections = self.sections.iter().filter(|section| section.kind == kind);
            let rendered = sections.map(PromptSection::render);
            let rendered: Vec<String> = rendered.filter(|text| !text.is_empty()).collect();
            rendered.join("\n")
        };
        let prefix = part(SectionKind::Static);
        let rest = part(SectionKind::Dynamic);
        let separator = match prefix.is_empty() || rest.is_empty() {
            true => "",
            false => "\n",
        };
        SystemPrompt {
            cache_boundary: prefix.len(),
            text: [&prefix, separator, &rest].concat(),
        }
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
        &self.text[..self.cache_boundary]
    }

    /// The dynamic part: the text after the boundary, without the `\n` that makes the empty
    /// line between the parts. Only this one `\n` is removed. Panics like
    /// [`prefix`](Self::prefix).
    pub fn rest(&self) -> &str {
        let rest = &self.text[self.cache_boundary..];
        rest.strip_prefix('\n').unwrap_or(rest)
    }

    /// The prompt as system messages: the static part, tagged [`STATIC_TAG`], then the
    /// dynamic part, tagged [`DYNAMIC_TAG`]. An empty part gives no message.
    ///
    /// Each call creates new ids. The contents are the same bytes each time.
    pub fn messages(&self) -> Vec<Message> {
        let parts = [(STATIC_TAG, self.prefix()), (DYNAMIC_TAG, self.rest())];
        let parts = parts.into_iter().filter(|(_, text)| !text.is_empty());
        let messages = parts.map(|(tag, text)| {
            Message::System(SystemMessage {
                id: new_id(),
                content: text.to_string(),
                tag: Some(tag.to_string()),
            })
        });
        messages.collect()
    }
}
