//! How a turn looks in a terminal: text as it comes, and a row for each tool.

use std::io::{self, IsTerminal, Write};

use super::terminal;

/// Writes to standard output what an engine tells and what the program says.
pub struct Screen {
    out: Box<dyn Write + Send>,
    color: bool,
    /// Why nothing can be written any more.
    trouble: Option<io::Error>,
    /// What the cursor stands behind on its line, if anything.
    behind: Option<Kind>,
}

/// What is written piece by piece.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Text,
    Thinking,
}

impl Screen {
    /// Colours in a terminal, unless it is dumb or `NO_COLOR` is set.
    pub fn for_stdout() -> Self {
        let env = |name| std::env::var_os(name).unwrap_or_default();
        let is_plain = !env("NO_COLOR").is_empty() || env("TERM") == "dumb";
        Self::new(io::stdout(), io::stdout().is_terminal() && !is_plain)
    }

    /// A screen of its own. Without `color` there is nothing but text.
    pub fn new(out: impl Write + Send + 'static, color: bool) -> Self {
        Self {
            out: Box::new(out),
            color,
            trouble: None,
            behind: None,
        }
    }

    /// A piece of the reply.
    pub fn text(&mut self, piece: &str) {
        let piece = harmless(piece);
        self.piece(Kind::Text, &piece, &piece);
    }

    /// A piece of the model's thoughts, dimmed. Where nothing can be dimmed they would look
    /// like the reply, and are left out.
    pub fn thinking(&mut self, piece: &str) {
        if self.color {
            let piece = harmless(piece);
            let dimmed = format!("\x1b[{DIM}m{piece}\x1b[0m");
            self.piece(Kind::Thinking, &piece, &dimmed);
        }
    }

    /// A call that is taken up.
    pub fn call(&mut self, summary: &str) {
        self.row("36", &format!("● {}", one_line(summary)));
    }

    /// The result of a call, in the words that the model reads. Of what failed, the last
    /// lines as well.
    pub fn result(&mut self, content: &str) {
        let outcome = Outcome::of(content);
        let code = if outcome.failed { "31" } else { DIM };
        self.row(code, &format!("  └ {}", outcome.text));
        let columns = terminal::columns().unwrap_or(ROW).min(ROW);
        for line in outcome.last {
            let line = cut(line, columns.saturating_sub(INDENT.len()));
            self.row(code, &format!("{INDENT}{line}"));
        }
    }

    /// Something that the program says.
    pub fn note(&mut self, text: &str) {
        self.row(DIM, &one_line(text));
    }

    /// Something that the program says in lines of its own, as it stands.
    pub fn say(&mut self, text: &str) {
        self.finish();
        self.write(&format!("{text}\n"));
    }

    /// Asks for the next words.
    pub fn prompt(&mut self) {
        self.finish();
        self.write("\n> ");
    }

    /// Asks for the rest of them.
    pub fn prompt_on(&mut self) {
        self.write("… ");
    }

    /// Why nothing can be written any more, if that is so: `BrokenPipe` for a reader that
    /// has gone, such as `head`. What is still written then goes nowhere.
    pub fn trouble(&self) -> Option<&io::Error> {
        self.trouble.as_ref()
    }

    /// Ends the turn on a line of its own.
    pub fn finish(&mut self) {
        if self.behind.take().is_some() {
            self.write("\n");
        }
    }

    fn piece(&mut self, kind: Kind, piece: &str, written: &str) {
        if self.behind.is_some_and(|before| before != kind) {
            self.finish();
        }
        self.write(written);
        if !piece.is_empty() {
            self.behind = (!piece.ends_with('\n')).then_some(kind);
        }
    }

    fn row(&mut self, code: &str, text: &str) {
        self.finish();
        match self.color {
            true => self.write(&format!("\x1b[{code}m{text}\x1b[0m\n")),
            false => self.write(&format!("{text}\n")),
        }
    }

    fn write(&mut self, text: &str) {
        if self.trouble.is_none() {
            let written = self.out.write_all(text.as_bytes());
            self.trouble = written.and_then(|()| self.out.flush()).err();
        }
    }
}

/// The code of dimmed text.
const DIM: &str = "2";

/// What stands before a line that belongs to a row.
const INDENT: &str = "    ";

/// How many of the last lines of what failed are shown.
const LAST: usize = 3;

/// A result in one row: its first line and how much there is of it, or the note that it
/// ends with, such as `[exit code 1]`.
struct Outcome<'a> {
    text: String,
    failed: bool,
    /// The last of the other lines, if it failed.
    last: Vec<&'a str>,
}

impl<'a> Outcome<'a> {
    fn of(content: &'a str) -> Self {
        let lines: Vec<&str> = content.lines().filter(|it| !it.trim().is_empty()).collect();
        let is_error = content.starts_with("error: ");
        let (text, failed, others) = match lines.as_slice() {
            [before @ .., note] if note.starts_with('[') && note.ends_with(']') => {
                let rest = count(before.len(), "", " before it");
                let failed = is_error || note.starts_with("[exit code");
                (format!("{} {rest}", one_line(note)), failed, before)
            }
            [first, more @ ..] => {
                let rest = count(more.len(), "more ", "");
                (format!("{} {rest}", one_line(first)), is_error, more)
            }
            [] => ("(nothing)".to_string(), is_error, &[][..]),
        };
        let last = match failed {
            true => others[others.len().saturating_sub(LAST)..].to_vec(),
            false => Vec::new(),
        };
        Self {
            text: text.trim_end().to_string(),
            failed,
            last,
        }
    }
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
pub fn one_line(text: &str) -> String {
    cut(text, ROW)
}

/// The same, with at most so many characters.
fn cut(text: &str, most: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let letters: Vec<char> = harmless(&words.join(" ")).chars().collect();
    match letters.len() > most {
        true => letters[..most.saturating_sub(1)]
            .iter()
            .chain(&['…'])
            .collect(),
        false => letters.into_iter().collect(),
    }
}

/// A text without the control characters that could move the cursor, or do worse to a
/// terminal: line ends and tabs are left. The rest of a command to a terminal is text
/// without its first character, so it is all the same how a text is split into pieces.
pub fn harmless(text: &str) -> String {
    let is_fine = |it: &char| !it.is_control() || matches!(it, '\n' | '\t');
    text.chars().filter(is_fine).collect()
}
