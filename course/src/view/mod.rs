//! How results read on a screen: each function gives lines, and prints nothing.

mod style;

pub use style::Style;

use crate::cargo::{Diagnostic, Failure};
use crate::manifest::Section;
use crate::verdict::{ChapterReport, PieceReport, Problem, SectionReport, State};

/// The chapter's heading with its count.
pub fn heading(style: &Style, report: &ChapterReport) -> String {
    let (done, all) = report.count();
    let count = match report.problem {
        None | Some(Problem::CutShort { .. }) => format!("{done} of {all} checkpoints green"),
        Some(_) => format!("{done} of {all} checkpoints were green before this"),
    };
    format!(
        "{}  {}",
        style.bold(&format!("Chapter {} · {}", report.number, report.title)),
        style.dim(&count)
    )
}

/// Every section on a line of its own.
pub fn list(style: &Style, report: &ChapterReport) -> Vec<String> {
    let current = report.current().map(|section| section.id);
    report
        .sections
        .iter()
        .map(|section| {
            let here = current == Some(section.id);
            let title = format!("{:<6}{}", section.id.to_string(), section.title);
            let title = match here {
                true => style.bold(&title),
                false => title,
            };
            let pad = " ".repeat(48usize.saturating_sub(6 + section.title.chars().count()));
            let words = style.dim(state_words(section));
            format!("  {} {title}{pad}{words}", mark(style, section, here))
        })
        .collect()
}

/// Every section as a mark, for small screens.
pub fn bar(style: &Style, report: &ChapterReport) -> String {
    let current = report.current().map(|section| section.id);
    let marks: Vec<String> = report
        .sections
        .iter()
        .map(|section| mark(style, section, current == Some(section.id)))
        .collect();
    format!("  {}", marks.join(" "))
}

/// What stands between the learner and the next green checkpoint.
pub fn reason(style: &Style, report: &ChapterReport) -> Vec<String> {
    match &report.problem {
        Some(Problem::DoesNotCompile { errors }) => {
            return does_not_compile(style, report, errors);
        }
        Some(Problem::CargoFailed { message }) => {
            let mut lines = vec![style.red("cargo could not build the tests:")];
            lines.extend(indented(message));
            lines.push(cargo_advice(message).to_string());
            return lines;
        }
        Some(Problem::CutShort { message }) => {
            let mut lines = vec![style.red("The tests did not come to their end:")];
            lines.extend(indented(message));
            if let Some(section) = report.current() {
                lines.push(String::new());
                lines.extend(section_reason(style, &report.page, section));
            }
            return lines;
        }
        None => {}
    }
    match report.current() {
        Some(section) => section_reason(style, &report.page, section),
        None => done(style, report),
    }
}

/// One section: what to write, what fails and why.
pub fn section_reason(style: &Style, page: &str, section: &SectionReport) -> Vec<String> {
    let title = format!("{} {}", section.id, section.title);
    let head = |words: String| format!("{} · {words}", style.bold(&title));
    let mut lines = match section.state {
        State::Done => vec![head(style.green("green"))],
        State::Given => vec![head("nothing to write: read it in the book".to_string())],
        State::NotWritten if section.pieces.iter().any(|piece| piece.written) => {
            vec![head(style.yellow("not finished yet"))]
        }
        State::NotWritten => vec![head(style.yellow("not written yet"))],
        State::Wrong => vec![head(style.red("written, and not right yet"))],
        State::Waiting => {
            let other = section.waits_for.map_or(String::new(), |id| id.to_string());
            vec![head(style.yellow(&format!("needs section {other} first")))]
        }
        State::Unknown => vec![head(style.dim("not run"))],
    };
    if section.state == State::NotWritten {
        lines.extend(section.pieces.iter().map(|piece| to_write(style, piece)));
    }
    if let Some((test, failure)) = section.first_failure() {
        lines.push(String::new());
        lines.extend(failed(style, test, failure));
        let others = section
            .tests
            .iter()
            .filter(|test| test.passed == Some(false));
        match others.count() - 1 {
            0 => {}
            1 => lines.push(style.dim("  One more of its tests fails.")),
            n => lines.push(style.dim(&format!("  {n} more of its tests fail."))),
        }
    }
    if let Some(because) = &section.explanation {
        lines.push(String::new());
        lines.push(format!("{} {because}", style.yellow("Why:")));
    }
    if !matches!(section.state, State::Done | State::Unknown) {
        lines.push(String::new());
        lines.push(style.dim(&format!("Read: section {} of {page}", section.id)));
        if let Some(file) = &section.test_file {
            lines.push(style.dim(&format!("Tests: {file}")));
        }
    }
    lines
}

/// One of a section's hints.
pub fn hint(style: &Style, section: &Section, level: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let total = section.hints.len();
    for (number, hint) in (1..).zip(&section.hints).take(level) {
        let head = format!("Hint {number} of {total} for {}:", section.id);
        let head = match number == level {
            true => style.bold(&head),
            false => style.dim(&head),
        };
        lines.push(format!("{head} {hint}"));
    }
    lines.push(match level < total {
        true => style.dim("Ask again for the next hint (h, while watching)."),
        false => style.dim(&format!(
            "That was the last hint; `cargo course solution {}` (s, while watching) shows the answer.",
            section.id
        )),
    });
    lines
}

