//! Helpers for the tests of chapter 9, The Tool Registry.
//!
//! The tools are small and hand-made. Requests go to the offline model's server, which checks
//! tools as strictly as the real APIs.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use async_trait::async_trait;
use claw_code::tools::*;
use claw_code::types::*;
use serde_json::{Value, json};

pub use crate::support::TempFolder;

/// The names of the standard tools, sorted.
pub const STANDARD: [&str; 8] = [
    "bash",
    "edit",
    "glob",
    "grep",
    "list",
    "multi_edit",
    "read",
    "write",
];

pub const APIS: [Api; 3] = [Api::ChatCompletions, Api::Responses, Api::Messages];

/// A tool that overrides every default of the trait.
#[derive(Default)]
pub struct Special {
    /// Read-only, concurrent-safe, destructive.
    pub flags: [bool; 3],
    pub calls: Arc<AtomicUsize>,
}

#[async_trait]
impl Tool for Special {
    fn definition(&self) -> &ToolDefinition {
        static DEFINITION: LazyLock<ToolDefinition> = LazyLock::new(|| {
            ToolDefinition::new("special", "Is special.").param("path", "string", "What.", false)
        });
        &DEFINITION
    }

    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        if args["path"] == "broken" {
            return Err(anyhow::anyhow!("a gear is stuck").context("the tool is broken"));
        }
        Ok(special_result(&args))
    }

    fn validate_input(&self, args: &Value) -> ValidationResult {
        match args["path"] == "bad" {
            true => bad_path(),
            false => ValidationResult::Ok,
        }
    }

    fn is_read_only(&self) -> bool {
        self.flags[0]
    }

    fn is_concurrent_safe(&self) -> bool {
        self.flags[1]
    }

    fn is_destructive(&self) -> bool {
        self.flags[2]
    }

    fn summary(&self, args: &Value) -> String {
        format!("special of {}", args["path"].as_str().unwrap_or("nothing"))
    }

    fn activity_description(&self, args: &Value) -> Option<String> {
        Some(format!("Being {}...", self.summary(args)))
    }
}

/// The result of a call of [`Special`].
pub fn special_result(args: &Value) -> ToolResult {
    ToolResult {
        is_truncated: true,
        ..ToolResult::text(args.to_string())
    }
}

/// What [`Special`] answers about the path `bad`.
pub fn bad_path() -> ValidationResult {
    ValidationResult::Error {
        message: "this path is bad".into(),
        code: 77,
    }
}

/// Whether a tool is read-only, concurrent-safe and destructive.
pub fn flags(tool: &dyn Tool) -> [bool; 3] {
    [
        tool.is_read_only(),
        tool.is_concurrent_safe(),
        tool.is_destructive(),
    ]
}

/// A tool that returns a fixed text.
pub struct FixedTool {
    definition: ToolDefinition,
    text: &'static str,
}

#[async_trait]
impl Tool for FixedTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    async fn call(&self, _args: Value) -> anyhow::Result<ToolResult> {
        Ok(ToolResult::text(self.text))
    }
}

pub fn tool_with_result(name: &'static str, text: &'static str) -> FixedTool {
    FixedTool {
        definition: ToolDefinition::new(name, "Returns a text."),
        text,
    }
}

pub fn empty_tool(name: &'static str) -> FixedTool {
    tool_with_result(name, "")
}

/// An object schema with optional properties.
pub fn object(properties: Value) -> Value {
    json!({ "type": "object", "properties": properties })
}

/// An object schema that requires all its properties and allows no others. The order of
/// `required` does not matter, so it is not that of the properties.
pub fn closed_object(properties: Value) -> Value {
    let names = properties.as_object().expect("an object").keys();
    let names: Vec<&String> = names.rev().collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": names,
        "additionalProperties": false,
    })
}

pub fn definition(name: &str, parameters: Value) -> ToolDefinition {
    ToolDefinition {
        name: String::from(name).leak(),
        description: "",
        parameters,
    }
}

/// Adds a valid tool.
#[track_caller]
pub fn add(registry: &mut Registry, tool: impl Tool + 'static) {
    if let Err(error) = registry.add(tool) {
        panic!("this tool is valid and its name is free, but: {error:#}");
    }
}

/// A registry to which empty tools are added in this order.
#[track_caller]
pub fn registry(names: &[&'static str]) -> Registry {
    let mut registry = Registry::new();
    for name in names {
        add(&mut registry, empty_tool(name));
    }
    registry
}

/// The result of a call.
pub async fn call_tool(tools: &ToolSet, name: &str, arguments: Value) -> ToolResult {
    let call = ToolCall {
        id: "a".into(),
        name: name.into(),
        arguments,
    };
    execute(tools, &call).await
}

/// Sends a request with these tools to the offline server. Returns the status and the body
/// of the response.
pub async fn send_request(api: Api, tools: &[Value]) -> (u16, Value) {
    let server = claw_offline::Server::start().await;
    let server = server.expect("the offline model starts");
    let address = server.url().trim_start_matches("http://").to_string();
    let messages = json!([{ "role": "user", "content": "list the files here" }]);
    let (path, mut body) = match api {
        Api::ChatCompletions => ("chat/completions", json!({ "messages": messages })),
        Api::Responses => ("responses", json!({ "input": messages })),
        Api::Messages => (
            "messages",
            json!({ "messages": messages, "max_tokens": 100 }),
        ),
    };
    body["model"] = json!("m");
    body["tools"] = json!(tools);
    let body = body.to_string();
    let request = format!(
        "POST /v1/{path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\
         content-type: application/json\r\nanthropic-version: 2023-06-01\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    let response = tokio::task::spawn_blocking(move || exchange(&address, &request));
    parse_response(&response.await.expect("the client does not panic"))
}

fn exchange(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("the server listens");
    let sent = stream.write_all(request.as_bytes());
    sent.expect("the server reads the request");
    let mut response = String::new();
    let read = stream.read_to_string(&mut response);
    read.expect("the server responds");
    response
}

#[track_caller]
fn parse_response(response: &str) -> (u16, Value) {
    let status = response.split(' ').nth(1).and_then(|it| it.parse().ok());
    let (_, body) = response.split_once("\r\n\r\n").expect("a head and a body");
    let body = serde_json::from_str(body).unwrap_or_else(|_| panic!("not JSON: {response}"));
    (status.expect("a status"), body)
}
