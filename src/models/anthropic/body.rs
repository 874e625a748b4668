//! The body of a request to the Messages API.

use serde_json::{Value, json};

use crate::agent::{CacheConfig, CacheStrategy, ModelRequest, ThinkingLevel};
use crate::chat::{
    MessagesBlock, MessagesContent, MessagesTurn, UnifiedRole, from_agent, to_messages,
};
use crate::models::anthropic::AnthropicConfig;
use crate::prompt::SystemPrompt;
use crate::provider::ProviderError;
use crate::tools::{Api, tool_schema};
use crate::types::ToolDefinition;

/// The body of a streamed request.
///
/// - `system` is the prompt, its static part and its dynamic part a block each.
/// - `messages` is the conversation, by [`from_agent`] and [`to_messages`].
/// - `tools` is there only if there are any.
/// - `thinking` is there only if there is a [budget](thinking_budget) for it. Without one it
///   is also left out when the last reply made calls without thinking first: the API wants
///   a chain of calls to begin as it goes on.
/// - The parts that are [to be cached](cached_parts) end with `cache_control`: the static
///   prompt, the last tool, and the last block of the conversation that may bear it.
pub fn messages_body(
    config: &AnthropicConfig,
    request: &ModelRequest<'_>,
) -> Result<Value, ProviderError> {
    todo!("19.7: write messages_body")
}

/// Which parts of a request are cached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CachedParts {
    /// The static part of the prompt.
    pub system: bool,
    /// The tools.
    pub tools: bool,
    /// The conversation.
    pub messages: bool,
}

/// Which parts these settings ask to be cached: none if caching is not enabled, all if the
/// choice is the connection's.
pub fn cached_parts(cache: &CacheConfig) -> CachedParts {
    todo!("19.7: write cached_parts")
}

/// The fewest tokens that the API lets a model think.
const LEAST_BUDGET: u64 = 1024;

/// How many tokens of a reply the model may think: by the level 1024, 2048, 8192 or 16384,
/// but no more than half of what the reply may have, since they are part of it. `None` for
/// [`ThinkingLevel::Off`], and where the half is less than the API's least.
pub fn thinking_budget(level: ThinkingLevel, max_tokens: u64) -> Option<u64> {
    todo!("19.7: write thinking_budget")
}

/// Whether thinking can be asked for: not when the last reply has calls and begins with
/// something else than thoughts.
fn may_think(turns: &[MessagesTurn]) -> bool {
    todo!("19.7: write may_think")
}

fn system_blocks(prompt: &SystemPrompt, is_cached: bool) -> Vec<Value> {
    let parts = [(prompt.prefix(), is_cached), (prompt.rest(), false)];
    let parts = parts
        .into_iter()
        .filter(|(text, _)| !text.trim().is_empty());
    let blocks = parts.map(|(text, is_cached)| {
        let mut block = json!({ "type": "text", "text": text });
        if is_cached {
            mark(&mut block);
        }
        block
    });
    blocks.collect()
}

fn tools(tools: &[&ToolDefinition], is_cached: bool) -> Vec<Value> {
    let tools = tools.iter().map(|tool| tool_schema(Api::Messages, tool));
    let mut tools: Vec<Value> = tools.collect();
    if let Some(last) = tools.last_mut().filter(|_| is_cached) {
        mark(last);
    }
    tools
}

/// Marks the last block of a conversation that may bear it: thoughts may not.
fn mark_last(turns: &mut Value) {
    todo!("19.7: write mark_last")
}

fn mark(block: &mut Value) {
    block["cache_control"] = json!({ "type": "ephemeral" });
}
