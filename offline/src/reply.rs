//! A reply of the model, before it is written in a wire format.

use serde_json::Value;

/// A reply of the model: an optional thought, optional text, and tool calls.
///
/// [`Reply::default`] is a text of about four hundred bytes, long enough to be cut, stalled
/// or corrupted in the middle.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The text, in the pieces that a stream sends.
    pub(crate) pieces: Option<Vec<String>>,
    pub(crate) thinking: Option<Thinking>,
    /// The data of a redacted thought.
    pub(crate) redacted_thinking: Option<String>,
    pub(crate) calls: Vec<ToolCall>,
    pub(crate) usage: Option<Usage>,
    pub(crate) ending: Ending,
}

/// Why a reply ends.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum Ending {
    /// The model had nothing to add.
    #[default]
    Complete,
    /// The reply reached the token limit.
    TokenLimit,
    /// The next text would have been this stop sequence.
    StopSequence(String),
}

/// A thought at the start of a reply. Chat Completions has no field for it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Thinking {
    pub(crate) text: String,
    pub(crate) signature: String,
}

/// One tool call of a reply.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ToolCall {
    pub(crate) id: String,
    pub(crate) name: String,
    /// The arguments as JSON, or the text for a tool that takes text. A script may set text
    /// that is not JSON.
    pub(crate) arguments: String,
    /// Whether the tool takes text.
    pub(crate) is_freeform: bool,
}

/// The token usage that a reply reports.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Usage {
    /// All input tokens, including those from the cache.
    pub(crate) input: u64,
    pub(crate) output: u64,
    pub(crate) cached: u64,
}

impl Reply {
    /// A reply that is only text. A stream sends it in pieces of up to twelve characters,
    /// and in at least two pieces if it has two characters.
    pub fn text(text: impl AsRef<str>) -> Self {
        Self::pieces(split_text(text.as_ref()))
    }

    /// A reply that is only text. A stream sends it in exactly these pieces.
    pub fn pieces<'a>(pieces: impl IntoIterator<Item = &'a str>) -> Self {
        Self {
            pieces: Some(pieces.into_iter().map(String::from).collect()),
            ..Self::empty()
        }
    }

    /// A reply that is only tool calls. Each call is its id, the tool's name and the
    /// arguments.
    pub fn tool_calls<'a>(calls: impl IntoIterator<Item = (&'a str, &'a str, Value)>) -> Self {
        Self::empty().and_tool_calls(calls)
    }

    /// A reply without text and without tool calls.
    pub fn empty() -> Self {
        Self {
            pieces: None,
            thinking: None,
            redacted_thinking: None,
            calls: Vec::new(),
            usage: None,
            ending: Ending::Complete,
        }
    }

    /// Adds tool calls after the text and after any earlier calls.
    pub fn and_tool_calls<'a>(
        mut self,
        calls: impl IntoIterator<Item = (&'a str, &'a str, Value)>,
    ) -> Self {
        for (id, name, arguments) in calls {
            self = self.and_raw_call(id, name, arguments.to_string());
        }
        self
    }

    /// Adds a tool call with exactly this text as its arguments, whether or not it is JSON.
    pub fn and_raw_call(mut self, id: &str, name: &str, arguments: impl Into<String>) -> Self {
        self.calls.push(ToolCall {
            id: id.into(),
            name: name.into(),
            arguments: arguments.into(),
            is_freeform: false,
        });
        self
    }

    /// Puts a signed thought before the text: a `thinking` block in Messages, a `reasoning`
    /// item in Responses. Chat Completions leaves it out.
    pub fn thinking(mut self, text: impl Into<String>, signature: impl Into<String>) -> Self {
        self.thinking = Some(Thinking {
            text: text.into(),
            signature: signature.into(),
        });
        self
    }

    /// Puts a redacted thought before the text: a `redacted_thinking` block with this data
    /// in Messages. The other formats leave it out.
    pub fn redacted_thinking(mut self, data: impl Into<String>) -> Self {
        self.redacted_thinking = Some(data.into());
        self
    }

    /// Sets the input and output tokens. Without this, the server counts one token for
    /// every four bytes.
    pub fn usage(mut self, input: u64, output: u64) -> Self {
        let cached = self.usage.map_or(0, |usage| usage.cached);
        self.usage = Some(Usage {
            input,
            output,
            cached,
        });
        self
    }

    /// Sets how many of the input tokens came from the cache. Use it together with
    /// [`usage`](Self::usage).
    pub fn cached(mut self, tokens: u64) -> Self {
        self.usage.get_or_insert_default().cached = tokens;
        self
    }

    /// Marks the reply as ended by the token limit: finish reason `length` in Chat
    /// Completions, stop reason `max_tokens` in Messages, status `incomplete` in Responses.
    pub fn cut_short(mut self) -> Self {
        self.ending = Ending::TokenLimit;
        self
    }

    /// The pieces of the text as one string, if there is text.
    pub(crate) fn full_text(&self) -> Option<String> {
        self.pieces.as_ref().map(|pieces| pieces.concat())
    }
}

impl ToolCall {
    /// How many bytes the call counts for in the token usage.
    pub(crate) fn byte_len(&self) -> usize {
        self.name.len() + self.arguments.len()
    }
}

/// Splits a text as [`Reply::text`] describes.
pub(crate) fn split_text(text: &str) -> Vec<&str> {
    let size = text.chars().count().div_ceil(2).clamp(1, 12);
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.char_indices().nth(size).map_or(rest.len(), |it| it.0);
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

impl Default for Reply {
    fn default() -> Self {
        Self::text(DEFAULT_TEXT)
    }
}

const DEFAULT_TEXT: &str = "This reply is the one that faults are applied to. It is long enough to \
    be cut, stalled or corrupted in the middle, and says nothing else of interest: a few sentences, \
    some punctuation, and the letters ä, 中 and 🦀, which take two, three and four bytes each. \
    If you can read this sentence up to its full stop, the reply arrived whole.";
