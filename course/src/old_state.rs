//! Carries over what an older version of the runner stored.
//!
//! It counted the hints by the number of their section, such as `1.3`. Numbers move when a section
//! is inserted, so the count is now stored by the section's name. The old verdicts, which are
//! still in `results.json`, know the titles that the numbers had.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::course_toml::Course;
use crate::manifest::{Section, SectionId};
use crate::repo::{Repo, write_atomically};

/// Where the old count of hints stays.
const OLD_HINTS: &str = "hints-by-number.json";

/// Carries over the count of hints, once. Returns what became of each section, for the learner.
pub fn carry_over(repo: &Repo) -> Result<Vec<String>> {
    let file = repo.state().join("hints.json");
    let Some((json, hints)) = fs::read(&file).ok().and_then(|json| {
        let hints: BTreeMap<String, usize> = serde_json::from_slice(&json).ok()?;
        Some((json, hints))
    }) else {
        return Ok(Vec::new());
    };
    let is_number = |key: &String| key.parse::<SectionId>().is_ok();
    if !hints.keys().any(is_number) {
        return Ok(Vec::new());
    }
    let course = Course::load(repo)?;
    let titles = old_titles(repo);
    let (mut by_name, mut kept, mut dropped) = (BTreeMap::new(), Vec::new(), Vec::new());
    for (key, count) in hints {
        match key.parse() {
            Err(_) => {
                by_name.insert(key, count);
            }
            Ok(id) => match titles
                .get(&key)
                .and_then(|title| same_section(&course, id, title))
            {
                Some(section) => {
                    kept.push(format!("{} {}", section.id, section.title));
                    by_name.insert(section.name.clone(), count);
                }
                None => dropped.push(key),
            },
        }
    }
    write_atomically(&repo.state().join(OLD_HINTS), &json)?;
    write_atomically(&file, &serde_json::to_vec(&by_name)?)
        .context("the hints that you took could not be carried over")?;
    let mut lines = vec![
        "Sections were renumbered, and the runner now counts your hints by a section's name."
            .to_string(),
    ];
    if !kept.is_empty() {
        lines.push(format!("  Carried over: {}.", kept.join(", ")));
    }
    if !dropped.is_empty() {
        lines.push(format!(
            "  Counted anew, since the section was changed: {}.",
            dropped.join(", ")
        ));
    }
    lines.push(format!(
        "Your code is as it was, and the tests say what is green. The old count is in .course/{OLD_HINTS}."
    ));
    Ok(lines)
}

/// The section of the same chapter that still has this title.
fn same_section<'a>(course: &'a Course, id: SectionId, title: &str) -> Option<&'a Section> {
    let (_, manifest) = course.written_chapter(id.chapter).ok()?;
    manifest
        .sections
        .iter()
        .find(|section| section.title == title)
}

/// The titles in the old verdicts, by the section's number. Newer verdicts have names, and their
/// numbers are not the old ones.
fn old_titles(repo: &Repo) -> BTreeMap<String, String> {
    let json = fs::read(repo.state().join("results.json")).unwrap_or_default();
    let chapters: BTreeMap<u32, Value> = serde_json::from_slice(&json).unwrap_or_default();
    let sections = chapters.values().flat_map(|chapter| {
        let sections = chapter["report"]["sections"].as_array();
        sections.into_iter().flatten()
    });
    let old = sections.filter(|section| section.get("name").is_none());
    old.filter_map(|section| {
        let id = section["id"].as_str()?;
        Some((id.to_string(), section["title"].as_str()?.to_string()))
    })
    .collect()
}
