//! `cargo course next`, `open` and `jump`: from chapter to chapter.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, bail};

use super::{Outcome, in_src, saved, status};
use crate::edit::{self, Form};
use crate::progress::{Progress, with_open_chapter};
use crate::saves;
use crate::view::{self, Style};

/// Says what comes next: the first checkpoint that is not green, or the next chapter,
/// which it opens.
pub fn next(progress: &mut Progress, style: &Style) -> Result<Outcome> {
    let report = status::current_report(progress)?;
    if !report.is_done() {
        let mut lines = vec![view::heading(style, &report), String::new()];
        lines.extend(view::reason(style, &report));
        return Ok(Outcome { lines, red: true });
    }
    let done = style.green(&format!("Chapter {} is done.", report.number));
    let Ok(following) = progress.course.chapter(report.number + 1) else {
        return Ok(vec![done, "It was the last one: the course is done.".to_string()].into());
    };
    let mut lines = vec![done];
    let written = progress
        .course
        .written()
        .find(|(chapter, _)| chapter.number > report.number);
    if following.manifest.is_none() {
        lines.push(format!(
            "Next comes chapter {}, {}. It is planned and not written yet.",
            following.number, following.title
        ));
        lines.push(format!("It will be about this: {}", following.about));
    }
    let Some((following, _)) = written else {
        lines.push(format!(
            "Until then: the exercises under \"Go further\" in {}.",
            report.page
        ));
        return Ok(lines.into());
    };
    let title = format!("chapter {}, {}", following.number, following.title);
    let number = following.number;
    if number > progress.open {
        lines.extend(open(progress, style, number)?.lines);
    } else {
        lines.push(format!("Next comes {title}, which is open."));
    }
    Ok(lines.into())
}

/// Opens chapter `number` in Cargo.toml.
pub fn open(progress: &mut Progress, style: &Style, number: u32) -> Result<Outcome> {
    let (chapter, _) = progress.course.written_chapter(number)?;
    let title = format!("chapter {number}, {}", chapter.title);
    let page = format!("Read: {}", chapter.page());
    if number <= progress.open {
        return Ok(vec![format!("It is open already: {title}."), page].into());
    }
    let path = progress.repo.cargo_toml();
    let manifest = fs::read_to_string(&path).context("cannot read Cargo.toml")?;
    let opened = with_open_chapter(&manifest, number)?;
    let changes = BTreeMap::from([(path, Some(opened.into_bytes()))]);
    let save = saves::overwrite(&progress.repo, &format!("open {number}"), &changes)?;
    progress.open = number;
    let mut lines = vec![format!("Opened {title}."), page];
    if let Some(save) = save {
        lines.extend(saved(style, &save));
    }
    Ok(lines.into())
}

/// Solves every chapter before `number` and opens it.
pub fn jump(progress: &mut Progress, style: &Style, number: u32) -> Result<Outcome> {
    let (chapter, _) = progress.course.written_chapter(number)?;
    if number == 1 {
        bail!("chapter 1 is where the course starts: nothing comes before it");
    }
    let title = format!("chapter {number}, {}", chapter.title);
    // A file of earlier chapters alone becomes the reference's; one that chapters
    // from here on share keeps what the learner wrote for those.
    let mut files = BTreeMap::new();
    for (file, _) in progress.solution()?.files() {
        let chapters = progress.solution()?.chapters_in(file);
        if chapters.iter().all(|chapter| *chapter < number) && !chapters.is_empty() {
            let text = progress.solution()?.render(file, |_| true);
            files.insert(file.to_string(), text);
        }
    }
    let solution = progress.solution()?;
    let earlier: Vec<_> = progress
        .course
        .written()
        .filter(|(chapter, _)| chapter.number < number)
        .flat_map(|(_, manifest)| &manifest.sections)
        .map(|section| section.id)
        .filter(|id| {
            let mut units = solution.units(*id).into_iter();
            units.any(|unit| !files.contains_key(&unit.file))
        })
        .collect();
    for (file, text) in edit::plan(&progress.repo, solution, &earlier, Form::Solved)? {
        files.entry(file).or_insert(text);
    }
    let mut changes = in_src(progress, files);
    if number > progress.open {
        let path = progress.repo.cargo_toml();
        let manifest = fs::read_to_string(&path).context("cannot read Cargo.toml")?;
        let opened = with_open_chapter(&manifest, number)?;
        changes.insert(path, Some(opened.into_bytes()));
    }
    let save = saves::overwrite(&progress.repo, &format!("jump {number}"), &changes)?;
    progress.open = progress.open.max(number);
    let mut lines = vec![format!(
        "Everything before {title} is solved, and it is open."
    )];
    if let Some(save) = save {
        lines.extend(saved(style, &save));
    }
    Ok(lines.into())
}
