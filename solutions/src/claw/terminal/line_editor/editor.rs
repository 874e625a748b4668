//! Lines from a terminal: edited at a prompt, or typed while a turn runs.

#[cfg(unix)]
use std::io::{self, PipeWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::mpsc;

use super::continued_line::ContinuedLine;
use super::editor_thread::EditorThread;
use super::request::Request;
use super::typed_lines::TypedLines;
#[cfg(unix)]
use crate::claw::terminal::terminal_mode::TerminalMode;

/// The user's lines, from a thread that alone reads the terminal: a blocking read cannot be
/// cancelled. The thread runs the line editor at a prompt, and otherwise collects the keys
/// that are typed. On Windows, keys wait for the next prompt.
pub struct Editor {
    requests: std::sync::mpsc::Sender<Request>,
    /// Wakes the thread up for a request.
    #[cfg(unix)]
    wake: PipeWriter,
    /// Whether a prompt is on the screen.
    is_editing: Arc<AtomicBool>,
    /// Lines that were edited at a prompt; `None` is the end of the input.
    edited: mpsc::UnboundedReceiver<Option<String>>,
    typed: Arc<TypedLines>,
    /// Whether [`next`](Self::next) waits for the answer to a prompt.
    is_asking: bool,
    is_closed: bool,
    #[cfg(unix)]
    mode: TerminalMode,
}

impl Editor {
    /// Starts the thread. It sends to `interrupts` after Ctrl-C at a prompt, and after Esc at a
    /// question or while no prompt is shown. The lines for the model are kept in the file
    /// `history`. `None` if standard input is not a terminal.
    pub fn start(interrupts: mpsc::Sender<()>, history: Option<PathBuf>) -> Option<Self> {
        let (requests, received) = std::sync::mpsc::channel();
        let (edited_sender, edited) = mpsc::unbounded_channel();
        let typed = Arc::new(TypedLines::default());
        let is_editing = Arc::new(AtomicBool::new(false));
        #[cfg(unix)]
        let (waker, wake) = io::pipe().ok()?;
        #[cfg(unix)]
        let mode = TerminalMode::enter()?;
        let thread = EditorThread {
            requests: received,
            edited: edited_sender,
            typed: typed.clone(),
            interrupts,
            is_editing: is_editing.clone(),
            history,
            continued: ContinuedLine::default(),
            is_question: Arc::default(),
            #[cfg(unix)]
            waker,
            #[cfg(unix)]
            mode: mode.clone(),
        };
        std::thread::spawn(move || thread.run());
        Some(Self {
            requests,
            #[cfg(unix)]
            wake,
            is_editing,
            edited,
            typed,
            is_asking: false,
            is_closed: false,
            #[cfg(unix)]
            mode,
        })
    }

    /// Shows a prompt, whose answer [`next`](Self::next) returns.
    pub fn ask(&mut self, request: Request) {
        if self.is_closed {
            return;
        }
        self.is_asking = true;
        // After an interrupt by another program, the last prompt is still there.
        if !self.is_editing.swap(true, Ordering::Relaxed) {
            let _ = self.requests.send(request);
            #[cfg(unix)]
            let _ = self.wake.write_all(b"!");
        }
    }

    /// The answer to the last prompt, or without one the next line that is typed. `None` at the
    /// end of the input. Cancel safe.
    pub async fn next(&mut self) -> Option<String> {
        if self.is_asking {
            let line = self.edited.recv().await.flatten();
            self.is_asking = false;
            return line;
        }
        if self.is_closed {
            return None;
        }
        self.typed.next().await
    }

    /// What has been typed without Enter while no prompt is shown.
    pub fn typed_text(&self) -> String {
        self.typed.unfinished().clone()
    }

    /// Forgets the last prompt, which Ctrl-C has ended.
    pub fn cancel(&mut self) {
        self.is_asking = false;
    }

    /// Ends the input.
    pub fn close(&mut self) {
        self.is_asking = false;
        self.is_closed = true;
    }

    /// Whether [`close`](Self::close) has ended the input.
    #[cfg(feature = "ch20")]
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }
}

#[cfg(unix)]
impl Drop for Editor {
    fn drop(&mut self) {
        self.mode.restore();
    }
}
