//! The command line.

use clap::Parser;
#[cfg(feature = "ch20")]
use clap::Subcommand;

#[cfg(feature = "ch20")]
use super::convert::ConvertOptions;

/// A coding agent in your terminal.
///
/// Without a key it talks to an offline model, a small set of rules on this machine. With
/// CLAW_BASE_URL, OPENAI_API_KEY or OPENROUTER_API_KEY set, it talks to that server.
#[derive(Debug, Clone, Default, Parser)]
#[command(name = "claw", version)]
#[cfg_attr(
    feature = "ch20",
    command(args_conflicts_with_subcommands = true, disable_help_subcommand = true,)
)]
pub struct Options {
    /// Answer this one prompt and end
    #[arg(short, long, value_name = "PROMPT")]
    pub prompt: Option<String>,
    /// Talk to the offline model, whatever keys are set
    #[arg(long, conflicts_with = "base_url")]
    pub offline: bool,
    /// The model's name, as the server knows it (default: CLAW_MODEL)
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// A Chat Completions server, up to and including /v1 (default: CLAW_BASE_URL)
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
    /// The tools to have, as names and globs: `read,gr*`, or `!bash` for all but that
    /// one (default: all)
    #[cfg(feature = "ch9")]
    #[arg(long, value_name = "PATTERNS", value_delimiter = ',')]
    pub tools: Option<Vec<String>>,
    /// What to do in place of a conversation
    #[cfg(feature = "ch20")]
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What `claw` can do beside talking.
#[cfg(feature = "ch20")]
#[derive(Debug, Clone, PartialEq, Subcommand)]
pub enum Command {
    /// Convert messages from one vocabulary into another
    Convert(ConvertOptions),
}
