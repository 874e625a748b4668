//! The check that every API accepts a tool's definition.

use anyhow::{Result, bail};
use serde_json::json;

use crate::tools::mismatches;
use crate::types::ToolDefinition;

/// The largest number of characters in a tool's name.
pub const MAX_NAME_LENGTH: usize = 64;

/// Keywords that must not be at the top level of a tool's schema.
pub const FORBIDDEN_KEYWORDS: [&str; 5] = ["oneOf", "anyOf", "allOf", "enum", "not"];

/// Checks that all three APIs accept a tool with this definition. A tool that they don't
/// accept makes the whole request fail, with all other tools in it.
///
/// - The name has 1 to [`MAX_NAME_LENGTH`] characters: `a`–`z`, `A`–`Z`, `0`–`9`, `_`, `-`.
/// - The schema is an object whose `type` is exactly `"object"`, no list.
/// - It has none of the [`FORBIDDEN_KEYWORDS`] at its top level. Further down, they are fine. If
///   it has several, the error names the first one of that list.
/// - It is a valid JSON Schema, and does not refer to another document.
///
/// The error names the tool, the problem, and the fix.
pub fn check_definition(definition: &ToolDefinition) -> Result<()> {
    todo!("definitions-that-every-api-accepts: write check_definition")
}
