//! The content of a text file, as bytes on disk and as the text that a model sees.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;

const BYTE_ORDER_MARK: char = '\u{feff}';

/// The content of a text file. A model sees the normalized text: every line ends in `\n`,
/// and there is no byte order mark. The original line ends and the mark are kept for the
/// disk.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TextFile {
    /// The text on disk with its line ends, without the byte order mark.
    raw: String,
    /// The text that a model sees: `raw` with `\n` for every `\r\n`. `None` if `raw` has no
    /// `\r\n`, as most files, so that most files need no second copy.
    normalized: Option<String>,
    /// The offset in `normalized` of each `\n` that is `\r\n` in `raw`, ascending.
    crlf_offsets: Vec<usize>,
    has_byte_order_mark: bool,
}

impl TextFile {
    /// Decodes `bytes`, the content of the file that the model calls `path`. The error is
    /// text for the model:
    ///
    /// - for bytes that begin with the mark of UTF-16, `FF FE` or `FE FF`, it contains
    ///   `UTF-16` and the `iconv` command that converts them;
    /// - for a NUL byte anywhere, it contains `binary` and the byte's offset;
    /// - for any other bytes that are not UTF-8, it contains the first invalid byte, such
    ///   as `0xE9`, its offset and its line.
    ///
    /// The text is made of `bytes` and not copied.
    pub fn decode(bytes: Vec<u8>, path: &str) -> Result<Self, String> {
        todo!("line-ends-and-byte-order-mark: write TextFile::decode")
    }

    /// The bytes for the disk. An unchanged text gives the bytes that it was decoded from.
    pub fn encode(&self) -> Cow<'_, [u8]> {
        match self.has_byte_order_mark {
            true => Cow::Owned(format!("{BYTE_ORDER_MARK}{}", self.raw).into_bytes()),
            false => Cow::Borrowed(self.raw.as_bytes()),
        }
    }

    /// The text that a model sees.
    pub fn normalized(&self) -> &str {
        self.normalized.as_deref().unwrap_or(&self.raw)
    }

    /// Whether new lines of this text end in `\r\n`: more than half of its lines do.
    pub fn prefers_crlf(&self) -> bool {
        let crlf = self.crlf_offsets.len();
        crlf > 0 && crlf * 2 > line_ends(self.normalized())
    }

    /// Replaces each of `ranges` of the [normalized](Self::normalized) text by `new`. The
    /// ranges are in ascending order and do not overlap. Line ends in `new` are converted
    /// to the kind that the text [prefers](Self::prefers_crlf). No byte outside the ranges
    /// changes.
    pub fn replace(&mut self, ranges: &[Range<usize>], new: &str) {
        todo!("line-ends-and-byte-order-mark: write TextFile::replace")
    }

    /// The text for the disk with which `content` becomes the whole text. It keeps what a model
    /// does not see of the old one:
    ///
    /// - The new text begins with a byte order mark if the old one does, and never with
    ///   two. Marks at the beginning of `content` are removed first.
    /// - If the text [prefers](Self::prefers_crlf) `\r\n`, all lines of the new text end
    ///   in it. Otherwise they end as in `content`.
    /// - If the last line of the old text had a line end, so does that of the new one,
    ///   unless nothing else is left of `content`.
    ///
    /// For an old text with `\n` line ends and without a mark, a `content` that needs no final
    /// line end is not copied.
    pub fn rewrite<'a>(&self, content: &'a str) -> Cow<'a, str> {
        let mut text = Cow::Borrowed(content.trim_start_matches(BYTE_ORDER_MARK));
        if self.raw.ends_with('\n') && !text.is_empty() && !text.ends_with('\n') {
            text.to_mut().push('\n');
        }
        if self.prefers_crlf() {
            text = text.replace("\r\n", "\n").replace('\n', "\r\n").into();
        }
        if self.has_byte_order_mark {
            text = format!("{BYTE_ORDER_MARK}{text}").into();
        }
        text
    }
}

/// Error text for bytes that are not UTF-8, the first of them at the offset `at`.
fn invalid_byte_message(bytes: &[u8], at: usize, path: &str) -> String {
    let line = 1 + bytes[..at].iter().filter(|byte| **byte == b'\n').count();
    format!(
        "`{path}` is not UTF-8 text: invalid byte 0x{:02X} at offset {at}, on line {line}; if the file is Latin-1, `bash` can convert it: iconv -f LATIN1 -t UTF-8",
        bytes[at]
    )
}

/// `raw` with `\n` for every `\r\n`, and the offsets of those `\n` in the result. The first
/// value is `None` if `raw` has no `\r\n`.
fn normalize_line_ends(raw: &str) -> (Option<String>, Vec<usize>) {
    let mut normalized = String::new();
    let mut crlf_offsets = Vec::new();
    let mut copied = 0;
    for at in memmem::find_iter(raw.as_bytes(), "\r\n") {
        normalized.push_str(&raw[copied..at]);
        crlf_offsets.push(normalized.len());
        // The `\n` begins the next part.
        copied = at + 1;
    }
    if crlf_offsets.is_empty() {
        return (None, crlf_offsets);
    }
    normalized.push_str(&raw[copied..]);
    (Some(normalized), crlf_offsets)
}

/// The number of `\n` in `text`.
pub(in crate::tools) fn line_ends(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count()
}

/// The number of lines of `text`. The last one may have no line end.
pub(in crate::tools) fn line_count(text: &str) -> usize {
    line_ends(text) + usize::from(!text.is_empty() && !text.ends_with('\n'))
}
