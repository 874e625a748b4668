//! Chapter 19: one reply, and the result of its call, in three wire formats.

use claw_code::agent::{CacheConfig, Content, LanguageModel, Message, ModelRequest, ThinkingLevel};
use claw_code::chat::{
    ChatMessage, from_agent, from_completions, from_messages, to_completions, to_input, to_messages,
};
use claw_code::models::{AnthropicConfig, AnthropicModel};
use claw_code::prompt::SystemPrompt;
use claw_code::tools::Api;
use claw_offline::{Reply, Script, Server};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::json::without;
use super::trace::{Recorded, Step, Trace};

/// A reply of a model over the Messages API, from a real server: thinking, text and a call.
async fn reply() -> Message {
    let call = ("call_1", "bash", json!({ "command": "ls src" }));
    let reply = Reply::text("I list `src`.")
        .and_tool_calls([call])
        .thinking("List it first.", "c2lnbmVk")
        .usage(20, 7);
    let server = Server::with(Script::new().reply(reply)).await;
    let server = server.expect("the server starts");
    let model = AnthropicModel::new(AnthropicConfig::new(server.url(), "small-model"));
    let request = ModelRequest {
        system: &SystemPrompt {
            text: "Be brief.".into(),
            cache_boundary: 0,
        },
        messages: &[Message::user("What is in src?")],
        tools: &[],
        thinking: ThinkingLevel::Off,
        cache: CacheConfig::default(),
        max_tokens: None,
    };
    let (deltas, _reader) = mpsc::channel(64);
    let reply = model
        .expect("good settings")
        .stream(&request, &deltas)
        .await;
    reply.expect("the server replies")
}

#[tokio::test]
async fn three_formats() {
    let history = [
        reply().await,
        Message::ToolResult {
            tool_call_id: "call_1".into(),
            tool_name: "bash".into(),
            content: vec![Content::Text {
                text: "no such folder: src".into(),
            }],
            is_error: true,
            timestamp: 0,
            child_loop_id: None,
        },
    ];
    let own = from_agent(&history, Api::Messages, "anthropic");
    let other = from_agent(&history, Api::Responses, "openai");
    let turns = to_messages(&own).expect("the history can be sent");
    let items = to_input(&other).expect("the history can be sent");
    let messages = to_completions(&other).expect("the history can be sent");
    let turns_back = from_messages(&turns);
    let messages_back = from_completions(&messages);

    let mut trace = Trace::new("a reply and a failed result in three formats");
    trace.add(Step {
        lane: "Agent",
        title: "The reply in the history",
        value: Recorded::json(&without(
            json!(history[0]),
            &["model", "timestamp", "usage"],
        )),
        code: "models::anthropic::reader::MessagesReader::finish",
        about: "A model over the Messages API has thought, written a sentence and made a call. The signature proves to its provider that the thinking is its own.",
    });
    trace.add(Step {
        lane: "Chat",
        title: "The chat message for its own provider",
        value: Recorded::json(&shown(&own[0])),
        code: "chat::from_agent::chat_message",
        about: "The blocks are the whole message. Its flat fields repeat parts of them and are left out here.",
    });
    trace.add(Step {
        lane: "Messages",
        title: "A turn of the Messages API",
        value: Recorded::json(&turns.messages[0]),
        code: "chat::messages::to_messages",
        about: "Almost the same, and not quite: `redacted` is gone, because the server rejects a field that it does not know. So is the status.",
    });
    assert_eq!(turns_back[0].raw_content_blocks, own[0].raw_content_blocks);
    trace.add(Step {
        lane: "Messages",
        title: "Read back",
        value: Recorded::json(&shown(&turns_back[0])),
        code: "chat::messages::from_wire::from_messages",
        about: "Every block has come back unchanged. The status has not: this format has no place for it.",
    });
    trace.add(Step {
        lane: "Chat",
        title: "The chat message for another provider",
        value: Recorded::json(&without(json!(other[0]), &["timestamp"])),
        code: "chat::from_agent::from_agent",
        about: "Now the user switches to another provider. It cannot verify the signature, so the thinking is left out. What is left fits into the flat fields.",
    });
    trace.add(Step {
        lane: "Responses",
        title: "Two items of the Responses API",
        value: Recorded::json_lines(&items[..2]),
        code: "chat::responses::ChatMessage::to_input_items",
        about: "One message has become two items: this API keeps text and calls apart. A call's arguments are text that contains JSON. The message needs an id, so it gets one that is the same in each request.",
    });
    trace.add(Step {
        lane: "Completions",
        title: "One message of Chat Completions",
        value: Recorded::json(&messages[0]),
        code: "chat::completions::ChatMessage::without_results",
        about: "Text and calls are two fields of one message. This format has no thinking for any provider.",
    });
    trace.add(Step {
        lane: "Completions",
        title: "Read back",
        value: Recorded::json(&messages_back[0]),
        code: "chat::completions::from_wire::from_completion",
        about: "The same text and the same call. The status is lost here too.",
    });
    trace.add(Step {
        lane: "Chat",
        title: "The result of the call",
        value: Recorded::json(&shown(&own[1])),
        code: "chat::from_agent::chat_message",
        about: "The command has failed. That is a value here, `is_error`, and not a part of the text.",
    });
    trace.add(Step {
        lane: "Messages",
        title: "A block in a user's turn",
        value: Recorded::json(&turns.messages[1]),
        code: "chat::messages::turn",
        about: "The Messages API has no role for tools, so the result is sent as a user's. It has a field for the failure.",
    });
    trace.add(Step {
        lane: "Responses",
        title: "An item of its own",
        value: Recorded::json(&items[2]),
        code: "chat::responses::to_input",
        about: "There is no field for the failure, so the text gets the prefix `error: `. One function of the course adds it.",
    });
    trace.add(Step {
        lane: "Completions",
        title: "A message with the role `tool`",
        value: Recorded::json(&messages[1]),
        code: "chat::completions::to_completions",
        about: "No field here either.",
    });
    trace.add(Step {
        lane: "Completions",
        title: "Read back, it is not a failure",
        value: Recorded::json(&messages_back[1]),
        code: "chat::completions::from_wire::from_completion",
        about: "The text does not say who wrote the prefix, so it stays text. This is what the border loses.",
    });
    trace.check("three-formats");
}

/// A chat message as its blocks, without the flat fields that repeat parts of them.
fn shown(message: &ChatMessage) -> Value {
    let flat = ["content", "reasoning", "tool_calls", "timestamp"];
    let mut shown = json!(message);
    let fields = shown.as_object_mut().expect("a message is an object");
    flat.iter().for_each(|name| drop(fields.remove(*name)));
    shown
}
