//! One section: what there is to write, and which test fails.

use super::style::Style;
use super::text::{NO_WRAP, indented};
use crate::cargo::Failure;
use crate::verdict::{PieceReport, SectionReport, State};

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
        lines.push(format!("{} {because}", style.yellow("A common cause:")));
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

/// The number of the compiler's warnings that are shown.
const MOST_WARNINGS: usize = 2;

/// The number of lines of a test's own output that are shown.
const MOST_PRINTED: usize = 12;
