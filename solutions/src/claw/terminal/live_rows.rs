//! The rows below the output that change while a turn runs.
//!
//! A process has one terminal, so it has one list of them: a message from another thread erases
//! them, too. A std Mutex, since it is never held across an await.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::tty;
use crate::claw::safe_text::ROW;

static LIVE_ROWS: Mutex<LiveRows> = Mutex::new(LiveRows { widths: Vec::new() });

/// The rows that were drawn last. The cursor is on the last of them.
pub struct LiveRows {
    widths: Vec<usize>,
}

/// The rows, for one write. Keep the guard until the text is written.
pub fn live_rows() -> MutexGuard<'static, LiveRows> {
    LIVE_ROWS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl LiveRows {
    /// Remembers rows of these widths, which were drawn.
    pub fn set(&mut self, widths: Vec<usize>) {
        self.widths = widths;
    }

    /// Forgets the rows and returns the text that erases them; empty if there are none. The
    /// terminal may be narrower than it was when they were drawn.
    pub fn erase(&mut self) -> String {
        let widths = std::mem::take(&mut self.widths);
        if widths.is_empty() {
            return String::new();
        }
        let columns = tty::columns().unwrap_or(ROW + 1).max(1);
        let rows: usize = widths.iter().map(|it| it.div_ceil(columns).max(1)).sum();
        match rows - 1 {
            0 => "\r\x1b[J".to_string(),
            up => format!("\x1b[{up}A\r\x1b[J"),
        }
    }
}
