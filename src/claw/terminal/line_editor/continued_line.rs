//! A prompt of several lines: `\` and Enter begin a new one.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustyline::{Cmd, ConditionalEventHandler, Event, EventContext, RepeatCount};

/// The text before each line end that was typed after a `\`.
#[derive(Clone, Default)]
pub struct ContinuedLine(Arc<Mutex<Vec<String>>>);

impl ContinuedLine {
    /// The line as the model gets it: without each `\` that continued it. One in a paste is part
    /// of the text. Forgets where the line was continued.
    pub fn finish(&self, mut line: String) -> String {
        let continued = std::mem::take(&mut *self.lock());
        for before in continued.iter().rev() {
            let rest = line.strip_prefix(before.as_str());
            if rest.is_some_and(|rest| rest.starts_with('\n')) {
                line.remove(before.len() - 1);
            }
        }
        line
    }

    /// Forgets where the line was continued.
    pub fn forget(&self) {
        self.lock().clear();
    }

    fn push(&self, text: &str) {
        self.lock().push(text.to_string());
    }

    fn lock(&self) -> MutexGuard<'_, Vec<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes Enter after a `\` at the end of the line begin a new line.
pub struct Backslash(pub ContinuedLine);

impl ConditionalEventHandler for Backslash {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, at: &EventContext<'_>) -> Option<Cmd> {
        let is_continued = at.line().ends_with('\\') && at.pos() == at.line().len();
        is_continued.then(|| {
            self.0.push(at.line());
            Cmd::Newline
        })
    }
}
