//! Listings: an item as the solution or the stub has it, above it its file.

use anyhow::{Context, Result};

use super::Pages;
use crate::source::Source;

impl Pages {
    /// An item of the solution, its doc comment and attributes included.
    pub(super) fn item(&self, path: &str) -> Result<String> {
        let (file, _, found) = self.solution.find(&self.repo.solutions(), path)?;
        let source = self.solution.file(&file).context("it has no file")?;
        let code = source.code(&found.range);
        Ok(listing(&format!("<code>src/{file}</code>"), "rust", &code))
    }

    /// The same item as it stands in the stubs.
    pub(super) fn stub(&self, path: &str) -> Result<String> {
        let (file, inner, _) = self.solution.find(&self.repo.solutions(), path)?;
        let stub = Source::parse(self.solution.render(&file, |_| false))
            .with_context(|| format!("the stub of {file} does not parse"))?;
        let found = stub.find(&inner)?.with_context(|| {
            format!(
                "the stub of src/{file} has no `{}`, since a learner writes all of it; show it with `{{{{#item {path}}}}}` or leave it out",
                inner.join("::")
            )
        })?;
        let code = stub.code(&found.range);
        let caption = format!("<code>src/{file}</code>, as you find it");
        Ok(listing(&caption, "rust", &code))
    }
}

/// A block of code under a caption, which is HTML.
pub(super) fn listing(caption: &str, language: &str, code: &str) -> String {
    format!(
        "<figure class=\"listing\"><figcaption>{caption}</figcaption>\n\n{}\n\n</figure>",
        fenced(language, code)
    )
}

/// `code` in a fence that nothing in it closes, and such that mdBook changes none of it.
pub(super) fn fenced(language: &str, code: &str) -> String {
    let longest = code
        .split(|c| c != '`')
        .map(str::len)
        .max()
        .unwrap_or_default();
    let fence = "`".repeat(3.max(longest + 1));
    let lines: Vec<String> = code.lines().map(|line| verbatim(language, line)).collect();
    format!("{fence}{language}\n{}\n{fence}", lines.join("\n"))
}

/// In Rust, mdBook hides lines that begin with a lone `#`; anywhere, it acts on `{{#`.
fn verbatim(language: &str, line: &str) -> String {
    let mut line = line.to_string();
    let indent = line.len() - line.trim_start().len();
    let mut after = line[indent..].chars();
    let hidden = after.next() == Some('#') && matches!(after.next(), None | Some('#' | ' '));
    if language == "rust" && hidden {
        line.insert(indent, '#');
    }
    match line.find("{{#") {
        // One backslash covers everything up to the last `}}` of the line.
        Some(at) if line[at..].contains("}}") => line.insert(at, '\\'),
        _ => {}
    }
    line
}
