//! A listening socket that its owner can close while another task waits on it.

use std::future::{pending, poll_fn};
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::Duration;

use axum::serve::Listener;
use tokio::net::{TcpListener, TcpStream};

/// How long to wait after a failed accept before the next one.
const RETRY_DELAY: Duration = Duration::from_millis(50);

/// A socket shared by the task that accepts connections and the [`Server`](crate::Server)
/// that closes it. Aborting the task would close the socket too, but only when the runtime
/// next polls it, and a test that drops its server expects the port to be closed at once.
#[derive(Clone)]
pub(super) struct ClosableListener {
    socket: Arc<Mutex<Option<TcpListener>>>,
}

impl ClosableListener {
    pub(super) fn new(socket: TcpListener) -> Self {
        Self {
            socket: Arc::new(Mutex::new(Some(socket))),
        }
    }

    /// Closes the socket. This doesn't wake the task that waits on it.
    pub(super) fn close(&self) {
        drop(self.lock().take());
    }

    fn lock(&self) -> MutexGuard<'_, Option<TcpListener>> {
        self.socket.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listener for ClosableListener {
    type Io = TcpStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (TcpStream, SocketAddr) {
        loop {
            let accepted = poll_fn(|context| match self.lock().as_ref() {
                Some(socket) => socket.poll_accept(context).map(Some),
                None => Poll::Ready(None),
            });
            match accepted.await {
                Some(Ok((stream, address))) => {
                    // Send each chunk as it is written. If this fails, chunks arrive late.
                    let _ = stream.set_nodelay(true);
                    return (stream, address);
                }
                // Most likely the process has no file descriptors left. Others may close some.
                Some(Err(_)) => tokio::time::sleep(RETRY_DELAY).await,
                // The socket is closed. The shutdown signal ends this task.
                None => pending().await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        match self.lock().as_ref() {
            Some(socket) => socket.local_addr(),
            None => Err(io::ErrorKind::NotConnected.into()),
        }
    }
}
