//! "Make the tests pass", with real tools on a real project.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Call, Conversation};

const MANIFEST: &str = "[package]\nname = \"shop\"\nedition = \"2021\"\n\n[workspace]\n";

const SOURCE: &str = "\
/// The price of `count` items.
pub fn total(price: i64, count: i64) -> i64 {
    price + count
}

pub fn sum(price: i64, count: i64) -> i64 {
    price + count
}
";

const TESTS: &str = "\
use shop::total;

#[test]
fn one_item() {
    assert_eq!(total(3, 1), 3);
}

#[test]
fn four_items() {
    assert_eq!(total(3, 4), 12);
}
";

/// A cargo project of this name with this source and these tests.
fn project(name: &str, source: &str, tests: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("repair");
    let folder = root.join(name);
    let _ = fs::remove_dir_all(&folder);
    for (path, text) in [
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", source),
        ("tests/prices.rs", tests),
    ] {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// Does what the tools of an agent do.
fn call_tool(folder: &Path, call: &Call) -> String {
    let argument = |name: &str| call.arguments[name].as_str().expect("a string");
    match call.name.as_str() {
        "bash" => bash(folder, argument("command")),
        "read" => {
            let file = fs::read_to_string(folder.join(argument("path"))).unwrap();
            let lines = file.lines().zip(1..);
            let lines = lines.map(|(line, number)| format!("{number:>6}\t{line}\n"));
            lines.chain(["(end of file)\n".into()]).collect()
        }
        "edit" => {
            let path = folder.join(argument("path"));
            let file = fs::read_to_string(&path).unwrap();
            let old = argument("old_string");
            assert_eq!(file.matches(old).count(), 1, "{old:?} is unique");
            fs::write(path, file.replace(old, argument("new_string"))).unwrap();
            "Replaced 1 occurrence.".into()
        }
        "grep" => bash(folder, &format!("grep -rnE '{}' src", argument("pattern"))),
        other => panic!("there is no tool {other}"),
    }
}

fn bash(folder: &Path, command: &str) -> String {
    let output = Command::new("sh")
        .args(["-c", &format!("{command} 2>&1")])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .env("CARGO_NET_OFFLINE", "true")
        .env_remove("RUST_BACKTRACE")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    match output.status.code() {
        Some(0) => text,
        code => format!("{text}[exit code {}]", code.unwrap_or(-1)),
    }
}

/// Lets the model work on a project: the tools that it used, and its last text.
async fn make_the_tests_pass(folder: &Path) -> (Vec<String>, String) {
    let mut conversation = Conversation::with(&["read", "edit", "grep", "bash"]).await;
    let mut reply = conversation.say("make the tests pass").await;
    let mut used = Vec::new();
    while let [call] = reply.calls.as_slice() {
        assert!(used.len() < 10, "it stops");
        used.push(call.name.clone());
        let result = call_tool(folder, call);
        reply = conversation.results(&[&result]).await;
    }
    (used, reply.text)
}

#[tokio::test]
async fn a_wrong_operator_is_replaced() {
    let folder = project("operator", SOURCE, TESTS);
    let (used, text) = make_the_tests_pass(&folder).await;
    assert_eq!(used, ["bash", "read", "grep", "read", "edit", "bash"]);
    assert_eq!(text, "The tests pass now. I fixed `total`.");
    let fixed = fs::read_to_string(folder.join("src/lib.rs")).unwrap();
    assert_eq!(fixed, SOURCE.replacen("price + count", "price * count", 1));
    let tests = fs::read_to_string(folder.join("tests/prices.rs")).unwrap();
    assert_eq!(tests, TESTS, "the tests are unchanged");
}

#[tokio::test]
async fn tests_that_pass_are_left_alone() {
    let folder = project("passing", &SOURCE.replace('+', "*"), TESTS);
    let (used, text) = make_the_tests_pass(&folder).await;
    assert_eq!(used, ["bash"]);
    assert_eq!(text, "The tests pass as they are. I changed nothing.");
}

#[tokio::test]
async fn a_function_without_an_operator_is_given_up() {
    let folder = project("constant", &SOURCE.replace("price + count", "7"), TESTS);
    let (used, text) = make_the_tests_pass(&folder).await;
    assert_eq!(used, ["bash", "read", "grep", "read"]);
    assert_eq!(
        text,
        "No operator gives `total` the expected results. I have no other rule for this."
    );
}

#[tokio::test]
async fn a_test_of_another_kind_is_given_up() {
    let tests = "#[test]\nfn fails() {\n    panic!(\"on purpose\");\n}\n";
    let folder = project("panic", SOURCE, tests);
    let (used, text) = make_the_tests_pass(&folder).await;
    assert_eq!(used, ["bash", "read"]);
    assert_eq!(
        text,
        "I do not understand line 3 of `tests/prices.rs`. I have no other rule for this."
    );
}

#[tokio::test]
async fn a_second_mistake_is_reported() {
    let tests = format!("{TESTS}\n#[test]\nfn never() {{\n    panic!();\n}}\n");
    let folder = project("second", SOURCE, &tests);
    let (used, text) = make_the_tests_pass(&folder).await;
    assert_eq!(used.last().map(String::as_str), Some("bash"));
    assert_eq!(
        text,
        "I fixed `total`, but tests still fail. I have no other rule for this."
    );
}

#[tokio::test]
async fn a_project_that_does_not_compile_is_given_up() {
    let folder = project("syntax", "pub fn total(", TESTS);
    let (used, text) = make_the_tests_pass(&folder).await;
    assert_eq!(used, ["bash"]);
    assert!(
        text.starts_with("I found no failing test in the output:"),
        "{text}"
    );
}

#[tokio::test]
async fn a_failed_tool_ends_the_repair() {
    let mut conversation = Conversation::with(&["read", "edit", "grep", "bash"]).await;
    conversation.say("make the tests pass").await;
    let output = "panicked at tests/a.rs:1:1:\n[exit code 101]";
    conversation.results(&[output]).await;
    let reply = conversation.results(&["error: no such file"]).await;
    assert!(reply.calls.is_empty());
    assert_eq!(
        reply.text,
        "The `read` tool failed: no such file. I have no other rule for this."
    );
}
