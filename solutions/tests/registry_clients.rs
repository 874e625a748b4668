//! Checks the registry's schemas with the official Python clients: each schema fits the
//! client's own types, and a streamed call works on each API.

#[path = "support/clients.rs"]
mod clients;

use claw_code_solutions::tools::{Api, DynamicTool, Registry};
use claw_code_solutions::types::ToolResult;
use claw_offline::Server;
use serde_json::json;

#[tokio::test]
async fn official_clients_accept_every_tool() {
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
    registry.add(fetch).expect("the name is free");
    let tools = json!({
        "chat": registry.schemas(Api::ChatCompletions),
        "responses": registry.schemas(Api::Responses),
        "messages": registry.schemas(Api::Messages),
        "names": registry.names(),
    });
    let server = Server::start().await.expect("the offline model starts");
    let url = server.url();
    let complaint = "a client rejects the tools";
    clients::run("registry_clients.py", &[&url], tools, complaint).await;
}
