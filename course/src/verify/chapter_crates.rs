//! The crates with a chapter as it is before and after the learner's work.

use std::collections::BTreeSet;

use anyhow::Result;

use super::part::Part;
use super::reach::Reach;
use super::test_crates::{self, Package, REFERENCE};
use crate::cargo::Compile;
use crate::course_toml::Chapter;
use crate::manifest::{Manifest, SectionId};
use crate::progress::Progress;
use crate::stubs::Solution;

/// The crates for the checks of the reference, of the stubs and of the isolation of chapters. `all`
/// has the sections to verify. For the sections in `green`, there is [`REFERENCE`]. For those in
/// `start` and in `stubs`, those of chapters that [have shapes](has_shapes) and the others, there
/// are [`start`] and [`stubs`]; for the chapters in `compiles`, there are [`end`] and, where it is
/// needed, [`core_start`]. Those whose tests run are made of `reporting`, the reference that reports
/// what they execute.
///
/// Functions can be switched back to stubs in the crate of all chapters, so tests run there. They
/// run in a crate made here only where a section asks for anything else. The tests of a chapter
/// compile in one crate at least, [`end`], and a stub has the signature of the function.
pub fn packages(
    progress: &Progress,
    reporting: &Solution,
    reach: &Reach,
    all: &[Part],
    green: &[Part],
    [start, stubs]: [&[Part]; 2],
    compiles: &[(&Chapter, &Manifest)],
) -> Result<Vec<Package>> {
    let solution = progress.solution()?;
    let mut packages = Vec::new();
    let in_reference = match test_crates::is_wide(progress, green.len()) {
        true => all,
        false => green,
    };
    if let (false, Some((newest, _))) = (green.is_empty(), progress.course.written().last()) {
        packages.push(Package {
            suite: in_reference.iter().map(|part| part.section.id).collect(),
            compile: Compile::Build,
            ..Package::new(
                REFERENCE.to_string(),
                newest.number,
                reporting.render_all(|_| true),
            )
        });
    }
    for same in start.chunk_by(|one, next| one.chapter.number == next.chapter.number) {
        let chapter = same[0].chapter;
        let number = chapter.number;
        let files = reach.render_reached(reporting, &[chapter], |id| id.chapter < number)?;
        packages.push(Package {
            suite: same.iter().map(|part| part.section.id).collect(),
            compile: Compile::Build,
            ..Package::new(self::start(chapter), number, files)
        });
    }
    if let (false, Some((newest, _))) = (stubs.is_empty(), progress.course.written().last()) {
        let written = progress.course.written();
        let of_functions = written.filter(|(_, manifest)| !has_shapes(solution, manifest));
        let numbers: BTreeSet<u32> = of_functions.map(|(chapter, _)| chapter.number).collect();
        let files = solution.render_all(|id| !numbers.contains(&id.chapter));
        packages.push(Package::new(ALL_STUBS.to_string(), newest.number, files));
    }
    for (chapter, manifest) in compiles {
        let number = chapter.number;
        if has_core_start(solution, manifest) {
            let sections = manifest.sections.iter().filter(|section| section.depth);
            let depth: Vec<SectionId> = sections.map(|section| section.id).collect();
            let solved = |id: SectionId| id.chapter < number || depth.contains(&id);
            let files = reach.render(solution, &[chapter], solved)?;
            packages.push(Package::new(core_start(chapter), number, files));
        }
        let files = solution.render_all(|id| id.chapter <= number);
        packages.push(Package {
            suite: manifest.sections.iter().map(|section| section.id).collect(),
            with_tests: Some(number),
            strict: true,
            ..Package::new(end(chapter), number, files)
        });
    }
    Ok(packages)
}

/// The crate with the functions of all chapters as stubs, except for chapters that [have
/// shapes](has_shapes). A stub does not depend on the code in other functions, so one crate shows
/// for all these chapters that their stubs compile.
const ALL_STUBS: &str = "stubs";

/// The crate in which the stubs of a chapter compile.
pub fn stubs(solution: &Solution, chapter: &Chapter, manifest: &Manifest) -> String {
    match has_shapes(solution, manifest) {
        true => start(chapter),
        false => ALL_STUBS.to_string(),
    }
}

/// The crate with the earlier chapters solved and this chapter's stubs, if they are more than
/// functions.
pub fn start(chapter: &Chapter) -> String {
    format!("start-{}", chapter.number)
}

/// Whether a chapter has depth sections that the core path gives.
pub fn has_depth(manifest: &Manifest) -> bool {
    manifest.sections.iter().any(|section| section.depth)
}

/// Whether a section asks for anything but function bodies.
pub fn has_shapes(solution: &Solution, manifest: &Manifest) -> bool {
    let mut all = manifest.sections.iter();
    all.any(|section| solution.has_shapes(section.id))
}

/// Whether a chapter needs the crate [`core_start`]: it has depth sections, and a core section that
/// asks for anything but function bodies.
pub fn has_core_start(solution: &Solution, manifest: &Manifest) -> bool {
    let mut core = manifest.sections.iter().filter(|section| !section.depth);
    has_depth(manifest) && core.any(|section| solution.has_shapes(section.id))
}

/// The crate as a learner on the core path gets it: the earlier chapters and this chapter's depth
/// sections solved, and stubs.
pub fn core_start(chapter: &Chapter) -> String {
    format!("core-{}", chapter.number)
}

/// The crate with the chapters up to this one solved, under this chapter's feature alone.
pub fn end(chapter: &Chapter) -> String {
    format!("end-{}", chapter.number)
}
