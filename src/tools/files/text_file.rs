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
        todo!("6.3: write Text::decode")
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
        todo!("6.3: write Text::replace")
    }

    /// Makes `content` the whole text, and keeps what a model does not see of the old
    /// one: the byte order mark stays, and stays one if `content` begins with its own;
    /// where the text [prefers](Self::prefers_returns) `\r\n`, all its lines end so, and
    /// elsewhere as `content` has them; and if its last line had a line end, that of a
    /// `content` which is not empty has one.
    pub fn rewrite(&mut self, content: &str) {
        todo!("6.3: write Text::rewrite")
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
