//! What comes from the user: lines, Ctrl-C, and what is piped in beside a prompt.

use std::io::{self, IsTerminal, Read};
use std::time::Duration;

use anyhow::{Context, Result, bail};

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

    /// All of standard input, for one prompt; empty when it is a terminal. `None` when the
    /// wait for its end was broken off.
    pub async fn piped(&mut self) -> Result<Option<String>> {
        if io::stdin().is_terminal() {
            return Ok(Some(String::new()));
        }
        let mut reading = tokio::task::spawn_blocking(read_piped);
        let mut is_told = false;
        loop {
            tokio::select! {
                text = &mut reading => return text?.map(Some),
                () = self.interrupts.next() => return Ok(None),
                () = tokio::time::sleep(PATIENCE), if !is_told => {
                    say("reading standard input, until it ends; `< /dev/null` gives none");
                    is_told = true;
                }
            }
        }
    }
}

fn read_piped() -> Result<String> {
    let mut bytes = Vec::new();
    io::stdin()
        .take(MAX_PIPED as u64 + 1)
        .read_to_end(&mut bytes)
        .context("cannot read standard input")?;
    if bytes.len() > MAX_PIPED {
        bail!(
            "more than {} MiB is piped in; put it in a file, and name that behind -p",
            MAX_PIPED / (1024 * 1024)
        );
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The most that goes along with a prompt, in bytes.
const MAX_PIPED: usize = 1024 * 1024;

/// How long a pipe may say nothing before it is told what is waited for.
const PATIENCE: Duration = Duration::from_secs(2);
