//! The messages about results. Each function returns lines and prints nothing.

mod style;

pub use style::{Style, is_dumb_terminal};

use crate::cargo::{Diagnostic, Failure};
use crate::hints::KeyedHint;
use crate::manifest::Section;
use crate::verdict::{ChapterReport, PieceReport, RunError, SectionReport, State};

/// The chapter's heading, with the number of green checkpoints.
pub fn heading(style: &Style, report: &ChapterReport) -> String {
    let (done, all) = report.count();
    let count = match report.problem {
        None | Some(RunError::CutShort { .. }) => format!("{done} of {all} checkpoints green"),
        Some(_) => format!("{done} of {all} checkpoints were green before this error"),
    };
    let left = match report.minutes_left() {
        0 => String::new(),
        minutes => format!(" · about {} left", time(minutes)),
    };
    format!(
        "{}  {}",
        style.bold(&format!("Chapter {} · {}", report.number, report.title)),
        style.dim(&format!("{count}{left}"))
    )
}

/// A time for people, such as `45 min`, `2 h` or `1 h 30`.
pub fn time(minutes: u32) -> String {
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours, 0) => format!("{hours} h"),
        (hours, minutes) => format!("{hours} h {minutes:02}"),
    }
}

/// The sections, one line for each.
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
            let kind = if section.depth { "depth" } else { "core" };
            let minutes = time(section.minutes);
            let state = style.dim(&format!("{kind:<7}{minutes:<9}{}", state_name(section)));
            format!(
                "  {} {title}{pad}{}",
                mark(style, section, here),
                state.trim_end()
            )
        })
        .collect()
}

/// The sections as one line of marks, for small screens.
pub fn bar(style: &Style, report: &ChapterReport) -> String {
    let current = report.current().map(|section| section.id);
    let marks: Vec<String> = report
        .sections
        .iter()
        .map(|section| mark(style, section, current == Some(section.id)))
        .collect();
    format!("  {}", marks.join(" "))
}

