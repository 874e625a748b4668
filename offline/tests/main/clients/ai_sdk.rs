//! The AI SDK completes a tool call, streamed and not, on all three APIs. Its provider for
//! Responses sends references to stored items.

use std::path::Path;
use std::process::{Command, Output};

use claw_offline::Server;

use super::npm;
use super::skip::report_skip;

/// Runs the script beside this file. Node.js looks for packages in the folders above a script,
/// so it runs as a copy beside the packages.
fn run(url: &str) -> Result<Output, String> {
    let packages = npm::install()?;
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/main/clients/ai_sdk.mjs");
    let script = packages.join("../ai_sdk.mjs");
    std::fs::copy(source, &script).map_err(|error| error.to_string())?;
    let mut node = Command::new("node");
    node.arg(script).arg(url).env("NO_PROXY", "127.0.0.1");
    let output = node.output();
    output.map_err(|error| format!("node does not start: {error}"))
}

#[tokio::test]
async fn the_ai_sdk_accepts_every_answer() {
    let server = Server::start().await.expect("a free port");
    let url = server.url();
    let output = tokio::task::spawn_blocking(move || run(&url));
    match output.await.expect("no panic") {
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "the AI SDK fails:\n{text}");
        }
        Err(reason) => return report_skip("Node.js and packages of npm", &reason),
    }
    let mut references = server.requests().into_iter().filter(|request| {
        let items = request.body["input"].as_array().into_iter().flatten();
        items.into_iter().any(|it| it["type"] == "item_reference")
    });
    assert!(references.next().is_some(), "it refers to stored items");
}
