//! The server: where it listens, and how it starts and stops.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::answer::until_closing;
use crate::listener::Door;
use crate::recorded::Recorded;
use crate::routes::{Shared, lock, routes};
use crate::script::Script;

/// A model behind HTTP on this machine. It runs on the runtime that started it, and
/// stops when it is dropped: its port is closed at once, and what it has stalled ends.
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    door: Door,
    closing: watch::Sender<bool>,
}

impl Server {
    /// Starts the rule model on a free port of 127.0.0.1.
    pub async fn start() -> io::Result<Self> {
        Self::with(Script::new()).await
    }

    /// Starts a server that plays a script first, on a free port of 127.0.0.1.
    pub async fn with(script: Script) -> io::Result<Self> {
        Self::at(0, script).await
    }

    /// Starts a server on this port of 127.0.0.1; 0 is any free one.
    pub async fn at(port: u16, script: Script) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        let door = Door::new(listener);
        let (closing, closed) = watch::channel(false);
        let shared = Arc::new(Shared {
            steps: Mutex::new(script.steps),
            chunk: script.chunk,
            requests: Mutex::default(),
            thoughts: Mutex::default(),
            closing: closed.clone(),
        });
        let serve = axum::serve(door.clone(), routes(shared.clone()));
        let mut stop = closed;
        let serve = serve.with_graceful_shutdown(async move { until_closing(&mut stop).await });
        tokio::spawn(async move { serve.await });
        Ok(Self {
            address,
            shared,
            door,
            closing,
        })
    }

    /// Where it listens, such as `http://127.0.0.1:40123`. What the APIs call their base
    /// URL is this with `/v1` after it (Chat Completions, Responses) or this (Messages).
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What it was asked so far, oldest first: every request, refused ones among them.
    pub fn requests(&self) -> Vec<Recorded> {
        lock(&self.shared.requests).clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.door.close();
        self.closing.send_replace(true);
    }
}
