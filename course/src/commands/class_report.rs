//! `cargo course report --class`: writes a learner's progress for a teacher's overview.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::backed_up;
use super::overview::{Details, overview};
use super::status::current_report;
use crate::backups;
use crate::messages::Style;
use crate::progress::Progress;
use crate::repo::write_atomically;
use crate::verdict::{ChapterReport, RunError, SectionReport};

/// Writes the learner's progress to `file`, whose name is the learner's nickname. The file has no
/// code, no names of files and no name of the user.
pub fn class_report(progress: &mut Progress, style: &Style, file: &Path) -> Result<Vec<String>> {
    let path = std::path::absolute(file)
        .with_context(|| format!("{} is not a valid path", file.display()))?;
    ensure!(
        path.extension().is_some_and(|ending| ending == "json"),
        "`cargo course class` reads files with the ending .json, so call the file {}.json",
        file.with_extension("").display()
    );
    ensure!(
        path.parent().is_some_and(Path::is_dir),
        "the folder of {} does not exist",
        file.display()
    );
    let current = current_report(progress)?;
    let brief = |report: &ChapterReport| -> Result<Details> {
        Ok(Details {
            sections: report.sections.iter().map(brief).collect(),
            problem: report.problem.as_ref().map(kind),
        })
    };
    let report = overview(progress, &current, brief)?;
    let json = serde_json::to_vec(&report)?;
    let mut lines = vec![format!("Written to {}.", file.display())];
    // A new file replaces nobody's work, and `undo` would find its backup before the learner's.
    if !path.exists() || is_older_report(&path) {
        write_atomically(&path, &json)?;
        return Ok(lines);
    }
    let changes = BTreeMap::from([(path, Some(json))]);
    let backup = backups::overwrite(&progress.repo, "report --class", &changes)?;
    if let Some(backup) = backup.filter(|backup| backup.files.iter().any(|one| one.copy.is_some()))
    {
        lines.extend(backed_up(style, &backup));
    }
    Ok(lines)
}

/// Whether the file can be replaced without a backup.
fn is_older_report(path: &Path) -> bool {
    let json = fs::read(path).unwrap_or_default();
    let value: Value = serde_json::from_slice(&json).unwrap_or_default();
    value["format"].is_u64() && value["chapters"].is_array()
}

/// A section without its tests, its code and the compiler's messages.
fn brief(section: &SectionReport) -> Value {
    json!({
        "id": section.id,
        "title": section.title,
        "minutes": section.minutes,
        "depth": section.depth,
        "given": section.given,
        "state": section.state,
        "explanation": section.explanation,
    })
}

/// A problem without its messages.
fn kind(problem: &RunError) -> Value {
    json!({ "kind": match problem {
        RunError::DoesNotCompile { .. } => "does-not-compile",
        RunError::CargoFailed { .. } => "cargo-failed",
        RunError::CutShort { .. } => "cut-short",
    } })
}
