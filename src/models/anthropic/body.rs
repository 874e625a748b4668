//! The body of a request to the Messages API.

use serde_json::{Value, json};

use super::AnthropicConfig;
use crate::agent::{CacheConfig, CacheStrategy, ModelRequest, ThinkingLevel};
use crate::chat::{
    MessagesBlock, MessagesContent, MessagesTurn, UnifiedRole, from_agent, to_messages,
};
use crate::prompt::SystemPrompt;
use crate::provider::ProviderError;
use crate::tools::{Api, tool_schema};
use crate::types::ToolDefinition;

/// The body of a streamed request.
///
/// - `system` is the prompt: one block for its static part and one for its dynamic part.
/// - `messages` is the conversation, converted by [`from_agent`] and [`to_messages`].
/// - `tools` is present only if there are tools.
/// - `thinking` is present only if there is a [budget](thinking_budget) for it. It is left out
///   if the last reply made calls without thinking first, because the API requires a chain
///   of calls to continue in the mode in which it began.
/// - The [cached parts](cached_parts) end with `cache_control`: the static prompt, the last
///   tool, and the last block of the conversation.
pub fn messages_body(
    config: &AnthropicConfig,
    request: &ModelRequest<'_>,
) -> Result<Value, ProviderError> {
    todo!("messages-request-body: write messages_body")
}

/// The parts of a request that are cached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CachedParts {
    /// The static part of the prompt.
    pub system: bool,
    /// The tools.
    pub tools: bool,
    /// The conversation.
    pub messages: bool,
}

/// The parts to cache with these settings: none if caching is disabled, all for
/// [`CacheStrategy::Auto`].
pub fn cached_parts(cache: &CacheConfig) -> CachedParts {
    let same = |all| CachedParts {
        system: all,
        tools: all,
        messages: all,
    };
    match cache.strategy {
        _ if !cache.enabled => same(false),
        CacheStrategy::Disabled => same(false),
        CacheStrategy::Auto => same(true),
        CacheStrategy::Manual {
            cache_system,
            cache_tools,
            cache_messages,
        } => CachedParts {
            system: cache_system,
            tools: cache_tools,
            messages: cache_messages,
        },
    }
}

/// The API's minimum for the thinking budget, in tokens.
const LEAST_BUDGET: u64 = 1024;

/// The thinking budget in tokens: 1024, 2048, 8192 or 16384 by level, but at most half of
/// `max_tokens`, since thinking is part of the reply. `None` for [`ThinkingLevel::Off`] and if
/// that half is below the API's minimum.
pub fn thinking_budget(level: ThinkingLevel, max_tokens: u64) -> Option<u64> {
    todo!("messages-request-body: write thinking_budget")
}

/// Whether the request may ask for thinking: not if the last reply has calls and does not
/// begin with thinking.
fn may_think(turns: &[MessagesTurn]) -> bool {
    let mut replies = turns
        .iter()
        .rev()
        .filter(|turn| turn.role == UnifiedRole::Assistant);
    let Some(MessagesContent::List(blocks)) = replies.next().map(|turn| &turn.content) else {
        return true;
    };
    let has_calls = blocks
        .iter()
        .any(|it| matches!(it, MessagesBlock::ToolUse { .. }));
    let begins_with_thoughts = matches!(
        blocks.first(),
        Some(MessagesBlock::Thinking { .. } | MessagesBlock::RedactedThinking { .. })
    );
    !has_calls || begins_with_thoughts
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

/// Marks the last block of the last turn, if there is one. It is no thinking, which can't have
/// `cache_control`: [`to_messages`] leaves none at the end of a turn.
fn mark_last(turns: &mut Value) {
    todo!("messages-request-body: write mark_last")
}

fn mark(block: &mut Value) {
    block["cache_control"] = json!({ "type": "ephemeral" });
}
