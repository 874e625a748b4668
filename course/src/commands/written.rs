//! Looks at the result after a command has written solutions.

use std::fs;

use anyhow::Result;

use super::show_progress;
use crate::cli::Scope;
use crate::messages::{self, Style};
use crate::progress::{Progress, first_to_do};
use crate::repo::Repo;
use crate::source::declared_modules;
use crate::stubs::Solution;
use crate::verdict::{ChapterReport, SectionReport, State};

/// The result of a look at written solutions.
pub(super) struct Look {
    /// Whether something is wrong.
    pub red: bool,
    /// The message.
    pub lines: Vec<String>,
}

/// Tests the sections of `what`, whose solutions were written into `src/`.
pub(super) fn look_at(repo: &Repo, style: &Style, what: Scope) -> Result<Look> {
    let (number, name) = (what.chapter(), what.name());
    let mut progress = Progress::load(repo.clone())?;
    if number > progress.open {
        let line =
            format!("{name} is written. It is not tested, since chapter {number} is not open yet.");
        return Ok(Look {
            red: false,
            lines: vec![line],
        });
    }
    let report = first_to_do(progress.run(&[number], show_progress())?)?;
    if report.is_not_built() {
        return Ok(not_built(&progress, style, &format!("{name} is"), &report));
    }
    let is_meant = |section: &&SectionReport| match what {
        Scope::Chapter(_) => true,
        Scope::Section(id) => section.id == id,
    };
    let is_green = |state| matches!(state, State::Done | State::Reading);
    let mut sections = report.sections.iter().filter(is_meant);
    let Some(section) = sections.find(|section| !is_green(section.state)) else {
        let mut lines = vec![format!("{name} is solved.")];
        if progress.finished.contains(&number) {
            lines.push(style.green(&messages::chapter_done(number)));
        }
        return Ok(Look { red: false, lines });
    };
    let mut lines = vec![format!("{name} is written, and not green yet:")];
    lines.extend(messages::section_reason(style, &report.page, section));
    let red = matches!(section.state, State::Wrong | State::NotWritten);
    if red {
        lines.extend(restore_given(&progress));
    }
    Ok(Look { red, lines })
}

/// Builds the tests of the chapter of `what`, before which everything was solved. `None` if nothing
/// is wrong.
pub(super) fn look_at_jump(repo: &Repo, style: &Style, what: Scope) -> Result<Option<Look>> {
    let mut progress = Progress::load(repo.clone())?;
    let report = first_to_do(progress.run(&[what.chapter()], show_progress())?)?;
    let what = match what {
        Scope::Chapter(number) => format!("Everything before chapter {number} is"),
        Scope::Section(id) => format!("Everything before section {id} is"),
    };
    if report.is_not_built() {
        return Ok(Some(not_built(&progress, style, &what, &report)));
    }
    // Only the tests of the chapter itself were built, and its stubs hide what they would fail on.
    let files = changed_given_files(&progress.repo, progress.solution()?);
    let lacks_a_module = |(file, text): &(String, String)| {
        let now = fs::read_to_string(progress.repo.src().join(file)).unwrap_or_default();
        !declared_modules(text).is_subset(&declared_modules(&now))
    };
    if !files.iter().any(lacks_a_module) {
        return Ok(None);
    }
    let mut lines = vec![format!("{what} written, and not all of it is compiled.")];
    lines.extend(restore_given(&progress));
    Ok(Some(Look { red: true, lines }))
}

/// Written code that cannot be tested, and what may help.
fn not_built(progress: &Progress, style: &Style, what: &str, report: &ChapterReport) -> Look {
    let mut lines = vec![format!("{what} written, and not tested:")];
    lines.extend(messages::reason(style, report));
    lines.extend(restore_given(progress));
    Look { red: true, lines }
}

/// The offer to restore the given files that the learner has changed, such as `mod.rs`, since they
/// can keep written code out of the build.
fn restore_given(progress: &Progress) -> Option<String> {
    let files = changed_given_files(&progress.repo, progress.solution().ok()?);
    let names: Vec<String> = files
        .iter()
        .map(|(file, _)| format!("src/{file}"))
        .collect();
    (!names.is_empty()).then(|| {
        format!(
            "The cause may be that these files are not as the course has them: {}. `cargo course reset --given` restores them (yours are backed up first).",
            names.join(", ")
        )
    })
}

/// The files without anything to write, such as `lib.rs`, that the learner has changed, with the
/// text that the course has.
pub(super) fn changed_given_files(repo: &Repo, solution: &Solution) -> Vec<(String, String)> {
    let given = solution
        .files()
        .filter(|(file, _)| solution.chapters_in(file).is_empty());
    let mut changed = Vec::new();
    for (file, _) in given {
        let text = solution.render(file, |_| false);
        let now = fs::read_to_string(repo.src().join(file)).unwrap_or_default();
        if now.replace("\r\n", "\n") != text {
            changed.push((file.to_string(), text));
        }
    }
    changed
}
