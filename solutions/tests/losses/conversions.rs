//! The conversions, each with its way back.

use claw_code_solutions::agent::{self, convert_to_llm, to_types};
use claw_code_solutions::chat::{
    self, ChatMessage, from_completions, from_messages, from_unified, to_completions, to_input,
    to_messages, to_unified,
};
use claw_code_solutions::prompt::SystemPrompt;
use claw_code_solutions::session::{Converted, Vocabulary, convert};
use claw_code_solutions::tools::Api;
use claw_code_solutions::transcript;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::documented::Documentation;
use crate::responses::read_input;

/// A conversion from one vocabulary.
pub struct Conversion {
    /// The head of its column.
    pub name: String,
    /// The functions, for the page.
    pub functions: &'static str,
    pub there_and_back: Box<ThereAndBack>,
    /// Its doc comments. `None` if it reports the losses of each message.
    pub documentation: Option<Documentation>,
}

/// Converts a conversation, and converts the result back.
type ThereAndBack = dyn Fn(&[Value]) -> Returned;

/// What came back. The beginning of a conversation comes back as the beginning of the result.
pub struct Returned {
    pub messages: Vec<Value>,
    /// What the conversion reported as lost, each with the index of its message.
    pub losses: Vec<(usize, String)>,
}

/// The conversions from a vocabulary, in the order of their columns. A new one is a new entry,
/// and a section of `documented.txt`.
pub fn conversions(from: Vocabulary) -> Vec<Conversion> {
    let mut conversions = match from {
        Vocabulary::Types => Vec::new(),
        Vocabulary::Agent => from_agent(),
        Vocabulary::Transcript => vec![by_functions(
            "transcript to a provider",
            "`to_wire`, chapter 17 (no conversion reads its result)",
            |sent| written(transcript::to_wire(&read(sent))),
        )],
        Vocabulary::Chat => from_chat(),
    };
    for to in Vocabulary::ALL.into_iter().filter(|to| *to != from) {
        conversions.push(match (from, to) {
            (Vocabulary::Agent, Vocabulary::Transcript) => agent_to_transcript(),
            (Vocabulary::Transcript, Vocabulary::Agent) => transcript_to_agent(),
            _ => by_convert(from, to),
        });
    }
    conversions
}

fn by_convert(from: Vocabulary, to: Vocabulary) -> Conversion {
    let there_and_back = move |sent: &[Value]| {
        let there = converted(from, to, sent);
        let losses = there.losses.into_iter();
        Returned {
            messages: values(&converted(to, from, &values(&there.messages)).messages),
            losses: losses.map(|loss| (loss.message, loss.field)).collect(),
        }
    };
    Conversion {
        name: format!("to `{to}`"),
        functions: "`convert`, chapter 20",
        there_and_back: Box::new(there_and_back),
        documentation: None,
    }
}

/// A conversion that reports nothing. `name` is that in `documented.txt`.
fn by_functions(
    name: &'static str,
    functions: &'static str,
    there_and_back: fn(&[Value]) -> Vec<Value>,
) -> Conversion {
    reporting(name, functions, move |sent| Returned {
        messages: there_and_back(sent),
        losses: Vec::new(),
    })
}

fn reporting(
    name: &'static str,
    functions: &'static str,
    there_and_back: impl Fn(&[Value]) -> Returned + 'static,
) -> Conversion {
    let documentation = Documentation::of(name);
    assert!(documentation.is_some(), "documented.txt has no `{name}`");
    let (_, to) = name.split_once(" to ").expect("two vocabularies");
    Conversion {
        name: match to {
            "agent" | "transcript" => format!("to `{to}`"),
            _ => format!("to {to}"),
        },
        functions,
        there_and_back: Box::new(there_and_back),
        documentation,
    }
}

fn agent_to_transcript() -> Conversion {
    let functions = "`from_agent`, chapter 17, which `convert` uses";
    reporting("agent to transcript", functions, |sent| {
        let there = transcript::from_agent(&read(sent));
        Returned {
            messages: written(transcript::to_agent(&there.messages).messages),
            losses: reported(there.losses),
        }
    })
}

fn transcript_to_agent() -> Conversion {
    let functions = "`to_agent`, chapter 17, which `convert` uses";
    reporting("transcript to agent", functions, |sent| {
        let there = transcript::to_agent(&read(sent));
        Returned {
            messages: written(transcript::from_agent(&there.messages).messages),
            losses: reported(there.losses),
        }
    })
}

