//! The user's lines, joined where several are one prompt.

use std::io::{self, BufRead, IsTerminal};
use std::path::PathBuf;

use tokio::sync::mpsc;

use super::line_editor::{Editor, Request};
use super::{Screen, tty};
use crate::claw::safe_text::without_control_chars;
use crate::claw::typed_line::TypedLine;

/// Reads lines from standard input and parses them. In a terminal, the user edits them, unless
/// the terminal is dumb or does not show the output.
pub struct LineReader {
    editor: Option<Editor>,
    /// The lines without an editor.
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
    /// Reads standard input, on a thread of its own: a blocking read cannot be cancelled. See
    /// [`Editor::start`] for the arguments.
    pub fn stdin(interrupts: mpsc::Sender<()>, history: Option<PathBuf>) -> Self {
        let (sender, lines) = mpsc::channel(1);
        let is_terminal = io::stdin().is_terminal();
        if is_terminal && tty::has_cursor() {
            let editor = Editor::start(interrupts, history);
            return Self {
                editor,
                is_terminal,
                ..Self::empty()
            };
        }
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
            ..Self::empty()
        }
    }

    /// A reader that is at its end.
    pub fn empty() -> Self {
        Self {
            editor: None,
            lines: mpsc::channel(1).1,
            is_terminal: false,
            pending: Vec::new(),
        }
    }

    /// Asks for a prompt for the model, in a terminal. [`next`](Self::next) returns it.
    pub fn ask_for_prompt(&mut self, screen: &mut Screen) {
        if self.is_terminal {
            let request = Request {
                text: "\n".into(),
                prompt: "> ",
                is_for_model: true,
            };
            self.ask(request, screen);
        }
    }

    /// Asks for the line that continues the last one. Only for a terminal without an editor: with
    /// one, Enter after a `\` begins the next line.
    pub fn ask_for_more(&mut self, screen: &mut Screen) {
        let request = Request {
            text: String::new(),
            prompt: "… ",
            is_for_model: false,
        };
        self.ask(request, screen);
    }

    /// Asks a question with its choices, which end with a line end.
    pub fn ask_question(&mut self, text: &str, screen: &mut Screen) {
        let request = Request {
            text: without_control_chars(text),
            prompt: "? ",
            is_for_model: false,
        };
        self.ask(request, screen);
    }

    /// Shows the text and after it the prompt, at which the user types. With an editor, its
    /// thread shows both: a key that is typed after the text answers the prompt.
    fn ask(&mut self, mut request: Request, screen: &mut Screen) {
        screen.end_line();
        request.text = screen.wrapped(&request.text);
        match &mut self.editor {
            Some(editor) => editor.ask(request),
            None => screen.write(&format!("{}{}", request.text, request.prompt)),
        }
    }

    /// The next command or prompt; `None` at the end of the input, each time.
    ///
    /// Without an editor, a terminal's lines that are pasted together are one prompt, and a typed
    /// line that ends in `\` returns [`TypedLine::Unfinished`], and the next call the whole
    /// prompt.
    ///
    /// Cancel safe: dropping the future loses no line.
    pub async fn next(&mut self) -> Option<TypedLine> {
        if let Some(editor) = &mut self.editor {
            return editor.next().await.map(|line| TypedLine::parse(&line));
        }
        loop {
            match self.lines.recv().await {
                Some(Ok(line)) if self.is_terminal => {
                    if let Some(command) = self.add(line) {
                        return Some(command);
                    }
                }
                Some(Ok(line)) => return Some(TypedLine::parse(&line.text)),
                Some(Err(error)) => {
                    self.discard_pending();
                    let message = format!("cannot read more input: {error}");
                    return Some(TypedLine::Invalid(message));
                }
                // The end after a `\` discards the prompt: the user has not finished it.
                None if self.pending.last().is_some_and(|it| it.is_followed) => {
                    return Some(self.join_pending());
                }
                None => return None,
            }
        }
    }

    /// Whether the user edits the lines. Then the cursor is at the start of a line after each.
    pub fn has_editor(&self) -> bool {
        self.editor.is_some()
    }

    /// What has been typed without Enter while a turn runs.
    pub fn typed_text(&self) -> String {
        let editor = self.editor.as_ref();
        editor.map_or_else(String::new, Editor::typed_text)
    }

    /// Drops an incomplete prompt, for example after Ctrl-C.
    pub fn discard_pending(&mut self) {
        self.pending.clear();
        if let Some(editor) = &mut self.editor {
            editor.cancel();
        }
    }

    /// Whether [`close`](Self::close) has ended the input.
    #[cfg(feature = "ch20")]
    pub fn is_closed(&self) -> bool {
        match &self.editor {
            Some(editor) => editor.is_closed(),
            None => self.lines.is_closed(),
        }
    }

    /// Ends the input, including lines that have been read but not returned.
    pub fn close(&mut self) {
        self.discard_pending();
        if let Some(editor) = &mut self.editor {
            editor.close();
        }
        self.lines.close();
        while self.lines.try_recv().is_ok() {}
    }

    /// Adds a line from a terminal. `None` if the next one is already there.
    fn add(&mut self, line: InputLine) -> Option<TypedLine> {
        // A command that is pasted before a prompt is not part of the prompt.
        let is_command = self.pending.is_empty() && TypedLine::parse(&line.text).is_for_claw();
        let (is_followed, is_continued) = (line.is_followed, line.text.ends_with('\\'));
        self.pending.push(line);
        match (is_command, is_followed) {
            (false, true) => None,
            (false, false) if is_continued => Some(TypedLine::Unfinished),
            _ => Some(self.join_pending()),
        }
    }

    /// Parses the pending lines as one. A `\` at the end of a pasted line is part of the
    /// text; one that was typed only continues the line.
    fn join_pending(&mut self) -> TypedLine {
        let lines = std::mem::take(&mut self.pending);
        if lines.iter().any(|it| it.text.len() >= tty::MAX_LINE) {
            return TypedLine::Invalid(LINE_TOO_LONG.into());
        }
        let texts = lines.iter().map(|line| match line.text.strip_suffix('\\') {
            Some(text) if !line.is_followed => text,
            _ => &line.text,
        });
        TypedLine::parse(&texts.collect::<Vec<_>>().join("\n"))
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
