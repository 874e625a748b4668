//! What of a message does not come back.

use serde_json::{Map, Value};

/// What is lost when nothing of a message comes back.
pub const WHOLE: &str = "the whole message";

/// What is lost when a message comes back in pieces.
pub const UNITY: &str = "that it was one message";

/// What is not as it was in the message that has come back, each field by its path: names
/// with dots between them, and for an element of an array its `type` in brackets, or
/// nothing in them. In `usage.input` it is the `input` of the usage that is lost, and in
/// `content[image]` a whole block.
///
/// `null` and a field that is missing are the same, and so are numbers of one value. A name
/// may come back in another spelling, `errorMessage` as `error_message`. What is new has
/// not been lost.
///
/// If an array is as long as it was, each element is compared with the one in its place,
/// otherwise with the next one of its `type` that has come back. Without such a one, or
/// with one of another `type` in its place, the whole element is lost.
///
/// If nothing has come back, [`WHOLE`] is lost; if several messages have, [`UNITY`], and
/// nothing is compared.
pub fn lost(sent: &Value, returned: &[Value]) -> Vec<String> {
    todo!("convert-any-to-any: write lost")
}

fn compare(sent: &Value, returned: &Value, path: &str, lost: &mut Vec<String>) {
    todo!("convert-any-to-any: write compare")
}

/// Whether two numbers have one value, `12` and `12.0`. Two whole ones are compared as
/// such: as fractions, large ones that differ would be the same.
fn is_same_number(one: &Value, other: &Value) -> bool {
    (one.is_f64() || other.is_f64()) && one.as_f64().is_some() && one.as_f64() == other.as_f64()
}

/// A field by its name, or by one that differs only in capitals and underscores.
fn find<'a>(fields: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    let bare = |name: &str| name.replace('_', "").to_lowercase();
    let another = || {
        let mut fields = fields.iter();
        fields.find_map(|(other, value)| (bare(other) == bare(name)).then_some(value))
    };
    fields.get(name).or_else(another)
}

/// What kind of block a value is: its `type`, if it has one.
fn kind(value: &Value) -> &str {
    value["type"].as_str().unwrap_or_default()
}
