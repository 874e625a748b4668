//! `cargo course verify`: proves that stubs, reference, tests, manifests and book agree. It
//! runs eight checks and prints a line for each, with a count, a time and the problems found.
//! What an earlier run has proved for the same content is not proved again.

mod cases;
mod chapter_crates;
mod context;
mod executed;
mod functions;
mod green;
mod inputs;
mod isolated;
mod layers;
mod mutants;
mod part;
mod placeholders;
mod proofs;
mod reach;
mod red;
mod sized;
mod stubs_current;
mod taught;
mod test_crates;
mod test_files;
mod true_book;

use std::io::{IsTerminal, Write};
use std::time::Instant;

use anyhow::Result;

use crate::messages::Style;
use crate::progress::Progress;
use context::{Context, Finding};
use inputs::Files;
use proofs::{GREEN, ISOLATED, RED, SHARP};

/// A check: its name, its function, and what its proof depends on, if that is stored for all
/// chapters together.
type Check = (&'static str, fn(&Context) -> Result<Finding>, Option<Files>);

const BOOK: &str = "true book";

const CHECKS: [Check; 8] = [
    ("in step", stubs_current::check, Some(Files::All)),
    (GREEN, green::check, None),
    (RED, red::check, None),
    (ISOLATED, isolated::check, None),
    (SHARP, mutants::check, None),
    ("sized", sized::check, None),
    // It reads the stubs, and the check `in step` proves that `src/` has them.
    ("taught", taught::check, Some(Files::Learners)),
    (BOOK, true_book::check, Some(Files::All)),
];

/// Verifies the course, or only the chapter `only`, and prints each result as it comes. If
/// `fresh`, nothing counts as proved before. Returns whether every check passed.
pub fn verify(progress: &Progress, style: &Style, only: Option<u32>, fresh: bool) -> Result<bool> {
    if let Some(number) = only {
        progress.course.written_chapter(number)?;
    }
    let context = Context::new(progress, only, fresh)?;
    let begin = Instant::now();
    let terminal = std::io::stderr().is_terminal();
    let mut failed = Vec::new();
    if !context.is_proved(BOOK, Files::All)? {
        // If it cannot start, the check says so.
        context.book.set(true_book::start(&progress.repo).ok());
    }
    for (name, check, files) in CHECKS {
        if terminal {
            eprint!("\r\x1b[K  {name:<10} …");
        }
        let start = Instant::now();
        let is_cached = match files {
            Some(files) => context.is_proved(name, files)?,
            None => false,
        };
        let finding = match is_cached {
            true => Ok(Finding {
                count: "cached".to_string(),
                problems: Vec::new(),
            }),
            false => check(&context),
        };
        let finding = finding.unwrap_or_else(|error| Finding {
            count: "the check itself failed".to_string(),
            problems: vec![format!("{error:#}")],
        });
        if let Some(files) = files
            && !is_cached
            && finding.problems.is_empty()
        {
            context.store(name, files)?;
        }
        if terminal {
            eprint!("\r\x1b[K");
        }
        let mark = match finding.problems.is_empty() {
            true => style.green("ok    "),
            false => style.red("FAILED"),
        };
        let seconds = start.elapsed().as_secs_f64();
        print_line(format!(
            "{mark} {name:<10} {:<66} {seconds:>6.1} s",
            finding.count
        ));
        for problem in &finding.problems {
            let problem = match style.color {
                true => problem,
                false => &strip_ansi_escapes::strip_str(problem),
            };
            print_line(textwrap::indent(problem.trim_end(), "       "));
        }
        if !finding.problems.is_empty() {
            failed.push(name);
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    match failed.is_empty() {
        true => print_line(format!("Verified in {seconds:.1} s.")),
        false => print_line(format!(
            "Not verified: {} ({seconds:.1} s).",
            failed.join(", ")
        )),
    }
    Ok(failed.is_empty())
}

/// Prints a line. Ignores a closed output, such as after `| head`.
fn print_line(line: String) {
    let _ = writeln!(std::io::stdout(), "{line}");
}
