//! The registry's schemas by the official Python clients: each is what the client's own
//! types ask for, and a streamed call comes of them on each API.

#[path = "../../offline/tests/main/python.rs"]
mod python;

use std::path::Path;
use std::process::{Command, Stdio};

use claw_code_solutions::tools::{Api, DynamicTool, Registry};
use claw_code_solutions::types::ToolResult;
use claw_offline::Server;
use serde_json::json;

use python::{python, skip};

#[tokio::test]
async fn the_official_clients_take_every_tool() {
    let mut registry = Registry::standard(".").expect("the standard tools");
    let strict = json!({
        "type": "object",
        "properties": { "url": { "type": "string" } },
        "required": ["url"],
        "additionalProperties": false,
    });
    let fetch = DynamicTool::new("mcp__web__fetch", "Fetches.", strict, |_| async {
        Ok(ToolResult::text(""))
    });
    registry.add(fetch).expect("a name that is free");
    let tools = json!({
        "chat": registry.schemas(Api::ChatCompletions),
        "responses": registry.schemas(Api::Responses),
        "messages": registry.schemas(Api::Messages),
        "names": registry.names(),
    });
    let server = Server::start().await.expect("the offline model");
    let url = server.url();
    let outcome = tokio::task::spawn_blocking(move || {
        let mut child = Command::new(python()?)
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/registry_clients.py"))
            .arg(url)
            .env("NO_PROXY", "127.0.0.1")
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("Python starts");
        let stdin = child.stdin.take().expect("a pipe");
        serde_json::to_writer(stdin, &tools).expect("Python reads");
        Ok::<_, String>(child.wait_with_output().expect("Python ends"))
    });
    match outcome.await.expect("no panic") {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(
                output.status.success(),
                "a client does not take the tools:\n{said}"
            );
        }
        Err(lack) => skip(&lack),
    }
}
