//! Any [`Provider`] as a [`LanguageModel`].

use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::agent::run::panic_guard::News;
use crate::agent::{
    Content, DeltaSender, LanguageModel, Message, ModelRequest, StopReason, StreamDelta, Usage,
    now_ms, to_types,
};
use crate::provider::{Provider, ProviderError, StreamEvent};
use crate::types::{AssistantMessage, StopReason as ReplyReason};

/// How many pieces may wait for whoever reads the deltas.
const PIECES: usize = 64;

/// A provider of chapter 2, spoken to in this module's messages.
///
/// What a provider has no words for is lost on the way, as [`to_types`] says. How much to
/// think, how to cache and how long the reply may be are not passed on: a provider is
/// configured once. What comes back has no thoughts and no images.
pub struct ProviderModel {
    provider: Arc<dyn Provider>,
    name: String,
    model: String,
}

impl ProviderModel {
    /// The provider, and the names that its replies are to bear.
    pub fn new(
        provider: impl Provider + 'static,
        name: impl Into<String>,
        model: impl Into<String>,
    ) -> Self {
        Self::shared(Arc::new(provider), name, model)
    }

    /// The same for a provider that is shared.
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

    /// A provider's reply in this module's words: its text, if there is any, and behind it
    /// its calls. Without a count of tokens they are all 0.
    pub fn reply(&self, reply: AssistantMessage) -> Message {
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
        let usage = reply.usage.map(|usage| Usage {
            input: usage.input_tokens,
            output: usage.output_tokens,
            reasoning: 0,
            cache_read: usage.cache_read_tokens,
            cache_write: usage.cache_creation_tokens,
            total_tokens: usage.total_tokens(),
        });
        Message::Assistant {
            content,
            stop_reason: match reply.stop_reason {
                ReplyReason::Stop => StopReason::Stop,
                ReplyReason::ToolUse => StopReason::ToolUse,
            },
            model: self.model.clone(),
            provider: self.name.clone(),
            usage: usage.unwrap_or_default(),
            timestamp: now_ms(),
            error_message: None,
        }
    }
}

/// The piece that a reader of deltas gets; `None` for what only the whole reply says.
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
        let (sender, events) = mpsc::channel(PIECES);
        let is_over = CancellationToken::new();
        let mut events = News::new(events, &is_over);
        let asking = async {
            let reply = self
                .provider
                .stream(&messages, request.tools, &sender)
                .await;
            is_over.cancel();
            reply
        };
        let passing_on = async {
            while let Some(event) = events.next().await {
                if let Some(delta) = delta_of(event) {
                    // A reader that has gone away does not end the reply.
                    let _ = deltas.send(delta).await;
                }
            }
        };
        let (reply, ()) = tokio::join!(asking, passing_on);
        Ok(self.reply(reply?))
    }
}
