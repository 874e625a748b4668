//! What comes from the user: lines, and Ctrl-C.

use std::io::{self, BufRead, IsTerminal};

use tokio::sync::mpsc;

/// Both at once, each a field, so that both can be waited for.
pub struct Input {
    /// The lines.
    pub lines: Lines,
    /// The Ctrl-Cs.
    pub interrupts: Interrupts,
}

impl Input {
    /// Standard input and Ctrl-C, which from now on no longer ends the program.
    pub fn of_user() -> Self {
        Self {
            lines: Lines::of_stdin(),
            interrupts: Interrupts::begin(),
        }
    }

    /// Ctrl-C alone, for one prompt.
    pub fn without_lines() -> Self {
        Self {
            lines: Lines {
                lines: mpsc::channel(1).1,
                is_terminal: false,
            },
            interrupts: Interrupts::begin(),
        }
    }
}

/// Lines of standard input, until there are no more.
pub struct Lines {
    lines: mpsc::Receiver<String>,
    /// Whether somebody types them now. Those of a pipe or a file were written before, so
    /// they wait their turn.
    pub is_terminal: bool,
}

impl Lines {
    /// They are read on a thread of their own: a read can't be broken off.
    fn of_stdin() -> Self {
        let (sender, lines) = mpsc::channel(1);
        std::thread::spawn(move || {
            for line in io::stdin().lock().lines() {
                let Ok(line) = line else { break };
                if sender.blocking_send(line).is_err() {
                    break;
                }
            }
        });
        Self {
            lines,
            is_terminal: io::stdin().is_terminal(),
        }
    }

    /// The next line; `None` at the end, each time.
    pub async fn next(&mut self) -> Option<String> {
        self.lines.recv().await
    }

    /// Has the end come before the next line.
    pub fn end(&mut self) {
        self.lines.close();
        while self.lines.try_recv().is_ok() {}
    }
}

/// Ctrl-C. None is missed while somebody does something else.
pub struct Interrupts(mpsc::Receiver<()>);

impl Interrupts {
    fn begin() -> Self {
        let (sender, interrupts) = mpsc::channel(1);
        tokio::spawn(async move {
            while tokio::signal::ctrl_c().await.is_ok() {
                // Full: one waits to be noticed, and two would say no more.
                if let Err(mpsc::error::TrySendError::Closed(())) = sender.try_send(()) {
                    break;
                }
            }
        });
        Self(interrupts)
    }

    /// Waits for the next one.
    pub async fn next(&mut self) {
        if self.0.recv().await.is_none() {
            std::future::pending().await
        }
    }
}
