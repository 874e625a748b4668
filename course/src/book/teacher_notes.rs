//! The teacher's notes on a chapter's core sections, from the manifest and the page: what to say,
//! what to ask, what to type, the mistakes to expect, how to skip a section, and what to give to
//! people who finish early.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use anyhow::Result;

use super::blocks::{html, literal};
use super::checkpoint::named;
use super::{Pages, chapter_number};
use crate::course_toml::Chapter;
use crate::manifest::{Section, SectionId};
use crate::messages::time;

/// The mistakes that the notes on a section list, at most.
const MISTAKES: usize = 3;

impl Pages {
    /// The notes on chapter `chapter`.
    pub(super) fn teacher_notes(&self, chapter: &str) -> Result<String> {
        let number = chapter_number(chapter)?;
        let (chapter, manifest) = self.course.written_chapter(number)?;
        let mut text = format!("## Chapter {number}: {}\n\n", chapter.title);
        let depth_work = self.depth_work();
        for section in manifest.sections.iter().filter(|section| !section.depth) {
            self.section_notes(&mut text, section)?;
            let work = depth_work.get(&section.id).copied();
            text.push_str(&self.for_early_finishers(section.id, work));
        }
        Ok(text)
    }

    /// For each core section, by its number, a depth section for people who finish early. No core
    /// section comes between the two, and no depth section serves twice. The first depth section
    /// after the core section is preferred, then the newest that is left.
    fn depth_work(&self) -> BTreeMap<SectionId, (&Chapter, &Section)> {
        let mut work = BTreeMap::new();
        let mut left = Vec::new();
        for (chapter, manifest) in self.course.written() {
            // A core section and the depth sections after it.
            for group in manifest.sections.chunk_by(|_, next| next.depth) {
                let depth = group.iter().filter(|section| section.depth);
                left.extend(depth.rev().map(|section| (chapter, section)));
                if !group[0].depth {
                    work.extend(left.pop().map(|found| (group[0].id, found)));
                }
            }
        }
        work
    }

    /// The assignment for people who finish section `id` early: the depth section `work`, or else
    /// the next core section.
    fn for_early_finishers(&self, id: SectionId, work: Option<(&Chapter, &Section)>) -> String {
        let sections = self.course.written().flat_map(|(chapter, manifest)| {
            let sections = manifest.sections.iter();
            sections.map(move |section| (chapter, section))
        });
        let mut later = sections.filter(|(_, section)| section.id > id && !section.depth);
        let Some((chapter, section)) = work.or_else(|| later.next()) else {
            return String::new();
        };
        let command = match section.depth {
            true => format!("`cargo course reset {}` makes it a stub.", section.id),
            false => "It is the next core section: `cargo course next`.".to_string(),
        };
        format!(
            "**For people who finish early:** {} ({}). {command}\n\n",
            self.section_link(chapter, section),
            time(section.minutes)
        )
    }

    fn section_notes(&self, text: &mut String, section: &Section) -> Result<()> {
        let id = section.id;
        let _ = writeln!(
            text,
            "### {id} {} · {}\n\n**Say:** {}\n",
            section.title,
            time(section.minutes),
            section.talk.as_deref().unwrap_or_default()
        );
        if let Some((question, _)) = self.question(id)? {
            let _ = writeln!(text, "**Ask:** {question}\n");
        }
        if let Some(piece) = self.solution.pieces(id).next() {
            let _ = writeln!(
                text,
                "**Type live:** {} in <code>src/{}</code>, then `cargo course check {id}`. \
                 The section has {} to write.\n",
                named(piece),
                html(&piece.file),
                lines(self.solution.lines_to_write(id))
            );
        }
        let (_, manifest) = self.course.written_chapter(id.chapter)?;
        let wrong = manifest.wrong.iter().filter(|wrong| wrong.section == id);
        let wrong: Vec<String> = wrong
            .take(MISTAKES)
            .map(|wrong| {
                format!(
                    "- The screen says <q>{}</q>. {}\n",
                    literal(wrong.says.trim()),
                    wrong.because.trim().replace('\n', "\n  ")
                )
            })
            .collect();
        if !wrong.is_empty() {
            let _ = writeln!(text, "**Mistakes to expect:**\n\n{}", wrong.concat());
        } else if let Some(hint) = section.hints.general.first() {
            let _ = writeln!(
                text,
                "**If somebody is stuck:** the course knows no common mistake here. Its first hint: {}\n",
                hint.trim()
            );
        }
        if !section.tests.is_empty() {
            let users = self.later_uses(id)?;
            let users = match users.is_empty() {
                true => String::new(),
                false => format!(
                    " The pages of later sections refer to it: {}.",
                    users.join(", ")
                ),
            };
            let _ = writeln!(
                text,
                "**To skip it:** `cargo course solution {id} --apply` writes its code, which later sections may use.{users}\n"
            );
        }
        Ok(())
    }

