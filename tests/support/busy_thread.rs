//! A check that slow work leaves the async thread free.

use std::future::Future;
use std::pin::pin;
use std::sync::mpsc;

use tokio::runtime::Builder;
use tokio::task::{spawn_blocking, yield_now};

/// What `work` returns, which runs in part in `spawn_blocking`. `None` if it ends while the only
/// thread for that is busy.
pub fn run_beside_busy_thread<T>(work: impl Future<Output = T>) -> Option<T> {
    let mut runtime = Builder::new_current_thread();
    let runtime = runtime.max_blocking_threads(1).enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let (busy, is_busy) = mpsc::channel::<()>();
        spawn_blocking(move || is_busy.recv());
        let mut work = pin!(work);
        for _ in 0..20 {
            tokio::select! {
                biased;
                _ = &mut work => return None,
                () = yield_now() => {}
            }
        }
        drop(busy);
        Some(work.await)
    })
}
