//! Chapter 9, The Tool Registry.
//!
//! Tools are small and made by hand. What an API thinks of a tool is asked of the offline
//! model's server, which reads the three formats as strictly as the real ones.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use claw_code::tools::*;
use claw_code::types::*;
use serde_json::{Value, json};

/// The names of the standard tools, in order.
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

/// A tool that differs from the defaults in everything.
#[derive(Default)]
pub struct Special {
    pub definition: Option<ToolDefinition>,
    pub flags: [bool; 3],
    pub runs: Arc<AtomicUsize>,
}

#[async_trait]
impl Tool for Special {
    fn definition(&self) -> &ToolDefinition {
        static SPECIAL: std::sync::LazyLock<ToolDefinition> = std::sync::LazyLock::new(|| {
            ToolDefinition::new("special", "Is special.").param("path", "string", "What.", false)
        });
        self.definition.as_ref().unwrap_or(&SPECIAL)
    }

    async fn call(&self, args: Value) -> anyhow::Result<ToolResult> {
        self.runs.fetch_add(1, Ordering::SeqCst);
        anyhow::ensure!(args["path"] != "broken", "the tool is broken");
        Ok(ToolResult::text(args.to_string()))
    }

    fn validate_input(&self, args: &Value) -> ValidationResult {
        match args["path"] == "bad" {
            true => refusal(),
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

    fn activity_description(&self, _args: &Value) -> Option<String> {
        Some("Being special...".into())
    }
}

pub fn refusal() -> ValidationResult {
    ValidationResult::Error {
        message: "this path is bad".into(),
        code: 77,
    }
}

/// A tool with this name that answers with a fixed text.
pub struct Fixed {
    pub definition: ToolDefinition,
    pub text: &'static str,
}

#[async_trait]
impl Tool for Fixed {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    async fn call(&self, _args: Value) -> anyhow::Result<ToolResult> {
        Ok(ToolResult::text(self.text))
    }
}

pub fn answering(name: &'static str, text: &'static str) -> Fixed {
    Fixed {
        definition: ToolDefinition::new(name, "Answers."),
        text,
    }
}

pub fn noop(name: &'static str) -> Fixed {
    answering(name, "")
}

pub fn object(properties: Value) -> Value {
    json!({ "type": "object", "properties": properties })
}

/// An object schema that requires all its properties and admits no other.
pub fn closed_object(properties: Value) -> Value {
    let names: Vec<&String> = properties.as_object().expect("an object").keys().collect();
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

pub fn add(registry: &mut Registry, tool: impl Tool + 'static) {
    if let Err(error) = registry.add(tool) {
        panic!("nothing is wrong with this tool, and it was refused: {error:#}");
    }
}

pub fn registry(names: &[&'static str]) -> Registry {
    let mut registry = Registry::new();
    names.iter().for_each(|name| add(&mut registry, noop(name)));
    registry
}

/// Sends a request with these tools to the offline server: the status and the body.
pub async fn ask(api: Api, tools: &[Value]) -> (u16, Value) {
    let server = claw_offline::Server::start()
        .await
        .expect("the offline model starts");
    let messages = json!([{ "role": "user", "content": "list the files here" }]);
    let (path, body) = match api {
        Api::ChatCompletions => ("chat/completions", json!({ "messages": messages })),
        Api::Responses => ("responses", json!({ "input": messages })),
        Api::Messages => (
            "messages",
            json!({ "messages": messages, "max_tokens": 100 }),
        ),
    };
    let mut body = body;
    body["model"] = json!("m");
    body["tools"] = json!(tools);
    let address = server.url().trim_start_matches("http://").to_string();
    let request = format!(
        "POST /v1/{path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\
         content-type: application/json\r\nanthropic-version: 2023-06-01\r\n\
         content-length: {}\r\n\r\n{body}",
        body.to_string().len()
    );
    let answer = tokio::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect(address).expect("the server listens");
        stream
            .write_all(request.as_bytes())
            .expect("the server reads");
        let mut answer = String::new();
        stream
            .read_to_string(&mut answer)
            .expect("the server answers");
        answer
    });
    let answer = answer.await.expect("the client comes to its end");
    let status = answer.split(' ').nth(1).and_then(|it| it.parse().ok());
    let (_, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
    let body = serde_json::from_str(body).unwrap_or_else(|_| panic!("no JSON: {answer}"));
    (status.expect("a status"), body)
}
