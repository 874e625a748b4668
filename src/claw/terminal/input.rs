//! The input from the user: lines, signals, and text that is piped in with a prompt.

use std::io::{self, IsTerminal, Read};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tokio::sync::mpsc;

use super::{Interrupts, LineReader};
use crate::claw::output::report;
#[cfg(feature = "ch10")]
use crate::claw::typed_line::TypedLine;

/// The two sources, as separate fields so that both can be awaited at once.
pub struct Input {
    /// The lines of standard input.
    pub lines: LineReader,
    /// Ctrl-C, and the signals that end the program.
    pub interrupts: Interrupts,
}

impl Input {
    /// Reads lines from standard input. From now on Ctrl-C no longer ends the program. In a
    /// terminal, the file `history` keeps the prompts.
    pub fn interactive(history: Option<PathBuf>) -> Self {
        let interrupts = Interrupts::listen();
        Self {
            lines: LineReader::stdin(interrupts.sender(), history),
            interrupts,
        }
    }

    /// Signals without lines, for a single prompt.
    pub fn signals_only() -> Self {
        Self {
            lines: LineReader::empty(),
            interrupts: Interrupts::listen_for_prompt(),
        }
    }

    /// The user's next line, as an answer to a question. `TypedLine::Exit` at the end of the input,
    /// which is then closed. `None` if the user presses Esc or Ctrl-C, or a signal ends
    /// the program.
    #[cfg(feature = "ch10")]
    pub async fn next_answer(&mut self) -> Option<TypedLine> {
        tokio::select! {
            line = self.lines.next() => match line {
                None | Some(TypedLine::Exit) => {
                    self.lines.close();
                    Some(TypedLine::Exit)
                }
                line => line,
            },
            () = self.interrupts.next() => {
                self.lines.discard_pending();
                None
            }
        }
    }

    /// Reads all of standard input, for a single prompt. `None` if the user interrupts it.
    ///
    /// The text is empty if standard input is a terminal, or a pipe that stays silent for
    /// `FIRST_BYTE_TIMEOUT`: the parent process may have left open a pipe that nothing
    /// writes to. More than `MAX_PIPED` bytes are an error. Bytes that are not UTF-8 are
    /// read as `�`.
    pub async fn piped(&mut self) -> Result<Option<String>> {
        if io::stdin().is_terminal() {
            return Ok(Some(String::new()));
        }
        let mut chunks = read_stdin();
        let mut bytes = Vec::new();
        loop {
            tokio::select! {
                chunk = chunks.recv() => match chunk {
                    Some(chunk) => bytes.extend(chunk.context("cannot read standard input")?),
                    None => return Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
                },
                () = self.interrupts.next() => return Ok(None),
                () = tokio::time::sleep(FIRST_BYTE_TIMEOUT), if bytes.is_empty() => {
                    report(NO_PIPED_INPUT);
                    return Ok(Some(String::new()));
                }
            }
            if bytes.len() > MAX_PIPED {
                bail!(
                    "the piped input is larger than {} MiB; put it in a file and name the file \
                     in the prompt",
                    MAX_PIPED / (1024 * 1024)
                );
            }
        }
    }
}

/// Standard input in chunks. A thread of its own reads them, since a blocking read cannot be
/// cancelled.
fn read_stdin() -> mpsc::Receiver<io::Result<Vec<u8>>> {
    let (sender, chunks) = mpsc::channel(1);
    std::thread::spawn(move || {
        let mut buffer = vec![0; 64 * 1024];
        loop {
            let chunk = match io::stdin().read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => Ok(buffer[..count].to_vec()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => Err(error),
            };
            let is_last = chunk.is_err();
            if sender.blocking_send(chunk).is_err() || is_last {
                break;
            }
        }
    });
    chunks
}

/// The most piped input that is sent with a prompt, in bytes.
const MAX_PIPED: usize = 1024 * 1024;

/// How long a pipe may stay silent before its first byte.
const FIRST_BYTE_TIMEOUT: Duration = Duration::from_secs(3);

const NO_PIPED_INPUT: &str = "\
no piped input arrived in 3 s, so only the prompt is sent; `< /dev/null` avoids the wait";
