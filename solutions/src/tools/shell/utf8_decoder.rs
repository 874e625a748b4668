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
        let mut pending = std::mem::take(&mut self.incomplete);
        pending.extend_from_slice(bytes);
        // Nearly all output is valid. Checking it at once is several times as fast as in chunks.
        let pending = match String::from_utf8(pending) {
            Ok(text) => return text,
            Err(error) => error.into_bytes(),
        };
        let mut text = String::with_capacity(pending.len());
        let mut read = 0;
        for chunk in pending.utf8_chunks() {
            text.push_str(chunk.valid());
            read += chunk.valid().len() + chunk.invalid().len();
            match std::str::from_utf8(chunk.invalid()) {
                Ok(_) => {}
                // An incomplete character is valid so far, but only at the very end.
                Err(error) if error.error_len().is_none() && read == pending.len() => {
                    self.incomplete = chunk.invalid().to_vec();
                }
                Err(_) => text.push(char::REPLACEMENT_CHARACTER),
            }
        }
        text
    }

    /// The rest at the end of the input: one U+FFFD for an incomplete character, otherwise
    /// nothing.
    pub fn finish(&mut self) -> String {
        let text = String::from_utf8_lossy(&self.incomplete).into_owned();
        self.incomplete.clear();
        text
    }
}
