//! Assembles a reply from its stream events.

use std::collections::BTreeMap;

use serde::de::Error;
use serde_json::{Value, json};

use super::{ProviderError, StreamEvent};
use crate::types::{AssistantMessage, StopReason, TokenUsage, ToolCall, new_id};

/// Assembles a reply from its [`StreamEvent`]s.
///
/// Nothing pushed is lost, even if the events are incomplete or out of order: every index
/// becomes a call of the finished reply, and the reply's text contains every text delta.
#[derive(Debug, Default)]
pub struct StreamAccumulator {
    text: String,
    /// The calls by index, which is the order in which the model made them.
    calls: BTreeMap<usize, PartialCall>,
    usage: Option<TokenUsage>,
    /// Whether `Done` was pushed, which marks the reply as complete.
    is_done: bool,
}

/// A call whose arguments are still arriving.
#[derive(Debug, Default)]
struct PartialCall {
    id: String,
    name: String,
    arguments: String,
}

impl StreamAccumulator {
    /// Adds the next event.
    ///
    /// Events of several calls can be interleaved; `index` names the call. A later usage
    /// replaces an earlier one.
    pub fn push(&mut self, event: &StreamEvent) {
        todo!("stream-accumulator: write StreamAccumulator::push")
    }

    /// The stop reason of the reply so far: `ToolUse` if there are calls, otherwise `Stop`.
    /// The reason that the server sends is ignored.
    pub fn stop_reason(&self) -> StopReason {
        match self.calls.is_empty() {
            true => StopReason::Stop,
            false => StopReason::ToolUse,
        }
    }

    /// The reply, with a new id. Its text is `None` if no text was pushed. Its calls are in
    /// the order of their indexes, with [parsed arguments](arguments_or_text) and
    /// [unique ids](unique_call_id). Its stop reason is [`stop_reason`](Self::stop_reason),
    /// even if `Done` has another.
    ///
    /// Without a `Done` the reply is incomplete. The error is a [`ProviderError::Network`]
    /// which says that the reply broke off, and after how many characters of text and how
    /// many tool calls.
    pub fn finish(self) -> Result<AssistantMessage, ProviderError> {
        todo!("stream-accumulator: write StreamAccumulator::finish")
    }

    /// The error of a reply without a `Done`.
    fn incomplete_reply(&self) -> ProviderError {
        ProviderError::Network(format!(
            "the reply broke off after {} characters of text and {} tool calls",
            self.text.chars().count(),
            self.calls.len()
        ))
    }
}

/// The calls of a complete reply, with [parsed arguments](arguments_or_text) and
/// [unique ids](unique_call_id).
fn finished_calls(calls: impl Iterator<Item = PartialCall>) -> Vec<ToolCall> {
    let mut finished: Vec<ToolCall> = Vec::new();
    for call in calls {
        finished.push(ToolCall {
            id: unique_call_id(&call.id, finished.iter().map(|call| call.id.as_str())),
            name: call.name,
            arguments: arguments_or_text(&call.arguments),
        });
    }
    finished
}

/// The greatest depth of a call's arguments, in nested arrays and objects.
///
/// serde_json refuses JSON of more than 127 levels, and storing a call adds a few: the
/// message, the list of messages, the record of a session. Without this limit a program
/// could write a call that it can never read again. Code that visits the values, such as
/// a check against a recursive schema, also needs stack for each level.
pub const MAX_DEPTH: usize = 64;

/// Whether `arguments` has more than [`MAX_DEPTH`] levels. `[]` and `{}` have one level; a
/// number and a string have none.
pub fn exceeds_max_depth(arguments: &Value) -> bool {
    depth(arguments) > MAX_DEPTH
}

fn depth(value: &Value) -> usize {
    let inner = match value {
        Value::Array(values) => values.iter().map(depth).max(),
        Value::Object(fields) => fields.values().map(depth).max(),
        _ => return 0,
    };
    1 + inner.unwrap_or(0)
}

/// Parses a call's arguments. JSON that [is too deep](exceeds_max_depth) is an error that
/// names the limit, [`MAX_DEPTH`].
///
/// All code that parses arguments calls this function, so that all of it accepts the same
/// JSON.
pub fn parse_arguments(text: &str) -> serde_json::Result<Value> {
    todo!("arguments-and-ids: write parse_arguments")
}

/// [Parses](parse_arguments) a call's arguments as the model wrote them. An empty text or
/// white space alone becomes an empty object. Text that is not JSON is kept unchanged as a
/// JSON string; [`arguments_problem`] reports it.
pub fn arguments_or_text(text: &str) -> Value {
    todo!("arguments-and-ids: write arguments_or_text")
}

/// An error message for the model if a call's arguments are a string that
/// [is not JSON](parse_arguments); otherwise `None`. It names the tool, gives the parser's
/// error and quotes the string.
pub fn arguments_problem(call: &ToolCall) -> Option<String> {
    todo!("arguments-and-ids: write arguments_problem")
}

/// An id for a call that differs from the `taken` ids: `id` itself if it is free, otherwise
/// the first free one of `{id}_2`, `{id}_3` and so on. An empty `id` is replaced by `call_`
/// and a new UUID.
///
/// Results find their calls by id, so two calls with one id could not both get a result.
pub fn unique_call_id<'a>(id: &str, taken: impl Iterator<Item = &'a str> + Clone) -> String {
    todo!("arguments-and-ids: write unique_call_id")
}
