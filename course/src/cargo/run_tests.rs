//! Builds and runs tests.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use anyhow::{Result, ensure};

use super::build::build;
use super::outcome::{HUNG, crash, cut_short};
use super::panic_location::locate_library_panics;
use super::process::{self, INTERRUPTED};
use super::progress::Step;
use super::run::{Failure, Request, Run, Test};
use super::test_program::{Program, Tests, at_once};

/// Builds and runs tests. Calls `on_progress` with each step.
///
/// A build error or a failing test is a result, not an `Err`. If a test hangs or ends the test
/// program, each test without a result runs again in a process of its own.
pub fn test(request: &Request, mut on_progress: impl FnMut(Step) + Send) -> Result<Run> {
    ensure!(process::kills() == request.kills, INTERRUPTED);
    let program = match build(request, &mut on_progress)? {
        Ok(program) => program,
        Err(not_built) => return Ok(not_built),
    };
    ensure!(process::kills() == request.kills, INTERRUPTED);
    let selected = Tests::Containing(request.filters);
    let output = program.execute(&selected, &[], request.timeout, &mut on_progress)?;
    let mut tests = output.tests();
    let mut problem = None;
    if !output.has_all(tests.len()) {
        let all = program.list(&selected)?;
        let mut unfinished: Vec<&String> = all.iter().filter(|path| !has(&tests, path)).collect();
        // Tests start in the order of their paths, [`at_once`] of them, so these were running for as
        // long as no test finished.
        unfinished.truncate(if output.hung { at_once() } else { 0 });
        // Messages of failures come at the end of the output, so they may be missing.
        let is_complete = |test: &Test| {
            let failure = test.failure.as_ref();
            failure.is_none_or(|failure| !failure.message.is_empty())
        };
        tests.retain(is_complete);
        tests.extend(unfinished.into_iter().map(|path| failed(path, HUNG)));
        let others: Vec<String> = all.into_iter().filter(|path| !has(&tests, path)).collect();
        let count = others.len();
        let progress = Mutex::new((count, &mut on_progress));
        let show_one_less = || {
            let (left, on_progress) = &mut *lock(&progress);
            on_progress(Step::Alone(*left));
            *left -= 1;
        };
        let run_alone = |path: &str| {
            ensure!(process::kills() == request.kills, INTERRUPTED);
            show_one_less();
            test_alone(&program, request, path)
        };
        let end = request.limits.and_then(|limits| limits.end);
        // A learner waits for the result; a grade needs one for each test.
        let most_hung = match request.limits {
            None => MOST_HUNG,
            Some(_) => usize::MAX,
        };
        let found = each_alone(others, most_hung, end, run_alone)?;
        if found.len() < count {
            problem = Some(cut_short(count - found.len()));
        }
        tests.extend(found);
    }
    if request.limits.is_none() {
        locate_library_panics(&program, request, &mut tests, &mut on_progress)?;
    }
    Ok(Run::Ran {
        warnings: program.warnings,
        tests,
        cut_short: problem,
    })
}

/// Runs `test` on each path, several at once. After `most_hung` tests that hang, the others get
/// no result, since each may cost a whole timeout. They get none after `end` either.
fn each_alone(
    paths: Vec<String>,
    most_hung: usize,
    end: Option<Instant>,
    test: impl Fn(&str) -> Result<(Test, bool)> + Sync,
) -> Result<Vec<Test>> {
    let queue = Mutex::new(Queue::new(paths, most_hung));
    let next = || lock(&queue).next();
    let work = || -> Result<Vec<Test>> {
        let mut tests = Vec::new();
        while !process::is_over(end)
            && let Some(path) = next()
        {
            let (test, has_hung) = test(&path)?;
            if has_hung {
                lock(&queue).hung.push(module(&path).to_string());
            }
            tests.push(test);
        }
        Ok(tests)
    };
    thread::scope(|scope| {
        // More than there are cores, since a test that waits for a lock needs none.
        let workers: Vec<_> = (0..at_once()).map(|_| scope.spawn(work)).collect();
        let mut tests = Vec::new();
        for worker in workers {
            let done = worker.join();
            tests.extend(done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
        }
        Ok(tests)
    })
}

/// Tests that wait for a run of their own, in an order in which the tests of one section that hang
/// leave results for the other sections.
struct Queue {
    /// The paths of the tests: the first of each module, then the second of each.
    paths: Vec<String>,
    /// The module of each test that hung.
    hung: Vec<String>,
    /// After this many tests that hang, there is no next one.
    most_hung: usize,
}

impl Queue {
    fn new(mut paths: Vec<String>, most_hung: usize) -> Self {
        let mut count = HashMap::new();
        paths.sort_by_cached_key(|path| {
            let count = count.entry(module(path).to_string()).or_insert(0);
            *count += 1;
            *count
        });
        Self {
            paths,
            hung: Vec::new(),
            most_hung,
        }
    }

    /// The next test. Those of a module in which a test hung come last.
    fn next(&mut self) -> Option<String> {
        let has_hung = |path: &String| self.hung.iter().any(|one| one == module(path));
        let at = self.paths.iter().position(|path| !has_hung(path));
        let is_next = self.hung.len() < self.most_hung && !self.paths.is_empty();
        is_next.then(|| self.paths.remove(at.unwrap_or(0)))
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The module of the test at `path`, which has the tests of one section.
fn module(path: &str) -> &str {
    path.rsplit_once("::").map_or("", |(module, _)| module)
}

/// Runs the test at `path` in a process of its own. Returns its result, and whether it hung.
fn test_alone(program: &Program, request: &Request, path: &str) -> Result<(Test, bool)> {
    let output = program.execute(&Tests::Exactly(path), &[], request.timeout, &mut |_| {})?;
    let test = output.tests().pop();
    let test = test.unwrap_or_else(|| failed(path, crash(&output)));
    Ok((test, output.hung))
}

/// Whether the test at `path` is among `tests`.
fn has(tests: &[Test], path: &str) -> bool {
    tests.iter().any(|test| test.is_at(path))
}

fn failed(path: &str, message: &str) -> Test {
    let failure = Failure {
        message: message.to_string(),
        cut_short: true,
        ..Failure::default()
    };
    Test {
        name: path.rsplit("::").next().unwrap_or(path).to_string(),
        failure: Some(failure),
    }
}

/// After this many tests that hang, a learner's others get no result.
const MOST_HUNG: usize = 8;
