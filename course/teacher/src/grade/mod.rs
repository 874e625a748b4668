//! `cargo course grade`: builds submissions against the tests of this clone.
//!
//! Of a submission, only the Rust files below `src` and the number of its newest open chapter are
//! used. Manifest, tests, lock file and dependencies are this clone's. Each test reports its end
//! on a connection of its own ([`course::cargo::WITNESS`]), and runs in a sandbox where the system
//! allows one.
//!
//! - [`files`] reads folders, archives and revisions, and [`submission`] what of them counts.
//!   [`source_scan`] looks for what honest code has no use for.
//! - [`plan`] says which chapters are graded. [`grader`] builds and tests in the package that
//!   [`workspace`] holds. [`sandbox`] shuts the tests in.
//! - [`results`] are the grades, which [`formats`] writes as CSV and JUnit. [`result_cache`] keeps
//!   each one for later runs.

pub mod files;
pub mod formats;
pub mod grader;
pub mod plan;
pub mod result_cache;
pub mod results;
pub mod sandbox;
pub mod source_scan;
pub mod submission;
pub mod workspace;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context, Error, Result, ensure};
use clap::Args;
use course::backups;
use course::course_toml::Course;
use course::repo::Repo;
use course::stubs::Solution;

use grader::Grader;
use plan::Plan;
use result_cache::{Entry, FOLDER, Inputs, ResultCache};
use results::{Grade, Grades, Status};
use submission::Submission;
use workspace::Workspace;

/// Grades submissions with the tests and manifests of this clone. Of each, only the Rust files
/// below src/ are used.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// The submissions: folders, archives (.zip, .tar, .tar.gz, .tgz) and revisions of this clone's
    /// git
    #[arg(required = true, value_name = "DIR|ARCHIVE|GIT-REV")]
    pub submissions: Vec<String>,
    /// Grade this chapter only (default: all that a submission has open)
    #[arg(long, value_name = "N")]
    pub chapter: Option<u32>,
    /// The folder for grades.csv, grades.json and grades.xml, which is JUnit
    #[arg(long, value_name = "DIR", default_value = "grades")]
    pub out: PathBuf,
    /// Print the results as JSON, too
    #[arg(long)]
    pub json: bool,
    /// Grade again what an earlier run has graded
    #[arg(long)]
    pub fresh: bool,
    /// The time limit for building and testing one submission
    #[arg(long, default_value_t = 300)]
    pub seconds: u64,
    /// The memory limit of each process, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 3072)]
    pub memory: u64,
}

/// Whether results or temporary files would be left if the program ended now.
static IS_GRADING: AtomicBool = AtomicBool::new(false);

/// Whether grading was interrupted.
static IS_STOPPED: AtomicBool = AtomicBool::new(false);

fn is_stopped() -> bool {
    IS_STOPPED.load(Ordering::SeqCst)
}

/// Stops grading after an interrupt. Returns whether the program has to go on, to write its
/// results and to remove its temporary files. A second interrupt does not wait for that.
pub fn stop() -> bool {
    !IS_STOPPED.swap(true, Ordering::SeqCst) && IS_GRADING.load(Ordering::SeqCst)
}

