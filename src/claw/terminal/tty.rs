//! Questions about a terminal. On systems other than Unix, the answers are `false` and `None`.

/// The longest line in bytes that Linux delivers from a terminal. It drops the rest.
pub const MAX_LINE: usize = 4095;

/// Whether another line can be read from standard input now or within 50 ms. Then it was
/// pasted, not typed.
pub fn has_next_line() -> bool {
    #[cfg(unix)]
    {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        // A paste may arrive in pieces.
        let timeout = Timespec {
            tv_sec: 0,
            tv_nsec: 50_000_000,
        };
        let stdin = std::io::stdin();
        let mut input = [PollFd::new(&stdin, PollFlags::IN)];
        poll(&mut input, Some(&timeout)).is_ok() && input[0].revents().contains(PollFlags::IN)
    }
    #[cfg(not(unix))]
    false
}

/// Writes to the terminal. An error means that it is gone.
pub fn write(text: &str) {
    use std::io::Write;
    let mut stdout = std::io::stdout().lock();
    let _ = stdout.write_all(text.as_bytes());
    let _ = stdout.flush();
}

/// Whether the terminal of standard output can move its cursor and erase text.
pub fn has_cursor() -> bool {
    let is_dumb = std::env::var_os("TERM").is_some_and(|it| it == "dumb");
    std::io::IsTerminal::is_terminal(&std::io::stdout()) && !is_dumb
}

/// The width of standard output in characters, if it is a terminal.
pub fn columns() -> Option<usize> {
    #[cfg(unix)]
    {
        let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
        (size.ws_col > 0).then_some(size.ws_col.into())
    }
    #[cfg(not(unix))]
    None
}
