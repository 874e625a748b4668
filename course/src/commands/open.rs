//! `cargo course next`, `open` and `jump`: go to another chapter.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, ensure};

use super::path::{gifts, given_lines, overwrite, prepare};
use super::written::look_at_jump;
use super::{Outcome, backed_up, in_src, show_progress};
use crate::cli::Scope;
use crate::manifest::SectionId;
use crate::messages::{self, Style};
use crate::open_chapter::with_open_chapter;
use crate::platform;
use crate::progress::Progress;
use crate::splice::{self, Form};

/// Shows the first checkpoint that is not green. If there is none, opens the next chapter.
pub fn next(progress: &mut Progress, style: &Style) -> Result<Outcome> {
    let current = progress.verdicts.last_current();
    let given = prepare(progress, style, "next", current)?;
    let mut outcome = what_is_next(progress, style, current)?;
    outcome.lines.splice(..0, given);
    Ok(outcome)
}

/// What comes next for a learner whose chapter was `current`.
fn what_is_next(progress: &mut Progress, style: &Style, current: u32) -> Result<Outcome> {
    let report = progress.run_current(show_progress())?;
    if !report.is_done() {
        let mut lines = messages::finished(style, &progress.finished, &report);
        lines.extend([messages::heading(style, &report), String::new()]);
        if report.number == current {
            lines.extend([messages::comes_first(report.number), String::new()]);
        }
        lines.extend(messages::reason(style, &report));
        return Ok(Outcome { lines, red: true });
    }
    let done = style.green(&messages::chapter_done(report.number));
    let Ok(following) = progress.course.chapter(report.number + 1) else {
        return Ok(vec![
            done,
            "It was the last chapter: the course is done.".to_string(),
        ]
        .into());
    };
    let mut lines = vec![done];
    let later = progress.course.written();
    let later = later.filter(|(chapter, _)| chapter.number > report.number);
    let mut written = None;
    for (chapter, manifest) in later {
        if manifest.runs_here() {
            written = Some((chapter, manifest));
            break;
        }
        lines.push(format!(
            "Passed over: {}.",
            platform::needs_unix(chapter.number, &chapter.title)
        ));
    }
    if following.manifest.is_none() {
        lines.push(format!(
            "The next chapter is {}, {}. It is planned and not written yet.",
            following.number, following.title
        ));
        lines.push(format!("It will be about: {}", following.about));
    }
    let Some((following, _)) = written else {
        lines.push(format!(
            "Until then, try the exercises under \"Go further\" in {}.",
            report.page
        ));
        return Ok(lines.into());
    };
    let title = format!("chapter {}, {}", following.number, following.title);
    let number = following.number;
    if number > progress.open {
        lines.extend(open(progress, style, Scope::Chapter(number))?.lines);
    } else {
        lines.push(format!("The next one is {title}. It is already open."));
        lines.extend(prepare(progress, style, "next", number)?);
    }
    Ok(lines.into())
}

/// Opens the chapter of `what` in Cargo.toml, and says where to read.
pub fn open(progress: &mut Progress, style: &Style, what: Scope) -> Result<Outcome> {
    let _lock = progress.lock()?;
    let number = what.chapter();
    let (chapter, _) = progress.course.chapter_here(number)?;
    let title = format!("chapter {number}, {}", chapter.title);
    let page = match what {
        Scope::Chapter(_) => format!("Read: {}", chapter.page()),
        Scope::Section(id) => {
            let section = progress.course.section(id)?;
            format!("Read: {}, section {id}, {}", chapter.page(), section.title)
        }
    };
    if number <= progress.open {
        return Ok(vec![format!("Already open: {title}."), page].into());
    }
    let path = progress.repo.cargo_toml();
    let manifest = fs::read_to_string(&path).context("cannot read Cargo.toml")?;
    let opened = with_open_chapter(&manifest, number)?;
    let gifts = gifts(progress, 0..=number)?;
    let files = splice::plan(
        &progress.repo,
        progress.solution()?,
        gifts.iter().map(|id| (*id, Form::Solved)),
    )?;
    let mut changes = in_src(progress, files);
    changes.insert(path, Some(opened.into_bytes()));
    progress.path.prepare(&progress.course, number, &gifts);
    let backup = overwrite(progress, &format!("open {number}"), changes)?;
    progress.open = number;
    let mut lines = vec![format!("Opened {title}."), page];
    lines.extend(given_lines(progress, &gifts));
    if let Some(backup) = backup {
        lines.extend(backed_up(style, &backup));
    }
    Ok(lines.into())
}

