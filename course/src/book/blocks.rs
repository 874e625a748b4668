//! Pictures and the table of chapters.

use std::fmt::Write;

use anyhow::{Context, Result, ensure};

use super::Pages;
use super::times::chapter_times;
use crate::manifest::Manifest;
use crate::messages::time;

impl Pages {
    /// An SVG picture, inline, so that it uses the colors of the page's theme.
    pub(super) fn picture(&self, name: &str) -> Result<String> {
        ensure!(
            !name.contains(['/', '\\', '.']),
            "write the name of a file in book/src/images, without folder and extension"
        );
        let path = self.repo.book().join(format!("images/{name}.svg"));
        let svg = std::fs::read_to_string(&path).with_context(|| {
            format!(
                "cannot read {}; add the picture or correct the name",
                self.repo.relative(&path)
            )
        })?;
        // A blank line would end the HTML block. An XML prolog is valid only in files.
        let lines: Vec<&str> = svg
            .lines()
            .filter(|line| !line.trim().is_empty())
            .filter(|line| !line.starts_with("<?xml") && !line.starts_with("<!DOCTYPE"))
            .collect();
        Ok(format!(
            "<figure class=\"picture\">\n{}\n</figure>",
            lines.join("\n")
        ))
    }

    /// The table of all parts and chapters. Chapters without a manifest are marked as planned.
    pub(super) fn chapters(&self) -> String {
        let mut text = String::from("<div class=\"chapters\">\n\n");
        for part in &self.course.parts {
            let _ = writeln!(
                text,
                "## {}\n\n| | chapter | about | time |\n| --- | --- | --- | --- |",
                part.title
            );
            for chapter in &part.chapters {
                let title = chapter.title.replace('|', "\\|");
                let title = match &chapter.manifest {
                    Some(Manifest { unix: true, .. }) => {
                        format!("[{title}]({}.md) (Unix)", chapter.stem())
                    }
                    Some(_) => format!("[{title}]({}.md)", chapter.stem()),
                    None => format!("{title} <span class=\"planned\">planned</span>"),
                };
                let about = chapter.about.replace('|', "\\|");
                let times = chapter.manifest.as_ref().map(chapter_times);
                let times = times.unwrap_or_default().replace(" · ", "<br>");
                let _ = writeln!(text, "| {} | {title} | {about} | {times} |", chapter.number);
            }
            text.push('\n');
        }
        let times = self.course.times();
        let _ = writeln!(
            text,
            "The core of the written chapters takes about {}, their depth sections {} more.\n",
            time(times.core),
            time(times.depth)
        );
        text.push_str("</div>\n");
        text
    }
}

/// Escapes `text` for HTML, between tags or in a quoted attribute.
pub(super) fn html(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// Escapes `text` for Markdown, which otherwise would read some of its characters as markup.
pub(super) fn literal(text: &str) -> String {
    let escaped = text.chars().map(|char| match char {
        '\n' => "&#10;".to_string(),
        char if char.is_ascii_punctuation() => format!("&#{};", u32::from(char)),
        char => char.to_string(),
    });
    escaped.collect()
}

/// HTML for a line of text in which backticks enclose code.
pub(super) fn with_code(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts
        .map(|(at, part)| match at % 2 {
            0 => html(part),
            _ => format!("<code>{}</code>", html(part)),
        })
        .collect()
}
