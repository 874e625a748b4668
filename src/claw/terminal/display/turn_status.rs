//! What is shown below the output while a turn runs.

use std::time::Instant;

use super::word_wrap::{char_width, text_width};
use crate::claw::safe_text::{cut, without_control_chars};

/// The turn that runs.
pub struct TurnStatus {
    started: Instant,
    /// The key that stops it.
    stop_key: &'static str,
    /// The calls that run.
    pub calls: Vec<RunningCall>,
    /// What the user has typed without Enter.
    pub typed: String,
}

/// A call that runs.
pub struct RunningCall {
    /// The call's id.
    pub id: String,
    /// The tool's line for the terminal.
    pub summary: String,
    started: Instant,
    /// The last lines of its output.
    pub lines: Vec<String>,
    /// The diff of an edit.
    pub diff: Vec<String>,
}

impl RunningCall {
    /// A call that begins now.
    pub fn new(id: &str, summary: &str, diff: Vec<String>) -> Self {
        Self {
            id: id.to_string(),
            summary: summary.to_string(),
            started: Instant::now(),
            lines: Vec::new(),
            diff,
        }
    }

    /// Takes a progress report: the end of the output.
    pub fn progress(&mut self, output: &str) {
        let lines = output.lines().filter(|line| !line.trim().is_empty());
        let lines: Vec<&str> = lines.collect();
        let last = &lines[lines.len().saturating_sub(SHOWN_LINES)..];
        self.lines = last.iter().map(|line| line.to_string()).collect();
    }
}

impl TurnStatus {
    /// A turn that begins now, and that this key stops.
    pub fn new(stop_key: &'static str) -> Self {
        Self {
            started: Instant::now(),
            stop_key,
            calls: Vec::new(),
            typed: String::new(),
        }
    }

    /// The rows, at most `columns` wide.
    pub fn rows(&self, columns: usize) -> Vec<String> {
        let mut rows = Vec::new();
        if self.calls.is_empty() {
            let time = time(self.started);
            let spinner = spinner(self.started);
            rows.push(format!("{spinner} {time} · {} stops", self.stop_key));
        }
        for call in self.calls.iter().take(SHOWN_CALLS) {
            let mut row = format!("  {} {}", spinner(call.started), time(call.started));
            if self.calls.len() > 1 {
                row += &format!(" · {}", call.summary);
            }
            rows.extend(call.lines.iter().map(|line| format!("    {line}")));
            rows.push(row);
        }
        let mut rows: Vec<String> = rows.iter().map(|row| indented_cut(row, columns)).collect();
        if !self.typed.is_empty() {
            rows.push(end_of(&format!("> {}", self.typed), columns));
        }
        rows
    }
}

/// The most calls and the most lines of each that are shown.
const SHOWN_CALLS: usize = 5;
const SHOWN_LINES: usize = 3;

fn spinner(started: Instant) -> char {
    const FRAMES: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
    FRAMES[(started.elapsed().as_millis() / 100) as usize % FRAMES.len()]
}

/// Such as `7 s` or `2 min 5 s`.
fn time(started: Instant) -> String {
    match started.elapsed().as_secs() {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

/// A row with its indentation, cut to `columns`.
fn indented_cut(row: &str, columns: usize) -> String {
    let indent = row.len() - row.trim_start_matches(' ').len();
    let indent = indent.min(columns / 2);
    format!("{}{}", " ".repeat(indent), cut(row, columns - indent))
}

/// The end of a typed text in one row: a line end is shown as `↵`.
fn end_of(text: &str, columns: usize) -> String {
    let text = without_control_chars(&text.replace('\n', "↵"));
    let mut start = text.len();
    let mut width = 0;
    for (at, char) in text.char_indices().rev() {
        width += char_width(char);
        if width > columns {
            return format!("…{}", &text[start..]);
        }
        // The `…` needs one column.
        if width < columns {
            start = at;
        }
    }
    debug_assert!(text_width(&text) <= columns);
    text
}
