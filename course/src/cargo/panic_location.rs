//! Finds the learner's line for a panic inside a library.

use std::path::Path;

use anyhow::Result;

use super::build::build;
use super::libtest;
use super::progress::Step;
use super::run::{Failure, Request, Test};
use super::test_program::{Program, Tests};

/// Gives each failure that panicked outside the package, such as in the standard library, the
/// location of the innermost call in the package's `src`. Only these tests run again, since
/// collecting backtraces is slow. If `program` is without line tables, one that has them is built.
pub fn locate_library_panics(
    program: &Program,
    request: &Request,
    tests: &mut [Test],
    on_progress: &mut impl FnMut(Step),
) -> Result<()> {
    for failure in tests.iter_mut().filter_map(|test| test.failure.as_mut()) {
        make_relative(failure, request.dir);
    }
    let names: Vec<String> = tests
        .iter()
        .filter(|test| test.failure.as_ref().is_some_and(is_in_a_library))
        .map(|test| test.name.clone())
        .collect();
    if names.is_empty() {
        return Ok(());
    }
    let with_lines = match request.without_lines {
        true => {
            let request = Request {
                without_lines: false,
                ..request.clone()
            };
            // Without the locations, the failures are still right.
            let Ok(program) = build(&request, on_progress)? else {
                return Ok(());
            };
            Some(program)
        }
        false => None,
    };
    let program = with_lines.as_ref().unwrap_or(program);
    let tests_of_names = Tests::Containing(&names);
    let backtraces = [("RUST_BACKTRACE", "1".to_string())];
    let ended = program.execute(&tests_of_names, &backtraces, request.timeout, &mut |_| {})?;
    for (path, output) in libtest::failure_blocks(&ended.output.stdout) {
        let failure = tests
            .iter_mut()
            .find(|test| test.is_at(&path))
            .and_then(|test| test.failure.as_mut());
        if let Some(failure) = failure
            && is_in_a_library(failure)
            && let Some((file, line)) = output.lines().find_map(frame_in_src)
        {
            failure.file = Some(file.to_string());
            failure.line = line;
        }
    }
    Ok(())
}

/// Makes the location of a failure relative to the package's folder `dir`, if it is inside.
fn make_relative(failure: &mut Failure, dir: &Path) {
    let file = failure.file.as_deref().map(Path::new);
    if let Some(inside) = file.and_then(|file| file.strip_prefix(dir).ok()) {
        failure.file = Some(inside.display().to_string());
    }
}

/// Locations in the package are relative to its folder.
fn is_in_a_library(failure: &Failure) -> bool {
    let file = failure.file.as_deref();
    file.is_some_and(|file| file.starts_with('/') || file.contains(":\\"))
}

/// The file and line in a backtrace's line `at ./src/light.rs:6:5`.
fn frame_in_src(line: &str) -> Option<(&str, usize)> {
    let location = line.trim_start().strip_prefix("at ./")?;
    let (file, rest) = location.split_once(':')?;
    let (number, _) = rest.split_once(':')?;
    let number = number.parse().ok()?;
    file.starts_with("src/").then_some((file, number))
}
