//! From what programs write for a terminal to what would be read there.

use crate::tools::ceil_boundary;

/// How many bytes of a line are held back at most, in case it is written over.
pub const LINE_LIMIT: usize = 4096;

/// Turns a terminal's text into plain text, in pieces cut anywhere.
///
/// Escape sequences go. A line that is written over, as progress bars do, is what it
/// was in the end. Other control characters go, but for line ends and tabs.
#[derive(Debug, Clone, Default)]
pub struct Plain {
    /// The line that is being written. It may still change.
    line: String,
    /// Whether the cursor was sent back to the start of the line.
    returned: bool,
    state: State,
}

/// Where in an escape sequence the text is.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum State {
    /// In none.
    #[default]
    Text,
    /// Behind the escape character.
    Escape,
    /// In a control sequence, such as a colour: parameters, then one final letter.
    Control,
    /// In a string for the terminal, such as a window title.
    Words,
}

impl State {
    /// The state behind `letter`, and whether `letter` belonged to a sequence.
    ///
    /// A control character other than those that end a string is never part of a
    /// sequence: one that was not closed must not swallow the lines behind it.
    pub fn next(self, letter: char) -> (Self, bool) {
        todo!("7.3: write State::next")
    }
}

impl Plain {
    /// Takes more text. Returns what can't change any more: every finished line, and of
    /// the current one what is beyond [`LINE_LIMIT`].
    ///
    /// A carriage return sends the cursor back, and what is written next takes the place
    /// of the line; directly before a line end, it is part of that. A backspace takes
    /// one character off the line.
    pub fn push(&mut self, text: &str) -> String {
        todo!("7.3: write Plain::push")
    }

    /// The line that is being written, as it stands.
    pub fn line(&self) -> &str {
        &self.line
    }
}

/// Whether a terminal has a place on the line for it.
fn is_shown(letter: char) -> bool {
    !letter.is_control() || letter == '\t'
}
