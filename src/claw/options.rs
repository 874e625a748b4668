//! The command line.

#[cfg(any(all(unix, feature = "ch12"), feature = "ch20"))]
use std::path::PathBuf;

use clap::Parser;
#[cfg(feature = "ch10")]
use clap::Subcommand;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

#[cfg(feature = "ch20")]
use super::convert::ConvertOptions;
#[cfg(feature = "ch20")]
use super::output_format::OutputFormat;
#[cfg(feature = "ch10")]
use super::permissions::{PermissionOptions, PermissionsCommand};
use super::server_api::ServerApi;
#[cfg(feature = "ch20")]
use super::sessions::{SessionChoice, SessionsOptions};
#[cfg(feature = "ch20")]
use crate::agent::ThinkingLevel;
use crate::provider::API_KEY_VARIABLES;

/// A coding agent in your terminal.
///
/// Without an API key it talks to an offline model, a small set of rules on this machine. With
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
    feature = "ch10",
    command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)
)]
pub struct Options {
    /// Answer this one prompt and exit; piped input, at most 1 MiB, is added after it
    #[arg(short, long, value_name = "PROMPT", allow_hyphen_values = true)]
    pub prompt: Option<String>,
    /// What -p prints: `text`, `json` for one object at the end, or `stream-json` for an
    /// object for each event, too
    #[cfg(feature = "ch20")]
    #[arg(long, value_name = "FORMAT", value_enum, requires = "prompt")]
    pub output_format: Option<OutputFormat>,
    /// Talk to the offline model, whatever keys are set
    #[arg(long, conflicts_with_all = ["base_url", "model"])]
    pub offline: bool,
    /// The model's name on the server (default: CLAW_MODEL)
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// The model's server, up to and including /v1 (default: CLAW_BASE_URL)
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
    /// The API to ask the server with (default: messages for the offline model and with
    /// ANTHROPIC_API_KEY, responses with OPENAI_API_KEY, otherwise completions)
    #[cfg(feature = "ch20")]
    #[arg(long, value_name = "API", value_enum)]
    pub api: Option<ServerApi>,
    /// How much the model thinks before it answers: off, minimal, low, medium or high
    /// (default: off). Its thinking is shown dimmed, so only in a terminal and without
    /// NO_COLOR
    #[cfg(feature = "ch20")]
    #[arg(long, value_name = "LEVEL", value_parser = parse_thinking_level)]
    pub thinking: Option<ThinkingLevel>,
    /// The tools to use, as names and globs: `read,gr*`, or `!bash` for all but that
    /// one (default: all)
    #[cfg(feature = "ch9")]
    #[arg(long, value_name = "PATTERNS", value_delimiter = ',')]
    pub tools: Option<Vec<String>>,
    /// Which calls run
    #[cfg(feature = "ch10")]
    #[command(flatten)]
    pub permissions: PermissionOptions,
    /// Run the hooks of this settings file, in the format of Claude Code's settings.json; may be
    /// given several times
    #[cfg(all(unix, feature = "ch12"))]
    #[arg(long, value_name = "FILE")]
    pub hooks: Vec<PathBuf>,
    /// Attach this image to the first prompt: PNG, JPEG, GIF or WebP; may be given several
    /// times
    #[cfg(feature = "ch20")]
    #[arg(long = "image", value_name = "FILE")]
    pub images: Vec<PathBuf>,
    /// Resume a session of this folder: the one whose id begins with ID, or the latest
    #[cfg(feature = "ch20")]
    #[arg(long, value_name = "ID", num_args = 0..=1, conflicts_with = "no_session")]
    pub resume: Option<Option<String>>,
    /// Do not save this conversation
    #[cfg(feature = "ch20")]
    #[arg(long)]
    pub no_session: bool,
    /// A command to run instead of a conversation
    #[cfg(feature = "ch10")]
    #[command(subcommand)]
    pub command: Option<Command>,
}

