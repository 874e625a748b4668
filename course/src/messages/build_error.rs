//! Why the tests could not be built.

use super::style::Style;
use super::text::{NO_WRAP, indented};
use crate::cargo::Diagnostic;
use crate::verdict::ChapterReport;

/// The compiler's first errors, and the given signatures that were changed.
pub(super) fn does_not_compile(
    style: &Style,
    report: &ChapterReport,
    errors: &[Diagnostic],
) -> Vec<String> {
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
    lines.extend(compiler_errors(style, errors));
    lines
}

/// Why a program could not be built: the compiler's errors or, without any, cargo's.
pub fn program_not_built(style: &Style, errors: &[Diagnostic], cargo: &str) -> Vec<String> {
    match errors {
        [] => cargo_failed(style, "the program", cargo),
        errors => compiler_errors(style, errors),
    }
}

/// The compiler's first errors.
fn compiler_errors(style: &Style, errors: &[Diagnostic]) -> Vec<String> {
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
    let head = style.red("The code does not compile:");
    let mut lines = vec![format!("{head} {count}"), String::new()];
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

/// Cargo's error message, and what to do.
pub(super) fn cargo_failed(style: &Style, what: &str, message: &str) -> Vec<String> {
    let mut lines = vec![style.red(&format!("cargo could not build {what}:"))];
    lines.extend(indented(message));
    lines.push(cargo_advice(message).to_string());
    lines
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
    } else if is_unwritable(message) {
        "Cargo cannot write to a folder that it needs: `cargo course doctor` says which one, and what to do."
    } else if message.contains("No space left") {
        "The disk is full: free some space (`cargo clean` deletes what was built) and save again."
    } else {
        "`git diff Cargo.toml` shows whether the manifest changed. A plain `cargo test` prints the same error."
    }
}

fn is_unwritable(message: &str) -> bool {
    let errors = [
        "Read-only file system",
        "Permission denied",
        "Access is denied",
    ];
    errors.iter().any(|error| message.contains(error))
}
