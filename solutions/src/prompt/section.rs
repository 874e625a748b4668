//! One section of a system prompt.

/// Whether a section is the same in every session, which decides its part of the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SectionKind {
    /// The same bytes in every session and turn. Static sections come first, where a
    /// provider can cache them.
    Static,
    /// A fact of this session, such as the date. Dynamic sections come last, after the
    /// cached part.
    Dynamic,
}

/// A titled text in a system prompt, identified by its tag.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptSection {
    /// The key under which a builder replaces the section. The model never sees it.
    pub tag: String,
    /// The heading, on one line. Empty for a section without a heading.
    pub title: String,
    /// The body, with `\n` as the only line ending and no whitespace at either end.
    pub text: String,
    /// The part of the prompt that the section belongs to.
    pub kind: SectionKind,
}

impl PromptSection {
    /// Creates a section and normalizes its title and text.
    ///
    /// In the text, `\r\n` and a lone `\r` become `\n`, and whitespace at both ends is
    /// removed. Nothing else inside the text changes. In the title, each run of whitespace
    /// becomes one space. The tag is kept unchanged.
    pub fn new(kind: SectionKind, tag: &str, title: &str, text: &str) -> Self {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        Self {
            tag: tag.to_string(),
            title: title.split_whitespace().collect::<Vec<_>>().join(" "),
            text: text.trim().to_string(),
            kind,
        }
    }

    /// The section as the model reads it: `# ` and the title, an empty line, the text, and
    /// a final `\n`. Without a title, only the text and the `\n`. Without a text, the empty
    /// string, even if there is a title.
    pub fn render(&self) -> String {
        match (self.title.as_str(), self.text.as_str()) {
            (_, "") => String::new(),
            ("", text) => format!("{text}\n"),
            (title, text) => format!("# {title}\n\n{text}\n"),
        }
    }
}
