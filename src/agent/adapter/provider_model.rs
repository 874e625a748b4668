//! A [`LanguageModel`] over any [`Provider`].

use std::sync::Arc;

use async_trait::async_trait;

use crate::agent::run::panic_guard::ScopedReceiver;
use crate::agent::{
    Content, DeltaSender, LanguageModel, Message, ModelRequest, StopReason, StreamDelta, Usage,
    now_ms, to_types,
};
use crate::provider::{Provider, ProviderError, StreamEvent};
use crate::types::{AssistantMessage, StopReason as ReplyReason, TokenUsage};

/// How many events of the provider may wait for a slow reader.
const EVENTS: usize = 64;

/// A chapter 2 provider that takes and returns this module's messages.
///
/// The documentation of [`to_types`] lists what the conversion loses. The request's settings
/// for thinking, caching and the length of the reply are ignored, since a provider is
/// configured once. Replies have no thinking and no images.
pub struct ProviderModel {
    provider: Arc<dyn Provider>,
    name: String,
    model: String,
}

impl ProviderModel {
    /// A model over `provider`. Its replies carry the provider name `name` and the model name
    /// `model`.
    pub fn new(
        provider: impl Provider + 'static,
        name: impl Into<String>,
        model: impl Into<String>,
    ) -> Self {
        Self::shared(Arc::new(provider), name, model)
    }

    /// A model over a shared provider.
    pub fn shared(
        provider: Arc<dyn Provider>,
        name: impl Into<String>,
        model: impl Into<String>,
    ) -> Self {
        Self {
            provider,
            name: name.into(),
            model: model.into(),
        }
    }
}

/// Converts a provider's reply: its text, if it is not empty, and then its calls. Without
/// token counts, all counts are 0. The timestamp is in milliseconds since 1970.
pub fn reply_message(
    reply: AssistantMessage,
    provider: &str,
    model: &str,
    timestamp: u64,
) -> Message {
    let text = reply.text.filter(|text| !text.is_empty());
    let mut content: Vec<Content> = text
        .map(|text| Content::Text { text })
        .into_iter()
        .collect();
    content.extend(reply.tool_calls.into_iter().map(|call| Content::ToolCall {
        id: call.id,
        name: call.name,
        arguments: call.arguments,
    }));
    Message::Assistant {
        content,
        stop_reason: match reply.stop_reason {
            ReplyReason::Stop => StopReason::Stop,
            ReplyReason::ToolUse => StopReason::ToolUse,
        },
        model: model.to_string(),
        provider: provider.to_string(),
        usage: reply.usage.map(usage_of).unwrap_or_default(),
        timestamp,
        error_message: None,
    }
}

/// A provider's token counts as an agent's. A provider does not count reasoning separately.
fn usage_of(counts: TokenUsage) -> Usage {
    Usage {
        input: counts.input_tokens,
        output: counts.output_tokens,
        reasoning: 0,
        cache_read: counts.cache_read_tokens,
        cache_write: counts.cache_creation_tokens,
        total_tokens: counts.total_tokens(),
    }
}

/// The delta for a provider's event; `None` for events that only affect the complete reply.
pub fn delta_of(event: StreamEvent) -> Option<StreamDelta> {
    match event {
        StreamEvent::TextDelta(delta) => Some(StreamDelta::Text { delta }),
        StreamEvent::ToolCallDelta { arguments, .. } => {
            Some(StreamDelta::ToolCallDelta { delta: arguments })
        }
        StreamEvent::ToolCallStart { .. } | StreamEvent::Usage(_) | StreamEvent::Done(_) => None,
    }
}

#[async_trait]
impl LanguageModel for ProviderModel {
    fn provider(&self) -> &str {
        &self.name
    }

    fn model(&self) -> &str {
        &self.model
    }

    async fn stream(
        &self,
        request: &ModelRequest<'_>,
        deltas: &DeltaSender,
    ) -> Result<Message, ProviderError> {
        let messages = to_types(request.system, request.messages);
        let (sender, mut events, done) = ScopedReceiver::channel(EVENTS);
        let asking = async {
            let request = self.provider.stream(&messages, request.tools, &sender);
            let reply = request.await;
            done.cancel();
            reply
        };
        let passing_on = async {
            while let Some(event) = events.next().await {
                if let Some(delta) = delta_of(event) {
                    // A dropped receiver does not end the reply.
                    let _ = deltas.send(delta).await;
                }
            }
        };
        let (reply, ()) = tokio::join!(asking, passing_on);
        Ok(reply_message(reply?, &self.name, &self.model, now_ms()))
    }
}
