//! How the terminal delivers keys during a conversation.

use std::io::stdin;
use std::time::Duration;

use rustix::process::{Signal, kill_current_process_group};
use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr,
};

use super::tty::write;

/// Turns on bracketed paste: the terminal marks where pasted text begins and ends.
pub const BRACKETED_PASTE_ON: &str = "\x1b[?2004h";
const BRACKETED_PASTE_OFF: &str = "\x1b[?2004l";

/// Delivers each key at once and without an echo. Ctrl-C stays a signal; Ctrl-Z is a key. Dropping
/// it restores nothing, since clones are dropped earlier: the owner calls
/// [`restore`](Self::restore).
#[derive(Clone)]
pub struct TerminalMode {
    original: Termios,
}

impl TerminalMode {
    /// Changes the terminal of standard input. `None` if it is not a terminal.
    pub fn enter() -> Option<Self> {
        let original = tcgetattr(stdin()).ok()?;
        let mut mode = original.clone();
        let line_modes = LocalModes::ICANON | LocalModes::ECHO | LocalModes::IEXTEN;
        mode.local_modes.remove(line_modes);
        mode.special_codes[SpecialCodeIndex::VSUSP] = 0;
        mode.special_codes[SpecialCodeIndex::VMIN] = 1;
        mode.special_codes[SpecialCodeIndex::VTIME] = 0;
        tcsetattr(stdin(), OptionalActions::Now, &mode).ok()?;
        write(BRACKETED_PASTE_ON);
        Some(Self { original })
    }

    /// Restores the terminal of before.
    pub fn restore(&self) {
        write(BRACKETED_PASTE_OFF);
        // An error means that the terminal is gone.
        let _ = tcsetattr(stdin(), OptionalActions::Now, &self.original);
    }

    /// Suspends the program, as Ctrl-Z does, with the terminal of before. Returns when the
    /// program continues, with the terminal as it was at the call.
    pub fn suspend(&self) {
        let mode = tcgetattr(stdin());
        self.restore();
        let _ = kill_current_process_group(Signal::TSTP);
        // The signal may stop this thread only after the call, on a busy machine much later. Changing
        // the terminal before that would take it from the shell. The time while the program is
        // stopped counts, too.
        std::thread::sleep(Duration::from_millis(500));
        if let Ok(mode) = mode {
            let _ = tcsetattr(stdin(), OptionalActions::Now, &mode);
        }
        write(BRACKETED_PASTE_ON);
    }
}
