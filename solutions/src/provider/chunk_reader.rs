//! The reply: from the JSON of Chat Completions to [`StreamEvent`]s.
//!
//! A streamed reply comes in many chunks, each with a `delta`; one that is not streamed
//! is a single object with a `message`. Both are read here, since a message is a delta
//! that holds everything.

use serde::Deserialize;
use serde_json::Value;

use super::{ProviderError, StreamEvent, distinct_id, excerpt};
use crate::types::TokenUsage;

/// What a server sends in place of a chunk when there are no more.
pub const DONE: &str = "[DONE]";

/// Reads the chunks of one reply, in their order.
#[derive(Debug, Default)]
pub struct ChunkReader {
    /// The calls begun so far; their position is the `index` of their events.
    calls: Vec<OpenCall>,
    finished: bool,
}

/// What is known of a call that has begun.
#[derive(Debug)]
struct OpenCall {
    /// The index that the server gave, which need not be this call's alone.
    wire_index: usize,
    /// The id that the server gave; empty if it gave none.
    wire_id: String,
    /// The id that the call's events have.
    id: String,
}

impl ChunkReader {
    /// Whether the server has said that the reply ends. Only usage can follow.
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// The events of the next chunk: its text and its refusal unless empty, its calls, a
    /// [note](finish_note) if the reply ends for an unusual reason, its usage. All but the
    /// usage are those of the first choice: no more than one is asked for.
    ///
    /// - White space alone has no events, and `[DONE]` has none and finishes the reply.
    /// - What is not JSON, or has neither `choices` nor `usage` nor `error`, is a
    ///   [`ProviderError::MalformedReply`] that quotes its beginning.
    /// - An `error` is [that error](ProviderError::from_error_object).
    /// - A `message`, or a `finish_reason`, finishes the reply.
    pub fn read(&mut self, json: &str) -> Result<Vec<StreamEvent>, ProviderError> {
        let mut events = Vec::new();
        self.finished |= json.trim() == DONE;
        if json.trim().is_empty() || json.trim() == DONE {
            return Ok(events);
        }
        let chunk = Chunk::parse(json)?;
        if let Some(error) = &chunk.error {
            return Err(ProviderError::from_error_object(error));
        }
        if let Some(choice) = chunk.choices.into_iter().flatten().next() {
            self.finished |= choice.message.is_some() || choice.finish_reason.is_some();
            let delta = choice.message.or(choice.delta).unwrap_or_default();
            let texts = [delta.content, delta.refusal].into_iter().flatten();
            events.extend(
                texts
                    .filter(|text| !text.is_empty())
                    .map(StreamEvent::TextDelta),
            );
            for (position, call) in delta.tool_calls.into_iter().flatten().enumerate() {
                events.extend(self.read_call(position, call));
            }
            let note = choice.finish_reason.as_deref().and_then(finish_note);
            events.extend(note.map(|note| StreamEvent::TextDelta(note.to_string())));
        }
        events.extend(
            chunk
                .usage
                .map(|usage| StreamEvent::Usage(usage.normalized())),
        );
        Ok(events)
    }

    /// The events of one entry of `tool_calls`: a start if a call begins with it, and its
    /// arguments if it has any. An entry without an index has that of its position.
    ///
    /// Every call that begins gets an id that [is distinct](distinct_id) from those of the
    /// calls before it.
    fn read_call(&mut self, position: usize, delta: CallDelta) -> Vec<StreamEvent> {
        let mut events = Vec::new();
        let wire_index = delta.index.unwrap_or(position);
        let wire_id = delta.id.unwrap_or_default();
        let function = delta.function.unwrap_or_default();
        let arguments = function.arguments_text();
        let known = self.call_of(wire_index, &wire_id);
        let index = known.unwrap_or(self.calls.len());
        if known.is_none() {
            let id = distinct_id(&wire_id, self.calls.iter().map(|call| call.id.as_str()));
            events.push(StreamEvent::ToolCallStart {
                index,
                id: id.clone(),
                name: function.name.unwrap_or_default(),
            });
            self.calls.push(OpenCall {
                wire_index,
                wire_id,
                id,
            });
        }
        if !arguments.is_empty() {
            events.push(StreamEvent::ToolCallDelta { index, arguments });
        }
        events
    }

    /// The position of the call that an entry goes on with: the latest that the server gave
    /// this index and this id, or this index and any id if the entry has none. `None` when
    /// the entry begins a call.
    fn call_of(&self, wire_index: usize, wire_id: &str) -> Option<usize> {
        self.calls.iter().rposition(|call| {
            call.wire_index == wire_index && (wire_id.is_empty() || call.wire_id == wire_id)
        })
    }
}

/// What the user and the model have to know of a reply that ends with this finish reason,
/// as text to put behind it; `None` where it ended as it should.
///
/// `length` and `content_filter` leave a reply that looks whole and is not. Their notes
/// name the cause, in a line of their own: the length limit, the content filter.
pub fn finish_note(finish_reason: &str) -> Option<&'static str> {
    match finish_reason {
        "length" => Some("\n[The reply is cut off here: it reached its length limit.]"),
        "content_filter" => {
            Some("\n[The reply is cut off here: the provider's content filter ended it.]")
        }
        _ => None,
    }
}

/// A chunk, or a whole reply.
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
    /// What the model says in place of content when it declines.
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
    /// A string that holds JSON, or from some servers the JSON itself.
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
    fn parse(json: &str) -> Result<Self, ProviderError> {
        let malformed = |why: String| {
            ProviderError::MalformedReply(format!("{why}; it begins: {}", excerpt(json.trim())))
        };
        let chunk: Self =
            serde_json::from_str(json).map_err(|error| malformed(error.to_string()))?;
        if chunk.choices.is_none() && chunk.usage.is_none() && chunk.error.is_none() {
            return Err(malformed("it has no `choices`".to_string()));
        }
        Ok(chunk)
    }
}

impl FunctionDelta {
    /// The arguments as text; empty where there are none.
    fn arguments_text(&self) -> String {
        match &self.arguments {
            Some(Value::String(text)) => text.clone(),
            Some(value) => value.to_string(),
            None => String::new(),
        }
    }
}

impl WireUsage {
    /// The counts as [`TokenUsage`] has them. Chat Completions counts the tokens from the
    /// cache among those of the prompt; here they are counted beside them.
    fn normalized(&self) -> TokenUsage {
        let details = self.prompt_tokens_details.as_ref();
        let cached = details.and_then(|details| details.cached_tokens);
        let cached = cached.unwrap_or(0);
        TokenUsage {
            input_tokens: self.prompt_tokens.saturating_sub(cached),
            output_tokens: self.completion_tokens,
            cache_read_tokens: cached,
            cache_creation_tokens: 0,
        }
    }
}
