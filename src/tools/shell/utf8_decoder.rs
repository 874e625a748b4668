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
        todo!("7.2: write Decoder::push")
    }

    /// What is left when nothing more comes: a character that was never finished is one
    /// U+FFFD.
    pub fn finish(&mut self) -> String {
        todo!("7.2: write Decoder::finish")
    }
}
