//! Work that may panic, and a receiver that ends with that work.

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::tools::panic_message;

/// Runs `work` and returns its output, or the message of its panic. After a panic, callers
/// use no state of the work, or only state that is consistent at every await.
pub(in crate::agent) async fn catch_panic<F: Future>(work: F) -> Result<F::Output, String> {
    let outcome = AssertUnwindSafe(work).catch_unwind().await;
    outcome.map_err(|payload| panic_message(&*payload).to_string())
}

/// A receiver that ends when some work is done.
///
/// The channel does not have to close: a task that a tool left running may still hold a
/// sender, and the receiver does not wait for it. Items sent before the end are received.
pub(in crate::agent) struct ScopedReceiver<T> {
    receiver: mpsc::Receiver<T>,
    done: CancellationToken,
}

impl<T> ScopedReceiver<T> {
    /// A channel for `capacity` items: its sender, its receiver, and the token to cancel when
    /// the work is done.
    pub fn channel(capacity: usize) -> (mpsc::Sender<T>, Self, CancellationToken) {
        let (sender, receiver) = mpsc::channel(capacity);
        let done = CancellationToken::new();
        let scoped = Self {
            receiver,
            done: done.clone(),
        };
        (sender, scoped, done)
    }

    /// The next item; `None` when the work is done and the channel is empty.
    pub async fn next(&mut self) -> Option<T> {
        match self.done.run_until_cancelled(self.receiver.recv()).await {
            Some(item) => item,
            None => self.receiver.try_recv().ok(),
        }
    }
}
