//! The command line.

#[cfg(feature = "ch20")]
use std::path::PathBuf;

use clap::Parser;
#[cfg(feature = "ch20")]
use clap::Subcommand;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

use super::Api;
#[cfg(feature = "ch20")]
use super::convert::ConvertOptions;
#[cfg(feature = "ch20")]
use super::sessions::SessionsOptions;
#[cfg(feature = "ch20")]
use crate::agent::ThinkingLevel;

/// A coding agent in your terminal.
///
/// Without a key it talks to an offline model, a small set of rules on this machine. With
#[cfg_attr(
    feature = "ch20",
    doc = "CLAW_BASE_URL, OPENAI_API_KEY, OPENROUTER_API_KEY or ANTHROPIC_API_KEY set, it talks to"
)]
#[cfg_attr(
    not(feature = "ch20"),
    doc = "CLAW_BASE_URL, OPENAI_API_KEY or OPENROUTER_API_KEY set, it talks to"
)]
/// that server.
#[derive(Debug, Clone, Default, Parser)]
#[command(name = "claw", version, after_help = after_help())]
#[cfg_attr(
    feature = "ch20",
    command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)
)]
pub struct Options {
    /// Answer this one prompt and end; what is piped in, at most 1 MiB, goes along behind it
    #[arg(short, long, value_name = "PROMPT", allow_hyphen_values = true)]
    pub prompt: Option<String>,
    /// Talk to the offline model, whatever keys are set
    #[arg(long, conflicts_with_all = ["base_url", "model"])]
    pub offline: bool,
    /// The model's name, as the server knows it (default: CLAW_MODEL)
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// The model's server, up to and including /v1 (default: CLAW_BASE_URL)
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
    /// What the server is spoken to in (default: messages offline and with
    /// ANTHROPIC_API_KEY, responses with OPENAI_API_KEY, otherwise completions)
    #[cfg(feature = "ch20")]
    #[arg(long, value_name = "API", value_enum)]
    pub api: Option<Api>,
    /// How much the model is to think before it answers: off, minimal, low, medium or
    /// high (default: off). Its thoughts are shown dimmed, and so only in a terminal, where
    /// NO_COLOR is not set
    #[cfg(feature = "ch20")]
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    pub thinking: Option<ThinkingLevel>,
    /// The tools to have, as names and globs: `read,gr*`, or `!bash` for all but that
    /// one (default: all)
    #[cfg(feature = "ch9")]
    #[arg(long, value_name = "PATTERNS", value_delimiter = ',')]
    pub tools: Option<Vec<String>>,
    /// Show the model this picture with the first prompt: PNG, JPEG, GIF or WebP; may be
    /// given several times
    #[cfg(feature = "ch20")]
    #[arg(long = "image", value_name = "FILE")]
    pub images: Vec<PathBuf>,
    /// Go on with a session of this folder: the one whose id begins so, or the latest
    #[cfg(feature = "ch20")]
    #[arg(long, value_name = "ID", num_args = 0..=1, conflicts_with = "no_session")]
    pub resume: Option<Option<String>>,
    /// Keep nothing of this conversation
    #[cfg(feature = "ch20")]
    #[arg(long)]
    pub no_session: bool,
    /// What to do in place of a conversation
    #[cfg(feature = "ch20")]
    #[command(subcommand)]
    pub command: Option<Command>,
}

impl Options {
    /// The command line. The error, which may also be the help that was asked for, is clap's,
    /// and knows how to end the program.
    pub fn read() -> Result<Self, Error> {
        Self::try_parse().map_err(|mut error| {
            if is_bare_word(&error) {
                let hint = ContextValue::StyledStrs(vec![ASK_ONE.into()]);
                error.insert(ContextKind::Suggested, hint);
            }
            error
        })
    }

    /// The API that is asked for.
    pub fn api(&self) -> Option<Api> {
        #[cfg(feature = "ch20")]
        return self.api;
        #[cfg(not(feature = "ch20"))]
        return None;
    }
}

/// What `claw` can do beside talking.
#[cfg(feature = "ch20")]
#[derive(Debug, Clone, PartialEq, Subcommand)]
pub enum Command {
    /// List the sessions of this folder, the last one first, or show one
    Sessions(SessionsOptions),
    /// Convert messages from one vocabulary into another
    Convert(ConvertOptions),
}

/// Whether something stands where no option begins and no command is known.
fn is_bare_word(error: &Error) -> bool {
    let word = error.get(ContextKind::InvalidArg);
    error.kind() == ErrorKind::InvalidSubcommand
        || error.kind() == ErrorKind::UnknownArgument
            && matches!(word, Some(ContextValue::String(word)) if !word.starts_with('-'))
}

const ASK_ONE: &str = "to ask one thing, put it behind -p: claw -p \"list the files here\"";

fn after_help() -> String {
    let mut text = TOOLS_RUN.to_string();
    if cfg!(feature = "ch9") {
        text += LEAVE_OUT;
    }
    if cfg!(feature = "ch20") {
        text += PLACES;
    }
    text
}

const TOOLS_RUN: &str = "\
The model's tools run at once, without asking you, in the folder that claw was started in; a \
command can do whatever you can.";
const LEAVE_OUT: &str = " \
With `--tools '!bash'` it runs no commands; with `--tools read,list,glob,grep` it only looks.";
const PLACES: &str = "

Conversations are kept in $CLAW_HOME, or else in $XDG_DATA_HOME/claw, or else in \
~/.local/share/claw, in one database for each folder.";

#[cfg(feature = "ch20")]
/// A level, as JSON spells it.
fn level(word: &str) -> Result<ThinkingLevel, String> {
    serde_json::from_value(word.into())
        .map_err(|_| "it is one of off, minimal, low, medium, high".to_string())
}
