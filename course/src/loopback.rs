//! Where the course's own servers listen: on the loopback address only.

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
