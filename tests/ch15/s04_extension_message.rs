//! Section 15.4: Extension messages

use claw_code::agent::*;
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch15_new_extension_holds_role_kind_and_data() {
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
    assert_eq!(message.kind, "progress", "the given kind");
    assert_json(
        "the data is the given value as JSON",
        &message.data,
        &json!({ "done": 3, "of": 4 }),
    );
}

#[test]
fn test_ch15_text_is_valid_data() {
    let text = ExtensionMessage::new(String::from("note"), "to the letter\n");
    assert_json(
        "a string is valid data",
        &text.data,
        &json!("to the letter\n"),
    );
    let number = ExtensionMessage::new("note", "7");
    assert_json("a text stays a text", &number.data, &json!("7"));
}

#[test]
fn test_ch15_unserializable_data_becomes_null() {
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
        "data that cannot be written as JSON becomes null, because a note for the screen must not stop an agent"
    );
    let odd_keys = std::collections::BTreeMap::from([((1, 2), 3)]);
    assert_eq!(
        ExtensionMessage::new("debug", odd_keys).data,
        Value::Null,
        "JSON has only text as keys, so this data becomes null too"
    );
}

#[test]
fn test_ch15_extension_round_trips() {
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
        assert_json(
            "writing it again gives the same JSON",
            &to_json(&loaded),
            &json,
        );
    }
}

#[test]
fn test_ch15_unknown_fields_of_an_extension_are_kept() {
    let newer = r#"{"data":1,"turnId":null,"content":"a newer field","cost":1,"cost":2,"role":"extension","kind":"k"}"#;
    let loaded: ExtensionMessage = read(newer);
    assert_eq!(
        (loaded.kind.as_str(), &loaded.data),
        ("k", &json!(1)),
        "unknown fields may be in any position: {newer}"
    );
    assert_json(
        "an unknown field is written back unchanged",
        &to_json(&loaded),
        &read::<Value>(newer),
    );
}

#[test]
fn test_ch15_extension_is_written_in_order() {
    let text = r#"{"role":"extension","kind":"k","data":1,"cost":3}"#;
    let written = serde_json::to_string(&read::<ExtensionMessage>(text));
    assert_eq!(
        written.expect("an extension can be written"),
        text,
        "left: what is written; right: the role, the kind, the data, and then the other fields"
    );
}

#[test]
fn test_ch15_written_role_is_always_extension() {
    let mut message = ExtensionMessage::new("note", 1);
    message.role = "user".to_string();
    assert_json(
        "the JSON says `extension` whatever the field holds, or the file would move it to the other lane",
        &to_json(&message),
        &json!({ "role": "extension", "kind": "note", "data": 1 }),
    );
}

#[test]
fn test_ch15_each_field_of_an_extension_is_written_once() {
    let mut message = ExtensionMessage::new("note", 1);
    for name in ["role", "kind", "data"] {
        message.other.insert(name.to_string(), json!("user"));
    }
    assert_eq!(
        serde_json::to_string(&message).expect("an extension can be written"),
        r#"{"role":"extension","kind":"note","data":1}"#,
        "left: what is written; right: each field once, with the message's own value, even if `other` has these names"
    );
}

#[test]
fn test_ch15_extension_without_a_field_is_rejected() {
    for (field, broken) in [
        ("kind", r#"{"role":"extension","data":1}"#),
        ("data", r#"{"role":"extension","kind":"k"}"#),
        ("role", r#"{"kind":"k","data":1}"#),
    ] {
        assert_rejected::<ExtensionMessage>(broken, &format!("missing field `{field}`"));
    }
}

#[test]
fn test_ch15_extension_with_a_duplicate_field_is_rejected() {
    let data = r#"{"role":"extension","kind":"k","data":1,"data":1}"#;
    assert_rejected::<ExtensionMessage>(data, "duplicate field `data`");
    let kind = r#"{"role":"extension","kind":"k","kind":"k","data":1}"#;
    assert_rejected::<ExtensionMessage>(kind, "duplicate field `kind`");
    for second in ["user", "extension"] {
        let role = format!(r#"{{"role":"extension","kind":"k","data":1,"role":"{second}"}}"#);
        assert_rejected::<ExtensionMessage>(&role, "duplicate field `role`");
    }
}

#[test]
fn test_ch15_broken_extensions_are_rejected() {
    let nameless = r#"{"role":"extension","kind":null,"data":1}"#;
    assert_rejected::<ExtensionMessage>(nameless, "`kind`: invalid type: null");
    for role in ["user", "Extension"] {
        let other = format!(r#"{{"role":"{role}","kind":"k","data":1}}"#);
        let error = format!("`role`: unknown variant `{role}`");
        assert_rejected::<ExtensionMessage>(&other, &error);
    }
    let list = r#"["extension","k",1]"#;
    assert_rejected::<ExtensionMessage>(list, "expected an extension message");
}
