//! What comes from the user: lines, Ctrl-C, and what is piped in beside a prompt.

use std::io::{self, IsTerminal, Read};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tokio::sync::mpsc;

use super::interrupts::Interrupts;
use super::lines::Lines;
use super::out::say;

/// Both at once, each a field, so that both can be waited for.
pub struct Input {
    /// The lines.
    pub lines: Lines,
    /// The Ctrl-Cs, and the end from outside.
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
            lines: Lines::none(),
            interrupts: Interrupts::begin(),
        }
    }

    /// All of standard input, for one prompt; empty when it is a terminal, or when nothing
    /// comes for a while: whoever started this may have left a pipe open that nobody writes
    /// to. `None` when the wait was broken off.
    pub async fn piped(&mut self) -> Result<Option<String>> {
        if io::stdin().is_terminal() {
            return Ok(Some(String::new()));
        }
        let mut pieces = pieces();
        let mut bytes = Vec::new();
        loop {
            tokio::select! {
                piece = pieces.recv() => match piece {
                    Some(piece) => bytes.extend(piece.context("cannot read standard input")?),
                    None => return Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
                },
                () = self.interrupts.next() => return Ok(None),
                () = tokio::time::sleep(PATIENCE), if bytes.is_empty() => {
                    say(NOTHING_CAME);
                    return Ok(Some(String::new()));
                }
            }
            if bytes.len() > MAX_PIPED {
                bail!(
                    "more than {} MiB is piped in; put it in a file, and name that behind -p",
                    MAX_PIPED / (1024 * 1024)
                );
            }
        }
    }
}

/// Standard input, piece by piece. It is read on a thread of its own: a read can't be broken
/// off.
fn pieces() -> mpsc::Receiver<io::Result<Vec<u8>>> {
    let (sender, pieces) = mpsc::channel(1);
    std::thread::spawn(move || {
        let mut buffer = vec![0; 64 * 1024];
        loop {
            let piece = match io::stdin().read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => Ok(buffer[..count].to_vec()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => Err(error),
            };
            let is_over = piece.is_err();
            if sender.blocking_send(piece).is_err() || is_over {
                break;
            }
        }
    });
    pieces
}

/// The most that goes along with a prompt, in bytes.
const MAX_PIPED: usize = 1024 * 1024;

/// How long a pipe may say nothing at first.
const PATIENCE: Duration = Duration::from_secs(3);

const NOTHING_CAME: &str = "\
nothing came from standard input in 3 s, so nothing goes along; `< /dev/null` saves the wait";
