//! The ports that the course's servers listen on, and the hosts that they answer for.

use std::net::{Ipv4Addr, TcpListener};

use course::loopback::{is_loopback_host, listen};

/// A port that is in use, with the listener that uses it.
fn port_in_use() -> (u16, TcpListener) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    (port(&listener), listener)
}

fn port(listener: &TcpListener) -> u16 {
    listener.local_addr().expect("an address").port()
}

#[test]
fn a_given_port_in_use_is_an_error() {
    let (used, _listener) = port_in_use();
    let error = listen(Some(used), 1).expect_err("the port is in use");
    let wanted = format!("port {used} is in use; choose another one, or 0 for any free port");
    assert_eq!(error.to_string(), wanted);
}

#[test]
fn without_a_given_port_one_in_use_is_passed_over() {
    let (used, _listener) = port_in_use();
    let listener = listen(None, used).expect("a later port is free");
    assert!(port(&listener) > used);
}

#[test]
fn only_the_loopback_address_with_the_port_is_a_loopback_host() {
    for (host, port, is_loopback) in [
        ("127.0.0.1:3000", 3000, true),
        ("[::1]:3000", 3000, true),
        ("localhost:3000", 3000, true),
        ("localhost:3001", 3000, false),
        ("localhost", 3000, false),
        ("localhost", 80, true),
        ("evil.example:3000", 3000, false),
        ("evil.example", 80, false),
        ("localhost.evil.example:3000", 3000, false),
        ("", 80, false),
    ] {
        assert_eq!(
            is_loopback_host(host.as_bytes(), port),
            is_loopback,
            "{host:?} at port {port}"
        );
    }
}
