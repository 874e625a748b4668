//! Which API a server is spoken to in.

use clap::ValueEnum;

/// An API, by the last part of its address.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Api {
    /// Chat Completions: text and calls, and hardly a server that does not speak it
    #[default]
    Completions,
    /// OpenAI's Responses: pictures and thoughts as well
    Responses,
    /// Anthropic's Messages: pictures and thoughts as well
    Messages,
}

impl Api {
    /// Whether `claw` can speak it, with the chapters that are open.
    pub fn is_spoken(self) -> bool {
        self == Self::Completions || cfg!(feature = "ch20")
    }

    /// Whether the connection carries more than text: pictures there, and thoughts back.
    #[cfg(feature = "ch20")]
    pub fn is_rich(self) -> bool {
        self != Self::Completions
    }
}
