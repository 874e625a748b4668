//! Builds and tests the reference and each submission, with the same limits.

use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use course::cargo::{self, Limits, Request, Run};
use course::commands::show_progress;
use course::course_toml::Course;
use course::learning_path::LearningPath;
use course::manifest::SectionId;
use course::splice::{self, Form};
use course::stubs::Solution;
use course::verdict::{self, Judge};

use super::plan::Plan;
use super::results::{Grade, Status};
use super::sandbox::Sandbox;
use super::source_scan::Scan;
use super::submission::Submission;
use super::workspace::Workspace;

/// What grading every submission needs.
pub struct Grader<'a> {
    /// What the tests cannot reach.
    pub sandbox: Sandbox,
    /// Reads the submissions' sources.
    pub scan: Scan,
    course: &'a Course,
    solution: &'a Solution,
    /// The time limit of a submission.
    seconds: u64,
    /// The memory limit of a process, in bytes.
    memory: u64,
    workspace: Workspace,
    /// The only folder in which tests can write.
    scratch: tempfile::TempDir,
}

impl<'a> Grader<'a> {
    /// Tries the sandbox. `seconds` limits a submission, and `memory`, in MiB, a process.
    pub fn new(
        workspace: Workspace,
        course: &'a Course,
        solution: &'a Solution,
        seconds: u64,
        memory: u64,
    ) -> Result<Self> {
        // Processes that outlive the supervisor of the tests.
        cargo::adopt_orphans();
        // A socket's path must be short, and that of the clone can be long.
        let scratch = tempfile::TempDir::with_prefix("grade-");
        let scratch = scratch.context("cannot make a temporary folder")?;
        let sandbox = Sandbox::new(scratch.path(), workspace.repo.root());
        Ok(Self {
            sandbox,
            scan: Scan::new(solution),
            course,
            solution,
            seconds,
            memory: memory << 20,
            workspace,
            scratch,
        })
    }

    /// Builds the dependencies, and makes sure that the reference passes in the sandbox.
    pub fn check_reference(&self, plan: &Plan) -> Result<()> {
        eprintln!(
            "Building the dependencies of chapter {} and testing the reference.",
            plan.newest
        );
        let sources = self.solution.render_all(|_| true);
        self.workspace.put(&sources)?;
        let mut failed = Vec::new();
        // A busy machine can fail a test that measures time.
        for _ in 0..2 {
            let tests = match self.test(plan, None)? {
                Run::Ran { tests, .. } => tests,
                Run::NotBuilt { errors, cargo } => {
                    let first = errors.into_iter().next();
                    bail!(
                        "the reference cannot be built, so nothing is graded: {}",
                        first.map_or(cargo, |error| error.rendered)
                    )
                }
            };
            if let Some(file) = self.workspace.foreign_source()? {
                bail!("the reference reads {file} at compile time, so nothing is graded");
            }
            let has_passed = |name: &&str| {
                let mut tests = tests.iter();
                tests.any(|test| test.name == **name && test.failure.is_none())
            };
            failed = plan.tests(self.course)?;
            failed.retain(|name| !has_passed(name));
            if failed.is_empty() {
                return Ok(());
            }
        }
        bail!(
            "the reference itself fails here, so nothing is graded: {}",
            failed.join(", ")
        )
    }

    /// Grades a submission. Also returns whether its code alone decided the grade:
    /// [`Run::is_conclusive`]. An error is the reason why it is not graded.
    pub fn grade(&self, name: &str, submission: &Submission, plan: &Plan) -> Result<(Grade, bool)> {
        self.workspace.put(&submission.sources)?;
        let end = Instant::now() + Duration::from_secs(self.seconds);
        let run = self.test(plan, Some(end))?;
        let mut grade = Grade::refused(name, String::new());
        grade.notes.clone_from(&submission.notes);
        (grade.status, grade.reason) = match &run {
            Run::NotBuilt { errors, cargo } => match errors.first() {
                Some(error) => (Status::DoesNotCompile, Some(compile_error(&error.rendered))),
                None => (Status::NotGraded, Some(cargo.clone())),
            },
            Run::Ran { cut_short, .. } => {
                if let Some(file) = self.workspace.foreign_source()? {
                    bail!("its code reads {file} at compile time");
                }
                (Status::Graded, cut_short.clone())
            }
        };
        if grade.status == Status::NotGraded {
            return Ok((grade, false));
        }
        let repo = &self.workspace.repo;
        let sections = self.course.sections_of(&plan.numbers);
        let judge = Judge {
            repo,
            course: self.course,
            pieces: &verdict::look_at_pieces(repo, self.solution, &sections),
            path: &LearningPath::default(),
        };
        for number in &plan.numbers {
            let (chapter, manifest) = self.course.written_chapter(*number)?;
            let run = run.about(&manifest.tests());
            let report = verdict::judge(&judge, chapter, manifest, &run, None);
            grade.add(&report, |section| self.is_reference(section));
        }
        Ok((grade, run.is_conclusive()))
    }

