//! Trying again, with patience and only while nobody has seen anything.

use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::mpsc;
use tokio::time::sleep;

use super::{EventSender, Provider, ProviderError};
use crate::types::{AssistantMessage, Message, ToolDefinition};

/// When to try again, and when to give up.
#[derive(Debug, Clone, PartialEq)]
pub struct RetryPolicy {
    /// How many attempts may follow the first.
    pub max_retries: u32,
    /// The most that the first retry waits of its own accord; each later one may wait
    /// twice as long as the one before.
    pub base: Duration,
    /// Where that doubling ends.
    pub cap: Duration,
    /// The longest wait that a server may ask for. If it asks for more, the error is
    /// handed on: somebody should know that nothing happens for an hour.
    pub longest_wait: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            max_retries: 4,
            base: Duration::from_millis(500),
            cap: Duration::from_secs(16),
            longest_wait: Duration::from_secs(120),
        }
    }
}

impl RetryPolicy {
    /// How long to wait after this error before retry number `retry`, counted from 0;
    /// `None` to give up: the error is not [retryable](ProviderError::is_retryable), the
    /// retries are used up, or the server asks for too long a wait.
    ///
    /// The wait is what the server asks for, and on top of it `random`, a number from 0
    /// to 1, times the backoff: `base`, doubled with every retry, and `cap` at most.
    pub fn delay(&self, retry: u32, error: &ProviderError, random: f64) -> Option<Duration> {
        todo!("2.10: write RetryPolicy::delay")
    }
}

/// A provider that asks another one, again if need be.
pub struct Retrying<P> {
    provider: P,
    policy: RetryPolicy,
}

impl<P: Provider> Retrying<P> {
    /// Asks `provider`, under this policy.
    pub fn new(provider: P, policy: RetryPolicy) -> Self {
        Self { provider, policy }
    }

    /// The provider that is asked.
    pub fn inner(&self) -> &P {
        &self.provider
    }

    /// Waits until it is time for retry number `retry`. Gives the error back if there is
    /// to be none.
    async fn pause(&self, retry: u32, error: ProviderError) -> Result<(), ProviderError> {
        todo!("2.10: write Retrying::pause")
    }

    /// One attempt to stream, and whether it sent any event on.
    async fn attempt(
        &self,
        messages: &[Message],
        tools: &[&ToolDefinition],
        events: &EventSender,
    ) -> (Result<AssistantMessage, ProviderError>, bool) {
        todo!("2.10: write Retrying::attempt")
    }
}

#[async_trait]
impl<P: Provider> Provider for Retrying<P> {
    async fn chat(
        &self,
        messages: &[Message],
        tools: &[&ToolDefinition],
    ) -> Result<AssistantMessage, ProviderError> {
        todo!("2.10: write Retrying::chat")
    }

    /// Tries again only while no event was sent on: a second attempt begins from the
    /// start, and the user would read the first words twice.
    async fn stream(
        &self,
        messages: &[Message],
        tools: &[&ToolDefinition],
        events: &EventSender,
    ) -> Result<AssistantMessage, ProviderError> {
        todo!("2.10: write Retrying::stream")
    }
}
