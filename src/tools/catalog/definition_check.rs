//! What every API takes as a tool.

use anyhow::{Result, bail};
use serde_json::json;

use crate::tools::mismatches;
use crate::types::ToolDefinition;

/// How many characters a tool's name has at most.
pub const MAX_NAME: usize = 64;

/// What a tool's schema must not have at its top level.
pub const NOT_AT_TOP: [&str; 5] = ["oneOf", "anyOf", "allOf", "enum", "not"];

/// Whether all three APIs take a tool with this definition. One that they do not take
/// fails the whole request, and with it every other tool.
///
/// - The name has 1 to [`MAX_NAME`] characters: `a`–`z`, `A`–`Z`, `0`–`9`, `_` and `-`.
/// - The schema is an object whose `type` is `"object"`.
/// - It has none of [`NOT_AT_TOP`] at its top level. Further down, all are welcome.
/// - It is a valid JSON Schema, and refers to no other document.
///
/// The error names the tool, what is wrong with it, and what would do instead.
pub fn admissible(definition: &ToolDefinition) -> Result<()> {
    todo!("9.2: write admissible")
}
