//! Connections inside the machine, which tests, `claw` and the book use.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::time::Duration;

use super::finding::{Finding, for_system};
use crate::repo::Repo;

/// Whether a program can connect to another one on this machine.
pub(super) fn loopback(_: &Repo) -> Finding {
    match connect() {
        Ok(()) => Finding::ok("programs on this machine can connect to each other"),
        Err(error) => Finding::missing(
            format!("no connection to 127.0.0.1: {error}; chapter 2 and later ones need it"),
            for_system(
                "Turn the interface on with `sudo ip link set lo up`, or allow local connections in the firewall or the sandbox.",
                "Allow local connections in the firewall.",
                "Allow local connections in the firewall or the virus scanner.",
            ),
        ),
    }
}

fn connect() -> io::Result<()> {
    let limit = Some(Duration::from_secs(2));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address = listener.local_addr()?;
    let mut client = TcpStream::connect_timeout(&address, Duration::from_secs(2))?;
    let (mut server, _) = listener.accept()?;
    server.set_read_timeout(limit)?;
    client.write_all(b"x")?;
    server.read_exact(&mut [0])
}
