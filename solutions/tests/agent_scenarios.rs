//! Thousands of random conversations with chapter 16's agent.

extern crate claw_code_solutions as claw_code;

#[path = "../../tests/ch16"]
#[allow(dead_code, unused_imports, reason = "the suite uses more of it")]
mod ch16 {
    mod grammar;
    pub mod scenario;
    mod support;
}
#[path = "../../tests/support/mod.rs"]
mod support;

use std::time::Duration;

use ch16::scenario;
use tokio::time::timeout;

/// The number of random conversations. `CLAW_SEEDS=100000` runs that many.
fn seeds() -> u64 {
    let seeds = std::env::var("CLAW_SEEDS").ok();
    seeds.and_then(|seeds| seeds.parse().ok()).unwrap_or(5_000)
}

/// One thread and paused time, so each random seed gives the same run every time.
#[tokio::test(start_paused = true)]
async fn promises_hold_on_one_thread() {
    for seed in 0..seeds() {
        match timeout(Duration::from_secs(3_600), scenario::play(seed)).await {
            Ok(Ok(())) => {}
            Ok(Err(wrong)) => panic!("conversation {seed}: {wrong}"),
            Err(_) => panic!("conversation {seed} hangs"),
        }
    }
}

/// Four threads in parallel and real time.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn promises_hold_on_many_threads() {
    let played = (0..seeds() / 50).map(|seed| {
        tokio::spawn(async move {
            match timeout(Duration::from_secs(120), scenario::play(seed)).await {
                Ok(played) => played.map_err(|wrong| format!("conversation {seed}: {wrong}")),
                Err(_) => Err(format!("conversation {seed} hangs")),
            }
        })
    });
    for played in played.collect::<Vec<_>>() {
        assert_eq!(played.await.expect("no conversation panics"), Ok(()));
    }
}
