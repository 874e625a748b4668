//! A reply of 10,000 deltas through chapter 16's agent: the model has them ready, and the
//! reader discards the events.
//!
//! ```console
//! $ cargo bench -p claw-code-solutions --bench events
//! ```

use std::sync::Arc;

use async_trait::async_trait;
use claw_code_solutions::agent::*;
use claw_code_solutions::provider::ProviderError;
use divan::Bencher;
use divan::counter::ItemsCount;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc;

const PIECES: usize = 10_000;

fn main() {
    divan::main();
}

/// Every delta becomes an event that also carries the message so far.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn deltas_as_events(bencher: Bencher) {
    let runtime = runtime();
    bencher.counter(ItemsCount::new(PIECES)).bench_local(|| {
        let mut agent = AgentBuilder::new(Arc::new(Ready)).build();
        runtime.block_on(async {
            let mut events = agent.prompt("Go.");
            let mut count = 0;
            while let Some(event) = events.recv().await {
                count += usize::from(matches!(event, AgentEvent::MessageUpdate { .. }));
            }
            assert_eq!(count, PIECES, "every delta becomes an event");
        });
    });
}

/// For comparison: the model alone, its deltas discarded.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn deltas_alone(bencher: Bencher) {
    let runtime = runtime();
    bencher.counter(ItemsCount::new(PIECES)).bench_local(|| {
        runtime.block_on(async {
            let (sender, mut pieces) = mpsc::channel(64);
            let sending = async move { send(&sender).await };
            let reading = async { while pieces.recv().await.is_some() {} };
            tokio::join!(sending, reading);
        });
    });
}

fn runtime() -> Runtime {
    Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime")
}

async fn send(deltas: &DeltaSender) {
    for _ in 0..PIECES {
        let delta = "word ".to_string();
        let _ = deltas.send(StreamDelta::Text { delta }).await;
    }
}

/// A model whose reply is ready.
struct Ready;

#[async_trait]
impl LanguageModel for Ready {
    fn provider(&self) -> &str {
        "offline"
    }

    fn model(&self) -> &str {
        "ready"
    }

    async fn stream(
        &self,
        _request: &ModelRequest<'_>,
        deltas: &DeltaSender,
    ) -> Result<Message, ProviderError> {
        send(deltas).await;
        Ok(Message::Assistant {
            content: vec![Content::Text {
                text: "word ".repeat(PIECES),
            }],
            stop_reason: StopReason::Stop,
            model: "ready".to_string(),
            provider: "offline".to_string(),
            usage: Usage::default(),
            timestamp: now_ms(),
            error_message: None,
        })
    }
}
