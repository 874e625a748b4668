//! The fields of a message that a conversion lost.

use serde_json::{Map, Value};

/// What is lost if nothing of a message comes back.
pub const WHOLE: &str = "the whole message";

/// What is lost if a message comes back as several.
pub const UNITY: &str = "that it was one message";

/// The paths of the fields that differ in the message that came back. A path has dots between
/// names, and for an element of an array its `type` in brackets: `usage.input`,
/// `content[image]`.
///
/// `null` and an absent field are equal, and so are numbers of one value. A name may come
/// back in another spelling, `errorMessage` as `error_message`. New fields are no loss.
///
/// If both arrays have the same length, an element's partner is the one at its position, and
/// only if that has the same `type`. If the lengths differ, it is the next element of its `type`
/// that came back. An element without a partner is lost as a whole.
///
/// [`WHOLE`] is lost if nothing came back, and [`UNITY`] if several messages did.
pub fn lost(sent: &Value, returned: &[Value]) -> Vec<String> {
    let mut fields = Vec::new();
    match returned {
        [] => fields.push(WHOLE.to_string()),
        [one] => compare(sent, Some(one), "", &mut fields),
        _ => fields.push(UNITY.to_string()),
    }
    fields
}

/// Adds the path of `sent`, or the paths in it, unless it is equal to `returned`.
fn compare(sent: &Value, returned: Option<&Value>, path: &str, lost: &mut Vec<String>) {
    match (sent, returned) {
        (Value::Null, _) => {}
        (Value::Object(sent), Some(Value::Object(returned))) => {
            for (name, value) in sent {
                let dot = if path.is_empty() { "" } else { "." };
                let path = format!("{path}{dot}{name}");
                compare(value, find(returned, name), &path, lost);
            }
        }
        (Value::Array(sent), Some(Value::Array(returned))) => {
            let is_aligned = sent.len() == returned.len();
            let mut rest = returned.iter();
            for value in sent {
                let same_kind = |other: &&Value| kind(other) == kind(value);
                let mut ahead = rest.clone();
                let partner = match is_aligned {
                    true => ahead.next().filter(same_kind),
                    false => ahead.find(same_kind),
                };
                if is_aligned || partner.is_some() {
                    rest = ahead;
                }
                compare(value, partner, &format!("{path}[{}]", kind(value)), lost);
            }
        }
        (sent, Some(returned)) if sent == returned || is_same_number(sent, returned) => {}
        _ => lost.push(path.to_string()),
    }
}

/// Whether two numbers have one value, such as `12` and `12.0`. Two integers are compared as
/// such: as fractions, large ones that differ would be equal.
fn is_same_number(one: &Value, other: &Value) -> bool {
    (one.is_f64() || other.is_f64()) && one.as_f64().is_some() && one.as_f64() == other.as_f64()
}

/// A field by its name, or by one that differs only in capitals and underscores.
fn find<'a>(fields: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    let bare = |name: &str| name.replace('_', "").to_lowercase();
    let another = || fields.iter().find(|(other, _)| bare(other) == bare(name));
    fields.get(name).or_else(|| Some(another()?.1))
}

/// The kind of block that a value is: its `type`, if it has one.
fn kind(value: &Value) -> &str {
    value["type"].as_str().unwrap_or_default()
}
