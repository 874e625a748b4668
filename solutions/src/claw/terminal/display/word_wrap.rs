//! Text that is wrapped between words at the width of the terminal.

use unicode_width::UnicodeWidthChar;

/// A part of a word and its style: the parameters of an escape sequence, such as `1;36`, or
/// nothing.
pub type Run = (&'static str, String);

/// Collects words in rows.
#[derive(Default)]
pub struct WordWrap {
    /// The row that is not full, with its styles.
    row: String,
    width: usize,
    style: &'static str,
    /// The column at which the next rows of the line begin.
    pub indent: usize,
    /// Whether a space comes before the next word.
    has_space: bool,
}

impl WordWrap {
    /// Adds a word. Returns the rows that it fills, each with its line end.
    pub fn word(&mut self, runs: &[Run], columns: usize) -> String {
        let mut full = String::new();
        let chars = runs.iter().flat_map(|(_, text)| text.chars());
        let width: usize = chars.map(char_width).sum();
        let spaces = usize::from(self.has_space);
        if self.has_space && self.width > 0 {
            if self.width + spaces + width > columns && self.width > self.indent {
                full += &self.next_row();
            } else {
                let is_same = runs.first().is_some_and(|(style, _)| *style == self.style);
                self.set_style(if is_same { self.style } else { "" });
                self.row.push(' ');
                self.width += 1;
            }
        }
        self.has_space = false;
        for (style, text) in runs {
            self.set_style(style);
            for char in text.chars() {
                let width = char_width(char);
                if self.width + width > columns && self.width > 0 {
                    full += &self.next_row();
                    self.set_style(style);
                }
                self.row.push(char);
                self.width += width;
            }
        }
        full
    }

    /// Puts a space before the next word.
    pub fn space(&mut self) {
        self.has_space = true;
    }

    /// Moves the first word of a line to this column.
    pub fn start_at(&mut self, column: usize) {
        self.indent = column;
        self.row = " ".repeat(column);
        self.width = column;
    }

    /// Ends the line and returns its last row.
    pub fn end_line(&mut self) -> String {
        self.indent = 0;
        self.has_space = false;
        self.next_row()
    }

    /// The row that is not full, and its width.
    pub fn open_row(&self) -> (String, usize) {
        let end = if self.style.is_empty() { "" } else { RESET };
        (format!("{}{end}", self.row), self.width)
    }

    fn next_row(&mut self) -> String {
        self.set_style("");
        let indent = " ".repeat(self.indent);
        self.width = self.indent;
        std::mem::replace(&mut self.row, indent) + "\n"
    }

    fn set_style(&mut self, style: &'static str) {
        if style == self.style {
            return;
        }
        if !self.style.is_empty() {
            self.row += RESET;
        }
        if !style.is_empty() {
            self.row += &format!("\x1b[{style}m");
        }
        self.style = style;
    }
}

const RESET: &str = "\x1b[0m";

/// The columns that a character takes. A tab is shown as one space.
pub fn char_width(char: char) -> usize {
    char.width().unwrap_or(0)
}

/// The columns that a text takes.
pub fn text_width(text: &str) -> usize {
    text.chars().map(char_width).sum()
}
