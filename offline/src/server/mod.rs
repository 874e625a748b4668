//! The HTTP server: it starts, answers and stops.

mod app_state;
mod http_response;
mod listener;
mod request_log;
mod response_body;
mod router;
mod sent_thoughts;
mod shutdown;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use tokio::net::TcpListener;

use crate::script::Script;

use app_state::AppState;
use listener::ClosableListener;
use shutdown::ShutdownSender;

pub use request_log::LoggedRequest;

/// A model behind HTTP on this machine. It runs on the tokio runtime that started it.
/// Dropping it closes its port at once and ends all stalled answers.
pub struct Server {
    address: SocketAddr,
    state: Arc<AppState>,
    listener: ClosableListener,
    shutdown: ShutdownSender,
}

impl Server {
    /// Starts the rule model on a free port of 127.0.0.1.
    pub async fn start() -> io::Result<Self> {
        Self::with(Script::new()).await
    }

    /// Starts a server that first plays a script, on a free port of 127.0.0.1.
    pub async fn with(script: Script) -> io::Result<Self> {
        Self::at(0, script).await
    }

    /// Starts a server on this port of 127.0.0.1. Port 0 picks a free one.
    pub async fn at(port: u16, script: Script) -> io::Result<Self> {
        let socket = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = socket.local_addr()?;
        let listener = ClosableListener::new(socket);
        let (shutdown, mut shutdown_signal) = shutdown::channel();
        let state = Arc::new(AppState::new(script, shutdown_signal.clone()));
        let serve = axum::serve(listener.clone(), router::router(state.clone()))
            .with_graceful_shutdown(async move { shutdown_signal.wait().await });
        tokio::spawn(async move { serve.await });
        Ok(Self {
            address,
            state,
            listener,
            shutdown,
        })
    }

    /// The server's address, such as `http://127.0.0.1:40123`. It is the base URL for
    /// Messages; for Chat Completions and Responses, the base URL is this plus `/v1`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The requests that the server received, oldest first, including refused ones.
    ///
    /// The log is bounded: it keeps the last 1,000 requests, and of those as many as fit
    /// into 32 MiB of paths, headers and bodies, but always the newest. A body longer than
    /// 32 MiB is refused and not logged. [`dropped_requests`](Self::dropped_requests)
    /// counts the requests that the log no longer has. A script
    /// [without a log](Script::without_log) keeps none.
    pub fn requests(&self) -> Vec<LoggedRequest> {
        self.state.logged_requests()
    }

    /// How many requests the log has dropped to stay within its bounds.
    pub fn dropped_requests(&self) -> u64 {
        self.state.dropped_requests()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.listener.close();
        self.shutdown.shut_down();
    }
}
