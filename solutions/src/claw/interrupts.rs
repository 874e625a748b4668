//! Ctrl-C, and the signals that end the program.

use tokio::sync::mpsc;

/// What breaks a turn off. None is missed while somebody does something else.
pub struct Interrupts {
    presses: mpsc::Receiver<()>,
    ends: mpsc::Receiver<u8>,
    ended: Option<u8>,
}

impl Interrupts {
    /// Takes them from now on.
    pub fn begin() -> Self {
        Self {
            presses: presses(),
            ends: ends(),
            ended: None,
        }
    }

    /// Waits for the next one.
    pub async fn next(&mut self) {
        tokio::select! {
            Some(()) = self.presses.recv() => {}
            Some(code) = self.ends.recv() => self.ended = Some(code),
            else => std::future::pending().await,
        }
    }

    /// The exit code, if one of them was to end the program: 128 and the signal's number,
    /// as a shell has it.
    pub fn ended(&self) -> Option<u8> {
        self.ended
    }
}

fn presses() -> mpsc::Receiver<()> {
    let (sender, presses) = mpsc::channel(1);
    tokio::spawn(async move {
        while tokio::signal::ctrl_c().await.is_ok() {
            // Full: one waits to be noticed, and two would say no more.
            if let Err(mpsc::error::TrySendError::Closed(())) = sender.try_send(()) {
                break;
            }
        }
    });
    presses
}

/// SIGTERM, and SIGHUP, which comes when a terminal's window is closed. Left to themselves
/// they would end the program at once, and leave its tools' commands running.
fn ends() -> mpsc::Receiver<u8> {
    let (sender, ends) = mpsc::channel(1);
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let hangup = (!is_deaf_to_hangup()).then_some(SignalKind::hangup());
        for kind in [Some(SignalKind::terminate()), hangup]
            .into_iter()
            .flatten()
        {
            let Ok(mut signals) = signal(kind) else {
                continue;
            };
            let sender = sender.clone();
            tokio::spawn(async move {
                while signals.recv().await.is_some() {
                    // The first one counts.
                    let _ = sender.try_send(128 + kind.as_raw_value() as u8);
                }
            });
        }
    }
    drop(sender);
    ends
}

/// Whether it was started by `nohup`, which has a hangup ignored. Linux says so; where it
/// can't be asked, it is taken for so when no stream is a terminal.
#[cfg(unix)]
fn is_deaf_to_hangup() -> bool {
    use std::io::{IsTerminal, stderr, stdin, stdout};
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|it| it.strip_prefix("SigIgn:"));
    match ignored.and_then(|it| u64::from_str_radix(it.trim(), 16).ok()) {
        // Signal 1 is the lowest bit.
        Some(mask) => mask & 1 == 1,
        None => !(stdin().is_terminal() || stdout().is_terminal() || stderr().is_terminal()),
    }
}
