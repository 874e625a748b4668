//! Where the course's own servers listen: on the loopback address only. They answer only requests
//! for that address.

use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener};

use anyhow::{Context, Result, anyhow};

const PORTS_TO_TRY: u16 = 20;

/// Listens on `port`, or without one on the first free port from `first` on. The listener is
/// non-blocking, as tokio needs it.
pub fn listen(port: Option<u16>, first: u16) -> Result<TcpListener> {
    let wanted = port.map_or(first..=first + PORTS_TO_TRY, |port| port..=port);
    for port in wanted {
        let unusable = || format!("cannot use port {port}");
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
            Ok(listener) => {
                listener.set_nonblocking(true).with_context(unusable)?;
                return Ok(listener);
            }
            Err(error) if error.kind() == ErrorKind::AddrInUse => {}
            Err(error) => return Err(error).with_context(unusable),
        }
    }
    Err(match port {
        Some(port) => anyhow!("port {port} is in use; choose another one, or 0 for any free port"),
        None => anyhow!("no free port from {first} on; try `--port 0`"),
    })
}

/// Whether `host`, the `Host` header of a request to `port`, names the loopback address. A web site
/// can make its own name point there, and could then read the answer.
pub fn is_loopback_host(host: &[u8], port: u16) -> bool {
    ["127.0.0.1", "[::1]", "localhost"]
        .into_iter()
        // A browser leaves out the standard port.
        .any(|name| {
            host == format!("{name}:{port}").as_bytes() || port == 80 && host == name.as_bytes()
        })
}

/// The answer to any other request, with the status 403.
pub const NOT_LOOPBACK: &str = "This page is only for this machine: use its address at 127.0.0.1.";
