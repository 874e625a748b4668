//! Listings: an item from the reference or its stub, under the name of its file.

use anyhow::{Context, Result};

use super::Pages;
use crate::source::Source;

impl Pages {
    /// An item of the reference, with its doc comment and attributes. The listing has the `id`.
    pub(super) fn item(&self, path: &str, id: Option<String>) -> Result<String> {
        let (file, _, found) = self.solution.find(&self.repo.solutions(), path)?;
        let source = self.solution.file(&file).context("it has no file")?;
        let code = source.code(&found.range);
        let caption = format!("<code>src/{file}</code>");
        Ok(listing(id, &caption, "rust", &code))
    }

    /// An item of the stubs.
    pub(super) fn stub(&self, path: &str, id: Option<String>) -> Result<String> {
        let (file, inner, _) = self.solution.find(&self.repo.solutions(), path)?;
        let stub = Source::parse(self.solution.render(&file, |_| false))
            .with_context(|| format!("the stub of {file} does not parse"))?;
        let found = stub.find(&inner)?.with_context(|| {
            format!(
                "the stub of src/{file} has no `{}`, because the learner writes all of it; use `{{{{#item {path}}}}}` or remove the directive",
                inner.join("::")
            )
        })?;
        let code = stub.code(&found.range);
        let caption = format!("<code>src/{file}</code>, as you find it");
        Ok(listing(id, &caption, "rust", &code))
    }
}

/// A code block under a caption in HTML.
fn listing(id: Option<String>, caption: &str, language: &str, code: &str) -> String {
    let id = id.map_or(String::new(), |id| format!(" id=\"{id}\""));
    format!(
        "<figure class=\"listing\"{id}><figcaption>{caption}</figcaption>\n\n{}\n\n</figure>",
        fenced(language, code)
    )
}

/// A fenced block that mdBook shows exactly as `code`.
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

/// Escapes a line. In Rust code mdBook hides lines that begin with a lone `#`, and it expands
/// `{{#` everywhere.
fn verbatim(language: &str, line: &str) -> String {
    let mut line = line.to_string();
    let indent = line.len() - line.trim_start().len();
    let mut after = line[indent..].chars();
    let hidden = after.next() == Some('#') && matches!(after.next(), None | Some('#' | ' '));
    if language == "rust" && hidden {
        line.insert(indent, '#');
    }
    match line.find("{{#") {
        // One backslash escapes everything up to the last `}}` of the line.
        Some(at) if line[at..].contains("}}") => line.insert(at, '\\'),
        _ => {}
    }
    line
}
