//! A text file: what a model sees of it, and what only the disk does.

use std::ops::Range;

const BYTE_ORDER_MARK: char = '\u{feff}';

/// The content of a text file. A model sees lines that end in `\n`. What it does not
/// see, a byte order mark and the `\r` of some line ends, is remembered.
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    /// As on disk, without the byte order mark.
    raw: String,
    /// As a model sees it: every `\r\n` of `raw` is a `\n`.
    plain: String,
    /// Where in `plain` a `\n` stands that was a `\r\n`, in ascending order.
    returns: Vec<usize>,
    has_mark: bool,
}

impl Text {
    /// The text in `bytes`, the content of a file that the model calls `path`. The error
    /// says why it is none, for the model to read:
    ///
    /// - it begins with the mark of UTF-16, `FF FE` or `FE FF`: the message says `UTF-16`,
    ///   and that `iconv` can convert it;
    /// - it has a NUL byte, wherever: the message says `binary`, and at which offset;
    /// - it is not UTF-8: the message has the first wrong byte, as `0xE9`, its offset and
    ///   its line.
    pub fn decode(bytes: &[u8], path: &str) -> Result<Self, String> {
        if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
            return Err(format!(
                "`{path}` is UTF-16 text, and the file tools know UTF-8 only; `bash` can convert it: iconv -f UTF-16 -t UTF-8"
            ));
        }
        if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
            return Err(format!(
                "`{path}` is binary: the byte at offset {at} is NUL; the file tools are for text"
            ));
        }
        let raw = std::str::from_utf8(bytes).map_err(|error| {
            let at = error.valid_up_to();
            let line = 1 + bytes[..at].iter().filter(|byte| **byte == b'\n').count();
            format!(
                "`{path}` is not UTF-8 text: the byte 0x{:02X} at offset {at}, in line {line}; if it is Latin-1, `bash` can convert it: iconv -f LATIN1 -t UTF-8",
                bytes[at]
            )
        })?;
        let (raw, has_mark) = match raw.strip_prefix(BYTE_ORDER_MARK) {
            Some(rest) => (rest, true),
            None => (raw, false),
        };
        let (plain, returns) = without_returns(raw);
        Ok(Self {
            raw: raw.to_string(),
            plain,
            returns,
            has_mark,
        })
    }

    /// The bytes for the disk. Those of a text that was not changed are the bytes it was
    /// decoded from.
    pub fn encode(&self) -> Vec<u8> {
        let mut text = String::new();
        if self.has_mark {
            text.push(BYTE_ORDER_MARK);
        }
        text.push_str(&self.raw);
        text.into_bytes()
    }

    /// The text as a model sees it.
    pub fn plain(&self) -> &str {
        &self.plain
    }

    /// Whether new lines of this text end in `\r\n`: more than half of its lines do.
    pub fn prefers_returns(&self) -> bool {
        self.returns.len() * 2 > self.plain.matches('\n').count()
    }

    /// Puts `new` in the place of each of `ranges` of the [plain](Self::plain) text; they
    /// are in order and apart. Line ends in `new` become those that the text prefers.
    /// Not a byte outside of the ranges changes.
    pub fn replace(&mut self, ranges: &[Range<usize>], new: &str) {
        let (mut new, _) = without_returns(new);
        if self.prefers_returns() {
            new = new.replace('\n', "\r\n");
        }
        // In front of a place in the plain text there stood as many `\r` as line ends.
        let in_raw = |at: usize| at + self.returns.partition_point(|end| *end < at);
        let mut raw = String::new();
        let mut copied = 0;
        for range in ranges {
            raw.push_str(&self.raw[copied..in_raw(range.start)]);
            raw.push_str(&new);
            copied = in_raw(range.end);
        }
        raw.push_str(&self.raw[copied..]);
        (self.plain, self.returns) = without_returns(&raw);
        self.raw = raw;
    }

    /// Makes `content` the whole text, and keeps what a model does not see of the old
    /// one: the byte order mark stays, and stays one if `content` begins with its own;
    /// where the text [prefers](Self::prefers_returns) `\r\n`, all its lines end so, and
    /// elsewhere as `content` has them; and if its last line had a line end, that of a
    /// `content` which is not empty has one.
    pub fn rewrite(&mut self, content: &str) {
        let content = content.strip_prefix(BYTE_ORDER_MARK).unwrap_or(content);
        let mut raw = content.to_string();
        if self.plain.ends_with('\n') && !raw.is_empty() && !raw.ends_with('\n') {
            raw.push('\n');
        }
        if self.prefers_returns() {
            raw = without_returns(&raw).0.replace('\n', "\r\n");
        }
        (self.plain, self.returns) = without_returns(&raw);
        self.raw = raw;
    }
}

/// `raw` with `\n` for every `\r\n`, and where those now stand.
fn without_returns(raw: &str) -> (String, Vec<usize>) {
    let mut plain = String::with_capacity(raw.len());
    let mut returns = Vec::new();
    let mut lines = raw.split("\r\n").peekable();
    while let Some(line) = lines.next() {
        plain.push_str(line);
        if lines.peek().is_some() {
            returns.push(plain.len());
            plain.push('\n');
        }
    }
    (plain, returns)
}
