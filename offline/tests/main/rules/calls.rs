//! Requests that the rules understand, and the calls that they become.

use serde_json::Value;

use crate::support::{ALL_TOOLS, Conversation};

/// Checks that each request becomes one call: the request, the tool and the arguments.
async fn assert_calls(cases: &[(&str, &str, &str)]) {
    for (request, tool, arguments) in cases {
        let mut conversation = Conversation::with(&ALL_TOOLS).await;
        let reply = conversation.say(request).await;
        let [call] = reply.calls.as_slice() else {
            panic!(
                "{request}: one call, not {}: {}",
                reply.calls.len(),
                reply.text
            );
        };
        let arguments: Value = serde_json::from_str(arguments).expect("JSON");
        assert_eq!(
            (call.name.as_str(), &call.arguments),
            (*tool, &arguments),
            "{request}"
        );
        assert_eq!(call.id, "call_1");
        assert!(reply.text.starts_with("I will"), "{}", reply.text);
    }
}

#[tokio::test]
async fn a_folder_is_listed() {
    assert_calls(&[
        ("list src", "list", r#"{ "path": "src" }"#),
        ("ls", "list", r#"{ "path": "." }"#),
        (
            "List the files in the src directory, please.",
            "list",
            r#"{ "path": "src" }"#,
        ),
        ("What is in this directory?", "list", r#"{ "path": "." }"#),
        ("what's in ./src?", "list", r#"{ "path": "./src" }"#),
        ("what files are here?", "list", r#"{ "path": "." }"#),
        (
            "what is in `my notes`?",
            "list",
            r#"{ "path": "my notes" }"#,
        ),
        ("what is in .git", "list", r#"{ "path": ".git" }"#),
        ("what is in images?", "list", r#"{ "path": "images" }"#),
        ("list ..", "list", r#"{ "path": ".." }"#),
        ("show me the files", "list", r#"{ "path": "." }"#),
        ("list @src", "list", r#"{ "path": "src" }"#),
        ("list @.", "list", r#"{ "path": "." }"#),
    ])
    .await;
}

#[tokio::test]
async fn a_file_is_read() {
    assert_calls(&[
        ("Read README.md", "read", r#"{ "path": "README.md" }"#),
        ("read @README.md", "read", r#"{ "path": "README.md" }"#),
        (
            "what is in notes.txt?",
            "read",
            r#"{ "path": "notes.txt" }"#,
        ),
        (
            "please can you show me the file src/lib.rs?",
            "read",
            r#"{ "path": "src/lib.rs" }"#,
        ),
        ("what does a.txt say?", "read", r#"{ "path": "a.txt" }"#),
    ])
    .await;
}

#[tokio::test]
async fn a_pattern_is_searched_for() {
    assert_calls(&[
        (
            "search for TODO",
            "grep",
            r#"{ "pattern": "TODO", "path": "." }"#,
        ),
        (
            "grep \"fn main\" in src",
            "grep",
            r#"{ "pattern": "fn main", "path": "src" }"#,
        ),
        (
            "find TODO in src/lib.rs.",
            "grep",
            r#"{ "pattern": "TODO", "path": "src/lib.rs" }"#,
        ),
        (
            "where is Message defined?",
            "grep",
            r#"{ "pattern": "Message", "path": "." }"#,
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_file_is_written() {
    assert_calls(&[
        (
            "create a.txt with \"milk\" and \"bread\"",
            "write",
            r#"{ "path": "a.txt", "content": "\"milk\" and \"bread\"" }"#,
        ),
        (
            "create a.txt with the answer is 42",
            "write",
            r#"{ "path": "a.txt", "content": "the answer is 42" }"#,
        ),
        (
            "create a.txt with hello, world",
            "write",
            r#"{ "path": "a.txt", "content": "hello, world" }"#,
        ),
        (
            "Create a new file called `a b.txt` with the text \"one\\ntwo\"",
            "write",
            r#"{ "path": "a b.txt", "content": "one\ntwo" }"#,
        ),
        (
            "write 'x = 1' to conf/x.toml",
            "write",
            r#"{ "path": "conf/x.toml", "content": "x = 1" }"#,
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_text_is_replaced() {
    assert_calls(&[
        (
            "replace milk with bread in notes.txt",
            "edit",
            r#"{ "path": "notes.txt", "old_string": "milk", "new_string": "bread" }"#,
        ),
        (
            "Replace \"a with b\" with \"c in d\" in notes.txt.",
            "edit",
            r#"{ "path": "notes.txt", "old_string": "a with b", "new_string": "c in d" }"#,
        ),
        (
            "change `it's` to `it is` in notes.txt",
            "edit",
            r#"{ "path": "notes.txt", "old_string": "it's", "new_string": "it is" }"#,
        ),
        (
            "in notes.txt replace milk by nothing much",
            "edit",
            r#"{ "path": "notes.txt", "old_string": "milk", "new_string": "nothing much" }"#,
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_command_is_run() {
    assert_calls(&[
        ("run cargo build", "bash", r#"{ "command": "cargo build" }"#),
        (
            "Run `ls -la | head`.",
            "bash",
            r#"{ "command": "ls -la | head" }"#,
        ),
        ("run the tests", "bash", r#"{ "command": "cargo test" }"#),
        (
            "make the tests pass",
            "bash",
            r#"{ "command": "cargo test" }"#,
        ),
        ("run echo $?", "bash", r#"{ "command": "echo $?" }"#),
        ("run ls ..", "bash", r#"{ "command": "ls .." }"#),
        ("run git add .", "bash", r#"{ "command": "git add ." }"#),
        (
            "Could you run cargo build?",
            "bash",
            r#"{ "command": "cargo build" }"#,
        ),
        (
            "Fix the failing tests!",
            "bash",
            r#"{ "command": "cargo test" }"#,
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_request_may_be_one_sentence_of_many() {
    assert_calls(&[
        (
            "Hello. Please list src. Thank you.",
            "list",
            r#"{ "path": "src" }"#,
        ),
        (
            "Some context.\nlist src\nMore of it.",
            "list",
            r#"{ "path": "src" }"#,
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_request_that_no_rule_matches_gets_an_explanation() {
    for request in [
        "Explain the borrow checker to me in the style of a sea shanty.",
        "what is in a word?",
        "show me how to write a parser",
        "make it pass",
        "run `cargo build` and `cargo test`",
        "list `src` and `tests`",
        "",
        "   ",
        "\"",
    ] {
        let reply = Conversation::with(&ALL_TOOLS).await.say(request).await;
        assert!(reply.calls.is_empty(), "{request}: {}", reply.text);
        assert!(
            reply.text.starts_with("None of my rules matches that."),
            "{request}: {}",
            reply.text
        );
    }
}
