//! A request to the model, the same for all wire formats.

use serde_json::{Map, Value};

use crate::conversation::Turn;
use crate::reply::{Reply, ToolCall, Usage};
use crate::reply_settings::ReplySettings;
use crate::thought::ReturnedThought;

/// A parsed request.
#[derive(Debug)]
pub(crate) struct ModelRequest {
    /// The model that the client asked for. The reply repeats it, whatever it is.
    pub(crate) model: String,
    pub(crate) turns: Vec<Turn>,
    pub(crate) tools: Vec<ToolDefinition>,
    pub(crate) is_stream: bool,
    /// Whether a stream of Chat Completions ends with its usage. The other formats always
    /// send it.
    pub(crate) wants_usage: bool,
    /// Whether the reply should start with a thought.
    pub(crate) wants_thinking: bool,
    /// The thoughts that the client returns.
    pub(crate) thoughts: Vec<ReturnedThought>,
    /// What the request asks of the form of the reply.
    pub(crate) settings: ReplySettings,
    /// How many times a body or a stream of Chat Completions repeats the reply. The other
    /// formats send it once.
    pub(crate) choices: u64,
    /// Whether the server stores the response. Only Responses asks for it.
    pub(crate) is_stored: bool,
    /// The fields of a Responses request that its response repeats.
    pub(crate) echo: Map<String, Value>,
    /// The hash of the body. It is part of the ids in the reply, so equal bodies get equal
    /// ids.
    pub(crate) digest: u64,
}

/// A tool that the model may call.
#[derive(Debug)]
pub(crate) struct ToolDefinition {
    pub(crate) name: String,
    /// The JSON Schema of its arguments, or null.
    pub(crate) parameters: Value,
    /// Whether the tool takes any text in place of JSON arguments, as custom tools of
    /// Responses do.
    pub(crate) is_freeform: bool,
    /// The length of the definition as JSON, for the token usage.
    pub(crate) byte_len: usize,
}

impl ModelRequest {
    /// The token usage of a reply: the script's figures, or else one token for every four
    /// bytes or part of them.
    pub(crate) fn usage(&self, reply: &Reply) -> Usage {
        reply.usage.unwrap_or_else(|| {
            let text = reply.full_text().map_or(0, |text| text.len());
            let thinking = reply.thinking.as_ref().map_or(0, |it| it.text.len());
            let calls: usize = reply.calls.iter().map(ToolCall::byte_len).sum();
            Usage {
                input: self.input_tokens(),
                output: tokens(text + thinking + calls) * self.choices,
                cached: 0,
            }
        })
    }

    /// The tokens of the conversation and of the tool definitions.
    pub(crate) fn input_tokens(&self) -> u64 {
        let turns: usize = self.turns.iter().map(Turn::byte_len).sum();
        let tools: usize = self.tools.iter().map(|tool| tool.byte_len).sum();
        tokens(turns + tools)
    }
}

/// How many bytes count as one token.
pub(crate) const BYTES_PER_TOKEN: usize = 4;

fn tokens(bytes: usize) -> u64 {
    bytes.div_ceil(BYTES_PER_TOKEN) as u64
}
