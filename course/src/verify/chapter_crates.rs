//! The crates with a chapter as it is before and after the learner's work.

use anyhow::Result;

use super::test_crates::Package;
use crate::course_toml::Chapter;
use crate::manifest::{Manifest, SectionId};
use crate::progress::Progress;

/// The crates of each chapter: [`start`], [`end`] and, where it has depth sections,
/// [`core_start`].
pub fn packages(progress: &Progress, chapters: &[(&Chapter, &Manifest)]) -> Result<Vec<Package>> {
    let solution = progress.solution()?;
    let mut packages = Vec::new();
    for (chapter, manifest) in chapters {
        let number = chapter.number;
        if has_depth(manifest) {
            let depth: Vec<SectionId> = manifest
                .sections
                .iter()
                .filter(|section| section.depth)
                .map(|section| section.id)
                .collect();
            packages.push(Package {
                name: core_start(chapter),
                chapter: number,
                suites: number..=number,
                files: solution.render_all(|id| id.chapter < number || depth.contains(&id)),
                strict: false,
            });
        }
        packages.push(Package {
            name: start(chapter),
            chapter: number,
            suites: number..=number,
            files: solution.render_all(|section| section.chapter < number),
            strict: false,
        });
        packages.push(Package {
            name: end(chapter),
            chapter: number,
            suites: 0..=number,
            files: solution.render_all(|section| section.chapter <= number),
            strict: true,
        });
    }
    Ok(packages)
}

/// The crate with the earlier chapters solved and this chapter's stubs.
pub fn start(chapter: &Chapter) -> String {
    format!("start-{}", chapter.number)
}

/// Whether a chapter has depth sections that the core path gives.
pub fn has_depth(manifest: &Manifest) -> bool {
    manifest.sections.iter().any(|section| section.depth)
}

/// The crate as a learner on the core path gets it: like [`start`], with this chapter's depth
/// sections solved.
pub fn core_start(chapter: &Chapter) -> String {
    format!("core-{}", chapter.number)
}

/// The crate with the chapters up to this one solved, under this chapter's feature alone.
pub fn end(chapter: &Chapter) -> String {
    format!("end-{}", chapter.number)
}
