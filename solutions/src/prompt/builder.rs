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
        let known = self.sections.iter_mut().find(|one| one.tag == section.tag);
        match known {
            Some(known) => *known = section,
            None => self.sections.push(section),
        }
        self
    }

    /// The sections so far, in their order, empty ones among them.
    pub fn sections(&self) -> &[PromptSection] {
        &self.sections
    }

    /// The prompt: first the static sections, then the dynamic ones, each group in the
    /// builder's order, with an empty line between one section and the next. Empty
    /// sections leave no trace. The same sections always make the same bytes.
    pub fn build(&self) -> SystemPrompt {
        let part = |kind| {
            let sections = self.sections.iter().filter(|section| section.kind == kind);
            let rendered = sections.map(PromptSection::render);
            let rendered: Vec<String> = rendered.filter(|text| !text.is_empty()).collect();
            rendered.join("\n")
        };
        let prefix = part(SectionKind::Static);
        let rest = part(SectionKind::Dynamic);
        let between = match prefix.is_empty() || rest.is_empty() {
            true => "",
            false => "\n",
        };
        SystemPrompt {
            cache_boundary: prefix.len(),
            text: [&prefix, between, &rest].concat(),
        }
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
        &self.text[..self.cache_boundary]
    }

    /// The dynamic part, without the empty line before it.
    pub fn rest(&self) -> &str {
        let rest = &self.text[self.cache_boundary..];
        rest.strip_prefix('\n').unwrap_or(rest)
    }

    /// The prompt as messages: one with the static part, tagged [`STATIC_TAG`], then one
    /// with the dynamic part, tagged [`DYNAMIC_TAG`]. A part that is empty makes none.
    ///
    /// Each call makes new ids; the contents are the same bytes each time.
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

    /// How many bytes at the beginning this prompt shares with `other`: as much as a
    /// cache filled with one can serve of the other.
    pub fn shared_with(&self, other: &SystemPrompt) -> usize {
        let pairs = self.text.bytes().zip(other.text.bytes());
        pairs.take_while(|(one, other)| one == other).count()
    }
}
