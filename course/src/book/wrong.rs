//! A chapter's wrong answers: the code in a collapsed block, and the explanation in another one
//! inside it.

use std::fmt::Write;

use anyhow::{Context, Result, ensure};

use super::blocks::html;
use super::listing::fenced;
use super::{Pages, chapter_number};
use crate::course_toml::Chapter;
use crate::manifest::WrongAnswer;
use crate::source::{self, Found};

impl Pages {
    pub(super) fn wrong_answers(&self, chapter: &str) -> Result<String> {
        let number = chapter_number(chapter)?;
        let (chapter, manifest) = self.course.written_chapter(number)?;
        ensure!(
            !manifest.wrong.is_empty(),
            "the manifest of chapter {number} lists none; remove the directive"
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
        let code = fenced("rust", &wrong_item(&source.text, &found, wrong)?);
        Ok(format!(
            "<details class=\"wrong-answer\"><summary>Section {section}: <code>{name}</code></summary>\n\n{code}\n\n\
             <details><summary>What is wrong</summary>\n\n{because}\n\n</details>\n\n\
             [Back to checkpoint {section}]({page}.md#checkpoint-{section})\n\n</details>",
            section = wrong.section,
            page = chapter.stem(),
            name = html(&inner.join("::")),
            because = wrong.because.trim(),
        ))
    }
}

/// The item with this mistake in it.
fn wrong_item(text: &str, found: &Found, wrong: &WrongAnswer) -> Result<String> {
    let indent = source::indent_at(text, found.bare.start);
    let code = match &found.body {
        None => wrong.apply(&text[found.range.clone()])?,
        Some(body) => {
            let head = &text[found.bare.start..body.start];
            match &wrong.body {
                None => format!("{head}{}", wrong.apply(&text[body.clone()])?),
                Some(wrong) => {
                    let lines = wrong.trim().lines();
                    let lines: Vec<String> =
                        lines.map(|line| format!("{indent}    {line}")).collect();
                    format!("{head}{{\n{}\n{indent}}}", lines.join("\n"))
                }
            }
        }
    };
    // Replacing text with nothing can leave a line of white space.
    let lines = code
        .lines()
        .filter(|line| line.is_empty() || !line.trim().is_empty());
    let code: Vec<&str> = lines.collect();
    Ok(source::dedent(indent, &code.join("\n")))
}
