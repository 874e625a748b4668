//! What the user approved in this session.

use std::path::Path;

use serde_json::Value;

use super::{CallPattern, Certainty, Places, simple_words};
use crate::types::ToolCall;

/// How much a "yes" allows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Approval {
    /// This call, and nothing after it.
    Once,
    /// Calls of the same tool with the same arguments, for the rest of the session.
    ThisCall,
    /// Calls that match the call's [`offered_rule`], for the rest of the session.
    ThisTool,
}

/// The approvals of a session. They are not saved with it.
#[derive(Debug, Default)]
pub struct Approvals {
    /// The name and the arguments of each approved call.
    calls: Vec<(String, Value)>,
    /// The approved patterns.
    patterns: Vec<CallPattern>,
}

impl Approvals {
    /// Remembers an approval of a call. [`Approval::Once`] leaves nothing to remember, and
    /// neither does [`Approval::ThisTool`] for a call without an offered rule.
    pub fn add(&mut self, approval: Approval, call: &ToolCall, places: &Places) {
        match approval {
            Approval::Once => {}
            Approval::ThisCall => {
                self.calls.push((call.name.clone(), call.arguments.clone()));
            }
            Approval::ThisTool => {
                let rule = offered_rule(call, places);
                let pattern = rule.and_then(|rule| CallPattern::parse(&rule, places).ok());
                self.patterns.extend(pattern);
            }
        }
    }

    /// Whether an approval covers a call. A pattern must match it with [`Certainty::Certain`].
    pub fn cover(&self, call: &ToolCall) -> bool {
        let mut calls = self.calls.iter();
        calls.any(|(name, arguments)| *name == call.name && *arguments == call.arguments)
            || (self.patterns.iter()).any(|it| it.matches(call, Certainty::Certain))
    }
}

/// The pattern that [`Approval::ThisTool`] makes of a call, to be shown before the user agrees:
///
/// - `bash(cargo test *)` for a command whose words are [simple](simple_words) and begin with
///   two names of ASCII letters, digits, `-` and `_`, the first letter a letter;
/// - `edit(**)` for a path in the workspace;
/// - the tool's name for a call with neither a `command` nor a `path`.
///
/// `None` if the command is another one, or the path leads out of the workspace: nothing
/// between "this call" and "everything" would be clear.
pub fn offered_rule(call: &ToolCall, places: &Places) -> Option<String> {
    let name = &call.name;
    let text = |key| call.arguments.get(key).and_then(Value::as_str);
    if let Some(command) = text("command") {
        return match simple_words(command)?.as_slice() {
            [program, subcommand, ..] if is_name(program) && is_name(subcommand) => {
                Some(format!("{name}({program} {subcommand} *)"))
            }
            _ => None,
        };
    }
    match text("path") {
        Some(path) => {
            is_inside(&places.absolute(path), &places.workspace).then(|| format!("{name}(**)"))
        }
        None => Some(name.clone()),
    }
}

/// Whether a word of a command can only be a name: of a program or of its subcommand.
fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic())
        && (word.chars()).all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

/// Whether a path is in a folder, or is the folder.
fn is_inside(path: &Path, folder: &Path) -> bool {
    path.starts_with(folder)
}
