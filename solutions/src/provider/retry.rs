//! Repeats failed requests, and never after part of a reply was sent.

use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::mpsc;
use tokio::time::sleep;

use super::{EventSender, Provider, ProviderError};
use crate::types::{AssistantMessage, Message, ToolDefinition};

/// When to retry a request, and when to give up.
#[derive(Debug, Clone, PartialEq)]
pub struct RetryPolicy {
    /// How many attempts may follow the first.
    pub max_retries: u32,
    /// The backoff of the first retry. It doubles with each later retry.
    pub base_delay: Duration,
    /// The greatest backoff.
    pub max_delay: Duration,
    /// The longest wait that a server may ask for. If it asks for more, the error is
    /// returned, so that the user learns of the wait.
    pub max_retry_after: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            max_retries: 4,
            base_delay: Duration::from_millis(500),
            max_delay: Duration::from_secs(16),
            max_retry_after: Duration::from_secs(120),
        }
    }
}

impl RetryPolicy {
    /// How long to wait after this error before retry number `retry`, counted from 0.
    ///
    /// `None` means to give up: the error is not [retryable](ProviderError::is_retryable),
    /// `max_retries` are used up, or the server asks for more than `max_retry_after`.
    ///
    /// The delay is the server's `retry_after`, if any, plus the backoff times `random`, a
    /// number from 0 to 1. The backoff is `base_delay`, doubled `retry` times, and at most
    /// `max_delay`.
    pub fn delay(&self, retry: u32, error: &ProviderError, random: f64) -> Option<Duration> {
        let minimum = error.retry_after().unwrap_or_default();
        if !error.is_retryable() || retry >= self.max_retries || minimum > self.max_retry_after {
            return None;
        }
        let backoff = self.base_delay.saturating_mul(2u32.saturating_pow(retry));
        Some(minimum + backoff.min(self.max_delay).mul_f64(random))
    }
}

/// A provider that repeats the failed requests of another provider.
pub struct RetryingProvider<P> {
    provider: P,
    policy: RetryPolicy,
}

impl<P: Provider> RetryingProvider<P> {
    /// Sends requests to `provider` and repeats them by this policy.
    pub fn new(provider: P, policy: RetryPolicy) -> Self {
        Self { provider, policy }
    }

    /// The provider that receives the requests.
    pub fn inner(&self) -> &P {
        &self.provider
    }

    /// Waits for the [delay](RetryPolicy::delay) of retry number `retry`. Returns the error
    /// if the policy gives up.
    async fn wait_before_retry(
        &self,
        retry: u32,
        error: ProviderError,
    ) -> Result<(), ProviderError> {
        match self.policy.delay(retry, &error, fastrand::f64()) {
            Some(delay) => {
                sleep(delay).await;
                Ok(())
            }
            None => Err(error),
        }
    }

    /// Makes one attempt to stream. Returns its outcome and whether it forwarded any event. An
    /// event counts as forwarded even if the receiver was dropped.
    async fn attempt(
        &self,
        messages: &[Message],
        tools: &[&ToolDefinition],
        events: &EventSender,
    ) -> (Result<AssistantMessage, ProviderError>, bool) {
        let (sender, mut receiver) = mpsc::channel(1);
        // The block owns the sender, so the receiver ends when the attempt does.
        let stream = async move { self.provider.stream(messages, tools, &sender).await };
        let forward = async {
            let mut forwarded = false;
            while let Some(event) = receiver.recv().await {
                forwarded = true;
                let _ = events.send(event).await;
            }
            forwarded
        };
        tokio::join!(stream, forward)
    }
}

#[async_trait]
impl<P: Provider> Provider for RetryingProvider<P> {
    async fn chat(
        &self,
        messages: &[Message],
        tools: &[&ToolDefinition],
    ) -> Result<AssistantMessage, ProviderError> {
        let mut retry = 0;
        loop {
            match self.provider.chat(messages, tools).await {
                Ok(reply) => return Ok(reply),
                Err(error) => self.wait_before_retry(retry, error).await?,
            }
            retry += 1;
        }
    }

    /// Retries only if the failed attempt forwarded no event: a second attempt starts from
    /// the beginning, and the user would see the beginning twice.
    async fn stream(
        &self,
        messages: &[Message],
        tools: &[&ToolDefinition],
        events: &EventSender,
    ) -> Result<AssistantMessage, ProviderError> {
        let mut retry = 0;
        loop {
            match self.attempt(messages, tools, events).await {
                (Err(error), false) => self.wait_before_retry(retry, error).await?,
                (outcome, _) => return outcome,
            }
            retry += 1;
        }
    }
}
