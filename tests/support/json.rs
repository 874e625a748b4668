//! JSON in tests: values are compared as JSON values, so that the order of keys is free.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The JSON of `value`.
#[track_caller]
pub fn to_json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("the value can be written as JSON")
}

/// Reads `json` by way of text, as a program reads a file.
#[track_caller]
pub fn from_json<T: DeserializeOwned>(json: &Value) -> T {
    let text = json.to_string();
    serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("this JSON should load: {json}\nbut: {error}"))
}

/// Fails with the rule `why` unless both values are equal.
#[track_caller]
pub fn assert_json(why: &str, got: &Value, expected: &Value) {
    assert!(
        got == expected,
        "{why}\n      got: {got}\n expected: {expected}"
    );
}

/// Fails with the rule `why` unless the JSON `text` has all of these fields, in this order.
#[track_caller]
pub fn assert_field_order(why: &str, text: &str, fields: &[&str]) {
    let places = fields
        .iter()
        .map(|field| text.find(&format!("\"{field}\":")));
    let places: Option<Vec<usize>> = places.collect();
    assert!(places.is_some_and(|it| it.is_sorted()), "{why}: {text}");
}

/// Asserts that `text` does not load and that the error contains `part`. Returns the error.
#[track_caller]
pub fn assert_rejected<T: DeserializeOwned + Serialize>(text: &str, part: &str) -> String {
    match serde_json::from_str::<T>(text) {
        Ok(value) => panic!(
            "this JSON should be rejected: {text}\n it loaded as: {}",
            to_json(&value)
        ),
        Err(error) => {
            let error = error.to_string();
            assert!(
                error.contains(part),
                "the error should contain {part:?}\n      JSON: {text}\n     error: {error}"
            );
            error
        }
    }
}

/// JSON with this many levels of objects and arrays.
pub fn nested_json(levels: usize) -> String {
    let open = |level| if level % 2 == 0 { "{\"a\":" } else { "[" };
    let close = |level| if level % 2 == 0 { "}" } else { "]" };
    let opening: String = (0..levels).map(open).collect();
    let closing: String = (0..levels).rev().map(close).collect();
    format!("{opening}1{closing}")
}
