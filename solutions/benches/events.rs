//! A reply of 10,000 pieces through chapter 16's agent: from a model that has them ready,
//! to a reader that throws the events away.
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

/// Every piece is an event that also has the message so far.
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
            assert_eq!(count, PIECES, "each piece is told");
        });
    });
}

/// For comparison, the model alone, its pieces thrown away.
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

/// A model that has its reply ready.
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