/// Every checkpoint is green; what is only read may still be waiting.
fn done(style: &Style, report: &ChapterReport) -> Vec<String> {
    let mut lines = vec![style.green(&format!(
        "Chapter {} is done: every checkpoint is green.",
        report.number
    ))];
    let given = report.sections.iter().filter(|s| s.state == State::Given);
    let given: Vec<String> = given.map(|s| format!("{} {}", s.id, s.title)).collect();
    if !given.is_empty() {
        lines.push(format!(
            "Without a checkpoint, and worth reading before you go on: {}, in {}.",
            given.join(", "),
            report.page
        ));
    }
    lines
}

fn does_not_compile(style: &Style, report: &ChapterReport, errors: &[Diagnostic]) -> Vec<String> {
    let mut lines = Vec::new();
    for section in &report.sections {
        for piece in &section.pieces {
            if let Some(altered) = &piece.altered {
                lines.push(format!(
                    "{} `{}` of section {} {altered}, and the tests rely on it. `cargo course reset {}` makes that section a stub again (what you wrote is saved first).",
                    style.yellow("Look:"), piece.what, section.id, section.id
                ));
            }
        }
    }
    let place = errors.first().and_then(|error| {
        let file = error.file.as_deref()?;
        Some(format!(" at {}", style.place(file, error.line)))
    });
    let count = match errors.len() {
        1 => "one error".to_string(),
        n => format!("{n} errors"),
    };
    lines.push(format!(
        "{} {count}; the compiler's first words{}:",
        style.red("The code does not compile:"),
        place.unwrap_or_default()
    ));
    lines.push(String::new());
    for error in errors.iter().take(3) {
        let words = style.compiler(&error.rendered);
        lines.extend(words.lines().map(|line| format!("{AS_IT_IS}{line}")));
        lines.push(String::new());
    }
    if errors.len() > 3 {
        lines.push(style.dim(&format!(
            "… and {} more; the first is the one to mend.",
            errors.len() - 3
        )));
    }
    lines
}

fn failed(style: &Style, test: &str, failure: &Failure) -> Vec<String> {
    let place = failure
        .file
        .as_deref()
        .map(|file| format!("  {}", style.place(file, failure.line)));
    let mut lines = vec![format!(
        "{} {test}{}",
        style.red("✗"),
        place.unwrap_or_default()
    )];
    lines.extend(indented(&failure.message));
    if !failure.printed.is_empty() {
        lines.push(style.dim("  It printed:"));
        let printed: Vec<&str> = failure.printed.lines().collect();
        let shown = printed.iter().take(MOST_PRINTED);
        lines.extend(shown.map(|line| format!("{AS_IT_IS}    {line}")));
        if printed.len() > MOST_PRINTED {
            let more = printed.len() - MOST_PRINTED;
            lines.push(style.dim(&format!("    … and {more} more lines")));
        }
    }
    lines
}

fn to_write(style: &Style, piece: &PieceReport) -> String {
    let place = style.place(&piece.file, piece.line);
    match piece.written {
        true => style.dim(&format!("    written   {}  {place}", piece.what)),
        false => format!("  {} {}  {place}", style.yellow("▸ to write"), piece.what),
    }
}

fn mark(style: &Style, section: &SectionReport, here: bool) -> String {
    match section.state {
        State::Done => style.green("✓"),
        State::Given => style.dim("–"),
        State::Wrong => style.red("✗"),
        _ if here => style.yellow("▸"),
        _ => style.dim("·"),
    }
}

fn state_words(section: &SectionReport) -> &'static str {
    match section.state {
        State::Done => "",
        State::Given => "to read",
        State::NotWritten if section.pieces.iter().any(|piece| piece.written) => "not finished",
        State::NotWritten => "not written",
        State::Wrong => "not right yet",
        State::Waiting => "needs an earlier section",
        State::Unknown => "not run",
    }
}

fn cargo_advice(message: &str) -> &'static str {
    if message.contains("failed to download") || message.contains("failed to get") {
        "The dependencies are not on this machine yet: run `cargo fetch` once with a network."
    } else if message.contains("No space left") {
        "The disk is full: make room (`cargo clean` frees what was built) and save again."
    } else {
        "`git diff Cargo.toml` shows whether the manifest was changed; `cargo test` says the same without this program."
    }
}

fn indented(text: &str) -> impl Iterator<Item = String> {
    text.lines().map(|line| format!("    {line}"))
}

/// Begins a line that must not be wrapped, since its columns mean something: rustc's
/// words, a test's own output. It has no width and no look.
pub const AS_IT_IS: char = '\u{2060}';

/// How many lines of a test's own output are shown.
const MOST_PRINTED: usize = 12;
