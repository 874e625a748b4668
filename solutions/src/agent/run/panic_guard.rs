//! Work that may panic, and news that come while it is done.

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// What `work` gives, or the words of its panic. What the work holds is not used after a
/// panic, or is whole at every await.
pub(in crate::agent) async fn caught<F: Future>(work: F) -> Result<F::Output, String> {
    let outcome = AssertUnwindSafe(work).catch_unwind().await;
    outcome.map_err(|thrown| {
        let text = thrown.downcast_ref::<&str>().copied();
        let text = text.or_else(|| thrown.downcast_ref::<String>().map(String::as_str));
        text.unwrap_or("it left no message").to_string()
    })
}

/// What comes through a channel until some work is over.
///
/// The channel need not close: whoever still holds a sender, such as a task that a tool
/// has left behind, is not waited for. What was sent before is not lost.
pub(in crate::agent) struct News<T> {
    receiver: mpsc::Receiver<T>,
    is_over: CancellationToken,
}

impl<T> News<T> {
    /// What comes through `receiver` until `is_over`.
    pub fn new(receiver: mpsc::Receiver<T>, is_over: &CancellationToken) -> Self {
        Self {
            receiver,
            is_over: is_over.clone(),
        }
    }

    /// The next piece of news; `None` when the work is over and nothing is left.
    pub async fn next(&mut self) -> Option<T> {
        match self.is_over.run_until_cancelled(self.receiver.recv()).await {
            Some(news) => news,
            None => self.receiver.try_recv().ok(),
        }
    }
}
