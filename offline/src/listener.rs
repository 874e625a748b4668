//! A listening socket that its owner can close while another task waits at it.

use std::future::{pending, poll_fn};
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::time::Duration;

use axum::serve::Listener;
use tokio::net::{TcpListener, TcpStream};

/// How long to wait after an error before accepting again.
const RETRY: Duration = Duration::from_millis(50);

/// The socket, shared between the task that accepts and the [`Server`](crate::Server)
/// that closes it. Aborting the task would close it too, but only when the runtime next
/// gets to it: a test that drops its server may count on the port being closed.
#[derive(Clone)]
pub(crate) struct Door {
    listener: Arc<Mutex<Option<TcpListener>>>,
}

impl Door {
    pub(crate) fn new(listener: TcpListener) -> Self {
        Self {
            listener: Arc::new(Mutex::new(Some(listener))),
        }
    }

    /// Closes the socket. The task that waits at it is not woken.
    pub(crate) fn close(&self) {
        drop(self.lock().take());
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<TcpListener>> {
        self.listener.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listener for Door {
    type Io = TcpStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (TcpStream, SocketAddr) {
        loop {
            let accepted = poll_fn(|context| match self.lock().as_ref() {
                Some(listener) => listener.poll_accept(context).map(Some),
                None => Poll::Ready(None),
            });
            match accepted.await {
                Some(Ok((stream, address))) => {
                    // Each piece is to leave as it is written. Without this it only waits.
                    let _ = stream.set_nodelay(true);
                    return (stream, address);
                }
                // Out of files, most likely: others may give some back.
                Some(Err(_)) => tokio::time::sleep(RETRY).await,
                // Closed. The server's end is announced by a signal of its own.
                None => pending().await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        match self.lock().as_ref() {
            Some(listener) => listener.local_addr(),
            None => Err(io::ErrorKind::NotConnected.into()),
        }
    }
}
