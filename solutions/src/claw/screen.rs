//! How a turn looks in a terminal: text as it comes, and a row for each tool.

use std::io::{self, IsTerminal, Write};

/// Writes what an engine tells to standard output.
pub struct Screen {
    out: Box<dyn Write + Send>,
    color: bool,
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
    /// Colours in a terminal, unless `NO_COLOR` is set.
    pub fn for_stdout() -> Self {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self::new(io::stdout(), io::stdout().is_terminal() && !plain)
    }

    /// A screen of its own. Without `color` there is nothing but text.
    pub fn new(out: impl Write + Send + 'static, color: bool) -> Self {
        Self {
            out: Box::new(out),
            color,
            behind: None,
        }
    }

    /// A piece of the reply.
    pub fn text(&mut self, piece: &str) {
        self.piece(Kind::Text, piece, piece);
    }

    /// A piece of the model's thoughts, dimmed. Where nothing can be dimmed they would look
    /// like the reply, and are left out.
    pub fn thinking(&mut self, piece: &str) {
        if self.color {
            let dimmed = format!("\x1b[{DIM}m{piece}\x1b[0m");
            self.piece(Kind::Thinking, piece, &dimmed);
        }
    }

    /// A call that is taken up.
    pub fn call(&mut self, summary: &str) {
        self.row("36", &format!("● {}", one_line(summary)));
    }

    /// The result of a call, in the words that the model reads.
    pub fn result(&mut self, content: &str) {
        let (text, failed) = outcome(content);
        self.row(if failed { "31" } else { DIM }, &format!("  └ {text}"));
    }

    /// Something that the program says.
    pub fn note(&mut self, text: &str) {
        self.row(DIM, &one_line(text));
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

    /// A reader that has gone, such as `head`, is no error of the turn's.
    fn write(&mut self, text: &str) {
        let _ = self.out.write_all(text.as_bytes());
        let _ = self.out.flush();
    }
}

/// The code of dimmed text.
const DIM: &str = "2";

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
pub fn one_line(text: &str) -> String {
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