/// Grades the submissions. The exit code is 1 if one of them could not be graded, and 130 after an
/// interrupt.
pub fn run(repo: &Repo, arguments: &Arguments) -> Result<ExitCode> {
    ensure!(cfg!(unix), "grading needs Linux or macOS");
    ensure!(
        !arguments.out.exists() || arguments.out.is_dir(),
        "{} is not a folder; `--out` names the folder for the results",
        arguments.out.display()
    );
    let inputs = Inputs::read(repo, arguments.seconds, arguments.memory)?;
    let course = Course::load(repo)?;
    if let Some(number) = arguments.chapter {
        course.written_chapter(number)?;
    }
    let solution = Solution::load(repo, &course)?;
    let workspace = Workspace::new(repo, &solution)?;
    IS_GRADING.store(true, Ordering::SeqCst);
    let grader = Grader::new(
        workspace,
        &course,
        &solution,
        arguments.seconds,
        arguments.memory,
    )?;
    if let Some(warning) = grader.sandbox.warning() {
        eprintln!("{warning}");
    }
    let cache = ResultCache::open(repo, inputs, &grader.sandbox)?;
    // Every entry is read before the code of any submission runs.
    let read = |name: &String| Work::read(repo, &course, &grader, &cache, arguments, name);
    let works: Vec<Result<Work>> = arguments.submissions.iter().map(read).collect();
    // Nothing is graded yet, and the interrupt may have ended git.
    if is_stopped() {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let checked = check_references(&grader, &works);
    // An interrupt ends the tests, so they have not failed.
    if is_stopped() {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    checked?;
    let grades = Grades {
        chapter: arguments.chapter,
        seconds: arguments.seconds,
        memory: arguments.memory,
        sandbox: grader.sandbox.clone(),
        submissions: grade_all(&grader, &cache, &arguments.submissions, works),
    };
    if is_stopped() && grades.submissions.is_empty() {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    write(repo, &arguments.out, &grades)?;
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&grades)?);
    }
    if is_stopped() {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let all = grades.submissions.iter();
    let is_graded = all.clone().all(|grade| grade.status != Status::NotGraded);
    Ok(ExitCode::from(u8::from(!is_graded)))
}

/// The exit code after an interrupt.
const INTERRUPTED: u8 = 130;

/// A submission and what is to be done with it.
struct Work {
    submission: Submission,
    plan: Plan,
    entry: Entry,
}

impl Work {
    fn read(
        repo: &Repo,
        course: &Course,
        grader: &Grader,
        cache: &ResultCache,
        arguments: &Arguments,
        name: &str,
    ) -> Result<Self> {
        let submission = Submission::read(repo, &grader.scan, name)?;
        let plan = Plan::new(course, arguments.chapter, &submission.open)?;
        let entry = cache.entry(name, &submission, &plan, arguments.fresh);
        Ok(Self {
            submission,
            plan,
            entry,
        })
    }
}

/// Whether an earlier run has graded it.
fn is_known(work: &Result<Work>) -> bool {
    matches!(work, Ok(work) if work.entry.grade.is_some())
}

/// Tests the reference as the new submissions will be tested. So a machine on which the reference
/// fails is found before hours of grading.
fn check_references(grader: &Grader, works: &[Result<Work>]) -> Result<()> {
    let mut checked = BTreeSet::new();
    for work in works.iter().filter(|work| !is_known(work)).flatten() {
        if is_stopped() {
            break;
        }
        if checked.insert(work.plan.newest) {
            grader.check_reference(&work.plan)?;
        }
    }
    Ok(())
}

/// Grades the submissions, of which `names` are the arguments, and prints a line about each. After
/// an interrupt, the last ones are missing.
fn grade_all(
    grader: &Grader,
    cache: &ResultCache,
    names: &[String],
    works: Vec<Result<Work>>,
) -> Vec<Grade> {
    let known = works.iter().filter(|work| is_known(work)).count();
    if known > 0 {
        eprintln!(
            "{known} of {} graded before, taken from {FOLDER}; `--fresh` grades them again.",
            names.len()
        );
    }
    let mut grades = Vec::new();
    for (name, work) in names.iter().zip(works) {
        let start = Instant::now();
        let is_known = is_known(&work);
        let Some(grade) = grade(grader, cache, name, work) else {
            continue;
        };
        let line = grade.line();
        grades.push(grade);
        let time = match is_known {
            true => "before".to_string(),
            false => format!("{:.1} s", start.elapsed().as_secs_f32()),
        };
        eprintln!("{} of {}, {time}: {line}", grades.len(), names.len());
    }
    if is_stopped() {
        eprintln!(
            "Interrupted: {} of {} submissions are graded.",
            grades.len(),
            names.len()
        );
    }
    grades
}

/// The grade of a submission, or `None` after an interrupt. A new one is stored.
fn grade(grader: &Grader, cache: &ResultCache, name: &str, work: Result<Work>) -> Option<Grade> {
    let refused = |error: Error| Some(Grade::refused(name, format!("{error:#}")));
    let work = match work {
        Ok(work) => work,
        Err(error) => return refused(error),
    };
    if work.entry.grade.is_some() {
        return work.entry.grade;
    }
    if is_stopped() {
        return None;
    }
    let graded = grader.grade(name, &work.submission, &work.plan);
    // An interrupt ends the tests, so their results do not count.
    if is_stopped() {
        return None;
    }
    match graded {
        Ok((grade, is_conclusive)) => {
            if is_conclusive && let Err(error) = cache.store(&work.entry, &grade) {
                eprintln!("warning: {error:#}");
            }
            Some(grade)
        }
        Err(error) => refused(error),
    }
}

/// Writes the three files. Earlier ones are backed up.
fn write(repo: &Repo, out: &Path, grades: &Grades) -> Result<()> {
    let dir = std::path::absolute(out)
        .with_context(|| format!("{} is not a valid path", out.display()))?;
    let json = serde_json::to_string_pretty(grades)? + "\n";
    let changes = BTreeMap::from([
        (dir.join("grades.csv"), Some(formats::csv(grades)?)),
        (dir.join("grades.json"), Some(json.into_bytes())),
        (
            dir.join("grades.xml"),
            Some(formats::junit(grades)?.into_bytes()),
        ),
    ]);
    backups::overwrite(repo, "grade", &changes)?;
    eprintln!(
        "Written to {}: grades.csv, grades.json and grades.xml.",
        out.display()
    );
    Ok(())
}

const AFTER_HELP: &str = "\
A test counts as passed only if it reports its own end; one without a result has failed.
The exit code is 0 if every submission was graded, also those that fail or do not compile,
1 if one could not be graded (the column `reason` says why), 2 if nothing could begin, and 130
after Ctrl-C, which keeps the results until then.
A result is stored as soon as its submission is graded. After a kill or a power failure, the same
command takes it from target/grade/results, unless the submission, this clone, the compiler or a
limit has changed. A result that a limit of time or memory decided is not stored.";