    /// A link to a section's checkpoint, or to its chapter if it is only read.
    pub(super) fn section_link(&self, chapter: &Chapter, section: &Section) -> String {
        let id = section.id;
        let anchor = match section.tests.is_empty() {
            true => String::new(),
            false => format!("#checkpoint-{id}"),
        };
        format!("[{id}]({}.md{anchor}) {}", chapter.stem(), section.title)
    }

    /// The later sections whose pages write "section N.M" of this one.
    fn later_uses(&self, id: SectionId) -> Result<Vec<String>> {
        let wanted = format!("ection {id}");
        let mut users = BTreeSet::new();
        for (chapter, manifest) in self
            .course
            .written()
            .filter(|(it, _)| it.number >= id.chapter)
        {
            let page = self.page_text(chapter)?;
            if !page.contains(&wanted) {
                continue;
            }
            for section in &manifest.sections {
                let text = section_text(&page, section.id);
                let refers = text.match_indices(&wanted).any(|(at, _)| {
                    let next = text[at + wanted.len()..].chars().next();
                    next.is_none_or(|next| !next.is_ascii_digit())
                });
                if section.id > id && refers {
                    users.insert(section.id);
                }
            }
        }
        Ok(users.iter().map(ToString::to_string).collect())
    }

    /// The Predict question of a section's page and its answer, in markdown for another page.
    /// `None` if one of the two is missing.
    pub fn question(&self, id: SectionId) -> Result<Option<(String, String)>> {
        const MARK: &str = "**Predict.**";
        let chapter = self.course.chapter(id.chapter)?;
        let page = self.page_text(chapter)?;
        let text = section_text(&page, id).replace("](#", &format!("]({}.md#", chapter.stem()));
        let Some((_, rest)) = text.split_once(MARK) else {
            return Ok(None);
        };
        let Some((question, rest)) = rest.split_once("<details>") else {
            return Ok(None);
        };
        let answer = rest
            .split_once("</summary>")
            .map_or(rest, |(_, answer)| answer);
        let answer = answer.split("</details>").next().unwrap_or_default();
        let both = (question.trim().to_string(), answer.trim().to_string());
        Ok(Some(both).filter(|(question, answer)| !question.is_empty() && !answer.is_empty()))
    }

    /// A chapter's page, as written.
    pub(super) fn page_text(&self, chapter: &Chapter) -> Result<String> {
        let path = self.repo.book().join(format!("{}.md", chapter.stem()));
        Ok(std::fs::read_to_string(path).unwrap_or_default())
    }
}

/// The part of a page below the heading of section `id`.
fn section_text(page: &str, id: SectionId) -> &str {
    let heading = format!("\n## {id} ");
    let Some(start) = page.find(&heading) else {
        return "";
    };
    let text = &page[start + heading.len()..];
    text.find("\n## ").map_or(text, |end| &text[..end])
}

fn lines(count: usize) -> String {
    match count {
        1 => "1 line".to_string(),
        count => format!("{count} lines"),
    }
}
