//! The verdict on each checkpoint after a run of the tests: not written yet, wrong, waiting
//! for an earlier section, or done.

mod learner_files;
mod report;

pub use learner_files::{SectionPieces, look_at_pieces, to_test};
pub use report::*;

use self::learner_files::has_not_begun;
use crate::cargo::{Diagnostic, Failure, Run, Test};
use crate::course_toml::{Chapter, Course};
use crate::learning_path::LearningPath;
use crate::manifest::{Manifest, Section, SectionId, WrongAnswer};
use crate::repo::Repo;
use crate::suite;

/// What every verdict is based on, besides the results of the tests.
pub struct Judge<'a> {
    /// The repository.
    pub repo: &'a Repo,
    /// The chapters.
    pub course: &'a Course,
    /// What the learner has written.
    pub pieces: &'a SectionPieces,
    /// The sections that were given to the learner.
    pub path: &'a LearningPath,
}

/// Judges one chapter. If the code does not compile, its sections keep the states of the
/// verdict `before`.
pub fn judge(
    judge: &Judge,
    chapter: &Chapter,
    manifest: &Manifest,
    run: &Run,
    before: Option<&ChapterReport>,
) -> ChapterReport {
    let (tests, problem) = match run {
        Run::NotBuilt { errors, cargo } if errors.is_empty() => (
            &[][..],
            Some(RunError::CargoFailed {
                message: cargo.clone(),
            }),
        ),
        Run::NotBuilt { errors, .. } => (
            &[][..],
            Some(RunError::DoesNotCompile {
                errors: errors.clone(),
            }),
        ),
        Run::Ran {
            tests, cut_short, ..
        } => (
            &tests[..],
            cut_short
                .clone()
                .map(|message| RunError::CutShort { message }),
        ),
    };
    let mut sections: Vec<SectionReport> = Vec::new();
    for section in &manifest.sections {
        let mut report = judge_section(judge, manifest, section, tests);
        if !section.tests.is_empty() {
            report.test_file = suite::section_file(judge.repo, chapter, section.id);
        }
        wait_for_shapes(&mut report, &sections);
        wait_for_a_hang(&mut report, &sections);
        if let (State::Wrong, Run::Ran { warnings, .. }) = (report.state, run) {
            report.warnings = about(section.id, judge.pieces, warnings);
        }
        sections.push(report);
    }
    if matches!(run, Run::NotBuilt { .. })
        && let Some(before) = before
    {
        for section in &mut sections {
            let mut before = before.sections.iter();
            if let Some(before) = before.find(|before| before.name == section.name) {
                section.state = before.state;
            }
        }
    }
    ChapterReport {
        number: chapter.number,
        title: chapter.title.clone(),
        page: chapter.page(),
        sections,
        problem,
    }
}

fn judge_section(
    judge: &Judge,
    manifest: &Manifest,
    section: &Section,
    outcomes: &[Test],
) -> SectionReport {
    let tests: Vec<TestReport> = section
        .tests
        .iter()
        .map(|name| {
            let test = outcomes.iter().find(|test| test.name == *name);
            TestReport {
                name: name.clone(),
                passed: test.map(|test| test.failure.is_none()),
                failure: test.and_then(|test| test.failure.clone()),
            }
        })
        .collect();
    let mut pieces = judge.pieces.get(&section.id).cloned().unwrap_or_default();
    if !outcomes.is_empty() {
        // The code compiles, so such a function exists: with another signature, or made by a
        // derive or a macro.
        let exists = |piece: &&mut PieceReport| piece.is_missing && piece.is_function;
        pieces
            .iter_mut()
            .filter(exists)
            .for_each(|piece| piece.written = true);
    }
    let mut report = SectionReport {
        id: section.id,
        name: section.name.clone(),
        title: section.title.clone(),
        minutes: section.minutes,
        depth: section.depth,
        given: match judge.path.will_give(section) {
            true => !pieces.iter().any(|piece| piece.written || piece.begun),
            false => judge.path.gave(section) && pieces.iter().all(|piece| piece.written),
        },
        state: State::Reading,
        waits_for: None,
        tests,
        test_file: None,
        pieces,
        explanation: None,
        warnings: Vec::new(),
    };
    if report.tests.is_empty() {
        return report;
    }
    report.state = match report.first_failure() {
        None if report.tests.iter().all(|test| test.passed == Some(true)) => State::Done,
        None if has_not_begun(&report.pieces) => State::NotWritten,
        None => State::Unknown,
        Some((_, failure)) => match stub_of(failure, judge.course) {
            Some(stub) if stub == section.id => State::NotWritten,
            Some(stub) => {
                report.waits_for = Some(stub);
                State::Waiting
            }
            None if report.pieces.iter().any(|p| !p.written && !p.is_attribute) => {
                State::NotWritten
            }
            None if report.pieces.iter().all(|p| !p.written) => State::NotWritten,
            None => State::Wrong,
        },
    };
    // The mistakes in a manifest are those of a learner who writes the section.
    if report.state == State::Wrong && !report.given {
        report.explanation =
            known_mistake(manifest, section.id, outcomes).map(|wrong| wrong.because.clone());
    }
    report
}

