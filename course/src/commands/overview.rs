//! The JSON document about a learner's progress, which `status --json` prints and `report --class`
//! writes.

use anyhow::Result;
use serde_json::{Value, json};

use crate::git_clone::cloned_commit;
use crate::journal::{self, Journal};
use crate::progress::Progress;
use crate::verdict::ChapterReport;

/// The version of the format. It grows when a field changes its meaning.
const FORMAT: u32 = 1;

/// What a document says about a chapter's sections.
pub(super) struct Details {
    pub sections: Vec<Value>,
    pub problem: Option<Value>,
}

/// The progress in all chapters, with `details` of those that have a verdict.
pub(super) fn overview(
    progress: &Progress,
    current: &ChapterReport,
    details: impl Fn(&ChapterReport) -> Result<Details>,
) -> Result<Value> {
    let mut chapters = Vec::new();
    for chapter in progress.course.chapters() {
        let open = chapter.number <= progress.open;
        let report = match &chapter.manifest {
            _ if chapter.number == current.number => Some(current),
            Some(_) if open => progress.verdicts.of(chapter.number),
            _ => None,
        };
        let details = report.map(&details).transpose()?;
        let (sections, problem) = match details {
            Some(details) => (Some(details.sections), details.problem),
            None => (None, None),
        };
        chapters.push(json!({
            "number": chapter.number,
            "title": chapter.title,
            "written": chapter.manifest.is_some(),
            "open": open,
            "done": report.map(ChapterReport::is_done),
            "sections": sections,
            "problem": problem,
        }));
    }
    let journal = Journal::load(&progress.repo);
    let section = current.current();
    let mistakes = journal.mistakes().filter_map(|(name, because)| {
        let section = progress.course.section_named(name)?;
        Some(json!({ "section": section.id, "because": because }))
    });
    Ok(json!({
        "format": FORMAT,
        "course": version(progress),
        "written_at": journal::now(),
        "path": progress.path.path,
        "current_chapter": current.number,
        "current_section": section.map(|section| section.id),
        "red_since": section.and_then(|section| journal.red_since(&section.name)),
        "wrong_answers": mistakes.collect::<Vec<_>>(),
        "chapters": chapters,
    }))
}

/// The version of the course: that of the runner, and the first digits of the cloned commit.
fn version(progress: &Progress) -> String {
    let number = env!("CARGO_PKG_VERSION");
    match cloned_commit(&progress.repo) {
        Some(commit) => format!("{number} {}", commit.get(..8).unwrap_or_default()),
        None => number.to_string(),
    }
}
