//! What a server is told to answer before its own rules take over.

use std::collections::VecDeque;

use serde_json::Value;

use crate::fault::Fault;

/// A reply of the model, before it is written in one of the wire formats.
///
/// [`Reply::default`] is a text of some four hundred bytes: long enough to be cut,
/// stalled or spoilt in the middle.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The text in the pieces that it is streamed in.
    pub(crate) pieces: Option<Vec<String>>,
    pub(crate) thinking: Option<Thinking>,
    pub(crate) withheld: Option<String>,
    pub(crate) calls: Vec<Call>,
    pub(crate) usage: Option<Usage>,
    pub(crate) is_cut_short: bool,
}

/// What the model thought before it spoke. Chat Completions has no place for it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Thinking {
    pub(crate) text: String,
    pub(crate) signature: String,
}

/// One tool call of a reply.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    pub(crate) id: String,
    pub(crate) name: String,
    /// JSON, unless a test wants to see what becomes of something else.
    pub(crate) arguments: String,
}

/// What a reply is said to have cost.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Usage {
    /// All the tokens read, those from the cache among them.
    pub(crate) input: u64,
    pub(crate) output: u64,
    pub(crate) cached: u64,
}

impl Reply {
    /// A reply of text alone. It is streamed in pieces of up to twelve characters, and in
    /// two at least if it has two characters.
    pub fn text(text: impl AsRef<str>) -> Self {
        Self::pieces(pieces(text.as_ref()))
    }

    /// A reply of text alone, streamed in just these pieces.
    pub fn pieces<'a>(pieces: impl IntoIterator<Item = &'a str>) -> Self {
        Self {
            pieces: Some(pieces.into_iter().map(String::from).collect()),
            ..Self::empty()
        }
    }

    /// A reply that calls tools and says nothing. Each call is its id, the tool's
    /// name and the arguments.
    pub fn tool_calls<'a>(calls: impl IntoIterator<Item = (&'a str, &'a str, Value)>) -> Self {
        Self::empty().and_tool_calls(calls)
    }

    /// A reply with neither text nor calls.
    pub fn empty() -> Self {
        Self {
            pieces: None,
            thinking: None,
            withheld: None,
            calls: Vec::new(),
            usage: None,
            is_cut_short: false,
        }
    }

    /// Adds calls, after the text and after the calls there are.
    pub fn and_tool_calls<'a>(
        mut self,
        calls: impl IntoIterator<Item = (&'a str, &'a str, Value)>,
    ) -> Self {
        for (id, name, arguments) in calls {
            self = self.and_raw_call(id, name, arguments.to_string());
        }
        self
    }

    /// Adds a call whose arguments are this very text, JSON or not.
    pub fn and_raw_call(mut self, id: &str, name: &str, arguments: impl Into<String>) -> Self {
        self.calls.push(Call {
            id: id.into(),
            name: name.into(),
            arguments: arguments.into(),
        });
        self
    }

    /// Puts a signed thought before the text. Messages has it as a `thinking` block and
    /// Responses as a `reasoning` item; Chat Completions leaves it out.
    pub fn thinking(mut self, text: impl Into<String>, signature: impl Into<String>) -> Self {
        self.thinking = Some(Thinking {
            text: text.into(),
            signature: signature.into(),
        });
        self
    }

    /// Puts a thought before the text that the provider has withheld. Messages has it as a
    /// `redacted_thinking` block with this data; the others leave it out.
    pub fn redacted_thinking(mut self, data: impl Into<String>) -> Self {
        self.withheld = Some(data.into());
        self
    }

    /// Sets the tokens read and written. Without this they are counted by the rule of
    /// four bytes a token.
    pub fn usage(mut self, input: u64, output: u64) -> Self {
        let cached = self.usage.map_or(0, |usage| usage.cached);
        self.usage = Some(Usage {
            input,
            output,
            cached,
        });
        self
    }

    /// Sets how many of the tokens read came from the cache. Call it after
    /// [`usage`](Self::usage).
    pub fn cached(mut self, tokens: u64) -> Self {
        self.usage.get_or_insert_default().cached = tokens;
        self
    }

    /// Says that the reply ended for want of tokens: finish reason `length`, stop
    /// reason `max_tokens`, status `incomplete`.
    pub fn cut_short(mut self) -> Self {
        self.is_cut_short = true;
        self
    }

    /// The whole text, if there is one.
    pub(crate) fn whole_text(&self) -> Option<String> {
        self.pieces.as_ref().map(|pieces| pieces.concat())
    }
}

/// A text in pieces, as [`Reply::text`] says.
pub(crate) fn pieces(text: &str) -> Vec<&str> {
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

/// What a server answers, a step for each request, in their order. When the steps are
/// used up, the rule model answers.
#[derive(Debug, Clone, Default)]
pub struct Script {
    pub(crate) steps: VecDeque<Step>,
    pub(crate) chunk: Option<usize>,
}

/// What becomes of one request.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) reply: Reply,
    pub(crate) fault: Option<Fault>,
}

impl Script {
    /// A script without steps.
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers the next request with this.
    pub fn reply(mut self, reply: Reply) -> Self {
        self.steps.push_back(Step { reply, fault: None });
        self
    }

    /// Spoils the answer to the next request, which is [`Reply::default`].
    ///
    /// # Panics
    /// As [`fault_in`](Self::fault_in).
    pub fn fault(self, fault: Fault) -> Self {
        self.fault_in(fault, Reply::default())
    }

    /// Answers the next request with this reply, spoilt.
    ///
    /// # Panics
    /// If the fault has a status or a header that HTTP cannot carry.
    pub fn fault_in(mut self, fault: Fault, reply: Reply) -> Self {
        fault.check();
        self.steps.push_back(Step {
            reply,
            fault: Some(fault),
        });
        self
    }

    /// Has every body written `bytes` bytes at a time, each piece a chunk of its own on
    /// the connection: 1 splits between any two bytes. 0 is taken as 1.
    pub fn chunk(mut self, bytes: usize) -> Self {
        self.chunk = Some(bytes.max(1));
        self
    }
}

const DEFAULT_TEXT: &str = "This reply is the one that faults are done to. It is long enough to \
    be cut, stalled or spoilt in its middle, and says nothing else of interest: a few sentences, \
    some punctuation, and the letters ä, 中 and 🦀, which take two, three and four bytes each. \
    Whoever reads this sentence to its full stop has received the reply whole.";
