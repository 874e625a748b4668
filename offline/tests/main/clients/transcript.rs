//! Transcripts of agents: the requests that they sent, and what the model answered.
//!
//! A transcript is a file in `tests/transcripts` with one JSON object a line. The requests are
//! trimmed: instructions, descriptions, identifiers and the paths of the machine are left out,
//! since the model has no use for them. This command records them again:
//!
//! ```console
//! $ CLAW_TRANSCRIPTS=write cargo test -p claw-offline agents
//! ```

#![cfg_attr(
    not(target_os = "linux"),
    allow(dead_code, reason = "the agents run on Linux only")
)]

use std::fs;
use std::path::{Path, PathBuf};

use claw_offline::LoggedRequest;
use serde_json::{Map, Value, json};

use crate::support::{APIS, ask, reply_of, rule_server};

/// What takes the place of a text that is left out.
const TRIMMED: &str = "(trimmed)";

/// The fields that identify a machine, a user or a session, and those that only explain.
const LEFT_OUT: [&str; 5] = [
    "client_metadata",
    "metadata",
    "prompt_cache_key",
    "description",
    "$schema",
];

/// The tags of context in user messages.
const CONTEXT_TAGS: [&str; 2] = ["system-reminder", "environment_context"];

/// One request, and the answer.
pub struct Entry {
    /// The path of the API.
    pub path: &'static str,
    pub body: Value,
    /// The text and the calls of the reply: `{"text": "…", "calls": [["name", {…}]]}`.
    pub answer: Value,
}

impl Entry {
    /// The names of the tools that the reply calls.
    pub fn calls(&self) -> Vec<&str> {
        let calls = self.answer["calls"].as_array().into_iter().flatten();
        calls.filter_map(|call| call[0].as_str()).collect()
    }
}

/// The answer of a server without history to this body.
pub async fn answer(path: &str, body: &Value) -> Value {
    let answer = ask(&rule_server().await, path, body).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    let (text, calls) = reply_of(path, &answer);
    json!({ "text": text, "calls": calls })
}

/// A transcript of these requests, trimmed. `folder` is the one that the agent ran in.
pub async fn record(requests: &[LoggedRequest], folder: &Path) -> Vec<Entry> {
    let mut entries = Vec::new();
    for request in requests {
        let known = APIS.into_iter().find(|it| request.path.starts_with(it));
        let path = known.expect("the path of an API");
        let body = trimmed(&request.body, &folder.display().to_string());
        let answer = answer(path, &body).await;
        entries.push(Entry { path, body, answer });
    }
    entries
}

/// Writes a transcript.
pub fn write(name: &str, entries: &[Entry]) {
    let lines = entries.iter().map(|entry| {
        let line = json!({ "path": entry.path, "body": entry.body, "answer": entry.answer });
        format!("{line}\n")
    });
    let path = folder().join(format!("{name}.jsonl"));
    fs::create_dir_all(folder()).expect("a folder");
    fs::write(path, lines.collect::<String>()).expect("a file");
}

/// The transcripts in the repository, each with the name of its file.
pub fn read_all() -> Vec<(String, Vec<Entry>)> {
    let files = fs::read_dir(folder()).expect("a folder");
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    let transcripts = paths.iter().map(|path| {
        let text = fs::read_to_string(path).expect("a file");
        let name = path.file_name().expect("a name").to_string_lossy();
        (name.into_owned(), text.lines().map(entry).collect())
    });
    transcripts.collect()
}

fn entry(line: &str) -> Entry {
    let value: Value = serde_json::from_str(line).expect("JSON");
    let known = APIS.into_iter().find(|it| value["path"] == *it);
    Entry {
        path: known.expect("the path of an API"),
        body: value["body"].clone(),
        answer: value["answer"].clone(),
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts")
}

/// The body of a request without what a transcript leaves out.
fn trimmed(body: &Value, folder: &str) -> Value {
    let mut body = trimmed_value(body, folder);
    for name in ["system", "instructions"] {
        if body.get(name).is_some() {
            body[name] = TRIMMED.into();
        }
    }
    for name in ["messages", "input"] {
        let messages = body.get_mut(name).and_then(Value::as_array_mut);
        messages.into_iter().flatten().for_each(trim_message);
    }
    body
}

fn trimmed_value(value: &Value, folder: &str) -> Value {
    match value {
        Value::String(text) => text.replace(folder, "/home/ada").into(),
        Value::Array(values) => values.iter().map(|it| trimmed_value(it, folder)).collect(),
        Value::Object(fields) => {
            // A field of this name that is an object is a property in a schema.
            let is_left_out = |(name, value): &(&String, &Value)| {
                LEFT_OUT.contains(&name.as_str())
                    && (value.is_string() || !name.starts_with("description"))
            };
            let kept = fields.iter().filter(|field| !is_left_out(field));
            let kept = kept.map(|(name, value)| (name.clone(), trimmed_value(value, folder)));
            Value::Object(kept.collect::<Map<_, _>>())
        }
        value => value.clone(),
    }
}

/// Trims the texts of a message, and drops the id that the client gave it.
fn trim_message(message: &mut Value) {
    let is_user = message["role"] == "user";
    if let Some(item) = message.as_object_mut()
        && item.get("type").is_some_and(|kind| kind != "reasoning")
    {
        item.remove("id");
    }
    if message.get("role").is_none() || message["role"] == "assistant" {
        return;
    }
    match message.get_mut("content") {
        Some(Value::String(text)) => trim_text(text, is_user),
        content => {
            let parts = content.and_then(Value::as_array_mut);
            for part in parts.into_iter().flatten() {
                if let Some(Value::String(text)) = part.get_mut("text") {
                    trim_text(text, is_user);
                }
            }
        }
    }
}

/// Leaves out the context in the text of a user, and all of any other text.
fn trim_text(text: &mut String, is_user: bool) {
    if !is_user {
        *text = TRIMMED.into();
    }
    for tag in CONTEXT_TAGS {
        let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
        if let (Some(start), Some(end)) = (text.find(&open), text.rfind(&close)) {
            text.replace_range(start + open.len()..end, TRIMMED);
        }
    }
}