impl Options {
    /// Parses the command line. The error is clap's; `--help` and `--version` are errors too,
    /// and [`Error::exit`] prints each as it should be.
    pub fn read() -> Result<Self, Error> {
        Self::try_parse().map_err(|mut error| {
            if is_bare_word(&error) {
                let hint = ContextValue::StyledStrs(vec![PROMPT_HINT.into()]);
                error.insert(ContextKind::Suggested, hint);
            }
            error
        })
    }

    /// The value of `--api`, which exists from chapter 20 on.
    pub fn api(&self) -> Option<ServerApi> {
        #[cfg(feature = "ch20")]
        return self.api;
        #[cfg(not(feature = "ch20"))]
        return None;
    }

    /// How to save the conversation, by `--resume` and `--no-session`.
    #[cfg(feature = "ch20")]
    pub fn session(&self) -> SessionChoice {
        match &self.resume {
            Some(id_prefix) => SessionChoice::Resume(id_prefix.clone()),
            None if self.no_session => SessionChoice::Unsaved,
            None => SessionChoice::New,
        }
    }
}

/// The subcommands.
#[cfg(feature = "ch10")]
#[derive(Debug, Clone, PartialEq, Subcommand)]
pub enum Command {
    /// Say what would happen to a call, and why
    #[command(subcommand)]
    Permissions(PermissionsCommand),
    /// List the sessions of this folder, the latest first, search them, or show one
    #[cfg(feature = "ch20")]
    Sessions(SessionsOptions),
    /// Convert messages from one vocabulary to another
    #[cfg(feature = "ch20")]
    Convert(ConvertOptions),
}

/// Whether the error is about a word that is neither an option nor a subcommand.
fn is_bare_word(error: &Error) -> bool {
    let word = error.get(ContextKind::InvalidArg);
    error.kind() == ErrorKind::InvalidSubcommand
        || error.kind() == ErrorKind::UnknownArgument
            && matches!(word, Some(ContextValue::String(word)) if !word.starts_with('-'))
}

const PROMPT_HINT: &str = "to send a single prompt, use -p: claw -p \"list the files here\"";

fn after_help() -> String {
    let mut text = match cfg!(feature = "ch10") {
        true => PERMISSIONS_HELP.to_string(),
        false => TOOLS_HELP.to_string(),
    };
    if cfg!(feature = "ch13") {
        text += PLAN_HELP;
    }
    if cfg!(feature = "ch9") {
        text += TOOL_PATTERNS_HELP;
    }
    if cfg!(feature = "ch20") {
        text += SESSIONS_HELP;
    }
    text += &format!(
        "\n\nclaw reads API keys from {}. The commands of the model get none of them.",
        API_KEY_VARIABLES.join(", ")
    );
    text
}

const TOOLS_HELP: &str = "\
The model's tools run at once, without asking you, in the folder that claw was started in; a \
command can do whatever you can.";
const PERMISSIONS_HELP: &str = "\
claw asks before a tool changes something, unless a mode or a rule allows it. Where nobody can \
be asked, as with -p, it does not run the call, says how to allow it, and exits with 3.";
const PLAN_HELP: &str = " In \
mode `plan` nothing changes until you approve a plan; with -p, the plan is printed, and claw exits \
with 3.";
const TOOL_PATTERNS_HELP: &str = "\n\
With `--tools '!bash'` the model cannot run commands; with `--tools read,list,glob,grep` it can \
only read.";
const SESSIONS_HELP: &str = "

Conversations are saved in $CLAW_HOME, or else in $XDG_DATA_HOME/claw, or else in \
~/.local/share/claw, in one database for each folder.";

/// Parses a thinking level as JSON spells it.
#[cfg(feature = "ch20")]
fn parse_thinking_level(word: &str) -> Result<ThinkingLevel, String> {
    serde_json::from_value(word.into())
        .map_err(|_| "expected off, minimal, low, medium or high".to_string())
}