/// The warnings about code of a section: at or below one of its parts, and above the next part of
/// another section.
fn about(section: SectionId, pieces: &SectionPieces, warnings: &[Diagnostic]) -> Vec<Diagnostic> {
    let owner = |warning: &Diagnostic| {
        let all = pieces
            .iter()
            .flat_map(|(id, of)| of.iter().map(move |piece| (id, piece)));
        let above = all.filter(|(_, piece)| {
            Some(piece.file.as_str()) == warning.file.as_deref() && piece.line <= warning.line
        });
        above.max_by_key(|(_, piece)| piece.line).map(|(id, _)| *id)
    };
    let own = warnings
        .iter()
        .filter(|warning| owner(warning) == Some(section));
    own.cloned().collect()
}

/// A section with wrong results waits for an earlier one that still lacks parts of a type,
/// since those can be the cause, unless its mistake is known. A green section lacks none: an attribute can be written in
/// another way than the reference writes it.
fn wait_for_shapes(report: &mut SectionReport, earlier: &[SectionReport]) {
    let lacks_shapes = |section: &&SectionReport| {
        let mut pieces = section.pieces.iter();
        section.state != State::Done && pieces.any(|piece| !piece.written && !piece.is_function)
    };
    if report.state == State::Wrong
        && report.explanation.is_none()
        && let Some(other) = earlier.iter().find(lacks_shapes)
    {
        report.state = State::Waiting;
        report.waits_for = Some(other.id);
    }
}

/// A section with a test that does not end by itself waits for an earlier one with such a test,
/// whose code the test probably calls.
fn wait_for_a_hang(report: &mut SectionReport, earlier: &[SectionReport]) {
    let hangs = |section: &SectionReport| {
        let failure = section.first_failure();
        section.state == State::Wrong && failure.is_some_and(|(_, failure)| failure.cut_short)
    };
    let is_cause = |section: &&SectionReport| hangs(section) && !section.given;
    if hangs(report)
        && let Some(other) = earlier.iter().find(is_cause)
    {
        report.state = State::Waiting;
        report.waits_for = Some(other.id);
    }
}

/// The section whose stub caused a failure, if any.
///
/// A stub panics with `not yet implemented: message-constructors: write Message::user`. Stubs of
/// older versions of the course have the section's number instead of its name.
pub fn stub_of(failure: &Failure, course: &Course) -> Option<SectionId> {
    let rest = failure.message.strip_prefix("not yet implemented: ")?;
    let (name, _) = rest.split_once(": ")?;
    match course.section_named(name) {
        Some(section) => Some(section.id),
        None => name.parse().ok(),
    }
}

/// The wrong answer that explains a section's failures: exactly the tests that it names
/// fail, and the message of the first contains its `says`.
pub fn known_mistake<'a>(
    manifest: &'a Manifest,
    section: SectionId,
    tests: &[Test],
) -> Option<&'a WrongAnswer> {
    let failure_of = |name: &String| {
        let test = tests.iter().find(|test| test.name == *name)?;
        test.failure.as_ref()
    };
    let own = manifest.sections.iter().find(|one| one.id == section)?;
    let first = own.tests.iter().find_map(failure_of)?;
    manifest.wrong.iter().find(|wrong| {
        wrong.section == section
            && first.message.contains(&wrong.says)
            && own
                .tests
                .iter()
                .all(|name| failure_of(name).is_some() == wrong.tests.contains(name))
    })
}
