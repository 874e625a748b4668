//! Links each term of the glossary where a chapter's page first uses it.
//!
//! An entry of the glossary is a heading of the third level. Below it, a comment lists the forms
//! of the term that pages link: `<!-- link: tool call, tool calls -->`. A term that is also a
//! common word has no such comment, and pages link it by hand.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

use course::book::directives;
use mdbook_markdown::pulldown_cmark::{Event, Tag, TagEnd, TextMergeWithOffset};
use mdbook_markdown::{MarkdownOptions, new_cmark_parser};

/// The page with the terms.
pub const PAGE: &str = "glossary.md";

/// The forms that pages link.
#[derive(Debug, Default)]
pub struct Glossary {
    forms: Vec<Form>,
}

/// One way to write a term.
#[derive(Debug)]
struct Form {
    /// In lower case.
    text: String,
    /// The target of its link.
    target: String,
}

impl Glossary {
    /// Reads the page with the terms.
    pub fn parse(markdown: &str) -> Self {
        let mut forms = Vec::new();
        let mut target = String::new();
        for line in markdown.lines() {
            if let Some(term) = line.strip_prefix("### ") {
                target = format!("{PAGE}#{}", anchor_of(term));
            }
            let listed = line.strip_prefix("<!-- link: ");
            let listed = listed.and_then(|line| line.strip_suffix(" -->"));
            forms.extend(
                listed
                    .into_iter()
                    .flat_map(|line| line.split(", "))
                    .map(|form| Form {
                        text: form.to_ascii_lowercase(),
                        target: target.clone(),
                    }),
            );
        }
        Self { forms }
    }

    /// The page with a link at the first use of each term in running text that readers see
    /// without unfolding anything. A term that the page links by hand gets no other link.
    pub fn link(&self, markdown: &str) -> String {
        let (texts, by_hand) = running_text(markdown);
        let lower = markdown.to_ascii_lowercase();
        let mut forms: Vec<&Form> = self.forms.iter().collect();
        forms.retain(|form| lower.contains(&form.text));
        forms.retain(|form| !by_hand.contains(&form.target));
        let mut out = String::with_capacity(markdown.len());
        let mut copied = 0;
        for range in texts {
            let mut at = range.start;
            while let Some((found, target)) = first(&forms, &lower[at..range.end]) {
                let (start, end) = (at + found.start, at + found.end);
                out.push_str(&markdown[copied..start]);
                out.push_str(&format!("[{}]({target})", &markdown[start..end]));
                forms.retain(|form| form.target != target);
                (copied, at) = (end, end);
            }
        }
        out + &markdown[copied..]
    }
}

/// The earliest form in `text`, which is in lower case, and the target of its link. At one place,
/// the longest form.
fn first(forms: &[&Form], text: &str) -> Option<(Range<usize>, String)> {
    let found = forms
        .iter()
        .filter_map(|form| Some((find(text, &form.text)?, form)));
    let first = found.min_by_key(|(range, _)| (range.start, Reverse(range.end)));
    first.map(|(range, form)| (range, form.target.clone()))
}

/// The whole words `form` in `text`.
fn find(text: &str, form: &str) -> Option<Range<usize>> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let mut places = text.match_indices(form).map(|(at, _)| at..at + form.len());
    places.find(|range| {
        let before = text[..range.start].chars().next_back();
        let after = text[range.end..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

/// The places of the running text in `markdown`, and the targets of its links. Headings, code,
/// links, directives and folded parts are not running text.
fn running_text(markdown: &str) -> (Vec<Range<usize>>, Vec<String>) {
    let masked = without_directives(markdown);
    let mut options = MarkdownOptions::default();
    options.smart_punctuation = false;
    let parser = new_cmark_parser(&masked, &options).into_offset_iter();
    let (mut texts, mut links) = (Vec::new(), Vec::new());
    let (mut skipped, mut folded) = (0, 0);
    for (event, range) in TextMergeWithOffset::new(parser) {
        match event {
            Event::Start(tag) => {
                skipped += usize::from(is_skipped(&tag));
                if let Tag::Link { dest_url, .. } = tag {
                    links.push(dest_url.to_string());
                }
            }
            Event::End(end) => {
                let is_skipped = matches!(
                    end,
                    TagEnd::Heading(_) | TagEnd::CodeBlock | TagEnd::Link | TagEnd::Image
                );
                skipped -= usize::from(is_skipped);
            }
            Event::Html(html) | Event::InlineHtml(html) => {
                folded += html.matches("<details").count();
                folded -= html.matches("</details>").count().min(folded);
            }
            // An escape or an entity makes the text differ from its source.
            Event::Text(text) if skipped + folded == 0 && masked[range.clone()] == *text => {
                texts.push(range);
            }
            _ => {}
        }
    }
    (texts, links)
}

fn is_skipped(tag: &Tag) -> bool {
    matches!(
        tag,
        Tag::Heading { .. } | Tag::CodeBlock(_) | Tag::Link { .. } | Tag::Image { .. }
    )
}

/// The page with spaces in place of its directives, so that all places stay the same.
fn without_directives(markdown: &str) -> String {
    let ours: BTreeSet<usize> = directives(markdown)
        .map(|directive| directive.line)
        .collect();
    let lines = markdown.split('\n').zip(1..);
    let lines = lines.map(|(line, number)| match ours.contains(&number) {
        true => " ".repeat(line.len()),
        false => line.to_string(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The id that mdBook gives a heading.
fn anchor_of(heading: &str) -> String {
    let chars = heading.trim().chars().flat_map(char::to_lowercase);
    let chars = chars.map(|c| if c.is_whitespace() { '-' } else { c });
    chars
        .filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
        .collect()
}
