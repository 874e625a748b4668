//! Converts terminal output to the text that a terminal would show.

use crate::tools::ceil_boundary;

/// The number of bytes of a line that are held back in case the line is overwritten.
pub const LINE_LIMIT: usize = 4096;

/// Converts terminal output to plain text. The output may arrive in chunks of any size.
///
/// Escape sequences are removed. A line that is overwritten, as by a progress bar, becomes
/// its last state. Other control characters are removed, except line ends and tabs.
#[derive(Debug, Clone, Default)]
pub struct TerminalText {
    /// The line that is being written, which may still change.
    line: String,
    /// Whether a carriage return has sent the cursor to the start of the line.
    cursor_at_start: bool,
    state: EscapeState,
}

/// The position of the text relative to an escape sequence.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum EscapeState {
    /// Outside a sequence.
    #[default]
    Text,
    /// After the escape character.
    Escape,
    /// In a control sequence, such as a color: parameters, then one final letter.
    Control,
    /// In a control string, such as a window title.
    ControlString,
}

impl EscapeState {
    /// The state after `letter`, and whether `letter` is part of a sequence.
    ///
    /// The escape character begins a sequence in every state. A bell is the last letter of a
    /// control string. Any other control character ends the sequence and is not part of it, so
    /// an unterminated sequence does not swallow the lines that follow.
    pub fn next(self, letter: char) -> (Self, bool) {
        todo!("terminal-output-as-text: write EscapeState::next")
    }
}

impl TerminalText {
    /// Appends `text`. Returns what can no longer change: every finished line, and all but
    /// the last [`LINE_LIMIT`] bytes of the current line. The chunk boundaries make no
    /// difference to the text.
    ///
    /// A carriage return moves the cursor to the start of the line, and the next text
    /// replaces the line. Directly before a line end, it is part of the line end. A
    /// backspace removes the last character of the line.
    pub fn push(&mut self, text: &str) -> String {
        todo!("terminal-output-as-text: write TerminalText::push")
    }

    /// Appends plain text to the line, and moves the lines that it finishes to `finished`. The
    /// line keeps its buffer for the next one.
    ///
    /// If the cursor is at the start, the text replaces the line, unless it begins with a line
    /// end.
    pub fn push_plain(&mut self, text: &str, finished: &mut String) {
        todo!("terminal-output-as-text: write TerminalText::push_plain")
    }

    /// The line that is being written, in its current state.
    pub fn current_line(&self) -> &str {
        &self.line
    }
}

/// Whether `letter` is plain: a line end, a tab, or any letter that is not a control character.
fn is_plain(letter: char) -> bool {
    !letter.is_control() || matches!(letter, '\n' | '\t')
}

/// The length in bytes of the plain text at the start of `text`, whose first letter must be
/// plain. It may end early, but not before the first letter does.
fn plain_length(text: &str) -> usize {
    // Byte by byte, since decoding letters takes several times as long. 0xC2 begins the control
    // characters from U+0080 to U+009F, and some letters.
    let is_suspect = |byte: &u8| match byte {
        b'\n' | b'\t' => false,
        byte => *byte < b' ' || matches!(byte, 0x7f | 0xc2),
    };
    let first = text.chars().next().map_or(0, char::len_utf8);
    let rest = &text.as_bytes()[first..];
    // Without a branch for each byte, the compiler checks many bytes of a chunk at a time.
    let is_clean = |chunk: &&[u8]| {
        !chunk
            .iter()
            .fold(false, |found, byte| found | is_suspect(byte))
    };
    let clean: usize = rest.chunks(64).take_while(is_clean).map(<[u8]>::len).sum();
    let suspect = rest[clean..].iter().position(is_suspect);
    first + suspect.map_or(rest.len(), |at| clean + at)
}
