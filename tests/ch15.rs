//! Chapter 15, Two Lanes.
//!
//! Objects are read from text, since text has an order of its own and may name a field
//! twice. What must not compile is tested by asking the compiler which conversions exist.

use std::marker::PhantomData;

use claw_code::agent::*;
use serde::de::DeserializeOwned;
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

// 15.1 A turn beside the fields

#[test]
fn test_ch15_llm_message_without_turn() {
    for message in [a_user(), a_reply(), a_result()] {
        let llm = LlmMessage::new(message.clone());
        assert_eq!(llm.message, message, "the message is kept as it was given");
        assert_eq!(llm.turn_id, None, "nobody said which turn made it");
        assert_json(
            "a message of no known turn is written as the bare message: programs that know no turns read it",
            &to_json(&llm),
            &to_json(&message),
        );
    }
}

#[test]
fn test_ch15_llm_message_with_turn() {
    for message in [a_user(), a_reply(), a_result()] {
        let llm = LlmMessage::with_turn(message.clone(), a_turn());
        assert_eq!(llm.message, message, "the message is kept as it was given");
        assert_eq!(
            llm.turn_id,
            Some(a_turn()),
            "the turn is kept as it was given"
        );
        let mut expected = to_json(&message);
        expected["turnId"] = json!({ "loopId": "s.c.1", "turnIndex": 0 });
        assert_json(
            "the turn stands beside the message's own fields, in camel case",
            &to_json(&llm),
            &expected,
        );
    }
}

