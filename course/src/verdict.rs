//! What a run of the tests means for each checkpoint, in the learner's terms: not
//! written yet, written and wrong, waiting for an earlier section, or done.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde::{Deserialize, Serialize};

use crate::cargo::{Diagnostic, Failure, Run, Test};
use crate::contents::Chapter;
use crate::manifest::{Manifest, Section, SectionId, WrongAnswer};
use crate::render::{Piece, Solution};
use crate::repo::Repo;
use crate::source::{self, Source};

/// How far one chapter is.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ChapterReport {
    /// The chapter.
    pub number: u32,
    /// Its title.
    pub title: String,
    /// Its page, relative to the repository.
    pub page: String,
    /// Its sections, in order.
    pub sections: Vec<SectionReport>,
    /// What kept the tests from being judged, if anything did.
    pub problem: Option<Problem>,
}

/// A section whose parts are all written, but whose tests see what an earlier one has
/// still to add to a type, waits for that one.
fn wait_for_shapes(report: &mut SectionReport, earlier: &[SectionReport]) {
    let lacks_shapes = |section: &&SectionReport| {
        let mut pieces = section.pieces.iter();
        pieces.any(|piece| !piece.written && !piece.is_function)
    };
    if report.state == State::Wrong
        && let Some(other) = earlier.iter().find(lacks_shapes)
    {
        report.state = State::Waiting;
        report.waits_for = Some(other.id);
        report.explanation = None;
    }
}

/// Why nothing, or not everything, is known.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Problem {
    /// The code does not compile.
    DoesNotCompile {
        /// The compiler's errors.
        errors: Vec<Diagnostic>,
    },
    /// Cargo failed before the compiler had a say.
    CargoFailed {
        /// Its words.
        message: String,
    },
    /// Some tests have no outcome.
    CutShort {
        /// Why.
        message: String,
    },
}

/// How far one section is.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SectionReport {
    /// Such as `1.3`.
    pub id: SectionId,
    /// Its title.
    pub title: String,
    /// What is to be said of it as a whole.
    pub state: State,
    /// The section that it waits for.
    pub waits_for: Option<SectionId>,
    /// Its tests, in the manifest's order.
    pub tests: Vec<TestReport>,
    /// What there is to write in it.
    pub pieces: Vec<PieceReport>,
    /// The sentence for a mistake that is known.
    pub explanation: Option<String>,
}

/// The state of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// All its tests pass.
    Done,
    /// Something in it is still to be written.
    NotWritten,
    /// It is written, and a test fails.
    Wrong,
    /// Its tests stop at the stub of an earlier section.
    Waiting,
    /// Its tests have no outcome: the code does not compile, or the run broke off.
    Unknown,
    /// There is nothing to write: it is read.
    Given,
}

/// One test's outcome.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TestReport {
    /// The function's name.
    pub name: String,
    /// Whether it passed; `None` without an outcome.
    pub passed: Option<bool>,
    /// Why it failed.
    pub failure: Option<Failure>,
}

/// One thing to write, and whether it is there.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PieceReport {
    /// Such as `Message::user`, or `an attribute on Message`: which, is the exercise.
    pub what: String,
    /// Whether the learner has written it.
    pub written: bool,
    /// Its file, relative to the repository.
    pub file: String,
    /// Its line, or that of the item it belongs to, from 1; 0 where there is none.
    pub line: usize,
    /// What has become of a function's signature, which the course gives and tests
    /// rely on.
    pub altered: Option<String>,
    is_attribute: bool,
    is_function: bool,
}

