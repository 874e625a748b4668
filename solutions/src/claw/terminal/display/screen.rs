//! How a turn looks: text as it arrives, and rows for each tool call.

use std::io::{self, IsTerminal};
use std::time::Duration;

use super::call_results::CallResults;
use super::result_rows::ResultRows;
use super::row_writer::{DIM, RowWriter, TextKind};
use super::turn_status::{RunningCall, TurnStatus};
use crate::claw::safe_text::{cut, one_line, without_control_chars};
use crate::claw::terminal::tty;
use crate::engine::CUT_OFF;

/// The time between two calls of [`Screen::show_progress`].
pub const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);

/// Writes a conversation to standard output.
///
/// In a terminal with a cursor, text is wrapped between words, Markdown is rendered, and while
/// a turn runs, rows below the output show its progress. They are erased before each output.
pub struct Screen {
    rows: RowWriter,
    /// Whether the user can ask for more than is shown: in a conversation, in a terminal.
    has_details: bool,
    /// The turn that runs.
    turn: Option<TurnStatus>,
    /// The call whose row is the last one.
    last_call: Option<String>,
    /// The last preview that the user has seen.
    preview: Vec<String>,
    results: CallResults,
}

impl Screen {
    /// Standard output, with colors if it is a terminal, unless that is dumb or `NO_COLOR` is
    /// set. A conversation in a terminal shows more of each result, and diffs.
    pub fn stdout(is_conversation: bool) -> Self {
        let no_color = std::env::var_os("NO_COLOR").unwrap_or_default();
        let is_live = tty::has_cursor();
        let color = io::stdout().is_terminal() && is_live && no_color.is_empty();
        Self {
            has_details: is_live && is_conversation,
            ..Self::new(RowWriter::stdout(color, is_live))
        }
    }

    fn new(rows: RowWriter) -> Self {
        Self {
            rows,
            has_details: false,
            turn: None,
            last_call: None,
            preview: Vec::new(),
            results: CallResults::default(),
        }
    }

    /// Standard output without what people read.
    #[cfg(feature = "ch20")]
    pub fn json_stdout() -> Self {
        Self::new(RowWriter::json_stdout())
    }

    /// Writes a value as JSON in a line of its own.
    #[cfg(feature = "ch20")]
    pub fn json(&mut self, value: &impl serde::Serialize) {
        let line = serde_json::to_string(value).expect("no key is anything but a string");
        self.rows.write_always(&format!("{line}\n"));
    }

    /// Shows from now on that a turn runs.
    pub fn begin_turn(&mut self) {
        let has_editor = self.has_details && io::stdin().is_terminal();
        let stop_key = if has_editor { "Esc" } else { "Ctrl-C" };
        self.turn = Some(TurnStatus::new(stop_key));
        self.last_call = None;
        self.rows.end_text();
    }

    /// Shows no longer that a turn runs.
    pub fn end_turn(&mut self) {
        self.end_line();
        self.turn = None;
    }

    /// Shows the progress of the turn, and what the user has typed meanwhile.
    pub fn show_progress(&mut self, typed: String) {
        if let Some(turn) = &mut self.turn {
            turn.typed = typed;
            let status = turn.rows(self.rows.columns());
            self.rows.draw("", &status);
        }
    }

    /// Shows the next piece of the reply.
    pub fn text(&mut self, piece: &str) {
        self.piece(TextKind::Reply, &without_control_chars(piece));
    }

    /// Shows the next piece of the model's thinking, dimmed. Without colors it would look like
    /// the reply, so it is left out.
    pub fn thinking(&mut self, piece: &str) {
        if self.rows.color {
            self.piece(TextKind::Thinking, &without_control_chars(piece));
        }
    }

    /// Shows that a tool call starts. `diff` is what an edit changes.
    pub fn call(&mut self, id: &str, summary: &str, diff: Vec<String>) {
        let columns = self.rows.columns();
        self.rows
            .row("36", &format!("● {}", cut(summary, columns - 2)));
        self.rows.end_text();
        self.last_call = Some(id.to_string());
        if let Some(turn) = &mut self.turn {
            turn.calls.push(RunningCall::new(id, summary, diff));
        }
    }

    /// Shows the progress of a call: the end of its output.
    pub fn call_progress(&mut self, id: &str, output: &str) {
        let calls = self.turn.iter_mut().flat_map(|turn| &mut turn.calls);
        for call in calls.filter(|call| call.id == id) {
            call.progress(output);
        }
    }