/// Why the current checkpoint is not green, or that the chapter is done.
pub fn reason(style: &Style, report: &ChapterReport) -> Vec<String> {
    match &report.problem {
        Some(RunError::DoesNotCompile { errors }) => {
            return does_not_compile(style, report, errors);
        }
        Some(RunError::CargoFailed { message }) => {
            let mut lines = vec![style.red("cargo could not build the tests:")];
            lines.extend(indented(message));
            lines.push(cargo_advice(message).to_string());
            return lines;
        }
        Some(RunError::CutShort { message }) => {
            let mut lines = vec![style.red("The test run did not finish:")];
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

/// One section: what there is to write, which test fails, and why.
pub fn section_reason(style: &Style, page: &str, section: &SectionReport) -> Vec<String> {
    let title = format!("{} {}", section.id, section.title);
    let head = |state: String| format!("{} · {state}", style.bold(&title));
    let mut lines = match section.state {
        State::Done => vec![head(style.green("green"))],
        State::Reading => vec![head("nothing to write: read it in the book".to_string())],
        State::NotWritten if section.pieces.iter().any(|piece| piece.written) => {
            vec![head(style.yellow("not finished yet"))]
        }
        State::NotWritten => vec![head(style.yellow("not written yet"))],
        State::Wrong if section.given => vec![head(
            style.red("given code; look at the sections you wrote that it calls"),
        )],
        State::Wrong => vec![head(style.red("written, but not right yet"))],
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
            1 => lines.push(style.dim("  1 more test of this section fails.")),
            n => lines.push(style.dim(&format!("  {n} more tests of this section fail."))),
        }
    }
    for warning in section.warnings.iter().take(MOST_WARNINGS) {
        lines.push(String::new());
        let text = style.compiler(&warning.rendered);
        lines.extend(text.lines().map(|line| format!("{NO_WRAP}  {line}")));
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

/// The hints of a section that were shown: those for failing tests, and the first `level`
/// general ones. The newest is the one for the test `newest`, or without it the last general one.
pub fn hint(
    style: &Style,
    section: &Section,
    keyed: &[&KeyedHint],
    level: usize,
    newest: Option<&str>,
) -> Vec<String> {
    let total = section.hints.general.len();
    let mut lines = Vec::new();
    let mut add = |head: String, text: &str, is_newest: bool| {
        let head = match is_newest {
            true => style.bold(&head),
            false => style.dim(&head),
        };
        lines.push(format!("{head} {text}"));
    };
    for hint in keyed {
        let head = format!("If {} fails:", hint.test);
        add(head, &hint.text, newest == Some(hint.test.as_str()));
    }
    for (number, text) in (1..).zip(&section.hints.general).take(level) {
        let head = format!("Hint {number} of {total} for {}:", section.id);
        add(head, text, newest.is_none() && number == level);
    }
    lines.push(match level < total {
        true => style.dim("Run it again for the next hint (or press h while watching)."),
        false => style.dim(&format!(
            "That was the last hint. `cargo course solution {}` shows the answer (or press s while watching).",
            section.id
        )),
    });
    lines
}

/// The chapters that have just turned green, other than the one in `report`.
pub fn finished(style: &Style, chapters: &[u32], report: &ChapterReport) -> Vec<String> {
    let others = chapters.iter().filter(|number| **number != report.number);
    let mut lines: Vec<String> = others
        .map(|number| style.green(&chapter_done(*number)))
        .collect();
    if !lines.is_empty() {
        lines.push(String::new());
    }
    lines
}

/// A chapter is done. After chapter 0, the learner's first agent runs.
pub fn chapter_done(number: u32) -> String {
    match number {
        0 => format!("Chapter 0 is done. {FIRST_AGENT}"),
        number => format!("Chapter {number} is done."),
    }
}

/// Every checkpoint is green. Names the sections without a checkpoint.
fn done(style: &Style, report: &ChapterReport) -> Vec<String> {
    let mut lines = vec![style.green(&format!(
        "Chapter {} is done: every checkpoint is green.",
        report.number
    ))];
    if report.number == 0 {
        lines.push(FIRST_AGENT.to_string());
    }
    let given = report.sections.iter().filter(|s| s.state == State::Reading);
    let given: Vec<String> = given.map(|s| format!("{} {}", s.id, s.title)).collect();
    if !given.is_empty() {
        lines.push(format!(
            "Also read the sections without a checkpoint: {}, in {}.",
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
                    "{} `{}` of section {} {altered}, and the tests need it. `cargo course reset {}` restores the stubs of that section (your code is backed up first).",
                    style.yellow("Note:"), piece.what, section.id, section.id
                ));
            }
        }
    }
    let location = errors.first().and_then(|error| {
        let file = error.file.as_deref()?;
        Some(style.location(file, error.line))
    });
    let count = match (errors.len(), location) {
        (1, Some(location)) => format!("1 error at {location}"),
        (n, Some(location)) => format!("{n} errors, the first at {location}"),
        (1, None) => "1 error".to_string(),
        (n, None) => format!("{n} errors"),
    };
    lines.push(format!(
        "{} {count}",
        style.red("The code does not compile:")
    ));
    lines.push(String::new());
    for error in errors.iter().take(3) {
        let message = style.compiler(&error.rendered);
        lines.extend(message.lines().map(|line| format!("{NO_WRAP}{line}")));
        lines.push(String::new());
    }
    if errors.len() > 3 {
        lines.push(style.dim(&format!(
            "… and {} more. Fix the first one first.",
            errors.len() - 3
        )));
    }
    lines
}

fn failed(style: &Style, test: &str, failure: &Failure) -> Vec<String> {
    let location = failure
        .file
        .as_deref()
        .map(|file| format!("  {}", style.location(file, failure.line)));
    let mut lines = vec![format!(
        "{} {test}{}",
        style.red("✗"),
        location.unwrap_or_default()
    )];
    lines.extend(indented(&failure.message));
    if !failure.printed.is_empty() {
        lines.push(style.dim("  It printed:"));
        let printed: Vec<&str> = failure.printed.lines().collect();
        let shown = printed.iter().take(MOST_PRINTED);
        lines.extend(shown.map(|line| format!("{NO_WRAP}    {line}")));
        if printed.len() > MOST_PRINTED {
            let more = printed.len() - MOST_PRINTED;
            lines.push(style.dim(&format!("    … and {more} more lines")));
        }
    }
    lines
}

fn to_write(style: &Style, piece: &PieceReport) -> String {
    let location = style.location(&piece.file, piece.line);
    match piece.written {
        true => style.dim(&format!("    written   {}  {location}", piece.what)),
        false => format!(
            "  {} {}  {location}",
            style.yellow("▸ to write"),
            piece.what
        ),
    }
}

fn mark(style: &Style, section: &SectionReport, here: bool) -> String {
    match section.state {
        State::Done | State::Waiting | State::NotWritten if section.given => style.dim("+"),
        State::Done => style.green("✓"),
        State::Reading => style.dim("–"),
        State::Wrong => style.red("✗"),
        _ if here => style.yellow("▸"),
        _ => style.dim("·"),
    }
}

fn state_name(section: &SectionReport) -> &'static str {
    match section.state {
        State::Done | State::Waiting if section.given => "given",
        State::NotWritten if section.given => "to be given",
        State::Done => "",
        State::Reading => "to read",
        State::NotWritten if section.pieces.iter().any(|piece| piece.written) => "not finished",
        State::NotWritten => "not written",
        State::Wrong if section.given => "given, but its tests fail",
        State::Wrong => "not right yet",
        State::Waiting => "needs an earlier section",
        State::Unknown => "not run",
    }
}

fn cargo_advice(message: &str) -> &'static str {
    let needs_network = [
        "failed to download",
        "failed to get",
        "--offline",
        "offline mode",
    ];
    if needs_network.iter().any(|text| message.contains(text)) {
        "The dependencies are not on this machine yet: run `cargo course fetch` once while you are online. It downloads them for all chapters."
    } else if message.contains("No space left") {
        "The disk is full: free some space (`cargo clean` deletes what was built) and save again."
    } else {
        "`git diff Cargo.toml` shows whether the manifest changed. A plain `cargo test` prints the same error."
    }
}

fn indented(text: &str) -> impl Iterator<Item = String> {
    text.lines().map(|line| format!("    {line}"))
}

/// The first character of a line that must not be wrapped, since its columns line up with
/// others: compiler messages and a test's own output. It is invisible.
pub const NO_WRAP: char = '\u{2060}';

const FIRST_AGENT: &str = "Your first agent runs: `cargo first` talks to it.";

/// The number of the compiler's warnings that are shown.
const MOST_WARNINGS: usize = 2;

/// The number of lines of a test's own output that are shown.
const MOST_PRINTED: usize = 12;
