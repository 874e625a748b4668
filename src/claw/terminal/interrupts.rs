//! Ctrl-C, and the signals that end the program.

use tokio::sync::mpsc;

/// Interrupts of a turn. One that arrives while nothing waits for it is kept until
/// [`next`](Self::next) is called.
pub struct Interrupts {
    ctrl_c: mpsc::Receiver<()>,
    ctrl_c_sender: mpsc::Sender<()>,
    termination: mpsc::Receiver<u8>,
    exit_code: Option<u8>,
    /// The exit code if Ctrl-C ends the program.
    ctrl_c_exit_code: Option<u8>,
}

/// The exit code of a program that Ctrl-C has ended: 128 plus the number of SIGINT.
const INTERRUPTED: u8 = 130;

impl Interrupts {
    /// Handles the signals from now on. Ctrl-C also ends the program, since it runs a single prompt.
    pub fn listen_for_prompt() -> Self {
        Self {
            ctrl_c_exit_code: Some(INTERRUPTED),
            ..Self::listen()
        }
    }

    /// Handles the signals from now on.
    pub fn listen() -> Self {
        let (ctrl_c_sender, ctrl_c) = listen_for_ctrl_c();
        Self {
            ctrl_c,
            ctrl_c_sender,
            termination: listen_for_termination(),
            exit_code: None,
            ctrl_c_exit_code: None,
        }
    }

    /// Sends interrupts for keys that mean the same as Ctrl-C.
    pub fn sender(&self) -> mpsc::Sender<()> {
        self.ctrl_c_sender.clone()
    }

    /// Waits for the next interrupt.
    pub async fn next(&mut self) {
        tokio::select! {
            Some(()) = self.ctrl_c.recv() => {
                self.exit_code = self.exit_code.or(self.ctrl_c_exit_code);
            }
            Some(code) = self.termination.recv() => self.exit_code = Some(code),
            else => std::future::pending().await,
        }
    }

    /// The exit code, once [`next`](Self::next) has returned for a signal that ends the
    /// program: 128 plus the signal number, as in a shell.
    pub fn exit_code(&self) -> Option<u8> {
        self.exit_code
    }
}

fn listen_for_ctrl_c() -> (mpsc::Sender<()>, mpsc::Receiver<()>) {
    let (sender, ctrl_c) = mpsc::channel(1);
    let signals = sender.clone();
    // Registered before the line editor, which restores the handler that it finds.
    #[cfg(unix)]
    let registered = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt());
    tokio::spawn(async move {
        #[cfg(unix)]
        let _registered = registered;
        while tokio::signal::ctrl_c().await.is_ok() {
            // A full channel already holds one interrupt; a second would add nothing.
            if let Err(mpsc::error::TrySendError::Closed(())) = signals.try_send(()) {
                break;
            }
        }
    });
    (sender, ctrl_c)
}

/// SIGTERM, and SIGHUP, which a terminal sends when its window is closed. Their default is to
/// end the program at once, which would leave the commands of its tools running.
fn listen_for_termination() -> mpsc::Receiver<u8> {
    let (sender, termination) = mpsc::channel(1);
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let hangup = (!ignores_hangup()).then_some(SignalKind::hangup());
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
                    // The first signal decides the exit code.
                    let _ = sender.try_send(128 + kind.as_raw_value() as u8);
                }
            });
        }
    }
    drop(sender);
    termination
}

/// Whether the program was started with SIGHUP ignored, as `nohup` does. Linux tells; on other
/// systems the answer is yes when no stream is a terminal.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    use std::io::{IsTerminal, stderr, stdin, stdout};
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|it| it.strip_prefix("SigIgn:"));
    match ignored.and_then(|it| u64::from_str_radix(it.trim(), 16).ok()) {
        // SIGHUP is signal 1, the lowest bit.
        Some(mask) => mask & 1 == 1,
        None => !(stdin().is_terminal() || stdout().is_terminal() || stderr().is_terminal()),
    }
}
