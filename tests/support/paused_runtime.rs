//! A runtime for tests that wait.
//!
//! Its clock is paused: it advances when every task waits, so sleeps take no time and a test that
//! would hang ends at once. A test that waits with [`wait`] is a plain function.

use std::future::Future;
use std::time::Duration;

use futures_util::future::LocalBoxFuture;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;
use tokio::time::timeout;

thread_local! {
    /// The runtime of the test that runs in this thread.
    static RUNTIME: Runtime = Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
}

/// Starts a task on the test's runtime.
pub fn spawn<T: Send + 'static>(task: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
    RUNTIME.with(|runtime| runtime.spawn(task))
}

/// Runs `work` to its end on the test's runtime, in at most an hour of paused time.
pub fn wait<T>(work: impl Future<Output = T>) -> T {
    let mut output = None;
    let work: LocalBoxFuture<()> = Box::pin(async { output = Some(work.await) });
    RUNTIME.with(|runtime| runtime.block_on(within_limit(work)));
    output.expect("the work has ended")
}

/// What `work` returns. A test that would wait forever fails: an hour of paused time is over at once.
pub async fn within_limit<T>(work: impl Future<Output = T>) -> T {
    // Boxed, so that the compiler does not build a timeout for each kind of work.
    let work: LocalBoxFuture<T> = Box::pin(work);
    let done = timeout(Duration::from_secs(3_600), work).await;
    done.expect("this work waits forever: one of its futures never ends")
}
