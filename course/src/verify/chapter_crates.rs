//! The crates with a chapter as it is before and after the learner's work.

use anyhow::Result;

use super::test_crates::Package;
use crate::course_toml::Chapter;
use crate::manifest::Manifest;
use crate::progress::Progress;

/// Two crates for each chapter: [`start`] and [`end`].
pub fn packages(progress: &Progress, chapters: &[(&Chapter, &Manifest)]) -> Result<Vec<Package>> {
    let solution = progress.solution()?;
    let mut packages = Vec::new();
    for (chapter, _) in chapters {
        let number = chapter.number;
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
            suites: 1..=number,
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

/// The crate with the chapters up to this one solved, under this chapter's feature alone.
pub fn end(chapter: &Chapter) -> String {
    format!("end-{}", chapter.number)
}
