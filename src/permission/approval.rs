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
        todo!("approvals: write Approvals::add")
    }

    /// Whether an approval of exactly this call covers it: one with the same name and arguments.
    pub fn cover_exactly(&self, call: &ToolCall) -> bool {
        todo!("approvals: write Approvals::cover_exactly")
    }

    /// Whether an approval covers a call. A pattern must match it with [`Certainty::Certain`].
    pub fn cover(&self, call: &ToolCall) -> bool {
        todo!("approvals: write Approvals::cover")
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
    todo!("offered-rules: write offered_rule")
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
    todo!("offered-rules: write exact_rule")
}

/// Whether a character means only itself, in a pattern and in single quotes of a shell.
fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || "-_=+./:,@%".contains(c)
}

/// Whether a path is in a folder, or is the folder.
fn is_inside(path: &Path, folder: &Path) -> bool {
    path.starts_with(folder)
}
