//! The rows that show the result of a call.

use crate::claw::safe_text::one_line;

/// The row of a result without any text. The tool `bash` returns the same.
pub const NO_OUTPUT: &str = "(no output)";

/// The rows of a result.
pub struct ResultRows {
    /// Whether the call, or the command that it ran, failed.
    pub failed: bool,
    /// The rows. Those after the first are indented.
    pub rows: Vec<String>,
}

/// The most lines of a result that a terminal shows in full. Of more, it shows the first and
/// the last two.
const SHOWN_LINES: usize = 5;

/// The most notes at the end of a result, each a line in brackets: `bash` in the sandbox has
/// three. Further lines in brackets count as output.
const MAX_NOTES: usize = 3;

/// How many of the last lines of a failed result are shown outside a terminal.
const LAST_LINES: usize = 3;

impl ResultRows {
    /// The rows of a result, of which `content` is the text that a model reads. `number` is the
    /// number of the call in a terminal, where `/show` shows the rest.
    pub fn of(content: &str, is_error: bool, number: Option<usize>) -> Self {
        let lines: Vec<&str> = content.lines().filter(|it| !it.trim().is_empty()).collect();
        let is_note = |line: &&&str| line.starts_with('[') && line.ends_with(']');
        let notes = lines
            .iter()
            .rev()
            .take(MAX_NOTES)
            .take_while(is_note)
            .count();
        let (lines, notes) = lines.split_at(lines.len() - notes);
        let failed = is_error || notes.iter().any(|it| it.starts_with("[exit code"));
        let mut rows = match number {
            Some(number) => first_and_last(lines, number),
            None if failed && !notes.is_empty() => last(lines),
            None => first(lines, failed),
        };
        rows.extend(notes.iter().map(|it| one_line(it)));
        if rows.is_empty() {
            rows.push(NO_OUTPUT.into());
        }
        Self { failed, rows }
    }
}

/// The first and the last lines, and between them how to see the others.
fn first_and_last(lines: &[&str], number: usize) -> Vec<String> {
    if lines.len() <= SHOWN_LINES {
        return lines.iter().map(|it| row(it)).collect();
    }
    let (first, rest) = lines.split_at(2);
    let (others, last) = rest.split_at(rest.len() - 2);
    let others = format!("{}: /show {number}", line_count(others.len(), "more "));
    let first = first.iter().map(|it| row(it)).chain([others]);
    first.chain(last.iter().map(|it| row(it))).collect()
}

/// The last lines, below how many there are before them.
fn last(lines: &[&str]) -> Vec<String> {
    let (others, last) = lines.split_at(lines.len().saturating_sub(LAST_LINES));
    let others = (!others.is_empty()).then(|| line_count(others.len(), "more "));
    let last = last.iter().map(|it| row(it));
    others.into_iter().chain(last).collect()
}

/// The first line and how many follow. If the call failed, the last of them.
fn first(lines: &[&str], failed: bool) -> Vec<String> {
    let Some((first, more)) = lines.split_first() else {
        return Vec::new();
    };
    let count = match more.len() {
        0 => String::new(),
        count => format!(" {}", line_count(count, "more ")),
    };
    let shown = if failed {
        more.len().min(LAST_LINES)
    } else {
        0
    };
    let last = more[more.len() - shown..].iter().map(|it| row(it));
    [format!("{}{count}", row(first))]
        .into_iter()
        .chain(last)
        .collect()
}

/// A line that is safe to show. One without any text says so.
fn row(line: &str) -> String {
    let shown = one_line(line);
    match shown.is_empty() {
        true => format!("({} control characters)", line.chars().count()),
        false => shown,
    }
}

/// Such as `… 1 more line` or `… 28 more lines`.
fn line_count(lines: usize, prefix: &str) -> String {
    let plural = if lines == 1 { "" } else { "s" };
    format!("… {lines} {prefix}line{plural}")
}
