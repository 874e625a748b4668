//! Checks a chapter's page: it agrees with the manifest and is not too long.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use course::book::{Pages, Problem, directives};
use course::course_toml::{Chapter, Course};
use course::manifest::Manifest;

use crate::page::Page;
use crate::prose::Prose;

/// The number of words on a chapter's page. Up to 3,500 can be read in one sitting; a chapter
/// with many long sections needs more.
const WORDS: RangeInclusive<usize> = 2_000..=8_000;

/// The number of words in a talking point, at most.
const TALK_WORDS: usize = 40;

/// The written chapters that have no page.
pub(super) fn missing(course: &Course, pages: &[Page]) -> Vec<Problem> {
    course
        .written()
        .map(|(chapter, _)| chapter.stem())
        .filter(|stem| !pages.iter().any(|page| page.name == format!("{stem}.md")))
        .map(|stem| Problem {
            page: format!("book/src/{stem}.toml"),
            line: 1,
            message: format!("this chapter has no page; write book/src/{stem}.md"),
        })
        .collect()
}

/// Checks `page` if it is a written chapter's.
pub(super) fn check(pages: &Pages, page: &Page, prose: &Prose) -> Vec<Problem> {
    let mut written = pages.course().written();
    match written.find(|(chapter, _)| page.name == format!("{}.md", chapter.stem())) {
        Some((chapter, manifest)) => {
            let mut problems = checkpoints(manifest, page);
            problems.extend(headings(chapter, manifest, page, prose));
            problems.extend(without_talk(chapter, manifest));
            problems.extend(without_question(pages, manifest, page));
            let words = prose.words();
            if !WORDS.contains(&words) {
                let (least, most) = (WORDS.start(), WORDS.end());
                problems.push(page.problem(
                    1,
                    format!("the chapter has {words} words; a chapter has {least} to {most}"),
                ));
            }
            problems
        }
        None => directives(&page.text)
            .filter(|directive| directive.name == "checkpoint")
            .map(|directive| {
                let message = "a checkpoint belongs on its chapter's page; link to it from here";
                page.problem(directive.line, message)
            })
            .collect(),
    }
}

/// Each core section has a talking point of a length that can be said aloud.
fn without_talk(chapter: &Chapter, manifest: &Manifest) -> Vec<Problem> {
    let core = manifest.sections.iter().filter(|section| !section.depth);
    core.filter_map(|section| {
        let talk = section.talk.as_deref().unwrap_or_default();
        let message = match talk.split_whitespace().count() {
            0 => "needs `talk`, the idea that a teacher says before anybody types",
            1..=TALK_WORDS => return None,
            _ => "has a `talk` of more than 40 words; shorten it",
        };
        Some(Problem {
            page: format!("book/src/{}.toml", chapter.stem()),
            line: 1,
            message: format!("core section {} {message}", section.id),
        })
    })
    .collect()
}

/// Each core section with tests asks a Predict question, which slides and notes show.
fn without_question(pages: &Pages, manifest: &Manifest, page: &Page) -> Vec<Problem> {
    let core = manifest.sections.iter().filter(|section| !section.depth);
    let tested = core.filter(|section| !section.tests.is_empty());
    tested
        .filter(|section| !matches!(pages.question(section.id), Ok(Some(_))))
        .map(|section| {
            let message = format!(
                "core section {} needs a **Predict.** question and then its answer in `<details>`",
                section.id
            );
            page.problem(1, message)
        })
        .collect()
}

/// Each section with tests has one checkpoint, and there are no others.
fn checkpoints(manifest: &Manifest, page: &Page) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut lines: BTreeMap<&str, usize> = BTreeMap::new();
    for directive in directives(&page.text).filter(|one| one.name == "checkpoint") {
        let id = directive.argument;
        if let Some(first) = lines.insert(id, directive.line) {
            problems.push(page.problem(
                directive.line,
                format!(
                    "the checkpoint of section {id} is already on line {first}; remove one of them"
                ),
            ));
        }
        if !manifest.sections.iter().any(|one| one.id.to_string() == id) {
            let message = format!("section {id} is not in this chapter; remove its checkpoint");
            problems.push(page.problem(directive.line, message));
        }
    }
    for section in &manifest.sections {
        let id = section.id.to_string();
        if !section.tests.is_empty() && !lines.contains_key(id.as_str()) {
            problems.push(page.problem(
                1,
                format!("section {id} has tests but no checkpoint; add `{{{{#checkpoint {id}}}}}`"),
            ));
        }
    }
    problems
}

/// The headings `## N.S title` are the sections of the manifest, in its order.
fn headings(chapter: &Chapter, manifest: &Manifest, page: &Page, prose: &Prose) -> Vec<Problem> {
    let number = format!("{}.", chapter.number);
    let is_section = |text: &str| {
        let rest = text.strip_prefix(&number);
        rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let mut found = prose
        .headings
        .iter()
        .filter(|heading| is_section(&heading.text));
    let mut problems = Vec::new();
    for section in &manifest.sections {
        let title = format!("{} {}", section.id, section.title.replace('`', ""));
        match found.next() {
            Some(heading) if heading.text == title => {}
            Some(heading) => problems.push(page.problem(
                heading.line,
                format!(
                    "the heading is `{}`, but the manifest has `{title}`; make them agree",
                    heading.text
                ),
            )),
            None => {
                problems.push(page.problem(1, format!("there is no heading `## {title}`; add it")));
            }
        }
    }
    problems.extend(found.map(|heading| {
        let message = format!(
            "the manifest has no section `{}`; add it to the manifest",
            heading.text
        );
        page.problem(heading.line, message)
    }));
    problems
}
