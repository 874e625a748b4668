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

    /// Whether an approval of exactly this call covers it: one with the same name and arguments.
    pub fn cover_exactly(&self, call: &ToolCall) -> bool {
        let mut calls = self.calls.iter();
        calls.any(|(name, arguments)| *name == call.name && *arguments == call.arguments)
    }

    /// Whether an approval covers a call. A pattern must match it with [`Certainty::Certain`].
    pub fn cover(&self, call: &ToolCall) -> bool {
        let mut patterns = self.patterns.iter();
        self.cover_exactly(call) || patterns.any(|it| it.matches(call, Certainty::Certain))
    }
}

/// The pattern that [`Approval::ThisTool`] allows, which the user sees before agreeing:
///
/// - for a call with a `command`, text or not, its [`exact_rule`];
/// - for any other call, the tool's name with `(**)`, such as `edit(**)`. It matches calls
///   without a `path` and calls with one in the workspace.
///
/// `None` if the path is not text or leads out of the workspace.
pub fn offered_rule(call: &ToolCall, places: &Places) -> Option<String> {
    if call.arguments.get("command").is_some() {
        return exact_rule(call, places);
    }
    let path = match call.arguments.get("path") {
        None => ".",
        Some(path) => path.as_str()?,
    };
    is_inside(&places.absolute(path), &places.workspace).then(|| format!("{}(**)", call.name))
}

/// The pattern that matches the command of a call, or else its path, and no other:
/// `bash(cargo test --release)`, `edit(src/main.rs)`. The path starts in the workspace.
///
/// `None` if no pattern is certain to match just this:
///
/// - the command is not [simple](simple_words), or the path is not in the workspace;
/// - a word of the command, or the path, is empty or has a character that `is_plain` refuses;
/// - [`CallPattern::parse`] refuses the pattern, as it does for `ls ../..`;
/// - the command or the path is not text, or the call has neither.
pub fn exact_rule(call: &ToolCall, places: &Places) -> Option<String> {
    let words = match call.arguments.get("command") {
        Some(command) => simple_words(command.as_str()?)?,
        None => {
            let path = places.absolute(call.arguments.get("path")?.as_str()?);
            let below = path.strip_prefix(&places.workspace).ok()?;
            vec![below.to_str()?.to_string()]
        }
    };
    let is_certain = |word: &String| !word.is_empty() && word.chars().all(is_plain);
    let rule = format!("{}({})", call.name, words.join(" "));
    let is_valid = words.iter().all(is_certain) && CallPattern::parse(&rule, places).is_ok();
    is_valid.then_some(rule)
}

/// Whether a character means only itself, in a pattern and in single quotes of a shell.
fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || "-_=+./:,@%".contains(c)
}

/// Whether a path is in a folder, or is the folder.
fn is_inside(path: &Path, folder: &Path) -> bool {
    path.starts_with(folder)
}