    /// Ends a call whose result is not shown as such.
    pub fn end_call(&mut self, id: &str) -> Option<RunningCall> {
        let calls = &mut self.turn.as_mut()?.calls;
        let at = calls.iter().position(|call| call.id == id)?;
        Some(calls.remove(at))
    }

    /// Shows the result of a tool call, and in a terminal the diff of an edit. `content` is the
    /// text that a model reads, `is_error` whether the call failed.
    pub fn result(&mut self, id: &str, content: &str, is_error: bool) {
        let call = self.end_call(id);
        let number = self.has_details.then_some(self.results.count() + 1);
        let ResultRows { failed, mut rows } = ResultRows::of(content, is_error, number);
        let summary = call.as_ref().map_or("", |call| &call.summary);
        // The row of another call is between the call and its result.
        if self.last_call.as_deref() != Some(id) {
            rows[0] = format!("{summary} {}", rows[0]);
            self.last_call = None;
        }
        // The error of a stopped call does not have its output.
        if is_error
            && content.contains(CUT_OFF)
            && let Some(call) = &call
        {
            rows.extend(call.lines.iter().cloned());
        }
        let code = if failed { "31" } else { DIM };
        let columns = self.rows.columns();
        for (index, row) in rows.iter().enumerate() {
            let indent = if index == 0 { "  └ " } else { INDENT };
            let limit = match index == 0 && !self.has_details {
                true => usize::MAX,
                false => columns.saturating_sub(INDENT.len()),
            };
            self.rows.row(code, &format!("{indent}{}", cut(row, limit)));
        }
        self.results.add(summary, content);
        let diff = call.map(|call| call.diff).unwrap_or_default();
        if self.has_details && !failed && diff != self.preview {
            diff.iter().for_each(|line| self.preview_line(line));
        }
        self.preview.clear();
    }

    /// Shows the whole result of the call with this number, or of the last one. The error
    /// message says why it can't.
    pub fn show(&mut self, number: Option<usize>) -> Result<(), String> {
        let text = self.results.text(number)?;
        self.rows.end_line();
        self.rows.write(&format!("{text}\n"));
        Ok(())
    }

    /// Shows the agent's list, a row for each item. The one in progress is not dimmed.
    pub fn todos(&mut self, list: &str) {
        for line in list.lines() {
            let code = if line.starts_with("[>]") { "1" } else { DIM };
            self.rows.row(code, &format!("  {}", one_line(line)));
        }
    }

    /// Shows a message of the program, dimmed.
    pub fn note(&mut self, text: &str) {
        let text = self.rows.wrapped(&one_line(text));
        self.rows.row(DIM, &text);
    }

    /// Shows a message of the program on lines of its own.
    pub fn message(&mut self, text: &str) {
        let text = self.rows.wrapped(text);
        self.rows.end_line();
        self.rows.write(&format!("{text}\n"));
    }

    /// A message as it fits on the screen, for the line editor, which writes it.
    pub fn wrapped(&self, text: &str) -> String {
        self.rows.wrapped(text)
    }

    /// Ends the line at the cursor and leaves the next one empty.
    pub fn blank_line(&mut self) {
        self.message("");
    }

    /// Shows what a call would do. In a diff, added and removed lines have colors.
    pub fn preview(&mut self, lines: &[String]) {
        lines.iter().for_each(|line| self.preview_line(line));
        self.preview = lines.to_vec();
    }
    /// The error that stopped all output, if there was one: `BrokenPipe` if the reader, such
    /// as `head`, has closed the pipe.
    pub fn write_error(&self) -> Option<&io::Error> {
        self.rows.write_error()
    }

    /// Moves to a new line, unless the cursor is at the start of one. Erases the rows about the
    /// turn until the next progress.
    pub fn end_line(&mut self) {
        self.rows.end_line();
    }

    /// Writes at the cursor.
    pub fn write(&mut self, text: &str) {
        self.rows.write(text);
    }

    fn piece(&mut self, kind: TextKind, piece: &str) {
        let columns = self.rows.columns();
        let turn = self.turn.as_ref();
        let status = turn.map(|turn| turn.rows(columns)).unwrap_or_default();
        self.rows.piece(kind, piece, &status);
    }

    fn preview_line(&mut self, line: &str) {
        let code = match line.as_bytes().first() {
            Some(b'+') => "32",
            Some(b'-') => "31",
            _ => DIM,
        };
        self.rows
            .row(code, &format!("  {}", without_control_chars(line)));
    }
}

/// The indentation of the rows of a result after its first.
const INDENT: &str = "    ";
