//! Checkpoint blocks: the parts to write, the tests and the commands to run them.

use std::fmt::Write;

use anyhow::{Context, Result, ensure};

use super::Pages;
use super::blocks::html;
use crate::hints::Hints;
use crate::manifest::SectionId;
use crate::stubs::Piece;
use crate::suite;

impl Pages {
    /// One HTML block. The page's script adds the current status to it.
    pub(super) fn checkpoint(&self, id: &str) -> Result<String> {
        let id: SectionId = id.parse()?;
        let section = self.course.section(id)?;
        ensure!(
            !section.tests.is_empty(),
            "section {id} has no tests and so no checkpoint; remove the directive"
        );
        let chapter = self.course.chapter(id.chapter)?;
        let file = suite::section_file(&self.repo, chapter, id).with_context(|| {
            format!("section {id} has no test file; `cargo course verify` names the one it needs")
        })?;
        let feature = chapter.feature();
        let tests: String = section
            .tests
            .iter()
            .map(|test| format!("<li><code>{test}</code></li>\n"))
            .collect();
        let count = match section.tests.len() {
            1 => "1 test".to_string(),
            n => format!("{n} tests"),
        };
        Ok(format!(
            "<section class=\"checkpoint\" id=\"checkpoint-{id}\" data-section=\"{id}\" aria-label=\"Checkpoint {id}\">\n\
             <p class=\"checkpoint-title\">Checkpoint {id}<span class=\"checkpoint-state\" role=\"status\"></span></p>\n\
             <p>You write {}.</p>\n\
             <pre><code class=\"language-sh\">cargo course check {id}</code></pre>\n\
             <details><summary>{count}, and plain Cargo</summary>\n\
             <p>They are in <code>{file}</code>. <code>cargo test {feature}::</code> runs the whole chapter, <code>cargo test {feature}::{prefix}</code> this section, and <code>cargo test</code> with one of these names that test alone:</p>\n\
             <ul>\n{tests}</ul>\n\
             </details>\n\
             {hints}</section>",
            self.to_write(id),
            prefix = suite::file_prefix(id),
            hints = hints(&section.hints),
        ))
    }

    /// The section's items and attributes, grouped by file.
    fn to_write(&self, id: SectionId) -> String {
        let mut files: Vec<(&str, Vec<String>)> = Vec::new();
        for piece in self.solution.pieces(id) {
            match files.last_mut() {
                Some((file, names)) if *file == piece.file => names.push(named(piece)),
                _ => files.push((&piece.file, vec![named(piece)])),
            }
        }
        let mut text = String::new();
        for (at, (file, names)) in files.iter().enumerate() {
            let between = if at == 0 { "" } else { "; " };
            let _ = write!(
                text,
                "{between}{} in <code>src/{}</code>",
                listed(names),
                html(file)
            );
        }
        text
    }
}

/// The hints, collapsed. Each general one is inside the one before it, so that a reader unfolds
/// them in order. Blank lines around a hint let the book's renderer read it as markdown.
fn hints(hints: &Hints) -> String {
    let total = hints.general.len();
    let open = |summary: String, text: &str| {
        format!("<details class=\"hint\"><summary>{summary}</summary>\n\n{text}\n\n")
    };
    let keyed = hints.keyed.iter().map(|hint| {
        let summary = format!("If <code>{}</code> fails", hint.test);
        open(summary, &hint.text) + "</details>\n"
    });
    let general = (1..)
        .zip(&hints.general)
        .map(|(number, text)| open(format!("Hint {number} of {total}"), text));
    let text: String = keyed.chain(general).collect();
    text + &"</details>\n".repeat(total)
}

pub(super) fn named(piece: &Piece) -> String {
    let name = format!("<code>{}</code>", html(&piece.path.join("::")));
    match &piece.attribute {
        Some(_) => format!("an attribute on {name}"),
        None => name,
    }
}

/// Joins names: "a", "a and b", "a, b and c".
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [some @ .., last] => format!("{} and {last}", some.join(", ")),
    }
}
