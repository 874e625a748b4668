//! Rows and streamed text on standard output.

use std::io::{self, Write};

use super::markdown::Markdown;
use super::word_wrap::text_width;
use crate::claw::safe_text::ROW;
use crate::claw::terminal::live_rows::live_rows;
use crate::claw::terminal::tty;

/// Writes rows and streamed text.
///
/// In a terminal with a cursor, text is wrapped between words and Markdown is rendered. Below the
/// output are rows that change, which are erased before each output.
pub struct RowWriter {
    out: io::Stdout,
    /// Whether styles are written.
    pub color: bool,
    /// Whether rows can be erased and drawn again.
    is_live: bool,
    /// Whether it writes only what [`write_always`](Self::write_always) writes.
    is_json: bool,
    /// The first error of a write. Nothing is written after it.
    write_error: Option<io::Error>,
    /// The kind of text on the unfinished line at the cursor, if there is one.
    open_line: Option<TextKind>,
    /// The text that is wrapped, if rows can be drawn again.
    text: Markdown,
    /// The kind of that text; `None` before the first piece of a reply.
    text_kind: Option<TextKind>,
    /// The rows that change, as they were drawn last.
    drawn: String,
}

/// The kinds of streamed text. Each kind starts on its own line.
#[derive(Clone, Copy, PartialEq)]
pub enum TextKind {
    Reply,
    Thinking,
}

impl RowWriter {
    /// Standard output. Without `color` it gets no styles, and unless `is_live` no other escape
    /// sequences.
    pub fn stdout(color: bool, is_live: bool) -> Self {
        Self {
            out: io::stdout(),
            color,
            is_live,
            is_json: false,
            write_error: None,
            open_line: None,
            text: Markdown::default(),
            text_kind: None,
            drawn: String::new(),
        }
    }

    /// Standard output for what [`write_always`](Self::write_always) writes, and nothing else.
    #[cfg(feature = "ch20")]
    pub fn json_stdout() -> Self {
        Self {
            is_json: true,
            ..Self::stdout(false, false)
        }
    }

    /// The error that stopped all output, if there was one: `BrokenPipe` if the reader, such
    /// as `head`, has closed the pipe.
    pub fn write_error(&self) -> Option<&io::Error> {
        self.write_error.as_ref()
    }

    /// Moves to a new line, unless the cursor is at the start of one. Erases the rows that
    /// change.
    pub fn end_line(&mut self) {
        let is_open = self.open_line.take().is_some();
        if !self.is_live {
            if is_open {
                self.write("\n");
            }
            return;
        }
        let columns = self.columns();
        let rows = if is_open {
            self.text.end_line(columns)
        } else {
            String::new()
        };
        let mut live_rows = live_rows();
        self.drawn.clear();
        let frame = live_rows.erase() + &rows;
        if !frame.is_empty() {
            self.write(&frame);
        }
    }

    /// Ends a text: the next piece begins another one.
    pub fn end_text(&mut self) {
        self.text_kind = None;
    }

    /// Writes at the cursor.
    pub fn write(&mut self, text: &str) {
        if !self.is_json {
            self.write_always(text);
        }
    }

    /// Writes even if the output is JSON only.
    pub fn write_always(&mut self, text: &str) {
        if self.write_error.is_none() {
            let written = self.out.write_all(text.as_bytes());
            self.write_error = written.and_then(|()| self.out.flush()).err();
        }
    }

    /// Writes the next piece of a text, above the status rows.
    pub fn piece(&mut self, kind: TextKind, piece: &str, status: &[String]) {
        if self.open_line.is_some_and(|before| before != kind) {
            self.end_line();
        }
        if piece.is_empty() {
            return;
        }
        if self.text_kind != Some(kind) {
            self.text_kind = Some(kind);
            self.text = match (kind, self.color) {
                (TextKind::Reply, true) => Markdown::default(),
                (TextKind::Reply, false) => Markdown::raw(""),
                (TextKind::Thinking, _) => Markdown::raw(DIM),
            };
        }
        self.open_line = (!piece.ends_with('\n')).then_some(kind);
        if !self.is_live {
            return self.write(piece);
        }
        let columns = self.columns();
        let rows = self.text.push(piece, columns);
        self.draw(&rows, status);
    }

    /// Writes a row with the style of this escape code.
    pub fn row(&mut self, code: &str, text: &str) {
        self.end_line();
        match self.color {
            true => self.write(&format!("\x1b[{code}m{text}\x1b[0m\n")),
            false => self.write(&format!("{text}\n")),
        }
    }

    /// A text whose lines are wrapped between words, if rows are, and if they are too long.
    pub fn wrapped(&self, text: &str) -> String {
        if !self.is_live {
            return text.to_string();
        }
        let columns = self.columns();
        let wrap = |line: &str| match text_width(line) > columns {
            true => {
                let mut wrapped = Markdown::raw("");
                let rows = wrapped.push(line, columns);
                rows + wrapped.end_line(columns).trim_end()
            }
            false => line.to_string(),
        };
        text.split('\n').map(wrap).collect::<Vec<_>>().join("\n")
    }

    /// Writes complete rows, and below them the rows that change: the line that is not
    /// complete, and the status rows. Does nothing where rows can't be erased.
    pub fn draw(&mut self, rows: &str, status: &[String]) {
        if !self.is_live {
            return;
        }
        let mut live: Vec<(String, usize)> = Vec::new();
        let open_row = self.text.open_row();
        if self.open_line.is_some() && open_row.1 > 0 {
            live.push(open_row);
        }
        for row in status {
            let width = text_width(row);
            live.push(match self.color && !row.starts_with('>') {
                true => (format!("\x1b[{DIM}m{row}\x1b[0m"), width),
                false => (row.clone(), width),
            });
        }
        let drawn: Vec<&str> = live.iter().map(|(row, _)| row.as_str()).collect();
        let drawn = drawn.join("\n");
        if rows.is_empty() && drawn == self.drawn {
            return;
        }
        let mut live_rows = live_rows();
        let frame = format!("{}{rows}{drawn}", live_rows.erase());
        self.drawn = drawn;
        self.write(&frame);
        live_rows.set(live.iter().map(|(_, width)| *width).collect());
    }

    /// The width of a row. The last column stays free: some terminals move to the next line
    /// when it is written.
    pub fn columns(&self) -> usize {
        let columns = tty::columns().unwrap_or(ROW + 1) - 1;
        match self.is_live {
            true => columns.max(MIN_COLUMNS),
            false => columns.clamp(MIN_COLUMNS, ROW),
        }
    }
}

/// The escape code of dimmed text.
pub const DIM: &str = "2";

/// The narrowest terminal that is taken into account.
const MIN_COLUMNS: usize = 8;
