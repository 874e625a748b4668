//! From a reply's pieces back to the reply.

use std::collections::BTreeMap;

use serde::de::Error;
use serde_json::{Value, json};

use super::{ProviderError, StreamEvent};
use crate::types::{AssistantMessage, StopReason, TokenUsage, ToolCall, new_id};

/// Puts a reply together from its [`StreamEvent`]s.
///
/// Nothing that was pushed is lost: whatever events came, every index is a call of the
/// finished reply, and every piece of text is in it.
#[derive(Debug, Default)]
pub struct StreamAccumulator {
    text: String,
    /// The calls by their index, which is the order in which the model made them.
    calls: BTreeMap<usize, PartialCall>,
    usage: Option<TokenUsage>,
    /// Whether `Done` was pushed: the mark of a reply that is complete.
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
    /// Takes in the next event.
    ///
    /// Pieces of several calls may come in any order; `index` says whose they are. Of
    /// several usages the last one counts.
    pub fn push(&mut self, event: &StreamEvent) {
        todo!("2.5: write StreamAccumulator::push")
    }

    /// The reason with which a reply of these pieces ends: tools have to run exactly when
    /// there are calls, whatever the server says.
    pub fn stop_reason(&self) -> StopReason {
        todo!("2.5: write StreamAccumulator::stop_reason")
    }

    /// The reply, with a new id; its text is `None` if there was none. Calls stand in the
    /// order of their indexes, each with [its arguments read](read_arguments), and no two
    /// have the same id: see [`distinct_id`]. Its stop reason is
    /// [the one of its calls](Self::stop_reason), whatever reason `Done` has.
    ///
    /// Before `Done` was pushed the reply is not complete. That is a
    /// [`ProviderError::Network`] which says that the reply broke off, after how many
    /// characters of text and how many tool calls.
    pub fn finish(self) -> Result<AssistantMessage, ProviderError> {
        todo!("2.5: write StreamAccumulator::finish")
    }
}

/// How many levels of arrays and objects a call's arguments may have, one inside the other.
///
/// serde_json reads no JSON of more than 127 levels, and whatever keeps a call puts a few of
/// its own around it: the message, the list it stands in, the record of a session. Without
/// this limit a call could be read and written, and never be read again.
pub const MAX_DEPTH: usize = 100;

/// Whether there are more than [`MAX_DEPTH`] levels in `arguments`. `[]` and `{}` have one,
/// a number and a text none.
pub fn is_too_deep(arguments: &Value) -> bool {
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

/// The JSON that a call's arguments are. JSON that [is too deep](is_too_deep) counts as none;
/// the error names the limit, [`MAX_DEPTH`].
///
/// Whoever makes JSON of arguments asks here, so that all of them take the same for JSON.
pub fn arguments_json(text: &str) -> serde_json::Result<Value> {
    todo!("2.5: write arguments_json")
}

/// A call's arguments as the model wrote them, [read as JSON](arguments_json). Nothing but
/// white space means no arguments: an empty object. What is not JSON is kept to the letter,
/// as a JSON string; [`arguments_problem`] reports it.
pub fn read_arguments(text: &str) -> Value {
    todo!("2.5: write read_arguments")
}

/// What is wrong with a call's arguments, in words for the model, if they are text that
/// is [not JSON](arguments_json): the tool's name, why it is none, and the text itself.
pub fn arguments_problem(call: &ToolCall) -> Option<String> {
    todo!("2.5: write arguments_problem")
}

/// An id for a call beside those that are `taken`: the given one if it is free, otherwise
/// the same with `_2`, `_3` and so on behind it, the first that is free. A call without
/// an id gets a new one, `call_` and a UUID.
///
/// Results find their calls by id, so two calls of one id could not both be answered.
pub fn distinct_id<'a>(id: &str, taken: impl Iterator<Item = &'a str> + Clone) -> String {
    todo!("2.5: write distinct_id")
}
