//! The thread that reads the terminal.

#[cfg(unix)]
use std::io::{self, PipeReader};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{
    Cmd, ConditionalEventHandler, Config, Event, EventContext, EventHandler, KeyCode, KeyEvent,
    Modifiers, RepeatCount,
};
use tokio::sync::mpsc;

use super::completion::Completion;
use super::continued_line::{Backslash, ContinuedLine};
#[cfg(unix)]
use super::keys::{Key, KeyParser};
use super::request::Request;
use super::typed_lines::TypedLines;
use crate::claw::data_dir::create_parent;
use crate::claw::output::report;
use crate::claw::safe_text::without_control_chars;
#[cfg(unix)]
use crate::claw::terminal::terminal_mode::{BRACKETED_PASTE_ON, TerminalMode};
use crate::claw::terminal::tty::write;

/// Reads the terminal, alone. It runs the line editor at a prompt, and otherwise collects the
/// keys that are typed.
pub struct EditorThread {
    pub requests: std::sync::mpsc::Receiver<Request>,
    pub edited: mpsc::UnboundedSender<Option<String>>,
    pub typed: Arc<TypedLines>,
    pub interrupts: mpsc::Sender<()>,
    pub is_editing: Arc<AtomicBool>,
    pub history: Option<PathBuf>,
    /// Shared with the key Enter.
    pub continued: ContinuedLine,
    /// Whether the prompt is a question's. Shared with the key Esc.
    pub is_question: Arc<AtomicBool>,
    #[cfg(unix)]
    pub waker: PipeReader,
    #[cfg(unix)]
    pub mode: TerminalMode,
}

type LineEditor = rustyline::Editor<Completion, FileHistory>;

impl EditorThread {
    /// Runs to the end of the input.
    pub fn run(mut self) {
        let mut editor = match self.line_editor() {
            Ok(editor) => editor,
            Err(error) => return report(format!("cannot read the terminal: {error}")),
        };
        while let Some(request) = self.next_request() {
            let is_last = !self.edit(&mut editor, request);
            if is_last {
                return;
            }
        }
    }

