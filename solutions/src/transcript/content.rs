//! The blocks that a transcript's messages are made of.

use std::borrow::Cow;
use std::fmt;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::agent::Unknown;
use crate::agent::json::unknown::tagged;

/// What a user said: in JSON a bare string or a list of blocks. Each is written in the
/// form in which it was read.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum UserContent {
    /// Words alone.
    Text(String),
    /// Words and pictures.
    Blocks(Vec<ContentBlock>),
}

impl<'de> Deserialize<'de> for UserContent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextOrBlocks)
    }
}

struct TextOrBlocks;

impl<'de> Visitor<'de> for TextOrBlocks {
    type Value = UserContent;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or a list of blocks")
    }

    /// A string is [`Text`](UserContent::Text), also an empty one.
    fn visit_str<E>(self, text: &str) -> Result<UserContent, E> {
        Ok(UserContent::Text(text.to_string()))
    }

    /// An array is [`Blocks`](UserContent::Blocks). What is wrong with a block is an error
    /// of that block's own.
    fn visit_seq<A: SeqAccess<'de>>(self, blocks: A) -> Result<UserContent, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(blocks)).map(UserContent::Blocks)
    }
}

/// One block of what a user said or a tool answered.
///
/// As JSON, an object whose `type` is the variant's name in snake case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[serde(remote = "Self")]
pub enum ContentBlock {
    /// Words.
    Text {
        /// The words.
        text: String,
    },
    /// A picture.
    Image {
        /// Where its bytes are: a `data:` URL, or an address on the web.
        source: String,
        /// What they are, such as `image/png`, if somebody said so.
        #[serde(skip_serializing_if = "Option::is_none")]
        media_type: Option<String>,
        /// What it shows, in words, if somebody said so.
        #[serde(skip_serializing_if = "Option::is_none")]
        alt: Option<String>,
    },
    /// A block of an unknown type or with unknown fields, from a newer program. No provider
    /// is sent what is unknown.
    #[serde(skip)]
    Other(Unknown<Self>),
}

tagged!(
    ContentBlock,
    "type",
    &[("text", "text"), ("image", "source media_type alt")]
);

/// What a model replied: in JSON a list of blocks.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AssistantContent(pub Vec<AssistantBlock>);

/// One block of a reply.
///
/// As JSON, an object whose `type` is the variant's name in snake case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[serde(remote = "Self")]
pub enum AssistantBlock {
    /// Words.
    Text {
        /// The words.
        text: String,
    },
    /// What the model thought, under the provider's seal.
    Thinking {
        /// The thoughts. An older name of the field, `thinking`, is read, too.
        #[serde(alias = "thinking")]
        text: String,
        /// The seal. It goes back to the provider as it came.
        #[serde(skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
    },
    /// What the model thought, as plain text.
    Reasoning {
        /// The thoughts.
        text: String,
    },
    /// What the model thought, in a form that only its provider reads.
    ReasoningDetails {
        /// It goes back to the provider as it came.
        details: Value,
    },
    /// A request to run a tool.
    ToolCall {
        /// Made by the provider; the result names it.
        id: String,
        /// Which tool.
        name: String,
        /// What the tool is given.
        arguments: Value,
    },
    /// A block of an unknown type or with unknown fields, from a newer program. No provider
    /// is sent what is unknown.
    #[serde(skip)]
    Other(Unknown<Self>),
}

tagged!(
    AssistantBlock,
    "type",
    &[
        ("text", "text"),
        ("thinking", "text thinking signature"),
        ("reasoning", "text"),
        ("reasoning_details", "details"),
        ("tool_call", "id name arguments"),
    ]
);

/// What a tool answered: in JSON a list of blocks.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolResultContent(pub Vec<ContentBlock>);

impl ToolResultContent {
    /// The words, without the pictures: the text blocks, joined by line ends.
    pub fn text(&self) -> String {
        let texts = self.0.iter().filter_map(|block| match block.known()? {
            ContentBlock::Text { text } => Some(text.as_str()),
            ContentBlock::Image { .. } | ContentBlock::Other(_) => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }
}

impl UserContent {
    /// The content without unknown blocks and fields.
    pub fn known(&self) -> Cow<'_, Self> {
        match self {
            Self::Blocks(blocks) if blocks.iter().any(is_other) => {
                Cow::Owned(Self::Blocks(known_blocks(blocks)))
            }
            _ => Cow::Borrowed(self),
        }
    }
}

impl ToolResultContent {
    /// The content without unknown blocks and fields.
    pub fn known(&self) -> Cow<'_, Self> {
        match self.0.iter().any(is_other) {
            true => Cow::Owned(Self(known_blocks(&self.0))),
            false => Cow::Borrowed(self),
        }
    }
}

fn is_other(block: &ContentBlock) -> bool {
    matches!(block, ContentBlock::Other(_))
}

fn known_blocks(blocks: &[ContentBlock]) -> Vec<ContentBlock> {
    blocks
        .iter()
        .filter_map(ContentBlock::known)
        .cloned()
        .collect()
}

impl AssistantContent {
    /// The content without unknown blocks and fields.
    pub fn known(&self) -> Cow<'_, Self> {
        let is_other = |block: &AssistantBlock| matches!(block, AssistantBlock::Other(_));
        match self.0.iter().any(is_other) {
            true => {
                let blocks = self.0.iter().filter_map(AssistantBlock::known);
                Cow::Owned(Self(blocks.cloned().collect()))
            }
            false => Cow::Borrowed(self),
        }
    }
}
