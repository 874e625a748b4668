//! Expands the directives of the book's pages.
//!
//! Pages do not contain copies of code. A directive, alone on its line, names the item,
//! manifest entry or picture to insert.
//!
//! | directive | becomes |
//! | --- | --- |
//! | `{{#item PATH}}` | an item's source, from the solution |
//! | `{{#stub PATH}}` | the same item from the stubs |
//! | `{{#checkpoint 1.3}}` | a section's parts to write, its tests and its commands |
//! | `{{#wrong-answers 1}}` | the wrong answers of a chapter's manifest |
//! | `{{#quiz 1}}` | the quiz of a chapter |
//! | `{{#trace NAME}}` | `book/src/traces/NAME.json`, a recorded run to step through |
//! | `{{#picture NAME}}` | `book/src/images/NAME.svg`, inline |
//! | `{{#chapters}}` | the table of all chapters, written and planned |
//! | `{{#notes 1}}` | the teacher's notes on a chapter |
//! | `{{#slides 1}}` | a chapter's slides; only in `book/slides/slides.md` |
//! | `{{#schedule NAME}}` | the schedule of a workshop in `workshops.toml` |
//! | `{{#exit-quiz NAME}}` | its exit quiz and the key |
//! | `{{#rubric NAME}}` | what its sections are worth |
//!
//! Inside code a directive is plain text. mdBook expands its own directives, but this module
//! checks them, because mdBook silently inserts nothing for a missing file or anchor. A
//! backslash before a directive, `\{{#`, turns it into plain text.

mod blocks;
mod checkpoint;
mod directive;
mod include;
mod listing;
mod page_listings;
mod quiz;
mod slides;
mod teacher_notes;
mod times;
mod trace;
mod workshops;
mod wrong;

use std::fmt;

use anyhow::{Context, Result, bail};

use crate::course_toml::Course;
use crate::repo::Repo;
use crate::stubs::Solution;
pub use directive::{Directive, directives};
use directive::{Line, Use};
use page_listings::PageListings;
pub use slides::BETWEEN_SLIDES;

/// A problem on a page.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The page's file, relative to the repository.
    pub page: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong and how to fix it.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.page, self.line, self.message)
    }
}

/// The sources that the directives insert from.
pub struct Pages {
    repo: Repo,
    course: Course,
    solution: Solution,
}

impl Pages {
    /// Reads the manifests and the reference.
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

    /// Replaces every directive in `markdown`, the text of the page `name` (a path below
    /// `book/src`). Returns all problems if there are any.
    pub fn expand(&self, name: &str, markdown: &str) -> Result<String, Vec<Problem>> {
        let (expanded, problems) = self.expand_leniently(name, markdown);
        if problems.is_empty() {
            Ok(expanded)
        } else {
            Err(problems)
        }
    }

    /// Like [`expand`](Self::expand), but omits wrong directives, so that the rest of the book can
    /// still be built and checked.
    pub fn expand_leniently(&self, name: &str, markdown: &str) -> (String, Vec<Problem>) {
        let mut expanded = String::with_capacity(markdown.len() * 2);
        let mut problems = Vec::new();
        let listings = PageListings::of(markdown);
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
                } => match self.resolve(name, argument, number, &listings) {
                    // The blank lines keep adjacent text in paragraphs of its own.
                    Ok(block) => expanded.push_str(&format!("\n{}\n", block.trim_end())),
                    Err(error) => report(error, text),
                },
                Line::Text {
                    text,
                    uses,
                    in_code_block,
                } => {
                    for one in uses {
                        if let Err(error) = self.check_use(name, &one) {
                            report(error, one.text);
                        }
                    }
                    expanded.push_str(text);
                    if !in_code_block && let Some(times) = self.below_heading(name, text) {
                        expanded.push_str(&format!("\n\n{times}\n"));
                    }
                }
            }
            expanded.push('\n');
        }
        (expanded, problems)
    }

    /// The text of the page `name` without checkpoints, wrong answers and the quiz. Omits wrong
    /// directives.
    pub fn without_answers(&self, name: &str, markdown: &str) -> String {
        let lines = directive::lines(markdown).map(|line| match line {
            Line::Directive {
                name: "checkpoint" | "wrong-answers" | "quiz",
                ..
            } => "",
            Line::Directive { text, .. } | Line::Text { text, .. } => text,
        });
        let shown: Vec<&str> = lines.collect();
        self.expand_leniently(name, &shown.join("\n")).0
    }

    /// Expands the directive on `line` of a page with these listings.
    fn resolve(
        &self,
        name: &str,
        argument: &str,
        line: usize,
        listings: &PageListings,
    ) -> Result<String> {
        if name != "chapters" && argument.is_empty() {
            bail!("the argument is missing; write `{{{{#{name} …}}}}`");
        }
        match name {
            "item" => self.item(argument, listings.id(argument, line)),
            "stub" => self.stub(argument, listings.id(argument, line)),
            "checkpoint" => self.checkpoint(argument),
            "wrong-answers" => self.wrong_answers(argument),
            "quiz" => self.quiz(argument),
            "trace" => self.trace(argument, listings),
            "picture" => self.picture(argument),
            "notes" => self.teacher_notes(argument),
            "slides" => self.slides(argument),
            "schedule" => self.schedule(argument),
            "exit-quiz" => self.exit_quiz(argument),
            "rubric" => self.rubric(argument),
            _ => Ok(self.chapters()),
        }
    }

    /// Checks a `{{#…}}` that is not one of our directives alone on its line.
    fn check_use(&self, page: &str, one: &Use) -> Result<()> {
        match one.name {
            _ if !one.is_closed() && !one.in_code => {
                bail!("the closing `}}}}` is missing on this line")
            }
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
                "there is no such directive; there are {}, and mdBook's include, rustdoc_include, playground and title; write `\\{{{{#` for plain text",
                directive::OURS.join(", ")
            ),
        }
    }
}

/// The chapter that a directive names by its number.
fn chapter_number(text: &str) -> Result<u32> {
    text.parse()
        .with_context(|| format!("`{text}` is not a chapter; write its number"))
}
