//! `cargo course hint`: shows one more hint on each call.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Result, bail};

use super::{Outcome, status};
use crate::manifest::SectionId;
use crate::messages::{self, Style};
use crate::progress::Progress;
use crate::repo::write_atomically;

/// The next hint for `section`, or for the first checkpoint that is not green, after the hints
/// that were already shown.
pub fn hint(progress: &mut Progress, style: &Style, section: Option<SectionId>) -> Result<Outcome> {
    let id = match section {
        Some(id) => id,
        None => {
            let report = status::current_report(progress)?;
            match report.current() {
                Some(section) => section.id,
                None => {
                    let line = format!(
                        "Chapter {} is done. `cargo course next` shows what comes next.",
                        report.number
                    );
                    return Ok(vec![line].into());
                }
            }
        }
    };
    let section = progress.course.section(id)?;
    if section.hints.is_empty() {
        bail!("section {id} has nothing to write, so there are no hints for it");
    }
    let path = progress.repo.state().join("hints.json");
    let mut given: BTreeMap<String, usize> = fs::read(&path)
        .ok()
        .and_then(|json| serde_json::from_slice(&json).ok())
        .unwrap_or_default();
    let level = given.entry(section.name.clone()).or_default();
    *level = (*level + 1).min(section.hints.len());
    let lines = messages::hint(style, section, *level);
    write_atomically(&path, &serde_json::to_vec(&given)?)?;
    Ok(lines.into())
}
