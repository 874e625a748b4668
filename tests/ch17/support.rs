//! Helpers of chapter 17, Host Transcripts.
//!
//! Entries are written as JSON and read back as JSON. The tests of narrations run the standard
//! tools in a temporary folder. The tests of the recorder run real agents with a scripted
//! model, on paused time.

use claw_code::agent::{self, AgentEvent};
use claw_code::tools::{Registry, execute};
use claw_code::transcript::narrate::*;
use claw_code::transcript::*;
use claw_code::types::{ToolCall, ToolResult, ToolSet};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

pub use crate::support::*;

#[track_caller]
pub fn assert_round_trip<T: Serialize + DeserializeOwned>(json: &Value) {
    let written = to_json(&from_json::<T>(json));
    assert_json("JSON that was read is written unchanged", &written, json);
}

/// Checks that `json` can't be read, and that the error contains `part`.
#[track_caller]
pub fn assert_refused<T: DeserializeOwned + std::fmt::Debug>(json: &Value, part: &str) {
    match serde_json::from_str::<T>(&json.to_string()) {
        Ok(value) => panic!("this JSON should be refused: {json}\nbut it was read as {value:?}"),
        Err(error) => assert!(
            error.to_string().contains(part),
            "the error for {json} should contain {part:?}, but it is: {error}"
        ),
    }
}

/// One entry of each role, with SECRET in each field that no provider may see.
pub fn entries_with_secrets() -> Vec<AgentMessage> {
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
            signed_thinking(),
            AssistantBlock::Reasoning { text: "why".into() },
            AssistantBlock::ReasoningDetails { details: json!(1) },
            tool_call("t1", "bash", json!({ "command": "ls" })),
        ]),
        stop_reason: StopReason::ToolUse,
        error_message: Some("SECRET".to_string()),
        timestamp: Some(3),
        usage: Some(Usage::default()),
    };
    let system = AgentMessage::System {
        content: "Be brief.".to_string(),
        timestamp: Some(0),
    };
    let custom = AgentMessage::Custom {
        kind: "SECRET".to_string(),
        payload: json!("SECRET"),
        timestamp: Some(5),
    };
    vec![system, user_entry("Hi."), reply, result, custom]
}

/// An entry of an unknown role, as only a program can build it.
pub fn entry_of_an_unknown_role() -> AgentMessage {
    let (known, fields) = (None, serde_json::Map::new());
    AgentMessage::Other(agent::Unknown { known, fields })
}

pub fn user_entry(text: &str) -> AgentMessage {
    AgentMessage::User {
        content: UserContent::Text(text.to_string()),
        timestamp: Some(2),
    }
}

pub fn user_blocks(blocks: Vec<ContentBlock>) -> AgentMessage {
    AgentMessage::User {
        content: UserContent::Blocks(blocks),
        timestamp: None,
    }
}

pub fn content_text(text: &str) -> ContentBlock {
    ContentBlock::Text {
        text: text.to_string(),
    }
}

pub fn image(source: &str, media_type: Option<&str>, alt: Option<&str>) -> ContentBlock {
    ContentBlock::Image {
        source: source.to_string(),
        media_type: media_type.map(str::to_string),
        alt: alt.map(str::to_string),
    }
}

pub fn png_image() -> ContentBlock {
    let source = "data:image/png;base64,iVBORw0KGgo=";
    image(source, Some("image/png"), None)
}

