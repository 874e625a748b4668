//! The content of messages and tool results.

use serde_json::Value;

use super::json_object::JsonObject;
use crate::conversation::Content;
use crate::request_error::RequestError;

/// Reads a field that is a string or an array of parts. If it is absent, the content is
/// empty.
pub(super) fn read_content(object: &JsonObject, name: &str) -> Result<Content, RequestError> {
    match object.get(name) {
        None => Ok(Content::default()),
        Some(Value::String(text)) => Ok(Content {
            text: text.clone(),
            images: 0,
        }),
        Some(Value::Array(_)) => read_parts(&object.objects(name)?),
        Some(_) => Err(object.error(name, "expected a string or an array of parts")),
    }
}

/// Reads the parts of a message.
pub(super) fn read_parts(parts: &[JsonObject]) -> Result<Content, RequestError> {
    let mut texts = Vec::new();
    let mut images = 0;
    for part in parts {
        match part.string("type")? {
            "text" | "input_text" | "output_text" => texts.push(part.string("text")?.into()),
            "refusal" => texts.push(part.string("refusal")?.into()),
            "image" | "image_url" | "input_image" => images += 1,
            other => texts.push(format!("[{other}]")),
        }
    }
    let text = texts.join("\n");
    Ok(Content { text, images })
}
