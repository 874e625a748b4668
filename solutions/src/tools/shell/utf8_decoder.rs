//! From bytes to text, piece by piece.

/// Reads UTF-8 that comes in pieces, cut anywhere.
#[derive(Debug, Clone, Default)]
pub struct Decoder {
    /// The beginning of a character whose rest is still to come; at most three bytes.
    open: Vec<u8>,
}

impl Decoder {
    /// The text of all whole characters up to here that has not been returned before.
    ///
    /// What is no UTF-8 becomes U+FFFD, just as often as in [`String::from_utf8_lossy`]
    /// of the whole: where the pieces were cut makes no difference.
    pub fn push(&mut self, bytes: &[u8]) -> String {
        let mut piece = std::mem::take(&mut self.open);
        piece.extend_from_slice(bytes);
        let mut text = String::with_capacity(piece.len());
        let mut read = 0;
        for chunk in piece.utf8_chunks() {
            text.push_str(chunk.valid());
            read += chunk.valid().len() + chunk.invalid().len();
            match std::str::from_utf8(chunk.invalid()) {
                Ok(_) => {}
                // Bytes that could go on are no mistake yet, but only at the very end.
                Err(error) if error.error_len().is_none() && read == piece.len() => {
                    self.open = chunk.invalid().to_vec();
                }
                Err(_) => text.push(char::REPLACEMENT_CHARACTER),
            }
        }
        text
    }

    /// What is left when nothing more comes: a character that was never finished is one
    /// U+FFFD.
    pub fn finish(&mut self) -> String {
        let text = String::from_utf8_lossy(&self.open).into_owned();
        self.open.clear();
        text
    }
}
