//! The budget: how much there is to write, how long it takes, and how many listings come in a
//! row.

use std::fs;

use anyhow::{Context as _, Result};

use super::context::{Context, Finding};
use crate::book::directives;
use crate::course_toml::Chapter;
use crate::manifest::Times;
use crate::messages::time;

/// The lines to write in a core section, at most.
const CORE_SECTION: usize = 30;
/// The lines to write in a depth section, at most.
const DEPTH_SECTION: usize = 50;
/// The lines to write in the core sections of a chapter, at most.
const CORE_CHAPTER: usize = 150;
/// The minutes that the core sections of a chapter take, at most.
const CORE_MINUTES: u32 = 180;
/// The lines to write in the core sections of the course, at most.
const CORE_COURSE: usize = 2_500;
/// The listings on a page without prose between them, at most.
const LISTINGS_IN_A_ROW: usize = 2;
/// The minutes that the core sections of the course take, at most.
const CORE_COURSE_MINUTES: u32 = 60 * 60;

/// Compares every section, every chapter and the course with the budget.
pub fn check(context: &Context) -> Result<Finding> {
    let solution = context.progress.solution()?;
    let mut problems = Vec::new();
    let mut all_lines = 0;
    let chapters = context.chapters();
    for (chapter, manifest) in &chapters {
        let mut lines = 0;
        for section in &manifest.sections {
            let count = solution.lines_to_write(section.id);
            let (kind, limit) = match section.depth {
                true => ("a depth section", DEPTH_SECTION),
                false => ("a core section", CORE_SECTION),
            };
            if count > limit {
                problems.push(format!(
                    "section {} has {count} lines to write; {kind} has at most {limit}, so split it or give a part",
                    section.id
                ));
            }
            lines += if section.depth { 0 } else { count };
        }
        let minutes = manifest.times().core;
        if lines > CORE_CHAPTER {
            problems.push(format!(
                "the core of chapter {} has {lines} lines to write and may have {CORE_CHAPTER}; make a section depth, or give a part",
                chapter.number
            ));
        }
        if minutes > CORE_MINUTES {
            problems.push(format!(
                "the core of chapter {} takes {} and may take {}; make a section depth, or give a part",
                chapter.number,
                time(minutes),
                time(CORE_MINUTES)
            ));
        }
        all_lines += lines;
        listings(context, chapter, &mut problems)?;
    }
    let all: Times = chapters.iter().map(|(_, manifest)| manifest.times()).sum();
    if all_lines > CORE_COURSE || all.core > CORE_COURSE_MINUTES {
        problems.push(format!(
            "the core of the course has {} lines and takes {}; it may have {CORE_COURSE} and take {}",
            all_lines,
            time(all.core),
            time(CORE_COURSE_MINUTES)
        ));
    }
    Ok(Finding {
        count: format!(
            "core {} lines in {}, depth {}",
            all_lines,
            time(all.core),
            time(all.depth)
        ),
        problems,
    })
}

/// Finds listings that follow each other without prose between them.
fn listings(context: &Context, chapter: &Chapter, problems: &mut Vec<String>) -> Result<()> {
    let page = chapter.page();
    let text = fs::read_to_string(context.progress.repo.root().join(&page))
        .with_context(|| format!("cannot read {page}"))?;
    let lines: Vec<&str> = text.lines().collect();
    let (mut in_a_row, mut end) = (0, 0);
    for listing in directives(&text).filter(|one| matches!(one.name, "item" | "stub")) {
        let between = &lines[end..listing.line - 1];
        let is_next = between.iter().all(|line| line.trim().is_empty());
        in_a_row = if is_next { in_a_row + 1 } else { 1 };
        end = listing.line;
        if in_a_row == LISTINGS_IN_A_ROW + 1 {
            problems.push(format!(
                "{page}:{end}: more than {LISTINGS_IN_A_ROW} listings in a row; say what each one does before it"
            ));
        }
    }
    Ok(())
}
