//! A failure is a value: whether a call failed is known in every vocabulary, on every API
//! and after a conversion, and the text of a result decides nothing.
//!
//! One agent runs three calls. The output of the first begins like a failure.

#[path = "../../tests/support/temp_folder.rs"]
#[allow(dead_code, reason = "other tests use more of it")]
mod temp_folder;

use claw_code_solutions::agent::{
    Agent, AgentEvent, AgentMessage, CacheConfig, Content, Message, ModelRequest, ProviderModel,
    ThinkingLevel, convert_to_llm, to_types,
};
use claw_code_solutions::chat::{ChatMessage, UnifiedContentBlock, from_agent};
use claw_code_solutions::engine::QueryEngine;
use claw_code_solutions::models::{
    AnthropicConfig, ResponsesConfig, messages_body, responses_body,
};
use claw_code_solutions::prompt::SystemPrompt;
use claw_code_solutions::provider::{MockProvider, request_body};
use claw_code_solutions::session::convert::{Vocabulary, convert};
use claw_code_solutions::tools::{Api, Registry};
use claw_code_solutions::transcript;
use claw_code_solutions::transcript::Recorder;
use claw_code_solutions::transcript::narrate::Narrators;
use claw_code_solutions::types::{self, StopReason, ToolCall};
use serde_json::{Value, json};
use temp_folder::TempFolder;
use tokio_util::sync::CancellationToken;

/// The text of each call's result, and whether the call failed.
const RESULTS: [(&str, bool); 3] = [
    ("error: x", false),
    ("error: x\n[exit code 101]", false),
    ("there is no `none.txt` in the root folder", true),
];

/// The same results for a format without a field for a failure.
const CONTENTS: [&str; 3] = [
    "error: x",
    "error: x\n[exit code 101]",
    "error: there is no `none.txt` in the root folder",
];

/// A model that makes three calls, and then says that it is done.
fn model() -> MockProvider {
    let calls = [
        ("a", "bash", json!({ "command": "printf 'error: x\\n'" })),
        (
            "b",
            "bash",
            json!({ "command": "printf 'error: x\\n'; exit 101" }),
        ),
        ("c", "read", json!({ "path": "none.txt" })),
    ];
    let calls = calls.map(|(id, name, arguments)| ToolCall {
        id: id.into(),
        name: name.into(),
        arguments,
    });
    let reply = |text: Option<&str>, calls: &[ToolCall], reason| types::AssistantMessage {
        id: types::new_id(),
        text: text.map(str::to_string),
        tool_calls: calls.to_vec(),
        stop_reason: reason,
        usage: None,
    };
    MockProvider::new([
        Ok(reply(None, &calls, StopReason::ToolUse)),
        Ok(reply(Some("Done."), &[], StopReason::Stop)),
    ])
}

/// What an agent told of its calls, and the messages that it left.
struct Ran {
    events: Vec<AgentEvent>,
    messages: Vec<AgentMessage>,
}

async fn run() -> Ran {
    let folder = TempFolder::new();
    let tools = Registry::standard(folder.path()).expect("the standard tools");
    let mut agent = Agent::builder(ProviderModel::new(model(), "test", "m"))
        .tools(tools.tool_set())
        .build();
    let mut stream = agent.prompt("Go.");
    let mut events = Vec::new();
    while let Some(event) = stream.recv().await {
        events.push(event);
    }
    agent.finish().await;
    Ran {
        events,
        messages: agent.messages().to_vec(),
    }
}

impl Ran {
    fn llm(&self) -> Vec<Message> {
        convert_to_llm(&self.messages)
    }

    fn chat(&self, api: Api) -> Vec<ChatMessage> {
        from_agent(&self.llm(), api, "test")
    }
}

fn expected() -> Vec<(String, bool)> {
    let results = RESULTS.iter();
    results
        .map(|(text, is_error)| (text.to_string(), *is_error))
        .collect()
}

fn text(content: &[Content]) -> String {
    match content {
        [Content::Text { text }] => text.clone(),
        other => panic!("one text is due here, not {other:?}"),
    }
}

fn results_of(messages: &[Message]) -> Vec<(String, bool)> {
    let results = messages.iter().filter_map(|message| match message {
        Message::ToolResult {
            content, is_error, ..
        } => Some((text(content), *is_error)),
        _ => None,
    });
    results.collect()
}

#[tokio::test]
async fn agent_messages_and_events_have_the_field_and_the_bare_text() {
    let ran = run().await;
    assert_eq!(results_of(&ran.llm()), expected());
    let ended = ran.events.iter().filter_map(|event| match event {
        AgentEvent::ToolExecutionEnd {
            result, is_error, ..
        } => Some((text(&result.content), *is_error)),
        _ => None,
    });
    assert_eq!(ended.collect::<Vec<_>>(), expected());
}

#[tokio::test]
async fn transcript_rows_have_the_field_and_a_narration_that_follows_it() {
    let mut recorder = Recorder::new(Narrators::standard());
    run().await.events.iter().for_each(|it| recorder.record(it));
    let rows = recorder.rows().iter().filter_map(|row| match row {
        transcript::AgentMessage::ToolResult {
            content,
            is_error,
            narration,
            ..
        } => Some(((content.text(), *is_error), narration.clone())),
        _ => None,
    });
    let (results, narrations): (Vec<_>, Vec<_>) = rows.unzip();
    assert_eq!(results, expected());
    let narrations: Vec<String> = narrations.into_iter().flatten().collect();
    assert_eq!(
        narrations,
        [
            "Ran printf 'error: x\\n'.",
            "Ran printf 'error: x\\n'; exit 101 (exit code 101).",
            "Could not read none.txt: there is no `none.txt` in the root folder.",
        ]
    );
}

