//! The official Python clients complete a streamed tool call on all three APIs.

use std::path::Path;
use std::process::{Command, Output};

use claw_offline::Server;

use super::python::python;
use super::skip::report_skip;

#[tokio::test]
async fn the_official_clients_accept_every_answer() {
    let server = Server::start().await.unwrap();
    let url = server.url();
    let outcome = tokio::task::spawn_blocking(move || -> Result<Output, String> {
        let python = python()?;
        Ok(Command::new(python)
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/main/clients/tool_call.py"))
            .arg(url)
            .env("NO_PROXY", "127.0.0.1")
            .output()
            .expect("Python starts"))
    });
    match outcome.await.unwrap() {
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "a client fails:\n{text}");
        }
        Err(reason) => report_skip("packages of Python", &reason),
    }
}
