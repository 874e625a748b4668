//! Where the learner is: the chapters that are open, and how far each one is.

use std::cell::OnceCell;
use std::panic::resume_unwind;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::cargo;
use crate::contents::{Chapter, Course};
use crate::manifest::Manifest;
use crate::render::Solution;
use crate::repo::Repo;
use crate::results::{self, Results};
use crate::verdict::{self, ChapterReport};

/// Everything a command needs to know of the repository.
pub struct Progress {
    /// The repository.
    pub repo: Repo,
    /// Its chapters.
    pub course: Course,
    /// The reference, once something has asked for it.
    solution: OnceCell<Solution>,
    /// The newest chapter that is open.
    pub open: u32,
    /// The last verdicts.
    pub results: Results,
}

impl Progress {
    /// Reads the course and the last results.
    pub fn load(repo: Repo) -> Result<Self> {
        let course = Course::load(&repo)?;
        let results = Results::load(&repo)?;
        Ok(Self {
            repo,
            course,
            solution: OnceCell::new(),
            open: results.open(),
            results,
        })
    }

    /// The reference. Parsing it takes a while, so it is read when it is first asked for.
    pub fn solution(&self) -> Result<&Solution> {
        if let Some(solution) = self.solution.get() {
            return Ok(solution);
        }
        let solution = Solution::load(&self.repo, &self.course)
            .context("the manifests and solutions/ disagree; `git status` shows what changed")?;
        Ok(self.solution.get_or_init(|| solution))
    }

    /// The chapters that are open and written, oldest first.
    pub fn open_chapters(&self) -> impl Iterator<Item = (&Chapter, &Manifest)> {
        self.course
            .written()
            .filter(|(chapter, _)| chapter.number <= self.open)
    }

    /// The numbers of the chapters that are open and written.
    pub fn open_numbers(&self) -> Vec<u32> {
        let open = self.open_chapters();
        open.map(|(chapter, _)| chapter.number).collect()
    }

    /// Runs the tests of the chapters `numbers` in one go, judges each of them and
    /// remembers the verdicts. One chapter is built without the suites of the others; more
    /// than one as plain `cargo test` builds them, with all.
    ///
    /// `news` is told how many tests have ended so far.
    pub fn run(
        &mut self,
        numbers: &[u32],
        news: impl FnMut(usize) + Send,
    ) -> Result<Vec<ChapterReport>> {
        let mut filters = Vec::new();
        let mut patience = 0;
        for number in numbers {
            let (chapter, manifest) = self.course.written_chapter(*number)?;
            ensure!(
                *number <= self.open,
                "chapter {number} is not open yet; `cargo course open {number}` opens it"
            );
            filters.push(format!("{}::", chapter.feature()));
            patience = patience.max(manifest.patience_seconds);
        }
        let others = self.open_chapters().map(|(chapter, _)| chapter);
        let without: Vec<String> = others
            .filter(|chapter| numbers.len() == 1 && chapter.number != numbers[0])
            .map(Chapter::feature)
            .collect();
        let before = results::sources(&self.repo)?;
        let request = cargo::Request {
            dir: self.repo.root(),
            select: &["--test", "main"],
            without: &without,
            filters: &filters,
            patience: Duration::from_secs(patience),
        };
        // While cargo works, what its outcome is judged by is read.
        let (run, solution) = thread::scope(|scope| {
            let run = scope.spawn(|| cargo::test(&request, news));
            let solution = self.solution();
            (run.join(), solution)
        });
        let run = run.unwrap_or_else(|panic| resume_unwind(panic))?;
        let solution = solution?;
        let mut reports = Vec::new();
        for number in numbers {
            let (chapter, manifest) = self.course.written_chapter(*number)?;
            let run = run.about(&manifest.tests());
            reports.push(verdict::judge(
                &self.repo,
                solution,
                chapter,
                manifest,
                &run,
                self.results.last(*number),
            ));
        }
        // What cargo fails at, such as a missing download or a full disk, may be gone
        // without a change to any source.
        if !run.is_cargo_failure() && results::sources(&self.repo)? == before {
            self.results.keep(before, &reports)?;
        }
        Ok(reports)
    }
}

/// The first of the reports that is not done, or the last.
pub fn first_to_do(reports: impl IntoIterator<Item = ChapterReport>) -> Result<ChapterReport> {
    let mut last = None;
    for report in reports {
        if !report.is_done() {
            return Ok(report);
        }
        last = Some(report);
    }
    last.context("no chapter is open; `cargo course open 1` opens the first")
}

/// The newest chapter that `Cargo.toml` opens, from its `default` features.
pub fn open_chapter(manifest: &str) -> Result<u32> {
    let document: toml_edit::DocumentMut = manifest
        .parse()
        .context("Cargo.toml is broken; `git diff Cargo.toml` shows what changed in it")?;
    let default = document
        .get("features")
        .and_then(|features| features.get("default"))
        .and_then(|default| default.as_array());
    Ok(default
        .into_iter()
        .flatten()
        .filter_map(|feature| feature.as_str()?.strip_prefix("ch")?.parse().ok())
        .max()
        .unwrap_or(1))
}

/// `manifest` with chapter `number` as the newest that is open, and nothing else
/// changed in it.
pub fn with_open_chapter(manifest: &str, number: u32) -> Result<String> {
    let mut document: toml_edit::DocumentMut = manifest
        .parse()
        .context("Cargo.toml is broken; `git diff Cargo.toml` shows what changed in it")?;
    let default = document
        .get_mut("features")
        .and_then(|features| features.get_mut("default"))
        .and_then(|default| default.as_array_mut())
        .context("Cargo.toml has no `default` under `[features]`, which opens the chapters; `git diff Cargo.toml` shows what changed in it")?;
    let is_chapter = |feature: &toml_edit::Value| {
        let number = feature.as_str().and_then(|name| name.strip_prefix("ch"));
        number.is_some_and(|number| number.parse::<u32>().is_ok())
    };
    let first = default.iter().position(is_chapter);
    match first {
        Some(at) => {
            default.replace(at, format!("ch{number}"));
        }
        None => default.push(format!("ch{number}")),
    }
    let mut chapters = 0;
    default.retain(|feature| {
        chapters += usize::from(is_chapter(feature));
        !is_chapter(feature) || chapters == 1
    });
    Ok(document.to_string())
}
