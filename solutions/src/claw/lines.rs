//! The user's lines, and those that belong together.

use std::io::{self, BufRead, IsTerminal};

use tokio::sync::mpsc;

use super::line::Line;
use super::terminal;

/// What standard input says, until there is no more.
pub struct Lines {
    rows: mpsc::Receiver<io::Result<Row>>,
    /// Whether somebody types them now. Those of a pipe or a file were written before, so
    /// they wait their turn, and each is a prompt.
    pub is_terminal: bool,
    /// The rows of a prompt that is not whole yet.
    begun: Vec<Row>,
}

/// A line as it was read, without its end.
struct Row {
    text: String,
    /// Whether the next one was there already.
    is_followed: bool,
}

impl Lines {
    /// They are read on a thread of their own: a read can't be broken off.
    pub fn of_stdin() -> Self {
        let (sender, rows) = mpsc::channel(1);
        let is_terminal = io::stdin().is_terminal();
        std::thread::spawn(move || {
            while let Some(row) = read(is_terminal).transpose() {
                let is_over = row.is_err();
                if sender.blocking_send(row).is_err() || is_over {
                    break;
                }
            }
        });
        Self {
            rows,
            is_terminal,
            begun: Vec::new(),
        }
    }

    /// None at all.
    pub fn none() -> Self {
        Self {
            rows: mpsc::channel(1).1,
            is_terminal: false,
            begun: Vec::new(),
        }
    }

    /// The next one; `None` at the end, each time. In a terminal, rows that are pasted
    /// together are one, and a row that ends in `\` goes on in the next: then
    /// this is [`Line::Begun`], and what comes next the whole.
    ///
    /// Who stops waiting loses nothing.
    pub async fn next(&mut self) -> Option<Line> {
        loop {
            match self.rows.recv().await {
                Some(Ok(row)) if self.is_terminal => {
                    if let Some(line) = self.add(row) {
                        return Some(line);
                    }
                }
                Some(Ok(row)) => return Some(Line::read(&row.text)),
                Some(Err(error)) => {
                    self.forget();
                    return Some(Line::Wrong(format!("there is no reading on: {error}")));
                }
                // Somebody who ends behind a `\` has not ended what they say.
                None if self.begun.last().is_some_and(|it| it.is_followed) => {
                    return Some(self.whole());
                }
                None => return None,
            }
        }
    }

    /// Drops what was begun, such as when Ctrl-C is pressed.
    pub fn forget(&mut self) {
        self.begun.clear();
    }

    /// Has the end come before the next line.
    pub fn end(&mut self) {
        self.forget();
        self.rows.close();
        while self.rows.try_recv().is_ok() {}
    }

    /// Takes in a row of a terminal's. `None` when the next one is on its way.
    fn add(&mut self, row: Row) -> Option<Line> {
        // One that is pasted before what is to be said is not a part of that.
        let is_command = self.begun.is_empty() && Line::read(&row.text).is_command();
        let (is_followed, goes_on) = (row.is_followed, row.text.ends_with('\\'));
        self.begun.push(row);
        match (is_command, is_followed) {
            (false, true) => None,
            (false, false) if goes_on => Some(Line::Begun),
            _ => Some(self.whole()),
        }
    }

    /// What the rows say together. The `\` of one that was pasted is part of what is said.
    fn whole(&mut self) -> Line {
        let rows = std::mem::take(&mut self.begun);
        if rows.iter().any(|row| row.text.len() >= terminal::MAX_LINE) {
            return Line::Wrong(TOO_LONG.into());
        }
        let texts = rows.iter().map(|row| match row.text.strip_suffix('\\') {
            Some(text) if !row.is_followed => text,
            _ => &row.text,
        });
        Line::read(&texts.collect::<Vec<_>>().join("\n"))
    }
}

/// Reads up to the next line's end; `None` at the end of all. What is no UTF-8 has `�` in
/// its place.
fn read(is_terminal: bool) -> io::Result<Option<Row>> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_until(b'\n', &mut bytes)?;
    let has_end = bytes.pop_if(|last| *last == b'\n').is_some();
    bytes.pop_if(|last| has_end && *last == b'\r');
    // In a terminal, a line without its end is one that the user has not said yet.
    if !has_end && (is_terminal || bytes.is_empty()) {
        return Ok(None);
    }
    Ok(Some(Row {
        text: String::from_utf8_lossy(&bytes).into_owned(),
        is_followed: is_terminal && terminal::is_line_there(),
    }))
}

const TOO_LONG: &str = "\
a terminal takes 4095 bytes a line and drops the rest, so nothing was sent; put the text in \
a file and name that, or pipe it: claw -p PROMPT < FILE";
