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
    let name = definition.name;
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if name.is_empty() || name.len() > MAX_NAME || !name.bytes().all(fits) {
        bail!(
            "no API takes a tool of the name {name:?}: a name has 1 to {MAX_NAME} letters a-z or A-Z, digits, `_` and `-`"
        );
    }
    let schema = &definition.parameters;
    if schema["type"] != "object" {
        bail!(
            "no API takes the tool `{name}`: its parameters must be a schema with \"type\": \"object\""
        );
    }
    if let Some(keyword) = NOT_AT_TOP.iter().find(|key| schema.get(key).is_some()) {
        bail!(
            "no API takes the tool `{name}`: its schema has `{keyword}` at the top level; move it into one of the properties"
        );
    }
    if let Err(error) = mismatches(schema, &json!({})) {
        bail!("the tool `{name}` has a broken schema: {error}");
    }
    Ok(())
}
