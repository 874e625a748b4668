//! `cargo course verify`: proves that stubs, reference, tests, manifests and book agree. It
//! runs eight checks and prints a line for each, with a count, a time and the problems found.

mod chapter_crates;
mod context;
mod green;
mod isolated;
mod layers;
mod mutants;
mod placeholders;
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

type Check = fn(&Context) -> Result<Finding>;

/// Verifies the course, or only the chapter `only`, and prints each result as it comes.
/// Returns whether every check passed.
pub fn verify(progress: &Progress, style: &Style, only: Option<u32>) -> Result<bool> {
    if let Some(number) = only {
        progress.course.written_chapter(number)?;
    }
    // A reference that cannot be read makes every check fail.
    progress.solution()?;
    let context = Context::new(progress, only);
    let checks: [(&str, Check); 8] = [
        ("in step", stubs_current::check),
        ("green", green::check),
        ("red", red::check),
        ("isolated", isolated::check),
        ("sharp", mutants::check),
        ("sized", sized::check),
        ("taught", taught::check),
        ("true book", true_book::check),
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
            count: "the check itself failed".to_string(),
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
        print_line(format!(
            "{mark} {name:<10} {:<52} {seconds:>6.1} s",
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
