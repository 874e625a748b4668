//! Chapter 17, Host Transcripts.
//!
//! Entries are written as JSON here and read back as JSON. The sentences about the standard
//! tools are made from what those tools really answer, in a folder of their own. What is
//! recorded are the events of real agents, whose models play scripts; time is paused there.

use std::path::PathBuf;

use claw_code::agent::{self};
use claw_code::tools::{Registry, execute};
use claw_code::transcript::narrate::*;
use claw_code::transcript::*;
use claw_code::types::{ToolCall, ToolResult, ToolSet};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

pub fn to_json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("it can be written as JSON")
}

/// Reads through text, as a file is read.
#[track_caller]
pub fn read<T: DeserializeOwned>(text: &str) -> T {
    match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => panic!("this JSON should load: {text}\nserde says: {error}"),
    }
}

#[track_caller]
pub fn from_json<T: DeserializeOwned>(json: &Value) -> T {
    read(&json.to_string())
}

#[track_caller]
pub fn assert_json(what: &str, found: &Value, expected: &Value) {
    // Of a list, one element is enough to read.
    if let (Value::Array(found), Value::Array(expected)) = (found, expected)
        && found.len() == expected.len()
    {
        for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
            assert!(
                found == expected,
                "{what} (here the element at index {index})\n  expected: {expected}\n  found:    {found}"
            );
        }
    }
    assert!(
        found == expected,
        "{what}\n  expected: {expected}\n  found:    {found}"
    );
}

#[track_caller]
pub fn assert_round_trip<T: Serialize + DeserializeOwned>(json: &Value) {
    let found = to_json(&from_json::<T>(json));
    assert_json("what was read is written the same again", &found, json);
}

/// Checks that this JSON is an error with `word` in it.
#[track_caller]
pub fn refused<T: DeserializeOwned + std::fmt::Debug>(json: &Value, word: &str) {
    match serde_json::from_str::<T>(&json.to_string()) {
        Ok(value) => panic!("this JSON should be refused: {json}\nit was read as {value:?}"),
        Err(error) => assert!(
            error.to_string().contains(word),
            "the error for {json} should have {word:?} in it; it is: {error}"
        ),
    }
}

/// One entry of each role, with SECRET in all that no provider may see.
pub fn with_secrets() -> Vec<AgentMessage> {
    let result = AgentMessage::ToolResult {
        tool_call_id: "t1".to_string(),
        tool_name: "bash".to_string(),
        content: result_text("src"),
        is_error: true,
        narration: Some("SECRET".to_string()),
        details: Some(json!({ "SECRET": "SECRET" })),
        timestamp: Some(4),
    };
    let reply = AgentMessage::Assistant {
        content: AssistantContent(vec![
            sealed_thoughts(),
            a_call("t1", "bash", json!({ "command": "ls" })),
        ]),
        stop_reason: StopReason::ToolUse,
        error_message: Some("SECRET".to_string()),
        timestamp: Some(3),
        usage: Some(Usage::default()),
    };
    let system = AgentMessage::System {
        content: "Be brief.".to_string(),
        timestamp: Some(1),
    };
    let custom = AgentMessage::Custom {
        kind: "SECRET".to_string(),
        payload: json!("SECRET"),
        timestamp: Some(5),
    };
    vec![system, a_user("Hi."), reply, result, custom]
}

pub fn a_user(text: &str) -> AgentMessage {
    AgentMessage::User {
        content: UserContent::Text(text.to_string()),
        timestamp: Some(2),
    }
}

pub fn a_user_with(blocks: Vec<ContentBlock>) -> AgentMessage {
    AgentMessage::User {
        content: UserContent::Blocks(blocks),
        timestamp: None,
    }
}

pub fn words(text: &str) -> ContentBlock {
    ContentBlock::Text {
        text: text.to_string(),
    }
}

pub fn picture(source: &str, media_type: Option<&str>, alt: Option<&str>) -> ContentBlock {
    ContentBlock::Image {
        source: source.to_string(),
        media_type: media_type.map(str::to_string),
        alt: alt.map(str::to_string),
    }
}

pub fn a_png() -> ContentBlock {
    let source = "data:image/png;base64,iVBORw0KGgo=";
    picture(source, Some("image/png"), None)
}

pub fn a_note(timestamp: Option<u64>) -> AgentMessage {
    AgentMessage::Custom {
        kind: "note".to_string(),
        payload: json!({ "a": 1 }),
        timestamp,
    }
}