#[test]
fn test_ch15_llm_message_role_is_written_first() {
    let llm = LlmMessage::with_turn(a_user(), a_turn());
    let text = serde_json::to_string(&llm).expect("a message can be written");
    assert!(
        text.starts_with(r#"{"role":"user","#),
        "the role stays the first field, so that whoever reads the rest knows what to expect: {text}"
    );
}

// 15.2 Reading a turn

#[test]
fn test_ch15_turn_round_trip() {
    for index in [0, 7, u64::MAX] {
        let turn = TurnId {
            loop_id: "s.c.1".to_string(),
            turn_index: index,
        };
        let text = format!(r#"{{"loopId":"s.c.1","turnIndex":{index}}}"#);
        assert_eq!(read::<TurnId>(&text), turn, "read from {text}");
        let text = format!(r#"{{"turnIndex":{index},"since":[2026],"loopId":"s.c.1"}}"#);
        assert_eq!(
            read::<TurnId>(&text),
            turn,
            "the order says nothing, and a field of a newer program is passed over: {text}"
        );
    }
}

#[test]
fn test_ch15_broken_turns_are_refused() {
    for (broken, word) in BROKEN_TURNS {
        assert_refused::<TurnId>(broken, word);
    }
}

// 15.3 Reading a message with its turn

#[test]
fn test_ch15_llm_message_round_trip() {
    for message in [a_user(), a_reply(), a_result()] {
        let mut json = to_json(&message);
        for turn_id in [None, Some(a_turn())] {
            if turn_id.is_some() {
                json["turnId"] = json!({ "loopId": "s.c.1", "turnIndex": 0 });
            }
            let llm = LlmMessage {
                message: message.clone(),
                turn_id,
            };
            assert_eq!(
                read::<LlmMessage>(&json.to_string()),
                llm,
                "read from {json}"
            );
            assert_json("and written again", &to_json(&llm), &json);
        }
    }
}

#[test]
fn test_ch15_turn_stands_anywhere() {
    let turn = r#""turnId":{"loopId":"s.c.1","turnIndex":0}"#;
    let expected = LlmMessage {
        message: a_user(),
        turn_id: Some(a_turn()),
    };
    for text in [
        format!(r#"{{{turn},"role":"user","content":[],"timestamp":1}}"#),
        format!(r#"{{"role":"user",{turn},"content":[],"timestamp":1}}"#),
        format!(r#"{{"timestamp":1,"content":[],{turn},"role":"user"}}"#),
        format!(r#"{{"role":"user","content":[],"timestamp":1,{turn}}}"#),
    ] {
        assert_eq!(
            read::<LlmMessage>(&text),
            expected,
            "the turn may stand before the role or behind it: {text}"
        );
    }
}

#[test]
fn test_ch15_old_messages_load() {
    for message in [a_user(), a_reply(), a_result()] {
        let mut old = to_json(&message);
        let loaded: LlmMessage = read(&old.to_string());
        assert_eq!(
            (loaded.message, loaded.turn_id),
            (message.clone(), None),
            "a message from before turns were recorded has none: {old}"
        );
        old["turnId"] = Value::Null;
        let loaded: LlmMessage = read(&old.to_string());
        assert_eq!(
            (loaded.message, loaded.turn_id),
            (message, None),
            "null says that there is no turn: {old}"
        );
    }
}

#[test]
fn test_ch15_malformed_turns_are_errors() {
    for (turn, word) in BROKEN_TURNS.into_iter().filter(|(turn, _)| *turn != "null") {
        let text = format!(r#"{{"role":"user","content":[],"timestamp":1,"turnId":{turn}}}"#);
        let said = assert_refused::<LlmMessage>(&text, word);
        assert!(
            said.starts_with("`turnId`: "),
            "the error begins with the field that it is in, `turnId`; it says: {said}"
        );
    }
    let before = r#"{"turnId":7,"role":"user","content":[],"timestamp":1}"#;
    assert_refused::<LlmMessage>(before, "`turnId`: invalid type: integer `7`");
    let twice = r#"{"role":"user","turnId":null,"content":[],"timestamp":1,"turnId":null}"#;
    assert_refused::<LlmMessage>(twice, "duplicate field `turnId`");
}

#[test]
fn test_ch15_llm_message_errors_name_the_field() {
    for (broken, word) in [
        (
            r#"{"role":"user","content":[]}"#,
            "missing field `timestamp`",
        ),
        (
            r#"{"role":"user","content":[],"timestamp":1.5}"#,
            "`timestamp`: invalid type: floating point `1.5`",
        ),
        (
            r#"{"role":"user","content":[],"timestamp":null}"#,
            "`timestamp`: invalid type: null",
        ),
        (
            r#"{"role":"toolResult","toolCallId":"t1","toolName":"bash","content":[],"timestamp":1}"#,
            "missing field `isError`",
        ),
        (
            r#"{"role":"assistant","content":[],"stopReason":"stop","model":"m","provider":"p","timestamp":1}"#,
            "missing field `usage`",
        ),
        (
            r#"{"role":"assistant","content":[],"stopReason":"nap","model":"m","provider":"p","usage":{"input":1,"output":2},"timestamp":1}"#,
            "`stopReason`: unknown variant `nap`",
        ),
        (r#"{"content":[],"timestamp":1}"#, "missing field `role`"),
        (
            r#"{"role":"extension","kind":"k","data":1}"#,
            "`role`: unknown variant `extension`",
        ),
        (r#"["user",[],1,null]"#, "expected a message"),
    ] {
        assert_refused::<LlmMessage>(broken, word);
    }
}

// 15.4 For the application alone

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
    let newer = r#"{"data":1,"turnId":7,"content":"none of mine","role":"extension","kind":"k"}"#;
    assert_eq!(
        read::<ExtensionMessage>(newer),
        ExtensionMessage::new("k", 1),
        "fields that an extension has not are passed over, in any order: {newer}"
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

// 15.5 Two lanes

#[test]
fn test_ch15_agent_message_json() {
    for (entry, json) in [
        (AgentMessage::from(a_reply()), to_json(&a_reply())),
        (
            AgentMessage::from(an_extension()),
            json!({ "role": "extension", "kind": "notification", "data": { "text": "Saved." } }),
        ),
    ] {
        assert_json(
            "an entry is written as what it holds: nothing is wrapped around it",
            &to_json(&entry),
            &json,
        );
    }
}

#[test]
fn test_ch15_from_and_back() {
    let entry = AgentMessage::from(a_user());
    assert_eq!(
        entry,
        AgentMessage::Llm(LlmMessage {
            message: a_user(),
            turn_id: None
        }),
        "a message goes into the model's lane, with no turn"
    );
    assert_eq!(entry.role(), "user");
    assert_eq!(entry.as_llm(), Some(&a_user()));
    assert_eq!(entry.turn_id(), None);

    let llm = LlmMessage {
        message: a_result(),
        turn_id: Some(a_turn()),
    };
    let entry = AgentMessage::from(llm.clone());
    assert_eq!(entry, AgentMessage::Llm(llm), "its turn is kept");
    assert_eq!(entry.role(), "toolResult");
    assert_eq!(entry.as_llm(), Some(&a_result()));
    assert_eq!(entry.turn_id(), Some(&a_turn()));
    assert_eq!(LlmMessage::from(a_user()).turn_id, None);

    let note = an_extension();
    let entry = AgentMessage::from(note.clone());
    assert_eq!(entry, AgentMessage::Extension(note));
    assert_eq!(entry.role(), "extension");
    assert_eq!(entry.as_llm(), None, "a model never sees an extension");
    assert_eq!(entry.turn_id(), None, "an extension has no turn");
}

#[test]
fn test_ch15_with_turn_id() {
    let entry = AgentMessage::Llm(LlmMessage {
        message: a_user(),
        turn_id: None,
    });
    let marked = entry.clone().with_turn_id(Some(a_turn()));
    assert_eq!(marked.turn_id(), Some(&a_turn()), "the turn was set");
    assert_eq!(
        marked.as_llm(),
        Some(&a_user()),
        "the message stays as it was"
    );
    assert_eq!(
        marked.with_turn_id(None),
        entry,
        "and the turn was taken off"
    );

    let note = AgentMessage::Extension(an_extension());
    assert_eq!(
        note.clone().with_turn_id(Some(a_turn())),
        note,
        "an extension has no turn and stays as it was"
    );
}

#[test]
fn test_ch15_no_way_back() {
    let entry: AgentMessage = an_extension().into();
    assert_eq!(entry.as_llm(), None);
    // What there is, so that the question below is known to work.
    for (exists, from, to) in [
        (
            Converts::<Message, LlmMessage>::YES,
            "Message",
            "LlmMessage",
        ),
        (
            Converts::<Message, AgentMessage>::YES,
            "Message",
            "AgentMessage",
        ),
        (
            Converts::<ExtensionMessage, AgentMessage>::YES,
            "ExtensionMessage",
            "AgentMessage",
        ),
    ] {
        assert!(exists, "there should be a conversion from {from} to {to}");
    }
    for (exists, from, to) in [
        (
            Converts::<ExtensionMessage, LlmMessage>::YES,
            "ExtensionMessage",
            "LlmMessage",
        ),
        (
            Converts::<ExtensionMessage, Message>::YES,
            "ExtensionMessage",
            "Message",
        ),
        (
            Converts::<ExtensionMessage, Content>::YES,
            "ExtensionMessage",
            "Content",
        ),
        (
            Converts::<AgentMessage, LlmMessage>::YES,
            "AgentMessage",
            "LlmMessage",
        ),
        (
            Converts::<AgentMessage, Message>::YES,
            "AgentMessage",
            "Message",
        ),
    ] {
        assert!(
            !exists,
            "there must be no conversion from {from} to {to}: it would be a way from the application's lane into the model's"
        );
    }
}

// 15.6 The role decides

#[test]
fn test_ch15_agent_message_round_trip() {
    let mut with_turn = to_json(&a_result());
    with_turn["turnId"] = json!({ "loopId": "s.c.1", "turnIndex": 0 });
    for (json, entry) in [
        (
            to_json(&a_reply()),
            AgentMessage::Llm(LlmMessage {
                message: a_reply(),
                turn_id: None,
            }),
        ),
        (
            with_turn,
            AgentMessage::Llm(LlmMessage {
                message: a_result(),
                turn_id: Some(a_turn()),
            }),
        ),
        (
            json!({ "role": "extension", "kind": "notification", "data": { "text": "Saved." } }),
            AgentMessage::Extension(an_extension()),
        ),
    ] {
        assert_eq!(
            read::<AgentMessage>(&json.to_string()),
            entry,
            "read from {json}"
        );
        assert_json("and written again", &to_json(&entry), &json);
    }
}

#[test]
fn test_ch15_the_role_alone_decides() {
    let text = r#"{"kind":"k","data":1,"content":[],"timestamp":1,"role":"user"}"#;
    assert_eq!(
        read::<AgentMessage>(text),
        AgentMessage::Llm(LlmMessage {
            message: a_user(),
            turn_id: None
        }),
        "it has the fields of both lanes and the role of one: {text}"
    );
    let text = r#"{"content":[],"timestamp":1,"kind":"k","data":1,"role":"extension"}"#;
    assert_eq!(
        read::<AgentMessage>(text),
        AgentMessage::Extension(ExtensionMessage {
            role: "extension".to_string(),
            kind: "k".to_string(),
            data: json!(1)
        }),
        "it has the fields of both lanes and the role of one: {text}"
    );
}

#[test]
fn test_ch15_what_is_no_agent_message() {
    for (broken, word) in [
        (
            r#"{"role":"user","kind":"k","data":1}"#,
            "missing field `content`",
        ),
        (
            r#"{"role":"extension","content":[],"timestamp":1}"#,
            "missing field `kind`",
        ),
        (r#"{"kind":"k","data":1}"#, "missing field `role`"),
        (
            r#"{"role":"system","content":[],"timestamp":1}"#,
            "`role`: unknown variant `system`",
        ),
        (
            r#"{"role":null,"kind":"k","data":1}"#,
            "`role`: invalid type: null",
        ),
        (r#"["user",[],1]"#, "expected a message"),
        (r#"["extension","k",1]"#, "expected a message"),
        (
            r#"{"role":"user","content":[],"timestamp":"1"}"#,
            "`timestamp`: invalid type: string",
        ),
        (
            r#"{"role":"user","content":[],"timestamp":1,"turnId":7}"#,
            "`turnId`: ",
        ),
        (r#"{"role":"extension","kind":1,"data":1}"#, "`kind`: "),
    ] {
        assert_refused::<AgentMessage>(broken, word);
    }
    let said = assert_refused::<AgentMessage>(r#"{"role":"custom"}"#, "custom");
    assert!(
        ["`user`", "`assistant`", "`toolResult`", "`extension`"]
            .iter()
            .all(|role| said.contains(role)),
        "the error for an unknown role names the four that there are; it says: {said}"
    );
}

// 15.7 What the model sees

#[test]
fn test_ch15_convert_to_llm() {
    let history = [
        AgentMessage::Extension(an_extension()),
        AgentMessage::Llm(LlmMessage {
            message: a_user(),
            turn_id: None,
        }),
        AgentMessage::Llm(LlmMessage {
            message: a_reply(),
            turn_id: Some(a_turn()),
        }),
        AgentMessage::Extension(an_extension()),
        AgentMessage::Llm(LlmMessage {
            message: a_result(),
            turn_id: Some(a_turn()),
        }),
        AgentMessage::Extension(an_extension()),
    ];
    assert_eq!(
        convert_to_llm(&history),
        [a_user(), a_reply(), a_result()],
        "the messages of the model's lane, in their order, and nothing else"
    );
}

#[test]
fn test_ch15_nothing_for_the_model() {
    assert_eq!(convert_to_llm(&[]), []);
    let notes = [
        AgentMessage::Extension(an_extension()),
        AgentMessage::Extension(ExtensionMessage {
            role: "user".to_string(),
            kind: "user".to_string(),
            data: json!({ "role": "user", "content": [], "timestamp": 1 }),
        }),
    ];
    assert_eq!(
        convert_to_llm(&notes),
        [],
        "an extension stays out, whatever stands in its fields: the lane is its type"
    );
}

/// Turns that are none, and what the error has to say.
const BROKEN_TURNS: [(&str, &str); 10] = [
    (r#"{"loopId":"s.c.1"}"#, "missing field `turnIndex`"),
    (r#"{"turnIndex":0}"#, "missing field `loopId`"),
    (
        r#"{"loopId":"s.c.1","turnIndex":null}"#,
        "`turnIndex`: invalid type: null",
    ),
    (
        r#"{"loopId":"s.c.1","turnIndex":-1}"#,
        "`turnIndex`: invalid value",
    ),
    (r#"{"loopId":7,"turnIndex":0}"#, "`loopId`: invalid type"),
    (
        r#"{"loop_id":"s.c.1","turn_index":0}"#,
        "missing field `loopId`",
    ),
    (
        r#"{"loopId":"a","loopId":"b","turnIndex":0}"#,
        "duplicate field `loopId`",
    ),
    (r#"["s.c.1",0]"#, "expected a turn"),
    (r#""s.c.1""#, "expected a turn"),
    ("null", "expected a turn"),
];

/// Whether one type converts into another, as the compiler has it. The constant of the
/// first block is taken where its bound holds, and the trait's everywhere else.
struct Converts<From, To>(PhantomData<(From, To)>);

impl<From: Into<To>, To> Converts<From, To> {
    const YES: bool = true;
}

trait Otherwise {
    const YES: bool = false;
}

impl<From, To> Otherwise for Converts<From, To> {}

fn a_turn() -> TurnId {
    TurnId {
        loop_id: "s.c.1".to_string(),
        turn_index: 0,
    }
}

fn a_user() -> Message {
    Message::User {
        content: Vec::new(),
        timestamp: 1,
    }
}

fn a_reply() -> Message {
    Message::Assistant {
        content: vec![
            Content::Thinking {
                thinking: "plan".to_string(),
                signature: Some("EqQB".to_string()),
            },
            Content::ToolCall {
                id: "t1".to_string(),
                name: "bash".to_string(),
                arguments: json!({ "command": "ls" }),
            },
        ],
        stop_reason: StopReason::ToolUse,
        model: "small-model".to_string(),
        provider: "offline".to_string(),
        usage: Usage {
            input: 1,
            output: 2,
            total_tokens: 3,
            ..Usage::default()
        },
        timestamp: 1767225600456,
        error_message: Some("half of it is missing".to_string()),
    }
}

fn a_result() -> Message {
    Message::ToolResult {
        tool_call_id: "t1".to_string(),
        tool_name: "bash".to_string(),
        content: vec![Content::Text {
            text: "main.rs".to_string(),
        }],
        is_error: false,
        timestamp: 1767225600789,
        child_loop_id: Some("s.sub.1".to_string()),
    }
}

fn an_extension() -> ExtensionMessage {
    ExtensionMessage {
        role: "extension".to_string(),
        kind: "notification".to_string(),
        data: json!({ "text": "Saved." }),
    }
}

fn to_json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("the value can be written as JSON")
}

#[track_caller]
fn read<T: DeserializeOwned>(text: &str) -> T {
    match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => panic!("this JSON should load: {text}\nserde says: {error}"),
    }
}

/// Expects an error with certain words in it, and gives all of its words.
#[track_caller]
fn assert_refused<T: DeserializeOwned + Serialize>(text: &str, words: &str) -> String {
    match serde_json::from_str::<T>(text) {
        Ok(value) => panic!(
            "this JSON should be refused: {text}\n it loaded as: {}",
            to_json(&value)
        ),
        Err(error) => {
            let said = error.to_string();
            assert!(
                said.contains(words),
                "the error should have {words:?} in it, so that one knows what to mend\n      JSON: {text}\nserde says: {said}"
            );
            said
        }
    }
}

/// Compares two JSON values, and on a difference shows both as JSON.
#[track_caller]
fn assert_json(why: &str, left: &Value, right: &Value) {
    assert!(
        left == right,
        "{why}\n      got: {left}\n expected: {right}"
    );
}
