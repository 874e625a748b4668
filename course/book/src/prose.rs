//! Splits a page into text, code, headings and links.

use std::ops::Range;

use course::book::directives;
use mdbook_markdown::pulldown_cmark::{
    CodeBlockKind, Event, HeadingLevel, Tag, TagEnd, TextMergeWithOffset,
};
use mdbook_markdown::{MarkdownOptions, new_cmark_parser};

/// The languages of code blocks with commands.
const SHELLS: [&str; 5] = ["", "text", "sh", "console", "bash"];

/// A piece of a page and its first line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The line, from 1.
    pub line: usize,
    /// The text, without markup.
    pub text: String,
}

/// The contents of a page, without its directives.
#[derive(Debug, Default)]
pub struct Prose {
    /// Running text, headings included.
    pub text: Vec<Piece>,
    /// Inline code.
    pub code: Vec<Piece>,
    /// Code blocks with their language, which may be empty.
    pub blocks: Vec<(String, Piece)>,
    /// Headings of the second level, code in them included.
    pub headings: Vec<Piece>,
    /// The targets of links.
    pub links: Vec<Piece>,
}

impl Prose {
    /// Splits a page.
    pub fn parse(markdown: &str) -> Self {
        let markdown = without_directives(markdown);
        let lines = Lines::new(&markdown);
        let mut options = MarkdownOptions::default();
        options.smart_punctuation = false;
        let parser = new_cmark_parser(&markdown, &options).into_offset_iter();
        let mut prose = Self::default();
        let mut block: Option<String> = None;
        let mut in_heading = false;
        for (event, range) in TextMergeWithOffset::new(parser) {
            let piece = |text: &str| lines.piece(&range, text);
            match event {
                Event::Start(Tag::CodeBlock(kind)) => {
                    block = Some(match kind {
                        CodeBlockKind::Fenced(info) => info.to_string(),
                        CodeBlockKind::Indented => String::new(),
                    });
                }
                Event::End(TagEnd::CodeBlock) => block = None,
                Event::Start(Tag::Heading {
                    level: HeadingLevel::H2,
                    ..
                }) => {
                    prose.headings.push(piece(""));
                    in_heading = true;
                }
                Event::End(TagEnd::Heading(_)) => in_heading = false,
                Event::Start(Tag::Link { dest_url, .. }) => prose.links.push(piece(&dest_url)),
                Event::Text(text) | Event::Code(text) if in_heading => {
                    if let Some(heading) = prose.headings.last_mut() {
                        heading.text.push_str(&text);
                    }
                    prose.text.push(piece(&text));
                }
                Event::Text(text) => match &block {
                    Some(language) => prose.blocks.push((language.clone(), piece(&text))),
                    None => prose.text.push(piece(&text)),
                },
                Event::Code(text) => prose.code.push(piece(&text)),
                _ => {}
            }
        }
        prose
    }

    /// The code blocks with commands.
    pub fn typed(&self) -> impl Iterator<Item = &Piece> {
        let blocks = self.blocks.iter();
        let typed = blocks.filter(|(language, _)| SHELLS.contains(&language.as_str()));
        typed.map(|(_, piece)| piece)
    }

    /// The number of words in text and inline code, without code blocks.
    pub fn words(&self) -> usize {
        self.text
            .iter()
            .chain(&self.code)
            .flat_map(|piece| piece.text.split_whitespace())
            .filter(|word| word.chars().any(char::is_alphanumeric))
            .count()
    }
}

/// The page with empty lines in place of its directives, so that line numbers stay the same.
fn without_directives(markdown: &str) -> String {
    let mut lines: Vec<&str> = markdown.lines().collect();
    for directive in directives(markdown) {
        lines[directive.line - 1] = "";
    }
    lines.join("\n")
}

/// The positions of the line breaks of a text.
struct Lines(Vec<usize>);

impl Lines {
    fn new(text: &str) -> Self {
        Self(text.match_indices('\n').map(|(at, _)| at).collect())
    }

    fn piece(&self, range: &Range<usize>, text: &str) -> Piece {
        Piece {
            line: self.0.partition_point(|newline| *newline < range.start) + 1,
            text: text.to_string(),
        }
    }
}
