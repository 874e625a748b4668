//! A request as the model sees it, whichever format it came in.

use serde_json::Value;

use crate::script::{Call, Reply, Usage};

/// What was asked.
#[derive(Debug)]
pub(crate) struct Request {
    /// The model that was asked for. It is named in the answer, whatever it is.
    pub(crate) model: String,
    pub(crate) turns: Vec<Turn>,
    pub(crate) tools: Vec<Tool>,
    pub(crate) is_stream: bool,
    /// Whether a stream of Chat Completions ends with its usage.
    pub(crate) wants_usage: bool,
    /// Whether the model is to think before it speaks.
    pub(crate) wants_thoughts: bool,
    /// What it gives back of the model's thoughts.
    pub(crate) thoughts: Vec<Thought>,
    /// Stands for the request in the ids of its answer: equal for equal bodies.
    pub(crate) digest: u64,
}

/// One step of the conversation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Turn {
    System(String),
    User(String),
    Assistant { text: String, calls: Vec<Call> },
    ToolResult { id: String, text: String },
}

/// A thought that a request gives back.
#[derive(Debug)]
pub(crate) struct Thought {
    /// Where in the request it stands.
    pub(crate) place: String,
    pub(crate) sealed: Sealed,
}

/// What a provider knows its own thought by: all of it has to come back as it was sent.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Sealed {
    /// A `thinking` block of Messages.
    Thinking { text: String, signature: String },
    /// The data of a `redacted_thinking` block.
    Redacted(String),
    /// The summary of a `reasoning` item, its encrypted content, and its id if that is given
    /// back too.
    Reasoning {
        text: String,
        encrypted: String,
        id: Option<String>,
    },
}

impl Thought {
    /// Whether this is the thought that was sent. What Responses goes by is the encrypted
    /// content, whatever the summary says.
    pub(crate) fn is(&self, sent: &Sealed) -> bool {
        match (&self.sealed, sent) {
            (
                Sealed::Reasoning { encrypted, id, .. },
                Sealed::Reasoning {
                    encrypted: sent,
                    id: sent_id,
                    ..
                },
            ) => encrypted == sent && (id.is_none() || id == sent_id),
            (sealed, sent) => sealed == sent,
        }
    }
}

/// A tool that the model may call.
#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) name: String,
    /// The JSON Schema of its arguments.
    pub(crate) parameters: Value,
    /// The length of its definition, for counting tokens.
    pub(crate) bytes: usize,
}

/// What is wrong with a request, in words for whoever sent it.
#[derive(Debug, PartialEq)]
pub(crate) struct BadRequest(pub(crate) String);

impl Request {
    /// Every tool call must be answered before anything else is said, and nothing else
    /// may be answered: the rule that all three APIs enforce.
    pub(crate) fn check_pairs(&self) -> Result<(), BadRequest> {
        let mut open: Vec<&str> = Vec::new();
        for turn in &self.turns {
            match turn {
                Turn::ToolResult { id, .. } => {
                    let Some(at) = open.iter().position(|call| call == id) else {
                        return Err(BadRequest(format!(
                            "the tool result for {id:?} answers no open tool call: it must follow the assistant message with that call, and only once"
                        )));
                    };
                    open.remove(at);
                }
                _ if !open.is_empty() => break,
                Turn::Assistant { calls, .. } => {
                    open.extend(calls.iter().map(|call| call.id.as_str()));
                }
                Turn::System(_) | Turn::User(_) => {}
            }
        }
        match open.as_slice() {
            [] => Ok(()),
            ids => Err(BadRequest(format!(
                "these tool calls have no result right after them: {}",
                ids.join(", ")
            ))),
        }
    }

    /// What a reply costs: as its script says, or a token for every four bytes begun.
    pub(crate) fn usage(&self, reply: &Reply) -> Usage {
        reply.usage.unwrap_or_else(|| {
            let turns: usize = self.turns.iter().map(Turn::bytes).sum();
            let tools: usize = self.tools.iter().map(|tool| tool.bytes).sum();
            let text = reply.whole_text().map_or(0, |text| text.len());
            let thinking = reply.thinking.as_ref().map_or(0, |it| it.text.len());
            let calls: usize = reply.calls.iter().map(Call::bytes).sum();
            Usage {
                input: tokens(turns + tools),
                output: tokens(text + thinking + calls),
                cached: 0,
            }
        })
    }
}

impl Turn {
    fn bytes(&self) -> usize {
        match self {
            Self::System(text) | Self::User(text) | Self::ToolResult { text, .. } => text.len(),
            Self::Assistant { text, calls } => {
                text.len() + calls.iter().map(Call::bytes).sum::<usize>()
            }
        }
    }
}

impl Call {
    fn bytes(&self) -> usize {
        self.name.len() + self.arguments.len()
    }
}

fn tokens(bytes: usize) -> u64 {
    bytes.div_ceil(4) as u64
}

/// FNV-1a: short, and the same on every machine and in every release of Rust, which
/// std's hasher does not promise.
pub(crate) fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
