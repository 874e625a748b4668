//! The blocks that a transcript's messages are made of.

use std::borrow::Cow;
use std::fmt;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::agent::Unknown;
use crate::agent::json::unknown::tagged;

/// A user's message. In JSON it is a string or a list of blocks, and it is written in the
/// form in which it was read.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum UserContent {
    /// A string.
    Text(String),
    /// A list of text and images.
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

    /// Reads a string, even an empty one, as [`Text`](UserContent::Text).
    fn visit_str<E>(self, text: &str) -> Result<UserContent, E> {
        todo!("text-or-blocks: write TextOrBlocks::visit_str")
    }

    /// Reads an array as [`Blocks`](UserContent::Blocks). An invalid block is an error that
    /// describes that block.
    fn visit_seq<A: SeqAccess<'de>>(self, blocks: A) -> Result<UserContent, A::Error> {
        todo!("text-or-blocks: write TextOrBlocks::visit_seq")
    }
}

/// One block of a user's message or of a tool's result.
///
/// As JSON, an object whose `type` is the variant's name in snake case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub enum ContentBlock {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// An image.
    Image {
        /// The URL of the image: a `data:` URL or an address on the web.
        source: String,
        /// The media type, such as `image/png`, if it is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        media_type: Option<String>,
        /// A description of the image, if there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        alt: Option<String>,
    },
    /// A block of an unknown type or with unknown fields, from a newer program. Providers are
    /// sent only its [known](Self::known) part.
    #[serde(skip)]
    Other(Unknown<Self>),
}

tagged!(
    ContentBlock,
    "type",
    &[("text", "text"), ("image", "source media_type alt")]
);

/// A model's reply. In JSON it is a list of blocks.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AssistantContent(pub Vec<AssistantBlock>);

/// One block of a reply.
///
/// As JSON, an object whose `type` is the variant's name in snake case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub enum AssistantBlock {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// The model's thoughts, signed by the provider.
    Thinking {
        /// The thoughts. The field's older name `thinking` is read too.
        #[serde(alias = "thinking")]
        text: String,
        /// The signature. It goes back to the provider unchanged.
        #[serde(skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
    },
    /// The model's thoughts as plain text.
    Reasoning {
        /// The thoughts.
        text: String,
    },
    /// The model's thoughts in a form that only its provider reads.
    ReasoningDetails {
        /// The provider's JSON. It goes back to the provider unchanged.
        details: Value,
    },
    /// A request to run a tool.
    ToolCall {
        /// The provider's id of the call. The result has the same id.
        id: String,
        /// The tool's name.
        name: String,
        /// The tool's arguments.
        arguments: Value,
    },
    /// A block of an unknown type or with unknown fields, from a newer program. Providers are
    /// sent only its [known](Self::known) part.
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

/// The content of a tool's result. In JSON it is a list of blocks.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolResultContent(pub Vec<ContentBlock>);

impl ToolResultContent {
    /// The text of all text blocks, unchanged and joined by line breaks, without the images. A text
    /// block with unknown fields counts too.
    pub fn text(&self) -> String {
        todo!("text-or-blocks: write ToolResultContent::text")
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
