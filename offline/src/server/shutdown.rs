//! The signal that tells tasks to stop with the server.

use tokio::sync::watch;

/// The server's end of the signal.
pub(super) struct ShutdownSender(watch::Sender<bool>);

/// A task's end of the signal.
#[derive(Clone)]
pub(super) struct Shutdown(watch::Receiver<bool>);

/// A signal that has not been sent yet.
pub(super) fn channel() -> (ShutdownSender, Shutdown) {
    let (sender, receiver) = watch::channel(false);
    (ShutdownSender(sender), Shutdown(receiver))
}

impl ShutdownSender {
    /// Sends the signal.
    pub(super) fn shut_down(&self) {
        self.0.send_replace(true);
    }
}

impl Shutdown {
    /// Waits until the server shuts down.
    pub(super) async fn wait(&mut self) {
        // An error means that the server is gone, which is a shutdown too.
        let _ = self.0.wait_for(|is_shut_down| *is_shut_down).await;
    }
}
