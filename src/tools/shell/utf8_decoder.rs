//! Decodes UTF-8 that arrives in chunks.

/// Decodes UTF-8 that arrives in chunks of any size.
#[derive(Debug, Clone, Default)]
pub struct Utf8Decoder {
    /// The first bytes of an incomplete character, at most three.
    incomplete: Vec<u8>,
}

impl Utf8Decoder {
    /// The text of all complete characters that were not returned before.
    ///
    /// Invalid bytes become U+FFFD, exactly as in [`String::from_utf8_lossy`] of all bytes
    /// together: the chunk boundaries make no difference.
    pub fn push(&mut self, bytes: &[u8]) -> String {
        todo!("utf-8-in-chunks: write Utf8Decoder::push")
    }

    /// The rest at the end of the input: one U+FFFD for an incomplete character, otherwise
    /// nothing.
    pub fn finish(&mut self) -> String {
        todo!("utf-8-in-chunks: write Utf8Decoder::finish")
    }
}
