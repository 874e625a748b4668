//! The ports that the course's servers listen on.

use std::net::{Ipv4Addr, TcpListener};

use course::loopback::listen;

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
