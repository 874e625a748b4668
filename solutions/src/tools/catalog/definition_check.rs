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
    let name = definition.name;
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if name.is_empty() || name.len() > MAX_NAME_LENGTH || !name.bytes().all(is_allowed) {
        bail!(
            "no API accepts a tool with the name {name:?}; use 1 to {MAX_NAME_LENGTH} characters: letters a-z and A-Z, digits, `_` and `-`"
        );
    }
    let schema = &definition.parameters;
    if schema["type"] != "object" {
        bail!(
            "no API accepts the tool `{name}`: its parameters must be a schema with \"type\": \"object\""
        );
    }
    if let Some(keyword) = FORBIDDEN_KEYWORDS
        .iter()
        .find(|key| schema.get(key).is_some())
    {
        bail!(
            "no API accepts the tool `{name}`: its schema has `{keyword}` at the top level; move it into one of the properties"
        );
    }
    if let Err(error) = mismatches(schema, &json!({})) {
        bail!("the tool `{name}` has an invalid schema: {error}");
    }
    Ok(())
}
