//! Reads the JSON of a Chat Completions reply as [`StreamEvent`]s.
//!
//! A streamed reply arrives in many chunks, each with a `delta`. A reply that is not
//! streamed is a single object with a `message`. One reader handles both, since a message
//! is a delta that contains everything. Some servers send both fields at once.

use serde::Deserialize;
use serde_json::Value;

use super::{ProviderError, StreamEvent, abbreviate, unique_call_id};
use crate::types::TokenUsage;

/// What a server sends instead of a chunk after the last one.
pub const DONE: &str = "[DONE]";

/// Reads the chunks of one reply in order.
#[derive(Debug, Default)]
pub struct ChunkReader {
    /// Whether the reply is a single object, and not a stream.
    is_whole: bool,
    /// The calls started so far. A call's position is the `index` of its events.
    calls: Vec<StartedCall>,
    finished: bool,
}

/// The identity of a call that has started.
#[derive(Debug)]
struct StartedCall {
    /// The server's index, which other calls may share.
    wire_index: usize,
    /// The server's id; empty if it sent none.
    wire_id: String,
    /// The id in the call's events.
    id: String,
    /// Whether a part of its arguments has arrived.
    has_arguments: bool,
}

impl ChunkReader {
    /// The reader of a reply that is a single object.
    pub fn whole() -> Self {
        Self {
            is_whole: true,
            ..Self::default()
        }
    }

    /// Whether the server has ended the reply. Only the usage can follow.
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// The events of the next chunk, in this order: its text and its refusal unless empty,
    /// its calls, the event of `cut_call` and a [note](finish_note) if the reply ends
    /// early, its usage. All but the usage come from the first choice, since a request asks for
    /// one choice only.
    ///
    /// - White space has no events. `[DONE]`, with or without white space around it, has no
    ///   events and finishes the reply.
    /// - Text that is not JSON, or has neither `choices` nor `usage` nor `error`, is a
    ///   [`ProviderError::MalformedReply`] that quotes its beginning.
    /// - An `error` becomes [an error](ProviderError::from_error_object).
    /// - A `message` finishes the reply. So does a `finish_reason`, even an empty one.
    /// - If a choice has both a `delta` and a `message`, the `message` counts in a
    ///   [whole](Self::whole) reply, and the `delta` in a stream, even an empty one.
    pub fn read(&mut self, json: &str) -> Result<Vec<StreamEvent>, ProviderError> {
        todo!("chunks-of-reply: write ChunkReader::read")
    }

    /// The events of one entry of `tool_calls`: a start if the entry starts a call, and its
    /// arguments unless empty. Without an `index`, the entry's `position` is its index.
    ///
    /// A call that starts gets an id that [differs](unique_call_id) from those of the calls
    /// before it.
    fn read_call(&mut self, position: usize, delta: CallDelta) -> Vec<StreamEvent> {
        let mut events = Vec::new();
        let wire_index = delta.index.unwrap_or(position);
        let wire_id = delta.id.unwrap_or_default();
        let function = delta.function.unwrap_or_default();
        let arguments = function.arguments_text();
        let known = self.find_call(wire_index, &wire_id);
        let index = known.unwrap_or(self.calls.len());
        if known.is_none() {
            let id = unique_call_id(&wire_id, self.calls.iter().map(|call| call.id.as_str()));
            events.push(StreamEvent::ToolCallStart {
                index,
                id: id.clone(),
                name: function.name.unwrap_or_default(),
            });
            self.calls.push(StartedCall {
                wire_index,
                wire_id,
                id,
                has_arguments: false,
            });
        }
        if !arguments.is_empty() {
            self.calls[index].has_arguments = true;
            events.push(StreamEvent::ToolCallDelta { index, arguments });
        }
        events
    }

