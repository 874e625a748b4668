//! A chapter's quiz, from `book/src/chNN-slug.quiz.toml`: questions with choices, and an
//! explanation for each choice.
//!
//! Each choice is a collapsed block, so that the quiz also works on a page without a script. The
//! page's script records the first choice that a reader opens.

use std::fmt::Write;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use super::blocks::with_code;
use super::{Pages, chapter_number};
use crate::repo::read_text;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Quiz {
    #[serde(rename = "question")]
    pub questions: Vec<Question>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    /// The question, in markdown.
    pub text: String,
    pub choices: Vec<Choice>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Choice {
    /// Plain text; `code` in backticks.
    pub text: String,
    #[serde(default)]
    pub right: bool,
    /// Why it is right or wrong, in markdown.
    pub because: String,
}

impl Pages {
    pub(super) fn quiz(&self, chapter: &str) -> Result<String> {
        let number = chapter_number(chapter)?;
        let quiz = self.read_quiz(number)?;
        let mut text = String::new();
        for (place, question) in (1..).zip(&quiz.questions) {
            let _ = write!(
                text,
                "<div class=\"quiz\" data-question=\"{number}.{place}\">\n\n**{place}.** {}\n\n",
                question.text.trim()
            );
            for choice in &question.choices {
                let _ = write!(
                    text,
                    "<details class=\"choice\" data-right=\"{right}\"><summary>{}</summary>\n\n**{}.** {}\n\n</details>\n\n",
                    with_code(&choice.text),
                    if choice.right { "Right" } else { "Not quite" },
                    choice.because.trim(),
                    right = choice.right,
                );
            }
            text.push_str("</div>\n\n");
        }
        Ok(text)
    }

    /// The quiz of chapter `number`. Each of its questions has one right choice.
    pub(super) fn read_quiz(&self, number: u32) -> Result<Quiz> {
        let path = self.course.chapter(number)?.quiz_path(&self.repo);
        let name = self.repo.relative(&path);
        let text = read_text(&path)
            .with_context(|| format!("cannot read {name}, which holds the quiz"))?;
        let quiz: Quiz = toml_edit::de::from_str(&text).with_context(|| format!("in {name}"))?;
        for (place, question) in (1..).zip(&quiz.questions) {
            let right = question.choices.iter().filter(|choice| choice.right);
            ensure!(
                right.count() == 1 && question.choices.len() > 1,
                "question {place} of {name} needs one right choice and at least one wrong one"
            );
        }
        Ok(quiz)
    }
}
