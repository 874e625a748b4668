//! How a turn looks in a terminal: text as it arrives, and a row for each tool call.

use std::io::{self, IsTerminal, Write};

use super::tty;
use crate::claw::safe_text::{ROW, cut, one_line, without_control_chars};

/// Writes a conversation to standard output.
pub struct Screen {
    out: Box<dyn Write + Send>,
    color: bool,
    /// The first error of a write. Nothing is written after it.
    write_error: Option<io::Error>,
    /// The kind of text on the unfinished line at the cursor, if there is one.
    open_line: Option<TextKind>,
}

/// The kinds of streamed text. Each kind starts on its own line.
#[derive(Clone, Copy, PartialEq)]
enum TextKind {
    Reply,
    Thinking,
}

impl Screen {
    /// Standard output, with colors if it is a terminal, unless that is dumb or `NO_COLOR` is
    /// set.
    pub fn stdout() -> Self {
        let env = |name| std::env::var_os(name).unwrap_or_default();
        let is_plain = !env("NO_COLOR").is_empty() || env("TERM") == "dumb";
        Self::new(io::stdout(), io::stdout().is_terminal() && !is_plain)
    }

    /// A screen that writes to `out`. Without `color` it writes no escape sequences.
    pub fn new(out: impl Write + Send + 'static, color: bool) -> Self {
        Self {
            out: Box::new(out),
            color,
            write_error: None,
            open_line: None,
        }
    }

    /// Shows the next piece of the reply.
    pub fn text(&mut self, piece: &str) {
        let piece = without_control_chars(piece);
        self.piece(TextKind::Reply, &piece, &piece);
    }

    /// Shows the next piece of the model's thinking, dimmed. Without colors it would look like
    /// the reply, so it is left out.
    pub fn thinking(&mut self, piece: &str) {
        if self.color {
            let piece = without_control_chars(piece);
            let dimmed = format!("\x1b[{DIM}m{piece}\x1b[0m");
            self.piece(TextKind::Thinking, &piece, &dimmed);
        }
    }

    /// Shows that a tool call starts.
    pub fn call(&mut self, summary: &str) {
        self.row("36", &format!("● {}", one_line(summary)));
    }

    /// Shows the result of a tool call in one row. If it failed, its last lines follow.
    /// `content` is the text that a model reads of it, `is_error` whether the call failed.
    pub fn result(&mut self, content: &str, is_error: bool) {
        let summary = ResultSummary::of(content, is_error);
        let code = if summary.failed { "31" } else { DIM };
        self.row(code, &format!("  └ {}", summary.text));
        let columns = tty::columns().unwrap_or(ROW).min(ROW);
        for line in summary.last_lines {
            let line = cut(line, columns.saturating_sub(INDENT.len()));
            self.row(code, &format!("{INDENT}{line}"));
        }
    }

    /// Shows the agent's list, a row for each item. The one in progress is not dimmed.
    pub fn todos(&mut self, list: &str) {
        for line in list.lines() {
            let code = if line.starts_with("[>]") { "1" } else { DIM };
            self.row(code, &format!("  {}", one_line(line)));
        }
    }

    /// Shows a message of the program in one dimmed row.
    pub fn note(&mut self, text: &str) {
        self.row(DIM, &one_line(text));
    }

    /// Shows a message of the program unchanged, on lines of its own.
    pub fn message(&mut self, text: &str) {
        self.end_line();
        self.write(&format!("{text}\n"));
    }

    /// Asks for the next line.
    pub fn prompt(&mut self) {
        self.end_line();
        self.write("\n> ");
    }

    /// Asks for the line that continues the last one.
    pub fn continuation_prompt(&mut self) {
        self.write("… ");
    }

    /// Shows a line of what a call would do. In a diff, added and removed lines have colors.
    pub fn preview(&mut self, line: &str) {
        let code = match line.as_bytes().first() {
            Some(b'+') => "32",
            Some(b'-') => "31",
            _ => DIM,
        };
        self.row(code, &format!("  {}", without_control_chars(line)));
    }

    /// Asks a question and waits for its answer on the next line.
    pub fn question(&mut self, text: &str) {
        self.end_line();
        self.write(&format!("{}? ", without_control_chars(text)));
    }

    /// The error that stopped all output, if there was one: `BrokenPipe` if the reader, such
    /// as `head`, has closed the pipe.
    pub fn write_error(&self) -> Option<&io::Error> {
        self.write_error.as_ref()
    }

    /// Moves to a new line, unless the cursor is at the start of one.
    pub fn end_line(&mut self) {
        if self.open_line.take().is_some() {
            self.write("\n");
        }
    }

    /// Writes `styled`, which shows as `piece`.
    fn piece(&mut self, kind: TextKind, piece: &str, styled: &str) {
        if self.open_line.is_some_and(|before| before != kind) {
            self.end_line();
        }
        self.write(styled);
        if !piece.is_empty() {
            self.open_line = (!piece.ends_with('\n')).then_some(kind);
        }
    }

    fn row(&mut self, code: &str, text: &str) {
        self.end_line();
        match self.color {
            true => self.write(&format!("\x1b[{code}m{text}\x1b[0m\n")),
            false => self.write(&format!("{text}\n")),
        }
    }

    fn write(&mut self, text: &str) {
        if self.write_error.is_none() {
            let written = self.out.write_all(text.as_bytes());
            self.write_error = written.and_then(|()| self.out.flush()).err();
        }
    }
}

/// The escape code of dimmed text.
const DIM: &str = "2";

/// The indentation of a failed result's last lines.
const INDENT: &str = "    ";

/// How many of the last lines of a failed result are shown.
const LAST_LINES: usize = 3;

/// A result in one row: its first line and how many follow, or the note that it ends with,
/// such as `[exit code 1]`, and how many lines are before that.
struct ResultSummary<'a> {
    text: String,
    failed: bool,
    /// The last of the other lines, if the call failed.
    last_lines: Vec<&'a str>,
}

impl<'a> ResultSummary<'a> {
    fn of(content: &'a str, is_error: bool) -> Self {
        let lines: Vec<&str> = content.lines().filter(|it| !it.trim().is_empty()).collect();
        let (text, failed, others) = match lines.as_slice() {
            [before @ .., note] if note.starts_with('[') && note.ends_with(']') => {
                let rest = line_count(before.len(), "", " before it");
                let failed = is_error || note.starts_with("[exit code");
                (format!("{} {rest}", one_line(note)), failed, before)
            }
            [first, more @ ..] => {
                let rest = line_count(more.len(), "more ", "");
                (format!("{} {rest}", one_line(first)), is_error, more)
            }
            [] => ("(no output)".to_string(), is_error, &[][..]),
        };
        let last_lines = match failed {
            true => others[others.len().saturating_sub(LAST_LINES)..].to_vec(),
            false => Vec::new(),
        };
        Self {
            text: text.trim_end().to_string(),
            failed,
            last_lines,
        }
    }
}

/// Such as `… 1 more line` or `… 28 lines before it`; empty for no lines.
fn line_count(lines: usize, prefix: &str, suffix: &str) -> String {
    match lines {
        0 => String::new(),
        1 => format!("… 1 {prefix}line{suffix}"),
        n => format!("… {n} {prefix}lines{suffix}"),
    }
}
