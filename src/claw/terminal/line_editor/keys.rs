//! The keys that are typed while a turn runs.

/// A key, or a paste.
#[derive(Debug, Clone, PartialEq)]
pub enum Key {
    /// A typed character.
    Char(char),
    /// Pasted text. Its line ends are `\n`.
    Paste(String),
    /// Enter.
    Enter,
    /// Backspace.
    EraseChar,
    /// Ctrl-W.
    EraseWord,
    /// Ctrl-U.
    EraseLine,
    /// Ctrl-D.
    End,
    /// Esc.
    Escape,
    /// Ctrl-Z.
    Suspend,
}

/// Finds keys in the bytes of a terminal.
#[derive(Default)]
pub struct KeyParser {
    /// The beginning of a key that is not complete.
    pending: Vec<u8>,
}

impl KeyParser {
    /// The keys that these bytes complete. Other keys, such as arrows, are left out.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Key> {
        self.pending.extend(bytes);
        let mut keys = Vec::new();
        while let Some((length, key)) = first_key(&self.pending) {
            self.pending.drain(..length);
            keys.extend(key);
        }
        keys
    }

    /// Whether the bytes so far end in a part of a key.
    pub fn is_incomplete(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Ends an incomplete key, since no byte has followed it. `ESC` alone is the key Esc. A
    /// paste stays incomplete until its end arrives.
    pub fn timeout(&mut self) -> Option<Key> {
        if self.pending.starts_with(PASTE_START) {
            return None;
        }
        let is_escape = self.pending == [ESC];
        self.pending.clear();
        is_escape.then_some(Key::Escape)
    }
}

const ESC: u8 = 0x1b;
const PASTE_START: &[u8] = b"\x1b[200~";
const PASTE_END: &[u8] = b"\x1b[201~";

/// The first key and its length in bytes; `None` if it is not complete. A sequence that is no
/// [`Key`] has a length only.
fn first_key(bytes: &[u8]) -> Option<(usize, Option<Key>)> {
    match *bytes {
        [] | [ESC] => None,
        [ESC, b'[', ..] if bytes.starts_with(PASTE_START) => {
            let text = &bytes[PASTE_START.len()..];
            let end = text
                .windows(PASTE_END.len())
                .position(|it| it == PASTE_END)?;
            let length = PASTE_START.len() + end + PASTE_END.len();
            let text = String::from_utf8_lossy(&text[..end]);
            let text = text.replace("\r\n", "\n").replace('\r', "\n");
            Some((length, Some(Key::Paste(text))))
        }
        [ESC, b'[', ..] => {
            let end = bytes[2..]
                .iter()
                .position(|it| (0x40..=0x7e).contains(it))?;
            Some((2 + end + 1, None))
        }
        [ESC, b'O', ..] => (bytes.len() >= 3).then_some((3, None)),
        [ESC, ESC, ..] => Some((1, Some(Key::Escape))),
        // Alt-Enter begins a new line.
        [ESC, b'\r' | b'\n', ..] => Some((2, Some(Key::Char('\n')))),
        [ESC, ..] => Some((2, None)),
        [b'\r' | b'\n', ..] => Some((1, Some(Key::Enter))),
        [0x7f | 0x08, ..] => Some((1, Some(Key::EraseChar))),
        [0x17, ..] => Some((1, Some(Key::EraseWord))),
        [0x15, ..] => Some((1, Some(Key::EraseLine))),
        [0x04, ..] => Some((1, Some(Key::End))),
        [0x1a, ..] => Some((1, Some(Key::Suspend))),
        [b'\t', ..] => Some((1, Some(Key::Char(' ')))),
        [control, ..] if control < 0x20 => Some((1, None)),
        _ => first_char(bytes),
    }
}

/// The first character as a key. A byte that is not UTF-8 is left out.
fn first_char(bytes: &[u8]) -> Option<(usize, Option<Key>)> {
    let chunk = bytes.utf8_chunks().next()?;
    match chunk.valid().chars().next() {
        Some(char) => Some((char.len_utf8(), Some(Key::Char(char)))),
        // A character of at most 4 bytes may still be arriving.
        None if chunk.invalid().len() == bytes.len() && bytes.len() < 4 => None,
        None => Some((chunk.invalid().len(), None)),
    }
}
