//! Workshops, from `book/src/workshops.toml`: a schedule with the command that prepares each part,
//! an exit quiz with its key, and a rubric.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use super::Pages;
use super::blocks::with_code;
use crate::manifest::{Section, SectionId};
use crate::messages::time;
use crate::repo::read_text;

/// The contents of `workshops.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Workshops {
    /// The minutes that each section takes in a room, beside its own: the talking point, the
    /// question, and the slowest third.
    minutes_per_section: u32,
    #[serde(rename = "workshop")]
    workshops: Vec<Workshop>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Workshop {
    /// Its name in directives.
    name: String,
    #[serde(rename = "day")]
    days: Vec<Day>,
    /// The exit quiz: for each chapter, the numbers of questions in its quiz.
    quiz: BTreeMap<String, Vec<usize>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Day {
    title: String,
    /// The minutes that there are, without lunch.
    minutes: u32,
    parts: Vec<Part>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    title: String,
    /// The ids of core sections that follow each other.
    #[serde(default)]
    sections: Vec<String>,
    /// The time of a part without sections.
    #[serde(default)]
    minutes: u32,
}

impl Pages {
    /// The schedule of a workshop.
    pub(super) fn schedule(&self, name: &str) -> Result<String> {
        let (workshop, overhead) = self.workshop(name)?;
        let mut text = String::from("<div class=\"schedule\">\n\n");
        for day in &workshop.days {
            let _ = writeln!(
                text,
                "### {}\n\n| from | part | minutes | prepare with |\n| --- | --- | --- | --- |",
                day.title
            );
            let mut now = 0;
            for part in &day.parts {
                let sections = self.sections_of(part)?;
                let mut about = format!("**{}**", part.title);
                for section in &sections {
                    let chapter = self.course.chapter(section.id.chapter)?;
                    let link = self.section_link(chapter, section);
                    let _ = write!(about, "<br>{link} ({} min)", section.minutes);
                }
                let prepare = sections.first().map(|first| self.prepare(first.id));
                let minutes = minutes(part, &sections, overhead);
                let _ = writeln!(
                    text,
                    "| {}:{:02} | {about} | {minutes} | {} |",
                    now / 60,
                    now % 60,
                    prepare.unwrap_or_default()
                );
                now += minutes;
            }
            ensure!(
                now <= day.minutes,
                "`{}` of `{name}` takes {now} minutes and has {}; cut a section",
                day.title,
                day.minutes
            );
            let _ = writeln!(
                text,
                "\nThat is {} of {}: {} are left for questions.\n",
                time(now),
                time(day.minutes),
                time(day.minutes - now)
            );
        }
        text.push_str("</div>\n");
        Ok(text)
    }

    /// The exit quiz of a workshop, and its key on a page of its own.
    pub(super) fn exit_quiz(&self, name: &str) -> Result<String> {
        let (workshop, _) = self.workshop(name)?;
        let mut text = String::new();
        let mut key = String::from("| question | answer | why |\n| --- | --- | --- |\n");
        let mut place = 0;
        let mut chapters = Vec::new();
        for (chapter, questions) in &workshop.quiz {
            chapters.push((super::chapter_number(chapter)?, questions));
        }
        chapters.sort_unstable();
        for (chapter, questions) in chapters {
            let quiz = self.read_quiz(chapter)?;
            for number in questions {
                let question = number.checked_sub(1).and_then(|at| quiz.questions.get(at));
                let question = question.with_context(|| {
                    format!("the quiz of chapter {chapter} has no question {number}")
                })?;
                place += 1;
                let _ = writeln!(
                    text,
                    "<div class=\"exit-question\">\n\n**{place}.** {}\n\n<ul>",
                    question.text.trim()
                );
                for (letter, choice) in ('A'..).zip(&question.choices) {
                    let choice_text = with_code(&choice.text);
                    let _ = writeln!(text, "<li><strong>{letter}</strong> {choice_text}</li>");
                    if choice.right {
                        let why = choice.because.trim().replace('\n', " ").replace('|', "\\|");
                        let _ = writeln!(key, "| {place} | **{letter}** | {why} |");
                    }
                }
                text.push_str("</ul>\n\n</div>\n\n");
            }
        }
        ensure!(place > 0, "`{name}` has no questions");
        let _ = writeln!(
            text,
            "<div class=\"new-page\">\n\n### Key: {name}\n\n{key}\n</div>\n"
        );
        Ok(text)
    }

    /// What each section of a workshop is worth.
    pub(super) fn rubric(&self, name: &str) -> Result<String> {
        let (workshop, _) = self.workshop(name)?;
        let mut sections = Vec::new();
        for part in workshop.days.iter().flat_map(|day| &day.parts) {
            sections.extend(self.sections_of(part)?);
        }
        let total: u32 = sections.iter().map(|section| section.minutes).sum();
        let mut text = String::from("| section | tests | points |\n| --- | --- | --- |\n");
        for section in sections {
            let chapter = self.course.chapter(section.id.chapter)?;
            let _ = writeln!(
                text,
                "| {} | {} | {} |",
                self.section_link(chapter, section),
                section.tests.len(),
                section.minutes
            );
        }
        let _ = writeln!(text, "| **all** | | **{total}** |");
        Ok(text)
    }

    /// The workshop, and the minutes that a section takes beside its own.
    fn workshop(&self, name: &str) -> Result<(Workshop, u32)> {
        let path = self.repo.book().join("workshops.toml");
        let text = read_text(&path).context("cannot read book/src/workshops.toml")?;
        let all: Workshops =
            toml_edit::de::from_str(&text).context("in book/src/workshops.toml")?;
        let mut workshops = all.workshops.into_iter();
        let workshop = workshops.find(|workshop| workshop.name == name);
        let workshop =
            workshop.with_context(|| format!("workshops.toml has no workshop `{name}`"))?;
        let mut last = None;
        for part in workshop.days.iter().flat_map(|day| &day.parts) {
            for section in self.sections_of(part)? {
                ensure!(
                    last < Some(section.id),
                    "`{}`: section {} comes too late; a workshop has each section once, in the order of the course",
                    part.title,
                    section.id
                );
                last = Some(section.id);
            }
        }
        Ok((workshop, all.minutes_per_section))
    }

    /// The sections of a part: core sections of one chapter, of which none is left out.
    fn sections_of(&self, part: &Part) -> Result<Vec<&Section>> {
        let title = &part.title;
        let mut sections: Vec<&Section> = Vec::new();
        for name in &part.sections {
            let section = self.course.section_named(name);
            let section =
                section.with_context(|| format!("`{title}`: there is no section `{name}`"))?;
            ensure!(
                !section.depth,
                "`{title}`: section {} is depth, and given",
                section.id
            );
            if let Some(last) = sections.last() {
                let follows = self.next_core(last.id)?;
                ensure!(
                    follows == Some(section.id),
                    "`{title}`: section {} does not follow {}; begin another part with it, so that its command solves what is between them",
                    section.id,
                    last.id
                );
            }
            sections.push(section);
        }
        ensure!(
            sections.is_empty() == (part.minutes > 0),
            "`{title}` needs either `sections` or `minutes`"
        );
        Ok(sections)
    }

    /// The next core section of the same chapter.
    fn next_core(&self, id: SectionId) -> Result<Option<SectionId>> {
        let (_, manifest) = self.course.written_chapter(id.chapter)?;
        let core = manifest.sections.iter().filter(|section| !section.depth);
        let mut later = core.map(|section| section.id);
        Ok(later.find(|next| *next > id))
    }

    /// The command that solves everything before `first`.
    fn prepare(&self, first: SectionId) -> String {
        let start = self.course.chapters().next().map(|chapter| chapter.number);
        match first.number {
            1 if start == Some(first.chapter) => "`cargo course`".to_string(),
            1 => format!("`cargo course jump {}`", first.chapter),
            _ => format!("`cargo course jump {first}`"),
        }
    }
}

fn minutes(part: &Part, sections: &[&Section], overhead: u32) -> u32 {
    let sections = sections.iter().map(|section| section.minutes + overhead);
    part.minutes + sections.sum::<u32>()
}
