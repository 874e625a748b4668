//! A chapter's wrong answers: the code in a collapsed block, and the explanation in another one
//! inside it. The code is formatted, since a mistake on a line of its own gives itself away. The
//! answers to core sections come first, in the order of the sections.

use std::collections::BTreeMap;
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
        let sections = manifest.sections.iter();
        let depth: BTreeMap<_, _> = sections.map(|it| (it.id, it.depth)).collect();
        let mut wrong_answers: Vec<&WrongAnswer> = manifest.wrong.iter().collect();
        wrong_answers.sort_by_key(|wrong| (depth[&wrong.section], wrong.section));
        let codes = wrong_answers.iter().map(|wrong| self.wrong_code(wrong));
        let codes = formatted(codes.collect::<Result<_>>()?);
        let mut text = String::new();
        for (wrong, code) in wrong_answers.into_iter().zip(codes) {
            let block = self.wrong_answer(chapter, wrong, &code)?;
            let _ = writeln!(text, "{block}\n");
        }
        Ok(text)
    }

    fn wrong_code(&self, wrong: &WrongAnswer) -> Result<String> {
        let code = || {
            let (file, _, found) = self.solution.find(&self.repo.solutions(), &wrong.item)?;
            let source = self.solution.file(&file).context("it has no file")?;
            wrong_item(&source.text, &found, wrong)
        };
        code().with_context(|| format!("the wrong answer to {} ({})", wrong.section, wrong.item))
    }

    fn wrong_answer(&self, chapter: &Chapter, wrong: &WrongAnswer, code: &str) -> Result<String> {
        let (_, inner, _) = self.solution.find(&self.repo.solutions(), &wrong.item)?;
        let depth = match self.course.section(wrong.section)?.depth {
            true => ", depth",
            false => "",
        };
        Ok(format!(
            "<details class=\"wrong-answer\"><summary>Section {section}{depth}: <code>{name}</code></summary>\n\n{code}\n\n\
             <details><summary>What is wrong</summary>\n\n{because}\n\n</details>\n\n\
             [Back to checkpoint {section}]({page}.md#checkpoint-{section})\n\n</details>",
            section = wrong.section,
            code = fenced("rust", code),
            page = chapter.stem(),
            name = html(&inner.join("::")),
            because = wrong.because.trim(),
        ))
    }
}

/// Separates items that are formatted together.
const SEPARATOR: &str = "// ----------";

/// The items, formatted by one run of rustfmt. Without rustfmt, as they are.
fn formatted(codes: Vec<String>) -> Vec<String> {
    let text = codes.join(&format!("\n\n{SEPARATOR}\n\n"));
    let Ok(text) = source::rustfmt(&text) else {
        return codes;
    };
    let items = text.split(SEPARATOR).map(|code| code.trim().to_string());
    let items: Vec<String> = items.collect();
    match items.len() == codes.len() {
        true => items,
        false => codes,
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
