//! The directives of the book's pages.
//!
//! A page shows no code of its own: a directive, alone on its line, names what of
//! the sources, the manifests or the pictures is to stand there.
//!
//! | directive | becomes |
//! | --- | --- |
//! | `{{#item PATH}}` | an item's source, from the solution |
//! | `{{#stub PATH}}` | the same item as the learner finds it |
//! | `{{#checkpoint 1.3}}` | what to write in a section, its tests and its commands |
//! | `{{#wrong-answers 1}}` | the wrong answers of a chapter's manifest |
//! | `{{#picture NAME}}` | `book/src/images/NAME.svg`, inline |
//! | `{{#chapters}}` | the table of all chapters, written and planned |
//!
//! Inside code a directive is plain text. mdBook's own directives are left to
//! mdBook, but checked here: of a missing file or anchor mdBook makes an empty
//! block and goes on. A backslash in front, `\{{#`, writes a directive out.

mod blocks;
mod checkpoint;
mod directive;
mod include;
mod listing;
mod wrong;

use std::fmt;

use anyhow::{Result, bail};

use crate::contents::Course;
use crate::render::Solution;
use crate::repo::Repo;
pub use directive::{Directive, directives};
use directive::{Line, Use};

/// Something on a page that has to be mended.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The page's file, from the repository's top folder.
    pub page: String,
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong and what to do about it.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.page, self.line, self.message)
    }
}

/// All that the directives draw from.
pub struct Pages {
    repo: Repo,
    course: Course,
    solution: Solution,
}

impl Pages {
    /// Reads the manifests and the solution.
    pub fn load(repo: &Repo) -> Result<Self> {
        let course = Course::load(repo)?;
        let solution = Solution::load(repo, &course)?;
        Ok(Self {
            repo: repo.clone(),
            course,
            solution,
        })
    }

    /// The manifests.
    pub fn course(&self) -> &Course {
        &self.course
    }

    /// Replaces every directive in `markdown`, the text of the page `name` (a path
    /// below `book/src`), or says everything that is wrong with them.
    pub fn expand(&self, name: &str, markdown: &str) -> Result<String, Vec<Problem>> {
        let (expanded, problems) = self.expand_leniently(name, markdown);
        if problems.is_empty() {
            Ok(expanded)
        } else {
            Err(problems)
        }
    }

    /// As [`expand`](Self::expand), but leaves out what is wrong, so that the rest of
    /// the book can still be built and checked.
    pub fn expand_leniently(&self, name: &str, markdown: &str) -> (String, Vec<Problem>) {
        let mut expanded = String::with_capacity(markdown.len() * 2);
        let mut problems = Vec::new();
        for (line, number) in directive::lines(markdown).zip(1..) {
            let mut report = |error: anyhow::Error, what: &str| {
                problems.push(Problem {
                    page: format!("book/src/{name}"),
                    line: number,
                    message: format!("`{what}`: {error:#}"),
                });
            };
            match line {
                Line::Directive {
                    text,
                    name,
                    argument,
                } => match self.resolve(name, argument) {
                    // Blank lines on both sides: text right above it stays a paragraph.
                    Ok(block) => expanded.push_str(&format!("\n{}\n", block.trim_end())),
                    Err(error) => report(error, text),
                },
                Line::Text { text, uses } => {
                    for one in uses {
                        if let Err(error) = self.check_use(name, &one) {
                            report(error, one.text);
                        }
                    }
                    expanded.push_str(text);
                }
            }
            expanded.push('\n');
        }
        (expanded, problems)
    }

    fn resolve(&self, name: &str, argument: &str) -> Result<String> {
        if name != "chapters" && argument.is_empty() {
            bail!("it lacks an argument; write it as in `{{{{#{name} …}}}}`");
        }
        match name {
            "item" => self.item(argument),
            "stub" => self.stub(argument),
            "checkpoint" => self.checkpoint(argument),
            "wrong-answers" => self.wrong_answers(argument),
            "picture" => self.picture(argument),
            _ => Ok(self.chapters()),
        }
    }

    /// Whatever begins with `{{#` and is not for us to replace: mdBook's own, or wrong.
    fn check_use(&self, page: &str, one: &Use) -> Result<()> {
        match one.name {
            _ if !one.is_closed() && !one.in_code => bail!("it lacks its `}}}}` on the same line"),
            "title" => Ok(()),
            "include" | "rustdoc_include" | "playground" => include::check(
                self.repo
                    .book()
                    .join(page)
                    .parent()
                    .unwrap_or(&self.repo.book()),
                one.name,
                one.argument,
            ),
            _ if one.in_code => Ok(()),
            name if directive::OURS.contains(&name) => {
                bail!("a directive must stand alone on its line, at its very beginning")
            }
            _ => bail!(
                "no such directive; there are {}, and mdBook's include, rustdoc_include, playground and title; write `\\{{{{#` for the characters themselves",
                directive::OURS.join(", ")
            ),
        }
    }
}