    /// The event for the last call of a reply that ends early, if none of its arguments has
    /// arrived. Its arguments become `{`, which is no JSON, so the call fails. Without arguments,
    /// it could be valid and would run.
    fn cut_call(&mut self) -> Option<StreamEvent> {
        let index = self.calls.len().checked_sub(1)?;
        let call = &mut self.calls[index];
        if std::mem::replace(&mut call.has_arguments, true) {
            return None;
        }
        let arguments = "{".to_string();
        Some(StreamEvent::ToolCallDelta { index, arguments })
    }

    /// The position of the call that an entry continues: the latest call with this index and
    /// this id, or with this index alone if the entry has no id. `None` if the entry starts
    /// a call.
    fn find_call(&self, wire_index: usize, wire_id: &str) -> Option<usize> {
        todo!("chunks-of-reply: write ChunkReader::find_call")
    }
}

/// A note for the user and the model, to append to a reply with this finish reason; `None`
/// if the reply ended normally.
///
/// After `length` and `content_filter` a reply looks complete and is not. Their notes name
/// the cause on a line of their own: the length limit or the content filter.
pub fn finish_note(finish_reason: &str) -> Option<&'static str> {
    todo!("chunks-of-reply: write finish_note")
}

/// A chunk of a streamed reply, or a whole reply.
#[derive(Deserialize)]
struct Chunk {
    choices: Option<Vec<Choice>>,
    usage: Option<WireUsage>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    delta: Option<Delta>,
    message: Option<Delta>,
    finish_reason: Option<String>,
}

#[derive(Default, Deserialize)]
struct Delta {
    content: Option<String>,
    /// The refusal that the model writes instead of content.
    refusal: Option<String>,
    tool_calls: Option<Vec<CallDelta>>,
}

#[derive(Deserialize)]
struct CallDelta {
    index: Option<usize>,
    id: Option<String>,
    function: Option<FunctionDelta>,
}

#[derive(Default, Deserialize)]
struct FunctionDelta {
    name: Option<String>,
    /// A string that contains JSON. Some servers send the JSON itself.
    arguments: Option<Value>,
}

/// Token counts as Chat Completions reports them.
#[derive(Deserialize)]
struct WireUsage {
    #[serde(default)]
    prompt_tokens: u64,
    #[serde(default)]
    completion_tokens: u64,
    prompt_tokens_details: Option<PromptTokens>,
}

#[derive(Deserialize)]
struct PromptTokens {
    cached_tokens: Option<u64>,
}

impl Chunk {
    /// The chunk, or the whole reply. Each choice has at most one of `delta` and `message`.
    fn parse(json: &str, is_whole: bool) -> Result<Self, ProviderError> {
        let malformed = |why: String| {
            ProviderError::MalformedReply(format!("{why}; it begins: {}", abbreviate(json.trim())))
        };
        let mut chunk: Self =
            serde_json::from_str(json).map_err(|error| malformed(error.to_string()))?;
        for choice in chunk.choices.iter_mut().flatten() {
            // Some servers send both. The message of a chunk repeats the text so far, and the
            // delta of a whole reply is empty.
            if choice.delta.is_some() && choice.message.is_some() {
                match is_whole {
                    true => choice.delta = None,
                    false => choice.message = None,
                }
            }
        }
        if chunk.choices.is_none() && chunk.usage.is_none() && chunk.error.is_none() {
            return Err(malformed("it has no `choices`".to_string()));
        }
        Ok(chunk)
    }
}

impl FunctionDelta {
    /// The arguments as JSON text; empty if there are none.
    fn arguments_text(&self) -> String {
        match &self.arguments {
            Some(Value::String(text)) => text.clone(),
            Some(value) => value.to_string(),
            None => String::new(),
        }
    }
}

impl WireUsage {
    /// The counts as [`TokenUsage`]. Chat Completions includes cached tokens in
    /// `prompt_tokens`. `TokenUsage` counts them in `cache_read_tokens` only.
    fn to_token_usage(&self) -> TokenUsage {
        todo!("chunks-of-reply: write WireUsage::to_token_usage")
    }
}
