//! Converts a conversation from one vocabulary to another.
//!
//! Each vocabulary is converted to and from one hub, the agent's messages, by `from_types`,
//! `from_transcript` and `from_chat`. So four vocabularies need four such pairs and not twelve
//! conversions. [`convert`] converts each message and converts the result back, and [`lost`]
//! compares: what did not come back is lost.

mod diff;
pub mod from_chat;
pub mod from_transcript;
pub mod from_types;
mod hub;
mod parse;
mod vocabulary;

pub use diff::*;
pub use hub::*;
pub use parse::*;
pub use vocabulary::*;

use serde_json::Value;

/// A conversation in another vocabulary.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Converted {
    /// Its messages, each as JSON in one line.
    pub messages: Vec<String>,
    /// What they lost.
    pub losses: Vec<Loss>,
}

/// A field that a message lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// The index of the message before the conversion.
    pub message: usize,
    /// The field, as [`lost`] names it.
    pub field: String,
}

/// A message that cannot be read, or that is not a message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// The index of the message.
    pub message: usize,
    /// What is wrong with it.
    pub problem: Problem,
}

/// Converts messages, each given as its JSON. The first broken one is an error.
///
/// Each message is converted, read again and converted back. What did not come back equal is
/// lost.
pub fn convert(from: Vocabulary, to: Vocabulary, texts: &[&str]) -> Result<Converted, Broken> {
    let mut converted = Converted::default();
    let (mut there, mut back) = (Converter::new(from, to), Converter::new(to, from));
    for (message, text) in texts.iter().enumerate() {
        let broken = |problem| Broken { message, problem };
        let sent = parse(text).map_err(broken)?;
        let arrived = there.convert(text).map_err(broken)?;
        let mut returned: Vec<Value> = Vec::new();
        for text in &arrived {
            for text in back.convert(text).map_err(broken)? {
                returned.push(parse(&text).map_err(broken)?);
            }
        }
        let fields = lost(&sent, &returned).into_iter();
        let losses = fields.map(|field| Loss { message, field });
        converted.losses.extend(losses);
        converted.messages.extend(arrived);
    }
    Ok(converted)
}

/// Converts the messages of one conversation, one after the other.
struct Converter {
    from: Vocabulary,
    to: Vocabulary,
    names: ToolNames,
}

impl Converter {
    fn new(from: Vocabulary, to: Vocabulary) -> Self {
        let names = ToolNames::default();
        Self { from, to, names }
    }

    /// Converts a message through the hub. Within one vocabulary, it is read and written.
    fn convert(&mut self, text: &str) -> Result<Vec<String>, Problem> {
        if self.from == self.to {
            return Ok(vec![self.from.rewrite(text)?]);
        }
        let mut messages = self.from.read(text)?;
        self.names.complete(&mut messages);
        self.to.write(&messages)
    }
}
