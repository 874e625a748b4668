//! What only a terminal can tell. On systems other than Unix it tells nothing.

/// The longest line that Linux hands on, in bytes. It drops what is more.
pub const MAX_LINE: usize = 4095;

/// Whether a line can be read from standard input now, or in a moment: then nobody has
/// typed it by hand.
pub fn is_line_there() -> bool {
    #[cfg(unix)]
    {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        // A paste may come in pieces.
        let moment = Timespec {
            tv_sec: 0,
            tv_nsec: 50_000_000,
        };
        let stdin = std::io::stdin();
        let mut input = [PollFd::new(&stdin, PollFlags::IN)];
        poll(&mut input, Some(&moment)).is_ok() && input[0].revents().contains(PollFlags::IN)
    }
    #[cfg(not(unix))]
    false
}

/// How many characters stand in a row of standard output, if that is a terminal.
pub fn columns() -> Option<usize> {
    #[cfg(unix)]
    {
        let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
        (size.ws_col > 0).then_some(size.ws_col.into())
    }
    #[cfg(not(unix))]
    None
}