    fn is_reference(&self, section: SectionId) -> bool {
        let repo = &self.workspace.repo;
        splice::has_form(repo, self.solution, section, Form::Solved).unwrap_or(false)
    }

    /// Builds and runs the tests of the sources in the workspace, and removes all that they leave.
    fn test(&self, plan: &Plan, end: Option<Instant>) -> Result<Run> {
        let scratch = self.scratch.path();
        let temporary = scratch.join("tmp");
        std::fs::create_dir_all(&temporary).context("cannot make a temporary folder")?;
        let limits = Limits {
            environment: environment(&temporary, &self.workspace.target),
            sandbox: self.sandbox.command.clone(),
            memory: self.memory,
            file: MOST_IN_FILE,
            end,
            scratch: scratch.to_path_buf(),
        };
        let features = format!("ch{}", plan.newest);
        let request = Request {
            dir: self.workspace.repo.root(),
            manifest: None,
            select: &[
                "--test",
                "main",
                "--no-default-features",
                "--features",
                &features,
            ]
            .map(String::from),
            flags: &plan.flags,
            without_lines: true,
            filters: &plan.filters,
            timeout: plan.timeout,
            limits: Some(&limits),
            kills: cargo::kills(),
        };
        let run = cargo::test(&request, show_progress());
        cargo::kill_descendants();
        let _ = std::fs::remove_dir_all(&temporary);
        run
    }
}

/// The environment of cargo and of the tests. Nothing else of the grader's, such as a token, is in
/// it. Programs that look for a home folder find an empty one.
fn environment(temporary: &Path, target: &Path) -> Vec<(OsString, OsString)> {
    let home = std::env::home_dir().unwrap_or_default();
    let folder = |name: &str, default: &str| {
        std::env::var_os(name).unwrap_or_else(|| home.join(default).into())
    };
    let mut variables: Vec<(OsString, OsString)> = vec![
        ("CARGO_HOME".into(), folder("CARGO_HOME", ".cargo")),
        ("RUSTUP_HOME".into(), folder("RUSTUP_HOME", ".rustup")),
        ("HOME".into(), temporary.into()),
        ("TMPDIR".into(), temporary.into()),
        ("CARGO_TARGET_DIR".into(), target.into()),
        // The workspace looks there for what cargo built, whatever its configuration says.
        ("CARGO_BUILD_BUILD_DIR".into(), target.into()),
        ("CARGO_NET_OFFLINE".into(), "true".into()),
        // Nothing is built a second time.
        ("CARGO_INCREMENTAL".into(), "0".into()),
        ("CARGO_PROFILE_DEV_DEBUG".into(), "false".into()),
    ];
    for name in ["PATH", "RUSTUP_TOOLCHAIN", "LANG"] {
        variables.extend(std::env::var_os(name).map(|value| (name.into(), value)));
    }
    variables
}

/// The first line of a compiler's message, and its place.
fn compile_error(rendered: &str) -> String {
    let text = strip_ansi_escapes::strip_str(rendered);
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let place = lines.find_map(|line| line.trim_start().strip_prefix("--> "));
    match place {
        Some(place) => format!("{first} ({place})"),
        None => first.to_string(),
    }
}

/// The largest file that a test or the compiler can write.
const MOST_IN_FILE: u64 = 1 << 30;
