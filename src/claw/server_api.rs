//! The values of `--api`: which API a server is asked with.

use clap::ValueEnum;

/// A chat API, named after the last part of its path.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum ServerApi {
    /// Chat Completions: text and tool calls; nearly every server has it
    #[default]
    Completions,
    /// OpenAI's Responses: images and thinking as well
    Responses,
    /// Anthropic's Messages: images and thinking as well
    Messages,
}

impl ServerApi {
    /// Whether the open chapters include a client for this API.
    pub fn is_available(self) -> bool {
        self == Self::Completions || cfg!(feature = "ch20")
    }

    /// Whether `claw` can send images over this API, and get thinking back.
    #[cfg(feature = "ch20")]
    pub fn has_images_and_thinking(self) -> bool {
        self != Self::Completions
    }
}
