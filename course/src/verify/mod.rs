//! `cargo course verify`: proves that stubs, solutions, suites, manifests and book
//! agree. Six checks, each a line with a count and a time; what fails says what to do.

mod book;
mod green;
mod in_step;
mod isolated;
mod red;
mod scratch;
mod sharp;

use std::cell::OnceCell;
use std::io::{IsTerminal, Write};
use std::time::Instant;

use anyhow::{Result, anyhow};

use crate::contents::Chapter;
use crate::manifest::Manifest;
use crate::progress::Progress;
use crate::view::Style;
use scratch::Scratch;

/// What one check came to.
#[derive(Debug, Default)]
struct Finding {
    /// What was checked and how much of it, such as `41 tests`.
    count: String,
    /// What is wrong, each with what to do about it.
    problems: Vec<String>,
}

/// What all checks share.
struct Context<'a> {
    progress: &'a Progress,
    only: Option<u32>,
    scratch: OnceCell<Result<Scratch>>,
}

impl Context<'_> {
    /// The chapters to verify.
    fn chapters(&self) -> impl Iterator<Item = (&Chapter, &Manifest)> {
        self.progress
            .course
            .written()
            .filter(|(chapter, _)| self.only.is_none_or(|only| only == chapter.number))
    }

    /// The crates made for the checks, built when the first check needs them.
    fn scratch(&self) -> Result<&Scratch> {
        self.scratch
            .get_or_init(|| Scratch::build(self))
            .as_ref()
            .map_err(|error| anyhow!("{error:#}"))
    }
}

type Check = fn(&Context) -> Result<Finding>;

/// Verifies the course, or one chapter of it, and prints as it goes. Returns whether
/// all is well.
pub fn verify(progress: &Progress, style: &Style, only: Option<u32>) -> Result<bool> {
    if let Some(number) = only {
        progress.course.written_chapter(number)?;
    }
    // Without it there is nothing to check.
    progress.solution()?;
    let context = Context {
        progress,
        only,
        scratch: OnceCell::new(),
    };
    let checks: [(&str, Check); 6] = [
        ("in step", in_step::check),
        ("green", green::check),
        ("red", red::check),
        ("isolated", isolated::check),
        ("sharp", sharp::check),
        ("true book", book::check),
    ];
    let begin = Instant::now();
    let terminal = std::io::stderr().is_terminal();
    let mut failed = Vec::new();
    for (name, check) in checks {
        if terminal {
            eprint!("\r\x1b[K  {name:<10} …");
        }
        let start = Instant::now();
        let finding = check(&context).unwrap_or_else(|error| Finding {
            count: "could not be checked".to_string(),
            problems: vec![format!("{error:#}")],
        });
        if terminal {
            eprint!("\r\x1b[K");
        }
        let mark = match finding.problems.is_empty() {
            true => style.green("ok    "),
            false => style.red("FAILED"),
        };
        let seconds = start.elapsed().as_secs_f64();
        say(format!(
            "{mark} {name:<10} {:<52} {seconds:>6.1} s",
            finding.count
        ));
        for problem in &finding.problems {
            let problem = match style.color {
                true => problem,
                false => &strip_ansi_escapes::strip_str(problem),
            };
            say(textwrap::indent(problem.trim_end(), "       "));
        }
        if !finding.problems.is_empty() {
            failed.push(name);
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    match failed.is_empty() {
        true => say(format!("Verified in {seconds:.1} s.")),
        false => say(format!(
            "Not verified: {} ({seconds:.1} s).",
            failed.join(", ")
        )),
    }
    Ok(failed.is_empty())
}

/// Prints a line. A reader that has seen enough, such as `head`, is no error of ours.
fn say(line: String) {
    let _ = writeln!(std::io::stdout(), "{line}");
}
