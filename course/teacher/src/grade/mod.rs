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
//! - [`results`] are the grades, which [`formats`] writes as CSV and JUnit.

pub mod files;
pub mod formats;
pub mod grader;
pub mod plan;
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

use anyhow::{Context, Result, ensure};
use clap::Args;
use course::backups;
use course::course_toml::Course;
use course::repo::Repo;
use course::stubs::Solution;

use grader::Grader;
use plan::Plan;
use results::{Grade, Grades, Status};
use submission::Submission;

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
    /// The time limit for building and testing one submission
    #[arg(long, default_value_t = 300)]
    pub seconds: u64,
    /// The memory limit of each process, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 3072)]
    pub memory: u64,
}

/// Whether results would be lost if the program ended now.
static HAS_RESULTS: AtomicBool = AtomicBool::new(false);

/// Whether grading was interrupted.
static IS_STOPPED: AtomicBool = AtomicBool::new(false);

/// Stops grading after an interrupt. Returns whether the program has to go on, to write its
/// results. A second interrupt does not wait for them.
pub fn stop() -> bool {
    !IS_STOPPED.swap(true, Ordering::SeqCst) && HAS_RESULTS.load(Ordering::SeqCst)
}

/// Grades the submissions. The exit code is 1 if one of them could not be graded, and 130 after an
/// interrupt.
pub fn run(repo: &Repo, arguments: &Arguments) -> Result<ExitCode> {
    ensure!(cfg!(unix), "grading needs Linux or macOS");
    let course = Course::load(repo)?;
    if let Some(number) = arguments.chapter {
        course.written_chapter(number)?;
    }
    let solution = Solution::load(repo, &course)?;
    let grader = Grader::new(
        repo,
        &course,
        &solution,
        arguments.seconds,
        arguments.memory,
    )?;
    if let Some(warning) = grader.sandbox.warning() {
        eprintln!("{warning}");
    }
    let read = |name: &String| -> Result<(Plan, Submission)> {
        let submission = Submission::read(repo, &grader.scan, name)?;
        let plan = Plan::new(&course, arguments.chapter, submission.open)?;
        Ok((plan, submission))
    };
    let read: Vec<_> = arguments.submissions.iter().map(read).collect();
    // A machine on which the reference fails is found before hours of grading.
    let mut checked = BTreeSet::new();
    for (plan, _) in read.iter().flatten() {
        if checked.insert(plan.newest) {
            grader.check_reference(plan)?;
        }
    }
    let mut submissions = Vec::new();
    for (at, (name, read)) in arguments.submissions.iter().zip(read).enumerate() {
        let start = Instant::now();
        let grade = read.and_then(|(plan, submission)| grader.grade(name, submission, &plan));
        if IS_STOPPED.load(Ordering::SeqCst) {
            eprintln!(
                "Interrupted: {at} of {} submissions are graded.",
                arguments.submissions.len()
            );
            break;
        }
        let grade = grade.unwrap_or_else(|error| Grade::refused(name, format!("{error:#}")));
        let line = line(&grade);
        submissions.push(grade);
        // Before the line that says so.
        HAS_RESULTS.store(true, Ordering::SeqCst);
        eprintln!(
            "{} of {}, {:.1} s: {line}",
            submissions.len(),
            arguments.submissions.len(),
            start.elapsed().as_secs_f32(),
        );
    }
    let grades = Grades {
        chapter: arguments.chapter,
        seconds: arguments.seconds,
        memory: arguments.memory,
        sandbox: grader.sandbox.clone(),
        submissions,
    };
    write(repo, &arguments.out, &grades)?;
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&grades)?);
    }
    if IS_STOPPED.load(Ordering::SeqCst) {
        return Ok(ExitCode::from(130));
    }
    let all = grades.submissions.iter();
    let is_graded = all.clone().all(|grade| grade.status != Status::NotGraded);
    Ok(ExitCode::from(u8::from(!is_graded)))
}

/// One line about a submission.
fn line(grade: &Grade) -> String {
    let name = &grade.submission;
    match (&grade.status, &grade.reason) {
        (Status::Graded, _) => format!(
            "{name}: {} of {} core sections and {} of {} depth sections pass",
            grade.core.sections.passed,
            grade.core.sections.of,
            grade.depth.sections.passed,
            grade.depth.sections.of
        ),
        (status, reason) => format!(
            "{name}: {}: {}",
            status.name(),
            reason.as_deref().unwrap_or_default()
        ),
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
A test counts as passed if it ran to its end; one without a result has failed.
The exit code is 0 if every submission was graded, also those that fail or do not compile,
1 if one could not be graded (the column `reason` says why), 2 if nothing was graded, and 130
after Ctrl-C, which keeps the results until then.";
