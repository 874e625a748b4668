//! Section 15.4: For the application alone

use claw_code::agent::*;
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch15_extension_message_new() {
    #[derive(Serialize)]
    struct Progress {
        done: u32,
        of: u32,
    }
    let message = ExtensionMessage::new("progress", Progress { done: 3, of: 4 });
    assert_eq!(
        message.role, "extension",
        "the role of every extension message"
    );
    assert_eq!(message.kind, "progress");
    assert_json(
        "the data is whatever it was given, as JSON",
        &message.data,
        &json!({ "done": 3, "of": 4 }),
    );
    let text = ExtensionMessage::new(String::from("note"), "to the letter\n");
    assert_json(
        "a string is data too",
        &text.data,
        &json!("to the letter\n"),
    );
}

#[test]
fn test_ch15_data_that_cannot_be_written() {
    struct Broken;
    impl Serialize for Broken {
        fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(S::Error::custom("broken"))
        }
    }
    let message = ExtensionMessage::new("debug", Broken);
    assert_eq!(
        message.data,
        Value::Null,
        "data that can't be written as JSON becomes null: a note for the screen is no reason to stop an agent"
    );
    let odd_keys = std::collections::BTreeMap::from([((1, 2), 3)]);
    assert_eq!(ExtensionMessage::new("debug", odd_keys).data, Value::Null);
}

#[test]
fn test_ch15_extension_json() {
    for data in [
        json!({ "text": "Saved.", "at": [1, null] }),
        json!("halfway"),
        json!(0.5),
        json!(null),
    ] {
        let json = json!({ "role": "extension", "kind": "notification", "data": data });
        let loaded: ExtensionMessage = read(&json.to_string());
        assert_eq!(
            (loaded.role.as_str(), loaded.kind.as_str(), &loaded.data),
            ("extension", "notification", &data),
            "read from {json}"
        );
        assert_json("and written again", &to_json(&loaded), &json);
    }
    let newer = r#"{"data":1,"turnId":7,"content":"a newer field","role":"extension","kind":"k"}"#;
    let loaded: ExtensionMessage = read(newer);
    assert_eq!(
        (loaded.kind.as_str(), &loaded.data),
        ("k", &json!(1)),
        "fields that an extension does not have may stand anywhere: {newer}"
    );
    assert_json(
        "an unknown field is written back unchanged",
        &to_json(&loaded),
        &read::<Value>(newer),
    );
}

#[test]
fn test_ch15_a_false_role_is_not_written() {
    let mut message = ExtensionMessage::new("note", 1);
    message.role = "user".to_string();
    assert_json(
        "whatever was put into the field, the JSON says `extension`: the file must not have it in the other lane",
        &to_json(&message),
        &json!({ "role": "extension", "kind": "note", "data": 1 }),
    );
}

#[test]
fn test_ch15_broken_extensions_are_refused() {
    for (broken, word) in [
        (r#"{"role":"extension","data":1}"#, "missing field `kind`"),
        (r#"{"role":"extension","kind":"k"}"#, "missing field `data`"),
        (
            r#"{"role":"extension","kind":null,"data":1}"#,
            "`kind`: invalid type: null",
        ),
        (r#"{"kind":"k","data":1}"#, "missing field `role`"),
        (
            r#"{"role":"user","kind":"k","data":1}"#,
            "`role`: unknown variant `user`",
        ),
        (
            r#"{"role":"extension","kind":"k","data":1,"data":1}"#,
            "duplicate field `data`",
        ),
        (
            r#"{"role":"extension","kind":"k","data":1,"role":"user"}"#,
            "duplicate field `role`",
        ),
        (r#"["extension","k",1]"#, "expected an extension message"),
    ] {
        assert_refused::<ExtensionMessage>(broken, word);
    }
}
