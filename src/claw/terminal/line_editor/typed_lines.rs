//! Lines that are typed while no prompt is shown.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// Lines that were typed while no prompt was shown; `None` is the end of the input.
#[derive(Default)]
pub struct TypedLines {
    lines: Mutex<VecDeque<Option<String>>>,
    added: Notify,
    unfinished: Mutex<String>,
}

impl TypedLines {
    /// Adds a line.
    pub fn add(&self, line: Option<String>) {
        self.lock().push_back(line);
        self.added.notify_one();
    }

    /// Removes the first line.
    pub fn take(&self) -> Option<Option<String>> {
        self.lock().pop_front()
    }

    /// Waits for a line and removes it. Cancel safe.
    pub async fn next(&self) -> Option<String> {
        loop {
            if let Some(line) = self.take() {
                return line;
            }
            self.added.notified().await;
        }
    }

    /// What has been typed without Enter.
    pub fn unfinished(&self) -> MutexGuard<'_, String> {
        self.unfinished
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Option<String>>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