pub fn custom_entry(timestamp: Option<u64>) -> AgentMessage {
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

pub fn signed_thinking() -> AssistantBlock {
    AssistantBlock::Thinking {
        text: "plan".to_string(),
        signature: Some("signature".to_string()),
    }
}

pub fn tool_call(id: &str, name: &str, arguments: Value) -> AssistantBlock {
    AssistantBlock::ToolCall {
        id: id.to_string(),
        name: name.to_string(),
        arguments,
    }
}

pub fn reply_blocks(blocks: Vec<AssistantBlock>, stop_reason: StopReason) -> AgentMessage {
    AgentMessage::Assistant {
        content: AssistantContent(blocks),
        stop_reason,
        error_message: None,
        timestamp: None,
        usage: None,
    }
}

/// A reply with an error, a timestamp and token counts.
pub fn failed_reply(blocks: Vec<AssistantBlock>) -> AgentMessage {
    AgentMessage::Assistant {
        content: AssistantContent(blocks),
        stop_reason: StopReason::MaxTokens,
        error_message: Some("e".to_string()),
        timestamp: Some(2),
        usage: Some(Usage {
            input_tokens: 1,
            output_tokens: 20,
            cache_creation_input_tokens: 300,
            cache_read_input_tokens: 4000,
        }),
    }
}

pub fn result_entry(id: &str, tool: &str, text: &str, narration: Option<&str>) -> AgentMessage {
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
    ToolResultContent(vec![content_text(text)])
}

/// The narration of a tool result. `None` for other entries.
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

/// A model's reply with these calls: id, name and arguments of each.
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

pub fn agent_user(text: &str, timestamp: u64) -> agent::Message {
    agent::Message::User {
        content: vec![agent::Content::Text { text: text.into() }],
        timestamp,
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

pub fn message_start(message: agent::Message) -> AgentEvent {
    AgentEvent::MessageStart {
        loop_id: "s.c.1".into(),
        message: message.into(),
    }
}

pub fn message_end(message: agent::Message) -> AgentEvent {
    AgentEvent::MessageEnd {
        loop_id: "s.c.1".into(),
        message: message.into(),
    }
}

pub fn call_start(id: &str, args: Value) -> AgentEvent {
    AgentEvent::ToolExecutionStart {
        loop_id: "s.c.1".into(),
        tool_call_id: id.into(),
        tool_name: "bash".into(),
        args,
    }
}

pub fn call_update(id: &str, text: &str, details: Value) -> AgentEvent {
    AgentEvent::ToolExecutionUpdate {
        loop_id: "s.c.1".into(),
        tool_call_id: id.into(),
        tool_name: "bash".into(),
        partial_result: execution_result(text, details),
    }
}

pub fn call_end(id: &str, text: &str, details: Value) -> AgentEvent {
    AgentEvent::ToolExecutionEnd {
        loop_id: "s.c.1".into(),
        tool_call_id: id.into(),
        tool_name: "bash".into(),
        result: execution_result(text, details),
        is_error: false,
        child_loop_id: None,
    }
}

fn execution_result(text: &str, details: Value) -> agent::ToolExecutionResult {
    agent::ToolExecutionResult {
        content: vec![agent::Content::Text { text: text.into() }],
        details,
        ..agent::ToolExecutionResult::default()
    }
}

/// The standard tools in a temporary folder.
pub struct StandardTools {
    pub folder: TempFolder,
    set: ToolSet,
}

impl StandardTools {
    pub fn new() -> Self {
        Self::with_files(&[])
    }

    pub fn with_files(files: &[(&str, &str)]) -> Self {
        let folder = TempFolder::with_files(files);
        let registry = Registry::standard(folder.path()).expect("the standard tools");
        let set = registry.tool_set();
        Self { folder, set }
    }

    pub async fn call(&self, name: &str, args: Value) -> ToolResult {
        execute(&self.set, &call(name, args)).await
    }

    /// Makes a call that succeeds, and checks the narrator's outcome for it.
    pub async fn assert_outcome(
        &self,
        name: &str,
        narrator: &dyn Narrator,
        args: Value,
        expected: &str,
    ) {
        let result = self.call(name, args.clone()).await;
        assert!(!result.is_error, "`{name}` failed: {result:?}");
        let outcome = narrator.outcome(&args, &result.content);
        assert_eq!(
            outcome.as_deref(),
            Some(expected),
            "`{name}` was called with {args}, and the text of its result is:\n{}",
            result.content
        );
    }
}