/// Solves everything before the chapter or section `what`, and opens the chapter.
pub fn jump(progress: &mut Progress, style: &Style, what: Scope) -> Result<Outcome> {
    let lock = progress.lock()?;
    let number = what.chapter();
    let (chapter, _) = progress.course.chapter_here(number)?;
    let is_first = progress.course.chapters().next().map(|it| it.number) == Some(number);
    let (target, title, opened) = match what {
        Scope::Chapter(_) => {
            ensure!(
                !is_first,
                "chapter {number} is the first chapter, so there is nothing to skip"
            );
            let target = SectionId {
                chapter: number,
                number: 0,
            };
            let title = format!("chapter {number} ({})", chapter.title);
            (target, title, "the chapter is open".to_string())
        }
        Scope::Section(id) => {
            let section = progress.course.section(id)?;
            ensure!(
                !is_first || id.number > 1,
                "section {id} is the first section, so there is nothing to skip"
            );
            let title = format!("section {id} ({})", section.title);
            (id, title, format!("chapter {number} is open"))
        }
    };
    // A file that only earlier sections change is replaced as a whole. In a file that this
    // section or later ones change, the learner's parts of those stay.
    let solution = progress.solution()?;
    let mut sections: BTreeMap<&str, Vec<SectionId>> = BTreeMap::new();
    for (section, unit) in solution.all_units() {
        sections.entry(&unit.file).or_default().push(section);
    }
    let mut files = BTreeMap::new();
    for (file, sections) in sections {
        if sections.iter().all(|section| *section < target) {
            files.insert(file.to_string(), solution.render(file, |_| true));
        }
    }
    let earlier: Vec<_> = progress
        .course
        .sections()
        .map(|section| section.id)
        .filter(|id| *id < target)
        .filter(|id| {
            let mut units = solution.units(*id).into_iter();
            units.any(|unit| !files.contains_key(&unit.file))
        })
        .collect();
    let gifts = gifts(progress, number..=number)?;
    let solved = earlier.iter().chain(&gifts).map(|id| (*id, Form::Solved));
    for (file, text) in splice::plan(&progress.repo, solution, solved)? {
        files.entry(file).or_insert(text);
    }
    let mut changes = in_src(progress, files);
    if number > progress.open {
        let path = progress.repo.cargo_toml();
        let manifest = fs::read_to_string(&path).context("cannot read Cargo.toml")?;
        let opened = with_open_chapter(&manifest, number)?;
        changes.insert(path, Some(opened.into_bytes()));
    }
    progress.path.prepare(&progress.course, number, &gifts);
    let backup = overwrite(progress, &format!("jump {what}"), changes)?;
    progress.open = progress.open.max(number);
    drop(lock);
    let problem = look_at_jump(&progress.repo, style, what)?;
    let red = problem.is_some();
    let mut lines = match problem {
        Some(look) => look.lines,
        None => vec![
            format!("Everything before {title} is solved, and {opened}."),
            "Before `cargo claw`, run `cargo course status` once: it tests the chapters that you skipped."
                .to_string(),
        ],
    };
    lines.extend(given_lines(progress, &gifts));
    if let Some(backup) = backup {
        lines.extend(backed_up(style, &backup));
    }
    Ok(Outcome { lines, red })
}