/// Judges one chapter. Where the code does not compile, the sections stand as they did
/// `before`: an error on the way forgets no progress.
pub fn judge(
    repo: &Repo,
    solution: &Solution,
    chapter: &Chapter,
    manifest: &Manifest,
    run: &Run,
    before: Option<&ChapterReport>,
) -> ChapterReport {
    let (tests, problem) = match run {
        Run::NotBuilt { errors, cargo } if errors.is_empty() => (
            &[][..],
            Some(Problem::CargoFailed {
                message: cargo.clone(),
            }),
        ),
        Run::NotBuilt { errors, .. } => (
            &[][..],
            Some(Problem::DoesNotCompile {
                errors: errors.clone(),
            }),
        ),
        Run::Ran {
            tests, cut_short, ..
        } => (
            &tests[..],
            cut_short
                .clone()
                .map(|message| Problem::CutShort { message }),
        ),
    };
    let files = LearnerFiles::read(repo, solution, manifest);
    let mut sections: Vec<SectionReport> = Vec::new();
    for section in &manifest.sections {
        let mut report = judge_section(&files, solution, manifest, section, tests);
        wait_for_shapes(&mut report, &sections);
        sections.push(report);
    }
    if matches!(run, Run::NotBuilt { .. })
        && let Some(before) = before
    {
        for (section, before) in sections.iter_mut().zip(&before.sections) {
            section.state = before.state;
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

impl ChapterReport {
    /// Whether every checkpoint is green.
    pub fn is_done(&self) -> bool {
        self.problem.is_none() && self.current().is_none()
    }

    /// Whether nothing was run, because the code does not compile or cargo failed.
    pub fn is_not_built(&self) -> bool {
        matches!(
            self.problem,
            Some(Problem::DoesNotCompile { .. } | Problem::CargoFailed { .. })
        )
    }

    /// The first checkpoint that is not green: one that failed before one of which
    /// nothing is known.
    pub fn current(&self) -> Option<&SectionReport> {
        let first = |wanted: &[State]| {
            let mut sections = self.sections.iter();
            sections.find(|section| wanted.contains(&section.state))
        };
        first(&[State::NotWritten, State::Wrong, State::Waiting])
            .or_else(|| first(&[State::Unknown]))
    }

    /// How many checkpoints are green, and how many there are.
    pub fn count(&self) -> (usize, usize) {
        let all = self.sections.iter().filter(|s| s.state != State::Given);
        let done = self.sections.iter().filter(|s| s.state == State::Done);
        (done.count(), all.count())
    }
}

impl SectionReport {
    /// The first of its tests that fails.
    pub fn first_failure(&self) -> Option<(&str, &Failure)> {
        self.tests
            .iter()
            .find_map(|test| Some((test.name.as_str(), test.failure.as_ref()?)))
    }
}

/// The section whose stub a failure stopped at, if it stopped at one.
///
/// A stub panics with `not yet implemented: 1.3: write Message::user`.
pub fn stub_of(failure: &Failure) -> Option<SectionId> {
    let rest = failure.message.strip_prefix("not yet implemented: ")?;
    rest.split_once(": ")?.0.parse().ok()
}

/// The known mistake behind a section's failures: of the section's tests, just those
/// fail that the mistake fails, and the first of them says what it says.
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

fn judge_section(
    files: &LearnerFiles,
    solution: &Solution,
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
    let pieces: Vec<PieceReport> = solution
        .pieces(section.id)
        .map(|piece| files.look(piece))
        .collect();
    let mut report = SectionReport {
        id: section.id,
        title: section.title.clone(),
        state: State::Given,
        waits_for: None,
        tests,
        pieces,
        explanation: None,
    };
    if report.tests.is_empty() {
        return report;
    }
    report.state = match report.first_failure() {
        None if report.tests.iter().all(|test| test.passed == Some(true)) => State::Done,
        None => State::Unknown,
        Some((_, failure)) => match stub_of(failure) {
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
    if report.state == State::Wrong {
        report.explanation =
            known_mistake(manifest, section.id, outcomes).map(|wrong| wrong.because.clone());
    }
    report
}

/// The learner's files with something of a chapter in them, parsed where they can be.
struct LearnerFiles(BTreeMap<String, Source>);

impl LearnerFiles {
    fn read(repo: &Repo, solution: &Solution, manifest: &Manifest) -> Self {
        let mut files = BTreeMap::new();
        for section in &manifest.sections {
            for piece in solution.pieces(section.id) {
                if let Entry::Vacant(place) = files.entry(piece.file.clone())
                    && let Ok(source) = Source::read(&repo.src().join(&piece.file))
                {
                    place.insert(source);
                }
            }
        }
        Self(files)
    }

    fn look(&self, piece: &Piece) -> PieceReport {
        let name = piece.path.join("::");
        let mut report = PieceReport {
            what: match &piece.attribute {
                Some(_) => format!("an attribute on {name}"),
                None => name,
            },
            written: false,
            file: format!("src/{}", piece.file),
            line: 0,
            altered: None,
            is_attribute: piece.attribute.is_some(),
            is_function: piece.signature.is_some(),
        };
        let Some(source) = self.0.get(&piece.file) else {
            return report;
        };
        let find = |path: &[String]| source.find(path).ok().flatten();
        let Some(found) = find(&piece.path) else {
            report.altered = piece.signature.as_ref().map(|_| "is gone".to_string());
            if let Some(owner) = find(&piece.path[..1]) {
                report.line = source.line_of(owner.bare.start);
            }
            return report;
        };
        report.line = source.line_of(found.bare.start);
        if piece.signature.is_some() && source.signature(&found) != piece.signature {
            report.altered = Some("has another signature than the course gave it".to_string());
        }
        report.written = match (&piece.attribute, &found.body) {
            (Some(attribute), _) => {
                let wanted = source::tokens_of(attribute);
                found
                    .attributes
                    .iter()
                    .any(|range| source::tokens_of(&source.text[range.clone()]) == wanted)
            }
            (None, Some(body)) => {
                !source::tokens_of(&source.text[body.clone()]).contains("todo ! (")
            }
            (None, None) => true,
        };
        report
    }
}
