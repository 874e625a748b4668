//! The interface of one tool's narrator.

use serde_json::Value;

/// Writes the sentences about the calls of one tool.
///
/// Arguments and texts can have any form: a model writes the arguments, and a transcript may
/// come from another program.
pub trait Narrator: Send + Sync {
    /// What a call with these arguments tries to do, as it follows `Could not`:
    /// `read src/a.rs`.
    fn action(&self, args: &Value) -> String;

    /// What a successful call did, as a sentence without its period: `Read src/a.rs (12
    /// lines)`. `text` is the text of its result. `None` if this tool does not write such a
    /// text.
    fn outcome(&self, args: &Value, text: &str) -> Option<String>;
}