pub fn text_block(text: &str) -> AssistantBlock {
    AssistantBlock::Text {
        text: text.to_string(),
    }
}

pub fn sealed_thoughts() -> AssistantBlock {
    AssistantBlock::Thinking {
        thinking: "plan".to_string(),
        signature: Some("seal".to_string()),
    }
}

pub fn a_call(id: &str, name: &str, arguments: Value) -> AssistantBlock {
    AssistantBlock::ToolCall {
        id: id.to_string(),
        name: name.to_string(),
        arguments,
    }
}

pub fn a_reply(calls: &[(&str, &str, Value)]) -> AgentMessage {
    let calls = calls
        .iter()
        .map(|(id, name, args)| a_call(id, name, args.clone()));
    a_reply_with(calls.collect(), StopReason::ToolUse)
}

pub fn a_reply_with(blocks: Vec<AssistantBlock>, stop_reason: StopReason) -> AgentMessage {
    AgentMessage::Assistant {
        content: AssistantContent(blocks),
        stop_reason,
        error_message: None,
        timestamp: None,
        usage: None,
    }
}

pub fn a_result(id: &str, tool: &str, text: &str, narration: Option<&str>) -> AgentMessage {
    AgentMessage::ToolResult {
        tool_call_id: id.to_string(),
        tool_name: tool.to_string(),
        content: match text {
            "" => ToolResultContent::default(),
            text => result_text(text),
        },
        is_error: false,
        narration: narration.map(str::to_string),
        details: None,
        timestamp: None,
    }
}

pub fn result_text(text: &str) -> ToolResultContent {
    ToolResultContent(vec![words(text)])
}

pub fn narration(message: &AgentMessage) -> Option<Option<&str>> {
    match message {
        AgentMessage::ToolResult { narration, .. } => Some(narration.as_deref()),
        _ => None,
    }
}

pub fn call(name: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: "call_1".to_string(),
        name: name.to_string(),
        arguments,
    }
}

/// A reply as a model makes it: (id, name, arguments) of each call.
pub fn reply(text: &str, calls: &[(&str, &str, Value)]) -> agent::Message {
    let mut content = Vec::new();
    if !text.is_empty() {
        content.push(agent::Content::Text { text: text.into() });
    }
    content.extend(
        calls
            .iter()
            .map(|(id, name, arguments)| agent::Content::ToolCall {
                id: id.to_string(),
                name: name.to_string(),
                arguments: arguments.clone(),
            }),
    );
    agent::Message::Assistant {
        content,
        stop_reason: match calls {
            [] => agent::StopReason::Stop,
            _ => agent::StopReason::ToolUse,
        },
        model: "m-1".into(),
        provider: "test".into(),
        usage: agent::Usage {
            input: 10,
            output: 2,
            total_tokens: 12,
            ..agent::Usage::default()
        },
        timestamp: 0,
        error_message: None,
    }
}

pub fn result(id: &str, text: &str) -> agent::Message {
    agent::Message::ToolResult {
        tool_call_id: id.into(),
        tool_name: "bash".into(),
        content: vec![agent::Content::Text { text: text.into() }],
        is_error: false,
        timestamp: 7,
        child_loop_id: None,
    }
}

/// The standard tools in a folder of their own, which goes when this goes.
pub struct Tools {
    pub folder: PathBuf,
    pub set: ToolSet,
}

impl Tools {
    pub fn new() -> Self {
        let name = format!("claw-ch17-{}", uuid::Uuid::new_v4());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir(&folder).expect("a new folder");
        let set = Registry::standard(&folder)
            .expect("the standard tools")
            .tool_set();
        Self { folder, set }
    }

    pub fn file(&self, name: &str, text: &str) {
        let path = self.folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder above")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    pub async fn result(&self, name: &str, args: Value) -> ToolResult {
        execute(&self.set, &call(name, args)).await
    }

    /// Runs the tool and checks what the narrator says of its answer.
    pub async fn deed(&self, name: &str, narrator: &dyn Narrator, args: Value, expected: &str) {
        let result = self.result(name, args.clone()).await;
        assert!(!result.is_error, "a deed is about a success: {result:?}");
        let said = narrator.deed(&args, &result.content);
        assert_eq!(
            said.as_deref(),
            Some(expected),
            "the tool `{name}` was called with {args} and answered:\n{}",
            result.content
        );
    }
}

impl Drop for Tools {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