    /// Has the user edit a line. Returns whether another one can be read.
    fn edit(&mut self, editor: &mut LineEditor, request: Request) -> bool {
        if request.is_for_model
            && let Some(line) = self.typed.take()
        {
            let shown = line.as_deref().unwrap_or_default();
            let shown = without_control_chars(shown);
            write(&format!("{}{}{shown}\n", request.text, request.prompt));
            self.is_editing.store(false, Ordering::Relaxed);
            return self.edited.send(line).is_ok();
        }
        let typed = match request.is_for_model {
            true => std::mem::take(&mut *self.typed.unfinished()),
            false => String::new(),
        };
        write(&request.text);
        self.continued.forget();
        self.is_question
            .store(!request.is_for_model, Ordering::Relaxed);
        let line = editor.readline_with_initial(request.prompt, (&typed, ""));
        #[cfg(unix)]
        write(BRACKETED_PASTE_ON);
        self.is_editing.store(false, Ordering::Relaxed);
        let line = match line {
            Ok(line) => {
                let line = self.continued.finish(line);
                if request.is_for_model {
                    self.remember(editor, &line);
                }
                Some(line)
            }
            Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) => {
                let _ = self.interrupts.try_send(());
                return true;
            }
            Err(ReadlineError::Eof) => None,
            Err(error) => {
                report(format!("cannot read more input: {error}"));
                let _ = self.edited.send(None);
                return false;
            }
        };
        self.edited.send(line).is_ok()
    }

    /// Adds a line to the history, unless it is very long.
    fn remember(&self, editor: &mut LineEditor, line: &str) {
        let is_kept = line.len() <= MAX_HISTORY_LINE && !line.trim().is_empty();
        if is_kept
            && editor.add_history_entry(line).is_ok_and(|it| it)
            && let Some(file) = &self.history
        {
            // The conversation is more important than its history.
            let _ = create_parent(file).map(|()| editor.append_history(file));
        }
    }

    fn line_editor(&self) -> rustyline::Result<LineEditor> {
        let config = Config::builder()
            .max_history_size(MAX_HISTORY_LINES)?
            .completion_type(rustyline::CompletionType::List)
            .keyseq_timeout(Some(50))
            .build();
        let mut editor = LineEditor::with_config(config)?;
        editor.set_helper(Some(Completion));
        if let Some(file) = &self.history {
            // The file does not exist before the first prompt.
            let _ = editor.load_history(file);
        }
        editor.bind_sequence(KeyEvent::alt('\r'), Cmd::Newline);
        let enter = KeyEvent(KeyCode::Enter, Modifiers::NONE);
        editor.bind_sequence(
            enter,
            EventHandler::Conditional(Box::new(Backslash(self.continued.clone()))),
        );
        let escape = KeyEvent(KeyCode::Esc, Modifiers::NONE);
        let stop = StopAtQuestion(self.is_question.clone());
        editor.bind_sequence(escape, EventHandler::Conditional(Box::new(stop)));
        #[cfg(unix)]
        {
            let suspend = EventHandler::Conditional(Box::new(Suspend(self.mode.clone())));
            editor.bind_sequence(KeyEvent::ctrl('Z'), suspend);
        }
        Ok(editor)
    }

    /// Waits for a request and collects what is typed meanwhile. `None` when the conversation
    /// has ended, or the terminal is gone.
    fn next_request(&mut self) -> Option<Request> {
        #[cfg(unix)]
        self.collect_keys()?;
        self.requests.recv().ok()
    }

    /// Collects what is typed until a request is there. A key or a paste that has begun then is
    /// read to its end, or the prompt would take the rest for its own. `None` when the terminal is
    /// gone.
    #[cfg(unix)]
    fn collect_keys(&mut self) -> Option<()> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let mut parser = KeyParser::default();
        let (mut is_requested, mut idle) = (false, 0);
        while !is_requested || parser.is_incomplete() {
            // A lone ESC is the key Esc unless the rest of a sequence follows at once.
            let timeout = parser.is_incomplete().then_some(Timespec {
                tv_sec: 0,
                tv_nsec: 50_000_000,
            });
            let stdin = io::stdin();
            let mut ready = [
                PollFd::new(&self.waker, PollFlags::IN),
                PollFd::new(&stdin, PollFlags::IN),
            ];
            let polled = match poll(&mut ready, timeout.as_ref()) {
                Err(rustix::io::Errno::INTR) => continue,
                polled => polled.ok()?,
            };
            let [wake, input] = ready.map(|it| !it.revents().is_empty());
            let keys = match polled {
                // The end of a paste can be lost.
                0 if is_requested && idle >= PASTE_PATIENCE => break,
                0 => {
                    idle += 1;
                    parser.timeout().into_iter().collect()
                }
                _ if input => {
                    idle = 0;
                    let mut bytes = [0; 4096];
                    let count = rustix::io::read(&stdin, &mut bytes).ok()?;
                    if count == 0 {
                        self.typed.add(None);
                        return None;
                    }
                    parser.push(&bytes[..count])
                }
                _ => Vec::new(),
            };
            keys.into_iter().for_each(|key| self.key(key));
            if wake {
                let mut byte = [0];
                if rustix::io::read(&self.waker, &mut byte).ok()? == 0 {
                    return None;
                }
                is_requested = true;
            }
        }
        Some(())
    }

    /// Handles a key that is typed while no prompt is shown.
    #[cfg(unix)]
    fn key(&mut self, key: Key) {
        let mut line = self.typed.unfinished();
        match key {
            Key::Char(char) => line.push(char),
            Key::Paste(text) => line.push_str(&text),
            Key::Enter if line.ends_with('\\') => {
                line.pop();
                line.push('\n');
            }
            Key::Enter => self.typed.add(Some(std::mem::take(&mut line))),
            Key::EraseChar => drop(line.pop()),
            Key::EraseWord => {
                let rest = line.trim_end();
                let word = rest.rfind(char::is_whitespace).map_or(0, |at| at + 1);
                line.truncate(word);
            }
            Key::EraseLine => line.clear(),
            Key::End if line.is_empty() => self.typed.add(None),
            Key::End => {}
            Key::Escape => {
                let _ = self.interrupts.try_send(());
            }
            Key::Suspend => {
                drop(line);
                self.mode.suspend();
            }
        }
    }
}

/// How many timeouts of 50 ms a prompt waits for the rest of a paste.
#[cfg(unix)]
const PASTE_PATIENCE: u32 = 200;

/// The most lines that the history keeps.
const MAX_HISTORY_LINES: usize = 1000;

/// The longest line that the history keeps, in bytes.
const MAX_HISTORY_LINE: usize = 4096;

/// Makes Esc stop the turn at a question, as Ctrl-C does.
struct StopAtQuestion(Arc<AtomicBool>);

impl ConditionalEventHandler for StopAtQuestion {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, _: &EventContext<'_>) -> Option<Cmd> {
        self.0.load(Ordering::Relaxed).then_some(Cmd::Interrupt)
    }
}

/// Makes Ctrl-Z suspend the program with the terminal of before. The line editor's own command
/// would leave the shell without an echo.
#[cfg(unix)]
struct Suspend(TerminalMode);

#[cfg(unix)]
impl ConditionalEventHandler for Suspend {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, _: &EventContext<'_>) -> Option<Cmd> {
        self.0.suspend();
        Some(Cmd::Repaint)
    }
}
