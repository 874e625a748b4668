//! One piece of a system prompt.

/// Whether a section is the same in every session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SectionKind {
    /// The same bytes in every session and turn: it belongs to what a provider caches.
    Static,
    /// A fact of this session, such as the date: it stands behind all that is cached.
    Dynamic,
}

/// One piece of a system prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptSection {
    /// Names the section, for replacing it. Never shown to the model.
    pub tag: String,
    /// Its heading, on one line; empty for none.
    pub title: String,
    /// Its text, with `\n` as the only line end and no white space at either end.
    pub text: String,
    /// Where it stands.
    pub kind: SectionKind,
}

impl PromptSection {
    /// A section whose title and text are brought into the form that the fields promise.
    ///
    /// In the text, `\r\n` and a lone `\r` become `\n`, and white space at its two ends
    /// goes; inside it nothing else changes. In the title, every run of white space
    /// becomes one space.
    pub fn new(kind: SectionKind, tag: &str, title: &str, text: &str) -> Self {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        Self {
            tag: tag.to_string(),
            title: title.split_whitespace().collect::<Vec<_>>().join(" "),
            text: text.trim().to_string(),
            kind,
        }
    }

    /// The section as the model reads it: `# ` and the title, an empty line, the text, a
    /// line end. Without a title the text begins at once; without a text there is nothing
    /// at all, whatever the title.
    pub fn render(&self) -> String {
        match (self.title.as_str(), self.text.as_str()) {
            (_, "") => String::new(),
            ("", text) => format!("{text}\n"),
            (title, text) => format!("# {title}\n\n{text}\n"),
        }
    }
}
