//! Builds and runs tests.

use anyhow::{Result, ensure};

use super::find_culprit::find_culprit;
use super::outcome::ran;
use super::panic_location::locate_library_panics;
use super::process::{self, follow};
use super::run::{Request, Run, Test};
use super::test_program::build;

/// Builds and runs tests. Calls `on_progress` with the number of tests that have finished.
///
/// A build error or a failing test is a result, not an `Err`. A test that hangs or crashes
/// the test program is identified and counted as failed, and the others run again without it.
pub fn test(request: &Request, mut on_progress: impl FnMut(usize)) -> Result<Run> {
    let kills = process::kills();
    let program = match build(request)? {
        Ok(program) => program,
        Err(not_built) => return Ok(not_built),
    };
    ensure!(process::kills() == kills, "the run was interrupted");
    let mut culprits: Vec<(String, Test)> = Vec::new();
    loop {
        let skip: Vec<&str> = culprits.iter().map(|(path, _)| path.as_str()).collect();
        let output = follow(
            &mut program.command(request.filters, &skip),
            Some(request.timeout),
            &mut on_progress,
        )?;
        let mut run = ran(program.warnings.clone(), &output);
        let Run::Ran {
            tests, cut_short, ..
        } = &mut run
        else {
            return Ok(run);
        };
        let most = if output.hung { MOST_HUNG } else { MOST_CRASHED };
        if cut_short.is_some()
            && culprits.len() < most
            && let Some(culprit) = find_culprit(&program, request, &skip, &output)?
        {
            culprits.push(culprit);
            continue;
        }
        locate_library_panics(&program, request, tests)?;
        tests.extend(culprits.into_iter().map(|(_, test)| test));
        return Ok(run);
    }
}

/// After this many tests that hang, the others get no result: each costs a whole timeout.
const MOST_HUNG: usize = 2;
/// After this many tests that crash, the others get no result. A crash is found quickly.
const MOST_CRASHED: usize = 24;
