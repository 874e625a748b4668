//! How a server starts, serves and stops.

use std::io::ErrorKind;

use claw_offline::{Script, Server};
use tokio::net::TcpStream;

use crate::support::{APIS, ask, client, get, prompt, rule_server, text_of};

#[tokio::test(flavor = "multi_thread")]
async fn a_server_serves_many_clients_at_once() {
    let server = std::sync::Arc::new(Server::with(Script::new().chunk(3)).await.unwrap());
    let clients = (0..60).map(|number| {
        let server = server.clone();
        tokio::spawn(async move {
            let path = APIS[number % 3];
            let body = prompt(path, &format!("read file{number}"), number % 2 == 0);
            text_of(path, &ask(&server, path, &body).await)
        })
    });
    for client in clients.collect::<Vec<_>>() {
        let text = client.await.unwrap();
        assert!(text.contains("`read` or `bash`"), "{text}");
    }
    assert_eq!(server.requests().len(), 60);
}

#[tokio::test]
async fn a_server_listens_on_loopback_only() {
    let url = rule_server().await.url();
    assert!(url.starts_with("http://127.0.0.1:"), "{url}");
}

#[tokio::test]
async fn dropping_a_server_closes_its_port_at_once() {
    let server = rule_server().await;
    let address = server.url().replace("http://", "");
    let connection = TcpStream::connect(&address).await;
    connection.expect("the port is open");
    drop(server);
    let connection = TcpStream::connect(&address).await;
    let error = connection.expect_err("the port is closed");
    assert_eq!(error.kind(), ErrorKind::ConnectionRefused);
}

#[tokio::test]
async fn dropping_a_server_ends_idle_connections() {
    let server = rule_server().await;
    let client = client();
    let url = format!("{}/v1/models", server.url());
    assert!(client.get(&url).send().await.is_ok());
    drop(server);
    assert!(client.get(&url).send().await.is_err());
}

#[tokio::test]
async fn a_port_that_is_in_use_is_an_error() {
    let server = rule_server().await;
    let error = Server::at(port(&server), Script::new()).await.err();
    let error = error.expect("the port is in use");
    assert_eq!(error.kind(), ErrorKind::AddrInUse);
}

#[tokio::test]
async fn a_port_can_be_chosen() {
    let server = rule_server().await;
    let port = port(&server);
    drop(server);
    let server = Server::at(port, Script::new()).await.unwrap();
    assert_eq!(server.url(), format!("http://127.0.0.1:{port}"));
}

fn port(server: &Server) -> u16 {
    let url = server.url();
    let port = url.rsplit(':').next().expect("the URL has a port");
    port.parse().expect("a number")
}

#[tokio::test]
async fn models_are_listed_as_openai_does() {
    let server = rule_server().await;
    let list = get(&server, "/v1/models").await.json();
    assert_eq!(list["object"], "list");
    assert_eq!(list["data"][0]["id"], "claw-offline");
    assert_eq!(list["data"][0]["object"], "model");
}

#[tokio::test]
async fn models_are_listed_as_anthropic_does_with_its_version_header() {
    let server = rule_server().await;
    let request = client()
        .get(format!("{}/v1/models", server.url()))
        .header("anthropic-version", "2023-06-01");
    let response = request.send().await.unwrap();
    let list = crate::support::read(response).await.unwrap().json();
    assert_eq!(list["data"][0]["type"], "model");
    assert_eq!(list["has_more"], false);
}
