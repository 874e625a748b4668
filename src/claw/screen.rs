//! How a turn looks in a terminal: text as it comes, and a row for each tool.

use std::io::{self, IsTerminal, Write};

use crate::engine::QueryEvent;

/// Writes events to standard output.
pub struct Screen {
    color: bool,
    /// Whether the cursor stands behind text on its line.
    mid_line: bool,
}

impl Screen {
    /// Colours in a terminal, unless `NO_COLOR` is set.
    pub fn for_stdout() -> Self {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self {
            color: io::stdout().is_terminal() && !plain,
            mid_line: false,
        }
    }

    /// Shows one event.
    pub fn show(&mut self, event: &QueryEvent) {
        match event {
            QueryEvent::Text(text) => {
                self.write(text);
                self.mid_line = !text.ends_with('\n');
            }
            QueryEvent::ToolStarted { summary, .. } => {
                self.row("36", &format!("● {}", one_line(summary)));
            }
            QueryEvent::ToolFinished { result, .. } => {
                let (text, failed) = outcome(&result.content);
                self.row(if failed { "31" } else { "2" }, &format!("  └ {text}"));
            }
            QueryEvent::Progress(_) | QueryEvent::Usage(_) | QueryEvent::TurnFinished { .. } => {}
        }
    }

    /// Ends the turn on a line of its own.
    pub fn finish(&mut self) {
        if self.mid_line {
            self.write("\n");
            self.mid_line = false;
        }
    }

    fn row(&mut self, code: &str, text: &str) {
        self.finish();
        match self.color {
            true => self.write(&format!("\x1b[{code}m{text}\x1b[0m\n")),
            false => self.write(&format!("{text}\n")),
        }
    }

    /// A reader that has gone, such as `head`, is no error of the turn's.
    fn write(&self, text: &str) {
        let mut out = io::stdout().lock();
        let _ = out.write_all(text.as_bytes());
        let _ = out.flush();
    }
}

/// A result in one row, and whether it tells of a failure: its first line and how much
/// there is of it, or the note that it ends with, such as `[exit code 1]`.
fn outcome(content: &str) -> (String, bool) {
    let lines: Vec<&str> = content.lines().filter(|it| !it.trim().is_empty()).collect();
    let is_note = |line: &&&str| line.starts_with('[') && line.ends_with(']');
    if let Some(note) = lines.last().filter(is_note) {
        let text = format!(
            "{} {}",
            one_line(note),
            count(lines.len() - 1, "", " before it")
        );
        return (text.trim_end().to_string(), note.starts_with("[exit code"));
    }
    let first = one_line(lines.first().unwrap_or(&"(nothing)"));
    let text = format!(
        "{first} {}",
        count(lines.len().saturating_sub(1), "more ", "")
    );
    (text.trim_end().to_string(), content.starts_with("error: "))
}

fn count(lines: usize, before: &str, behind: &str) -> String {
    match lines {
        0 => String::new(),
        1 => format!("… 1 {before}line{behind}"),
        n => format!("… {n} {before}lines{behind}"),
    }
}

/// The longest text of a row, in characters.
const ROW: usize = 120;

/// A text in one row: its line ends and tabs as spaces, other control characters left
/// out, since they could move the cursor, and what is too long cut off.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let letters: Vec<char> = words
        .join(" ")
        .chars()
        .filter(|it| !it.is_control())
        .collect();
    match letters.len() > ROW {
        true => letters[..ROW - 1].iter().chain(&['…']).collect(),
        false => letters.into_iter().collect(),
    }
}
