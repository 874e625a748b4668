//! The borders, and the losses that their documentation lists.

use claw_code_solutions::agent::{self, convert_to_llm, to_types};
use claw_code_solutions::chat::{
    self, ChatMessage, from_completions, from_messages, from_unified, to_completions, to_input,
    to_messages, to_unified,
};
use claw_code_solutions::prompt::SystemPrompt;
use claw_code_solutions::session::{Vocabulary, convert};
use claw_code_solutions::tools::Api;
use claw_code_solutions::transcript;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::responses::read_input;
use crate::table::Source;

/// A conversion from one vocabulary.
pub struct Border {
    /// The heading of its column.
    pub name: &'static str,
    /// The vocabulary of the messages.
    pub from: Source,
    /// The functions, for the page.
    pub how: &'static str,
    /// Converts messages and converts the result back. The first messages of a conversation
    /// give the first messages of its result.
    pub there_and_back: fn(&[Value]) -> Crossed,
    /// Where its losses are listed.
    pub stated: Stated,
}

/// The returned messages, and the losses that the conversion reported.
#[derive(Default)]
pub struct Crossed {
    pub messages: Vec<Value>,
    pub losses: Vec<Said>,
}

pub struct Said {
    pub message: usize,
    pub what: String,
}

/// Where a border lists its losses.
#[derive(Clone, Copy)]
pub enum Stated {
    /// The conversion reports whether a message loses something.
    AtRunTime,
    /// The doc comments of these items, by file and name, list all losses.
    InDocs {
        docs: &'static [(&'static str, &'static str)],
        entries: &'static [Entry],
    },
}

/// One loss that a doc comment lists.
pub struct Entry {
    /// A part of the comment.
    pub says: &'static str,
    /// The name that the conversion reports, if it reports one.
    pub word: Option<&'static str>,
    /// The beginnings of the fields' paths. Fields of one role are written `role: path`.
    pub fields: &'static [&'static str],
}

impl Entry {
    pub fn covers(&self, role: &str, path: &str) -> bool {
        self.fields
            .iter()
            .any(|field| match field.split_once(": ") {
                Some((only, field)) => only == role && path.starts_with(field),
                None => path.starts_with(field),
            })
    }
}

const fn reported(
    word: &'static str,
    says: &'static str,
    fields: &'static [&'static str],
) -> Entry {
    Entry {
        says,
        word: Some(word),
        fields,
    }
}