fn from_agent() -> Vec<Conversion> {
    vec![
        by_functions("agent to a model", "`convert_to_llm`, chapter 15", |sent| {
            let messages = convert_to_llm(&read(sent)).into_iter();
            written(messages.map(agent::AgentMessage::from))
        }),
        by_functions(
            "agent to a provider",
            "`to_types`, chapter 16, after `convert_to_llm`",
            |sent| {
                let no_prompt = SystemPrompt {
                    text: String::new(),
                    cache_boundary: 0,
                };
                let messages = to_types(&no_prompt, &convert_to_llm(&read(sent)));
                to_agent(Vocabulary::Types, messages)
            },
        ),
        by_functions(
            "agent to Messages",
            "`from_agent` and `to_messages`, chapter 19, after `convert_to_llm`",
            |sent| {
                let input = to_messages(&chat_for_model(sent, Api::Messages));
                let input = input.expect("results name their calls");
                to_agent(Vocabulary::Chat, from_messages(&input))
            },
        ),
        by_functions(
            "agent to Responses",
            "`from_agent` and `to_input`, chapter 19, after `convert_to_llm`",
            |sent| {
                let input = to_input(&chat_for_model(sent, Api::Responses));
                let input = input.expect("results name their calls");
                to_agent(Vocabulary::Chat, read_input(&input))
            },
        ),
    ]
}

fn from_chat() -> Vec<Conversion> {
    vec![
        by_functions("chat to blocks", "`to_unified`, chapter 18", |sent| {
            let unified = to_unified(&read::<ChatMessage>(sent));
            written(from_unified(&unified.expect("results name their calls")))
        }),
        by_functions(
            "chat to Responses",
            "`to_input`, chapter 19; back by `from_output_items`, and the rest by the test",
            |sent| {
                let input = to_input(&read::<ChatMessage>(sent));
                written(read_input(&input.expect("results name their calls")))
            },
        ),
        by_functions(
            "chat to Messages",
            "`to_messages` and `from_messages`, chapter 19",
            |sent| {
                let input = to_messages(&read::<ChatMessage>(sent));
                written(from_messages(&input.expect("results name their calls")))
            },
        ),
        by_functions(
            "chat to Completions",
            "`to_completions` and `from_completions`, chapter 19",
            |sent| {
                let input = to_completions(&read::<ChatMessage>(sent));
                written(from_completions(&input.expect("results name their calls")))
            },
        ),
    ]
}

/// An agent's history as chat messages for the provider of its last message, whose thinking is
/// sent back.
fn chat_for_model(sent: &[Value], api: Api) -> Vec<ChatMessage> {
    let provider = sent.last().and_then(|message| message["provider"].as_str());
    let messages = convert_to_llm(&read(sent));
    chat::from_agent(&messages, api, provider.unwrap_or_default())
}

fn to_agent<T: Serialize>(from: Vocabulary, messages: Vec<T>) -> Vec<Value> {
    values(&converted(from, Vocabulary::Agent, &written(messages)).messages)
}

fn converted(from: Vocabulary, to: Vocabulary, messages: &[Value]) -> Converted {
    let lines: Vec<String> = messages.iter().map(Value::to_string).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    convert(from, to, &lines).expect("the messages can be read")
}

fn values(lines: &[String]) -> Vec<Value> {
    let values = lines.iter().map(|line| serde_json::from_str(line));
    values.collect::<Result<_, _>>().expect("lines of JSON")
}

fn read<T: DeserializeOwned>(sent: &[Value]) -> Vec<T> {
    let messages = sent.iter().cloned().map(serde_json::from_value);
    let messages: Result<_, _> = messages.collect();
    messages.expect("the messages can be read")
}

fn written<T: Serialize>(messages: impl IntoIterator<Item = T>) -> Vec<Value> {
    let messages = messages.into_iter().map(serde_json::to_value);
    let messages: Result<_, _> = messages.collect();
    messages.expect("the messages can be written")
}

fn reported(losses: Vec<transcript::Loss>) -> Vec<(usize, String)> {
    let losses = losses.into_iter();
    losses
        .map(|loss| (loss.message, loss.what.to_string()))
        .collect()
}