/// The content and the flag of each result, after a way through JSON.
fn plain_results(messages: &[types::Message]) -> Vec<(String, bool)> {
    let json = serde_json::to_string(messages).expect("JSON");
    let again: Vec<types::Message> = serde_json::from_str(&json).expect("messages");
    assert_eq!(again, messages);
    let results = again.into_iter().filter_map(|message| match message {
        types::Message::ToolResult(result) => Some((result.content, result.is_error)),
        _ => None,
    });
    results.collect()
}

#[tokio::test]
async fn types_messages_have_the_field_and_the_content_for_a_model() {
    let contents = CONTENTS.map(str::to_string);
    let expected: Vec<(String, bool)> = contents.into_iter().zip(RESULTS.map(|it| it.1)).collect();

    let nothing = SystemPrompt {
        text: String::new(),
        cache_boundary: 0,
    };
    let plain = to_types(&nothing, &run().await.llm());
    assert_eq!(plain_results(&plain), expected);

    let folder = TempFolder::new();
    let tools = Registry::standard(folder.path()).expect("the standard tools");
    let engine = QueryEngine::builder(model()).tools(tools.tool_set());
    let mut history = vec![types::Message::user("Go.")];
    let reply = engine.chat(&mut history, &CancellationToken::new()).await;
    reply.expect("a reply");
    assert_eq!(plain_results(&history), expected);
}

#[tokio::test]
async fn chat_messages_have_the_field_and_the_bare_text() {
    let chat = run().await.chat(Api::Messages);
    let json = serde_json::to_string(&chat).expect("JSON");
    let again: Vec<ChatMessage> = serde_json::from_str(&json).expect("messages");
    let blocks = again.iter().flat_map(|it| it.to_blocks().expect("blocks"));
    let results = blocks.filter_map(|block| match block {
        UnifiedContentBlock::ToolResult {
            content, is_error, ..
        } => {
            let text = serde_json::to_value(content).expect("JSON");
            let text = text.as_str().expect("a bare text").to_string();
            Some((text, is_error == Some(true)))
        }
        _ => None,
    });
    assert_eq!(results.collect::<Vec<_>>(), expected());
}

#[tokio::test]
async fn a_conversion_to_any_vocabulary_and_back_keeps_every_result() {
    let ran = run().await;
    let lines: Vec<String> = ran
        .messages
        .iter()
        .map(|message| serde_json::to_string(message).expect("JSON"))
        .collect();
    for vocabulary in [
        Vocabulary::Types,
        Vocabulary::Transcript,
        Vocabulary::Chat,
        Vocabulary::Agent,
    ] {
        let there = converted(Vocabulary::Agent, vocabulary, &lines);
        let back = converted(vocabulary, Vocabulary::Agent, &there);
        let back = back.iter().map(|line| serde_json::from_str(line));
        let back: Vec<AgentMessage> = back.collect::<Result<_, _>>().expect("messages");
        assert_eq!(
            results_of(&convert_to_llm(&back)),
            expected(),
            "{vocabulary}"
        );
    }
}

fn converted(from: Vocabulary, to: Vocabulary, lines: &[String]) -> Vec<String> {
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    convert(from, to, &lines).expect("readable").messages
}

/// The bodies that the three APIs are sent: Chat Completions, Responses, Messages.
fn bodies(messages: &[Message]) -> [Value; 3] {
    let system = SystemPrompt {
        text: String::new(),
        cache_boundary: 0,
    };
    let request = ModelRequest {
        system: &system,
        messages,
        tools: &[],
        thinking: ThinkingLevel::Off,
        cache: CacheConfig::default(),
        max_tokens: None,
    };
    let url = "http://localhost";
    let responses = responses_body(&ResponsesConfig::new(url, "m"), &request);
    let anthropic = messages_body(&AnthropicConfig::new(url, "m"), &request);
    [
        request_body("m", &to_types(&system, messages), &[], false),
        responses.expect("a body"),
        anthropic.expect("a body"),
    ]
}

#[tokio::test]
async fn completions_and_responses_have_the_prefix_in_place_of_a_field() {
    let [completions, responses, _] = bodies(&run().await.llm());
    let messages = completions["messages"].as_array().expect("messages");
    let results = messages.iter().filter(|it| it["role"] == "tool");
    let results: Vec<&Value> = results.map(|it| &it["content"]).collect();
    assert_eq!(json!(results), json!(CONTENTS));

    let items = responses["input"].as_array().expect("items");
    let results = items
        .iter()
        .filter(|it| it["type"] == "function_call_output");
    let results: Vec<&Value> = results.map(|it| &it["output"]).collect();
    assert_eq!(json!(results), json!(CONTENTS));
}

#[tokio::test]
async fn the_messages_api_has_the_field_and_the_bare_text() {
    let [_, _, body] = bodies(&run().await.llm());
    let turns = body["messages"].as_array().expect("turns").iter();
    let blocks = turns.flat_map(|turn| turn["content"].as_array().into_iter().flatten());
    let results = blocks.filter(|block| block["type"] == "tool_result");
    let results: Vec<(String, bool)> = results
        .map(|block| {
            let text = block["content"].as_str().expect("a bare text").to_string();
            (text, block["is_error"] == true)
        })
        .collect();
    assert_eq!(results, expected());
}