const fn documented(says: &'static str, fields: &'static [&'static str]) -> Entry {
    Entry {
        says,
        word: None,
        fields,
    }
}

/// The columns, in their order. One more border is one more entry.
pub const BORDERS: &[Border] = &[
    Border {
        name: "to `agent`",
        from: Source::Types,
        how: "`convert`, chapter 20",
        there_and_back: |sent| converted(sent, Vocabulary::Types, Vocabulary::Agent),
        stated: Stated::AtRunTime,
    },
    Border {
        name: "to `transcript`",
        from: Source::Types,
        how: "`convert`, chapter 20",
        there_and_back: |sent| converted(sent, Vocabulary::Types, Vocabulary::Transcript),
        stated: Stated::AtRunTime,
    },
    Border {
        name: "to `chat`",
        from: Source::Types,
        how: "`convert`, chapter 20",
        there_and_back: |sent| converted(sent, Vocabulary::Types, Vocabulary::Chat),
        stated: Stated::AtRunTime,
    },
    Border {
        name: "to a model",
        from: Source::Agent,
        how: "`convert_to_llm`, chapter 15",
        there_and_back: |sent| {
            let history: Vec<agent::AgentMessage> = read(sent);
            let back = convert_to_llm(&history)
                .into_iter()
                .map(agent::AgentMessage::from);
            silent(written(back))
        },
        stated: Stated::InDocs {
            docs: &[("agent/message.rs", "pub fn convert_to_llm")],
            entries: &[documented(
                "the messages of its lane",
                &["extension: ", "turnId"],
            )],
        },
    },
    Border {
        name: "to a provider",
        from: Source::Agent,
        how: "`to_types`, chapter 16, after `convert_to_llm`",
        there_and_back: |sent| {
            let nothing = SystemPrompt {
                text: String::new(),
                cache_boundary: 0,
            };
            let messages = to_types(&nothing, &convert_to_llm(&read(sent)));
            silent(texts(
                Vocabulary::Types,
                Vocabulary::Agent,
                &written(messages),
            ))
        },
        stated: Stated::InDocs {
            docs: &[
                ("agent/adapter/to_types.rs", "pub fn to_types"),
                ("agent/message.rs", "pub fn convert_to_llm"),
            ],
            entries: &[
                documented("the messages of its lane", &["extension: ", "turnId"]),
                documented("one text, joined by line breaks", &["content[text]"]),
                documented(
                    "image | a line of that text",
                    &["content[image]", "content[text]"],
                ),
                documented(
                    "thinking and its signature | nothing",
                    &["content[thinking]"],
                ),
                documented("without their position between texts", &["content (order)"]),
                documented(
                    "calls elsewhere | nothing",
                    &["user: content[toolCall]", "toolResult: content[toolCall]"],
                ),
                documented(
                    "its text after `error: `",
                    &["content[text]", "content[image]"],
                ),
                documented(
                    "model, provider, usage, timestamp, error message, child loop | nothing",
                    &[
                        "model",
                        "provider",
                        "usage",
                        "timestamp",
                        "error_message",
                        "childLoopId",
                    ],
                ),
                documented(
                    "stop reason | `ToolUse` if there are calls",
                    &["stopReason"],
                ),
                documented("An empty message is left out", &["role"]),
            ],
        },
    },
    Border {
        name: "to Messages",
        from: Source::Agent,
        how: "`from_agent` and `to_messages`, chapter 19, after `convert_to_llm`",
        there_and_back: |sent| {
            let input = to_messages(&as_chat(sent, Api::Messages)).expect("each result is one's");
            silent(texts(
                Vocabulary::Chat,
                Vocabulary::Agent,
                &written(from_messages(&input)),
            ))
        },
        stated: Stated::InDocs {
            docs: &[
                ("agent/message.rs", "pub fn convert_to_llm"),
                ("chat/from_agent.rs", "pub fn from_agent"),
                ("chat/from_agent.rs", "    fn from(message: &Message)"),
                ("chat/messages/mod.rs", "pub fn to_messages"),
            ],
            entries: &[
                documented("the messages of its lane", &["extension: ", "turnId"]),
                documented("a reply without a name", &["model", "provider"]),
                documented(
                    "| `usage`, `error_message`, `child_loop_id`; thinking anywhere but in a reply | nothing |",
                    &[
                        "usage",
                        "error_message",
                        "childLoopId",
                        "user: content[thinking]",
                        "toolResult: content[thinking]",
                    ],
                ),
                documented("| `stop_reason` | `status`:", &["stopReason"]),
                documented(
                    "| `name`, `timestamp`, `id`, `status` | no |",
                    &["timestamp", "stopReason"],
                ),
                documented(
                    "outside a user's turn, a text document as its text and the others as notes",
                    &["assistant: content[image]"],
                ),
                documented(
                    "calls and thinking only of an assistant",
                    &["user: content[toolCall]", "toolResult: content[toolCall]"],
                ),
                documented(
                    "thinking with a `signature`, or withheld",
                    &["assistant: content[thinking]", "content (order)"],
                ),
                documented(
                    "thinking at the end of a turn are left out",
                    &["assistant: content[thinking]"],
                ),
                documented(
                    "arguments that are not an object are wrapped in one",
                    &["assistant: content[toolCall]"],
                ),
                documented("Blank text, empty turns and thinking", &["role"]),
            ],
        },
    },
    Border {
        name: "to Responses",
        from: Source::Agent,
        how: "`from_agent` and `to_input`, chapter 19, after `convert_to_llm`",
        there_and_back: |sent| {
            let input = to_input(&as_chat(sent, Api::Responses)).expect("each result is one's");
            silent(texts(
                Vocabulary::Chat,
                Vocabulary::Agent,
                &written(read_input(&input)),
            ))
        },
        stated: Stated::InDocs {
            docs: &[
                ("agent/message.rs", "pub fn convert_to_llm"),
                ("chat/from_agent.rs", "pub fn from_agent"),
                ("chat/from_agent.rs", "    fn from(message: &Message)"),
                ("chat/responses/mod.rs", "pub fn to_input"),
            ],
            entries: &[
                documented("the messages of its lane", &["extension: ", "turnId"]),
                documented("a reply without a name", &["model", "provider"]),
                documented(
                    "| `usage`, `error_message`, `child_loop_id`; thinking anywhere but in a reply | nothing |",
                    &[
                        "usage",
                        "error_message",
                        "childLoopId",
                        "user: content[thinking]",
                        "toolResult: content[thinking]",
                    ],
                ),
                documented("| `stop_reason` | `status`:", &["stopReason"]),
                documented(
                    "Arguments that are not JSON become a JSON string",
                    &["assistant: content[toolCall]"],
                ),
                documented("| `name`, `timestamp` | no |", &["timestamp"]),
                documented(
                    "Thinking with neither `encrypted_content` nor both `signature` and `id`",
                    &["assistant: content[thinking]", "content (order)", "role"],
                ),
                documented(
                    "but an assistant's only as notes",
                    &["assistant: content[image]"],
                ),
                documented(
                    "a failed run: `error: ` before its text",
                    &[
                        "toolResult: content[text]",
                        "toolResult: content (order)",
                        "isError",
                    ],
                ),
                documented(
                    "calls and thinking only of an assistant",
                    &["user: content[toolCall]", "toolResult: content[toolCall]"],
                ),
            ],
        },
    },
    Border {
        name: "to `types`",
        from: Source::Agent,
        how: "`convert`, chapter 20",
        there_and_back: |sent| converted(sent, Vocabulary::Agent, Vocabulary::Types),
        stated: Stated::AtRunTime,
    },
    Border {
        name: "to `transcript`",
        from: Source::Agent,
        how: "`from_agent`, chapter 17; `convert` takes this way",
        there_and_back: |sent| {
            let there = transcript::from_agent(&read(sent));
            let back = transcript::to_agent(&there.messages);
            Crossed {
                messages: written(back.messages),
                losses: said(there.losses),
            }
        },
        stated: Stated::InDocs {
            docs: &[("transcript/from_agent.rs", "pub fn from_agent")],
            entries: &[
                reported("turnId", "`turnId`, `model`, `provider`", &["turnId"]),
                reported("model", "`turnId`, `model`, `provider`", &["model"]),
                reported("provider", "`turnId`, `model`, `provider`", &["provider"]),
                reported("childLoopId", "and `childLoopId`", &["childLoopId"]),
                reported(
                    "usage.reasoning",
                    "`usage.reasoning`, if it is not 0",
                    &["usage.reasoning"],
                ),
                reported(
                    "usage.total_tokens",
                    "`usage.total_tokens`, if it is not the sum",
                    &["usage.total_tokens"],
                ),
                reported(
                    "stopReason",
                    "`stopReason`, if a transcript has no name for it",
                    &["stopReason"],
                ),
                reported(
                    "image",
                    "`image`: the block, in a reply",
                    &["assistant: content[image]"],
                ),
                reported(
                    "thinking",
                    "`thinking` and `toolCall`: the block, anywhere but in a reply",
                    &["user: content[thinking]", "toolResult: content[thinking]"],
                ),
                reported(
                    "toolCall",
                    "`thinking` and `toolCall`: the block, anywhere but in a reply",
                    &["user: content[toolCall]", "toolResult: content[toolCall]"],
                ),
            ],
        },
    },
    Border {
        name: "to `chat`",
        from: Source::Agent,
        how: "`convert`, chapter 20",
        there_and_back: |sent| converted(sent, Vocabulary::Agent, Vocabulary::Chat),
        stated: Stated::AtRunTime,
    },
    Border {
        name: "to a provider",
        from: Source::Transcript,
        how: "`to_wire`, chapter 17, which is never read back",
        there_and_back: |sent| {
            let transcript: Vec<transcript::AgentMessage> = read(sent);
            silent(written(transcript::to_wire(&transcript)))
        },
        stated: Stated::InDocs {
            docs: &[("transcript/wire.rs", "pub enum WireMessage")],
            entries: &[
                documented(
                    "with only these fields",
                    &[
                        "custom: ",
                        "timestamp",
                        "stop_reason",
                        "error_message",
                        "usage",
                    ],
                ),
                documented(
                    "There is no field for the narration, nor for the details",
                    &["narration", "details"],
                ),
            ],
        },
    },
    Border {
        name: "to `types`",
        from: Source::Transcript,
        how: "`convert`, chapter 20",
        there_and_back: |sent| converted(sent, Vocabulary::Transcript, Vocabulary::Types),
        stated: Stated::AtRunTime,
    },
    Border {
        name: "to `agent`",
        from: Source::Transcript,
        how: "`to_agent`, chapter 17; `convert` takes this way",
        there_and_back: |sent| {
            let there = transcript::to_agent(&read(sent));
            let back = transcript::from_agent(&there.messages);
            Crossed {
                messages: written(back.messages),
                losses: said(there.losses),
            }
        },
        stated: Stated::InDocs {
            docs: &[("transcript/to_agent.rs", "pub fn to_agent")],
            entries: &[
                reported("system", "`system`: the whole message", &["system: "]),
                reported(
                    "image",
                    "`image`, if it is not a base64 `data:` URL",
                    &["content[image]"],
                ),
                reported(
                    "alt",
                    "`alt`, of each image that has one",
                    &["content[image].alt"],
                ),
                reported(
                    "media_type",
                    "and `media_type`, if the `data:` URL has another one",
                    &["content[image].media_type"],
                ),
                reported(
                    "reasoning_details",
                    "`reasoning_details`: the block",
                    &["content[reasoning_details]"],
                ),
                reported(
                    "stop_reason",
                    "`stop_reason`, if it is `other`",
                    &["stop_reason"],
                ),
                reported("narration", "`narration`, `details`", &["narration"]),
                reported("details", "`narration`, `details`", &["details"]),
                reported(
                    "timestamp",
                    "and the `timestamp` of a custom entry",
                    &["custom: timestamp"],
                ),
                documented("A string becomes one text block", &["user: content[text]"]),
                documented(
                    "`reasoning` becomes thinking without a signature",
                    &["content[reasoning]"],
                ),
            ],
        },
    },
    Border {
        name: "to `chat`",
        from: Source::Transcript,
        how: "`convert`, chapter 20",
        there_and_back: |sent| converted(sent, Vocabulary::Transcript, Vocabulary::Chat),
        stated: Stated::AtRunTime,
    },
    Border {
        name: "to blocks",
        from: Source::Chat,
        how: "`to_unified`, chapter 18",
        there_and_back: |sent| {
            let messages: Vec<ChatMessage> = read(sent);
            let unified = to_unified(&messages).expect("each result names its call");
            silent(written(from_unified(&unified)))
        },
        stated: Stated::InDocs {
            docs: &[("chat/unified_conversion.rs", "pub fn to_unified")],
            entries: &[
                documented("`Developer` as `System`", &["developer: role"]),
                documented("| `name` | no |", &["name"]),
                documented(
                    "arguments that are a JSON object are formatted again",
                    &["assistant: tool_calls"],
                ),
                documented("| `tool_metadata` | no;", &["tool_metadata"]),
                documented(
                    "| `timestamp`, `id`, `status` | no |",
                    &["timestamp", "id", "status"],
                ),
            ],
        },
    },
    Border {
        name: "to Responses",
        from: Source::Chat,
        how: "`to_input`, chapter 19; back by `from_output_items`, and the rest by the test",
        there_and_back: |sent| {
            let messages: Vec<ChatMessage> = read(sent);
            let input = to_input(&messages).expect("each result names its call");
            silent(written(read_input(&input)))
        },
        stated: Stated::InDocs {
            docs: &[("chat/responses/mod.rs", "pub fn to_input")],
            entries: &[
                documented("| `name`, `timestamp` | no |", &["name", "timestamp"]),
                documented("The API has no `failed`", &["status"]),
                documented(
                    "a text document as text",
                    &[
                        "user: raw_content_blocks[document]",
                        "user: content",
                        "tool: raw_content_blocks[tool_result].content[document]",
                    ],
                ),
                documented(
                    "a `title` only with bytes",
                    &[
                        "user: raw_content_blocks[document].title",
                        "tool: raw_content_blocks[tool_result].content[document].title",
                    ],
                ),
                documented(
                    "a failed run: `error: ` before its text",
                    &[
                        "tool_metadata",
                        "tool: content",
                        "raw_content_blocks[tool_result]",
                    ],
                ),
                documented(
                    "| `id`, `status` | of an assistant's message with content |",
                    &["id", "status"],
                ),
                documented(
                    "Arguments that are not JSON become a JSON string",
                    &["tool_calls", "raw_content_blocks[tool_use]"],
                ),
                documented(
                    "Thinking with neither `encrypted_content` nor both `signature` and `id`",
                    &["raw_content_blocks[thinking]", "role"],
                ),
                documented(
                    "| `reasoning` | no: it is not encrypted |",
                    &["reasoning", "role"],
                ),
                documented(
                    "and a `signature` only with an `id`",
                    &["raw_content_blocks[thinking]", "raw_content_blocks (order)"],
                ),
            ],
        },
    },
    Border {
        name: "to Messages",
        from: Source::Chat,
        how: "`to_messages` and `from_messages`, chapter 19",
        there_and_back: |sent| {
            let messages: Vec<ChatMessage> = read(sent);
            let input = to_messages(&messages).expect("each result names its call");
            silent(written(from_messages(&input)))
        },
        stated: Stated::InDocs {
            docs: &[("chat/messages/mod.rs", "pub fn to_messages")],
            entries: &[
                documented("`developer` as the system prompt", &["developer: role"]),
                documented(
                    "| `name`, `timestamp`, `id`, `status` | no |",
                    &["name", "timestamp", "id", "status"],
                ),
                documented("its [unified messages](to_unified)", &["tool_calls"]),
                documented(
                    "arguments that are not an object are wrapped in one",
                    &["tool_calls", "raw_content_blocks[tool_use]"],
                ),
                documented("Blank text, empty turns and thinking", &["role"]),
                documented("| `reasoning` | no: it has no signature |", &["reasoning"]),
                documented(
                    "images without `detail`",
                    &[
                        "raw_content_blocks[image].detail",
                        "raw_content_blocks[tool_result].content[image].detail",
                    ],
                ),
                documented(
                    "thinking with a `signature`, or withheld",
                    &["raw_content_blocks[thinking]"],
                ),
                documented(
                    "thinking at the end of a turn are left out",
                    &["raw_content_blocks[thinking]"],
                ),
                documented(
                    "| `tool_metadata` | a failed run: `is_error` |",
                    &["tool_metadata"],
                ),
            ],
        },
    },
    Border {
        name: "to Completions",
        from: Source::Chat,
        how: "`to_completions` and `from_completions`, chapter 19",
        there_and_back: |sent| {
            let messages: Vec<ChatMessage> = read(sent);
            let input = to_completions(&messages).expect("each result names its call");
            silent(written(from_completions(&input)))
        },
        stated: Stated::InDocs {
            docs: &[("chat/completions/mod.rs", "pub fn to_completions")],
            entries: &[
                documented(
                    "| `timestamp`, `id`, `status` | no |",
                    &["timestamp", "id", "status"],
                ),
                documented(
                    "| `name` | yes, except on a tool's message |",
                    &["tool: name"],
                ),
                documented("Empty messages are left out", &["role", "assistant: name"]),
                documented(
                    "or as a JSON string if they are not JSON",
                    &["tool_calls", "raw_content_blocks[tool_use]"],
                ),
                documented("| `reasoning` | no |", &["reasoning"]),
                documented(
                    "so is the position of an assistant's text among its calls",
                    &[
                        "assistant: raw_content_blocks (order)",
                        "assistant: raw_content_blocks[text]",
                    ],
                ),
                documented("thinking is lost", &["raw_content_blocks[thinking]"]),
                documented(
                    "but a text document or a URL as text",
                    &["user: raw_content_blocks[document]", "user: content"],
                ),
                documented(
                    "text without images or documents is joined by line breaks",
                    &["user: raw_content_blocks[text]", "user: content"],
                ),
                documented(
                    "other images and documents as notes",
                    &["raw_content_blocks[tool_result].content"],
                ),
                documented(
                    "| `tool_metadata` | a failed run: `error: ` before its text |",
                    &[
                        "tool_metadata",
                        "tool: content",
                        "raw_content_blocks[tool_result]",
                    ],
                ),
            ],
        },
    },
    Border {
        name: "to `types`",
        from: Source::Chat,
        how: "`convert`, chapter 20",
        there_and_back: |sent| converted(sent, Vocabulary::Chat, Vocabulary::Types),
        stated: Stated::AtRunTime,
    },
    Border {
        name: "to `agent`",
        from: Source::Chat,
        how: "`convert`, chapter 20",
        there_and_back: |sent| converted(sent, Vocabulary::Chat, Vocabulary::Agent),
        stated: Stated::AtRunTime,
    },
    Border {
        name: "to `transcript`",
        from: Source::Chat,
        how: "`convert`, chapter 20",
        there_and_back: |sent| converted(sent, Vocabulary::Chat, Vocabulary::Transcript),
        stated: Stated::AtRunTime,
    },
];

/// Converts with `convert` and back, with the losses of the first conversion.
fn converted(sent: &[Value], from: Vocabulary, to: Vocabulary) -> Crossed {
    let lines: Vec<String> = sent.iter().map(Value::to_string).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let there = convert(from, to, &lines).expect("they can be read");
    let arrived: Vec<Value> = there.messages.iter().map(|line| value(line)).collect();
    let losses = there.losses.into_iter().map(|loss| Said {
        message: loss.message,
        what: loss.field,
    });
    Crossed {
        messages: texts(to, from, &arrived),
        losses: losses.collect(),
    }
}

/// An agent's history as chat messages for the provider of its last message, whose thinking is
/// sent back.
fn as_chat(sent: &[Value], api: Api) -> Vec<ChatMessage> {
    let provider = sent.last().and_then(|message| message["provider"].as_str());
    let messages = convert_to_llm(&read(sent));
    chat::from_agent(&messages, api, provider.unwrap_or_default())
}

fn texts(from: Vocabulary, to: Vocabulary, messages: &[Value]) -> Vec<Value> {
    let lines: Vec<String> = messages.iter().map(Value::to_string).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let converted = convert(from, to, &lines).expect("they can be read");
    converted.messages.iter().map(|line| value(line)).collect()
}

fn value(line: &str) -> Value {
    serde_json::from_str(line).expect("a line of JSON")
}

fn read<T: DeserializeOwned>(sent: &[Value]) -> Vec<T> {
    let messages = sent.iter().cloned().map(serde_json::from_value);
    messages
        .collect::<Result<_, _>>()
        .expect("they can be read")
}

fn written<T: Serialize>(messages: impl IntoIterator<Item = T>) -> Vec<Value> {
    let messages = messages.into_iter().map(serde_json::to_value);
    messages
        .collect::<Result<_, _>>()
        .expect("they can be written")
}

fn silent(messages: Vec<Value>) -> Crossed {
    Crossed {
        messages,
        ..Crossed::default()
    }
}

fn said(losses: Vec<transcript::Loss>) -> Vec<Said> {
    let losses = losses.into_iter().map(|loss| Said {
        message: loss.message,
        what: loss.what.to_string(),
    });
    losses.collect()
}

/// The doc comment of an item. Its lines are joined, except in lists and tables.
pub fn doc(file: &str, item: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src")
        .join(file);
    let source = std::fs::read_to_string(&path).expect("the source can be read");
    let at = source
        .find(&format!("\n{item}"))
        .unwrap_or_else(|| panic!("{file} has no `{item}`"));
    let mut lines: Vec<&str> = source[..at]
        .lines()
        .rev()
        .map(str::trim_start)
        .take_while(|line| line.starts_with("///") || line.starts_with("#["))
        .collect();
    lines.reverse();
    let mut doc = String::new();
    for line in lines
        .into_iter()
        .filter_map(|line| line.strip_prefix("///"))
    {
        let line = line.trim();
        let is_new = line.is_empty() || line.starts_with("- ") || line.starts_with('|');
        doc += if is_new { "\n" } else { " " };
        doc += line;
    }
    doc
}

/// The lines of its lists and tables, without headings.
pub fn listed(doc: &str) -> Vec<String> {
    let is_row = |line: &str| line.starts_with("- ") || line.starts_with("| ");
    let rows: Vec<&str> = doc.lines().filter(|line| is_row(line)).collect();
    let rows = rows.iter().enumerate().filter(|(at, row)| {
        let is_head = rows
            .get(at + 1)
            .is_some_and(|next| next.starts_with("| ---"));
        !row.starts_with("| ---") && !is_head
    });
    rows.map(|(_, row)| row.to_string()).collect()
}

/// Whether an entry of any border checks a line.
pub fn is_checked(line: &str) -> bool {
    BORDERS.iter().any(|border| match border.stated {
        Stated::InDocs { entries, .. } => entries.iter().any(|entry| line.contains(entry.says)),
        Stated::AtRunTime => false,
    })
}

/// Whether a row of a table says that a field is kept.
pub fn keeps(line: &str) -> bool {
    let rows = [
        "yes",
        "every block",
        "only on a `Tool` message",
        "on a tool's message |",
        "blocks, in their order",
        "the same",
        "`name` |",
        "`name`, with `/`",
        "a block, as",
        "a `tool_result` block",
        "a failed run:",
    ];
    let said = line.split(" | ").nth(1).unwrap_or_default();
    let is_made = line.starts_with("- An assistant's message gets an `id`");
    is_made
        || rows
            .iter()
            .any(|row| format!("{said} |").starts_with(row) || said.starts_with(row))
}
