//! A chapter's wrong answers: the code to judge, and folded away what is wrong.

use std::fmt::Write;

use anyhow::{Context, Result, ensure};

use super::Pages;
use super::listing::{dedented, fenced};
use crate::contents::Chapter;
use crate::manifest::WrongAnswer;
use crate::source::Found;

impl Pages {
    pub(super) fn wrong_answers(&self, chapter: &str) -> Result<String> {
        let number = chapter
            .parse()
            .with_context(|| format!("`{chapter}` is no chapter; write its number"))?;
        let (chapter, manifest) = self.course.written_chapter(number)?;
        ensure!(
            !manifest.wrong.is_empty(),
            "the manifest of chapter {number} lists none; leave the directive out"
        );
        let mut text = String::new();
        for wrong in &manifest.wrong {
            let block = self.wrong_answer(chapter, wrong).with_context(|| {
                format!("the wrong answer to {} ({})", wrong.section, wrong.item)
            })?;
            let _ = writeln!(text, "{block}\n");
        }
        Ok(text)
    }

    fn wrong_answer(&self, chapter: &Chapter, wrong: &WrongAnswer) -> Result<String> {
        let (file, inner, found) = self.solution.find(&self.repo.solutions(), &wrong.item)?;
        let source = self.solution.file(&file).context("it has no file")?;
        let code = match &wrong.body {
            Some(body) => fenced("rust", &with_body(&source.text, &found, body)),
            None => fenced("diff", &change(&source.text, &found, wrong)?),
        };
        Ok(format!(
            "<div class=\"wrong-answer\">\n\n[{section}]({page}.md#checkpoint-{section}) `{name}`\n\n{code}\n\n\
             <details><summary>What is wrong</summary>\n\n{because}\n\n</details>\n\n</div>",
            section = wrong.section,
            page = chapter.stem(),
            name = inner.join("::"),
            because = wrong.because.trim(),
        ))
    }
}

/// The function with another body.
fn with_body(text: &str, found: &Found, body: &str) -> String {
    let head = match &found.body {
        Some(right) => dedented(text, &(found.bare.start..right.start)),
        None => String::new(),
    };
    let body: Vec<String> = body
        .trim()
        .lines()
        .map(|line| format!("    {line}").trim_end().to_string())
        .collect();
    format!("{} {{\n{}\n}}", head.trim_end(), body.join("\n"))
}

/// The lines that differ, before and after.
fn change(text: &str, found: &Found, wrong: &WrongAnswer) -> Result<String> {
    let right = &text[found.body.clone().unwrap_or(found.range.clone())];
    // Also says so if the manifest's piece is not there, or there too often.
    wrong.apply(right)?;
    let (replace, with) = (wrong.replace.as_deref(), wrong.with.as_deref());
    let (replace, with) = (replace.unwrap_or_default(), with.unwrap_or_default());
    let mut diff = Vec::new();
    for (at, _) in right.match_indices(replace) {
        let start = right[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let end = at + replace.len();
        let end = right[end..].find('\n').map_or(right.len(), |n| end + n);
        let before = &right[start..end];
        let indent = before.len() - before.trim_start().len();
        let after = before.replacen(replace, with, 1);
        for (mark, side) in [('-', before), ('+', after.as_str())] {
            for line in side.lines().filter(|line| !line.trim().is_empty()) {
                let line = line.get(indent..).unwrap_or(line.trim_start());
                diff.push(format!("{mark} {line}"));
            }
        }
    }
    Ok(diff.join("\n"))
}
