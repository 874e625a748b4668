//! The user's lines, joined where several are one prompt.

use std::io::{self, BufRead, IsTerminal};

use tokio::sync::mpsc;

use super::tty;
use crate::claw::repl_command::ReplCommand;

/// Reads lines from standard input and parses them.
pub struct LineReader {
    lines: mpsc::Receiver<io::Result<InputLine>>,
    /// Whether standard input is a terminal. The lines of a pipe or a file were written
    /// before, so each is a prompt of its own and waits until the turn before it is over.
    pub is_terminal: bool,
    /// The lines of a prompt that is not complete.
    pending: Vec<InputLine>,
}

/// A line of input, without its line end.
struct InputLine {
    text: String,
    /// Whether the next line was already there, so that both were pasted together.
    is_followed: bool,
}

impl LineReader {
    /// Reads standard input, on a thread of its own: a blocking read cannot be cancelled.
    pub fn stdin() -> Self {
        let (sender, lines) = mpsc::channel(1);
        let is_terminal = io::stdin().is_terminal();
        std::thread::spawn(move || {
            while let Some(line) = read_line(is_terminal).transpose() {
                let is_last = line.is_err();
                if sender.blocking_send(line).is_err() || is_last {
                    break;
                }
            }
        });
        Self {
            lines,
            is_terminal,
            pending: Vec::new(),
        }
    }

    /// A reader that is at its end.
    pub fn empty() -> Self {
        Self {
            lines: mpsc::channel(1).1,
            is_terminal: false,
            pending: Vec::new(),
        }
    }

    /// The next command or prompt; `None` at the end of the input, each time.
    ///
    /// In a terminal, lines that are pasted together are one prompt. A typed line that ends
    /// in `\` returns [`ReplCommand::Unfinished`], and the next call the whole prompt.
    ///
    /// Cancel safe: dropping the future loses no line.
    pub async fn next(&mut self) -> Option<ReplCommand> {
        loop {
            match self.lines.recv().await {
                Some(Ok(line)) if self.is_terminal => {
                    if let Some(command) = self.add(line) {
                        return Some(command);
                    }
                }
                Some(Ok(line)) => return Some(ReplCommand::parse(&line.text)),
                Some(Err(error)) => {
                    self.discard_pending();
                    let message = format!("cannot read more input: {error}");
                    return Some(ReplCommand::Invalid(message));
                }
                // The end after a `\` discards the prompt: the user has not finished it.
                None if self.pending.last().is_some_and(|it| it.is_followed) => {
                    return Some(self.join_pending());
                }
                None => return None,
            }
        }
    }

    /// Drops an incomplete prompt, for example after Ctrl-C.
    pub fn discard_pending(&mut self) {
        self.pending.clear();
    }

    /// Whether [`close`](Self::close) has ended the input.
    #[cfg(feature = "ch20")]
    pub fn is_closed(&self) -> bool {
        self.lines.is_closed()
    }

    /// Ends the input, including lines that have been read but not returned.
    pub fn close(&mut self) {
        self.discard_pending();
        self.lines.close();
        while self.lines.try_recv().is_ok() {}
    }

    /// Adds a line from a terminal. `None` if the next one is already there.
    fn add(&mut self, line: InputLine) -> Option<ReplCommand> {
        // A command that is pasted before a prompt is not part of the prompt.
        let is_command = self.pending.is_empty() && ReplCommand::parse(&line.text).is_for_claw();
        let (is_followed, is_continued) = (line.is_followed, line.text.ends_with('\\'));
        self.pending.push(line);
        match (is_command, is_followed) {
            (false, true) => None,
            (false, false) if is_continued => Some(ReplCommand::Unfinished),
            _ => Some(self.join_pending()),
        }
    }

    /// Parses the pending lines as one. A `\` at the end of a pasted line is part of the
    /// text; one that was typed only continues the line.
    fn join_pending(&mut self) -> ReplCommand {
        let lines = std::mem::take(&mut self.pending);
        if lines.iter().any(|it| it.text.len() >= tty::MAX_LINE) {
            return ReplCommand::Invalid(LINE_TOO_LONG.into());
        }
        let texts = lines.iter().map(|line| match line.text.strip_suffix('\\') {
            Some(text) if !line.is_followed => text,
            _ => &line.text,
        });
        ReplCommand::parse(&texts.collect::<Vec<_>>().join("\n"))
    }
}

/// Reads one line from standard input; `None` at the end. Bytes that are not UTF-8 are read
/// as `�`.
fn read_line(is_terminal: bool) -> io::Result<Option<InputLine>> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_until(b'\n', &mut bytes)?;
    let has_end = bytes.pop_if(|last| *last == b'\n').is_some();
    bytes.pop_if(|last| has_end && *last == b'\r');
    // In a terminal, a line without its end was never entered.
    if !has_end && (is_terminal || bytes.is_empty()) {
        return Ok(None);
    }
    Ok(Some(InputLine {
        text: String::from_utf8_lossy(&bytes).into_owned(),
        is_followed: is_terminal && tty::has_next_line(),
    }))
}

const LINE_TOO_LONG: &str = "\
a terminal takes 4095 bytes a line and drops the rest, so nothing was sent; put the text in \
a file and name the file, or pipe it: claw -p PROMPT < FILE";
