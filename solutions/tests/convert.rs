//! `claw convert`, as a process: what it reads and writes, what it says, and when it refuses.

use std::io::Write;
use std::process::{Command, Output, Stdio};

const TALK: &str = r#"{"role":"system","content":"Be brief."}
{"role":"user","content":"What is in here?","timestamp":1767225600123}
{"role":"tool_result","tool_call_id":"t1","tool_name":"bash","content":[{"type":"text","text":"src"}],"is_error":false,"narration":"Ran ls.","details":{"entries":1}}
"#;

#[test]
fn lines_become_lines() {
    let output = convert("transcript", "chat", &[], TALK);
    assert_eq!(
        text(&output.stdout),
        r#"{"role":"system","content":"Be brief."}
{"role":"user","content":"What is in here?","timestamp":"2026-01-01T00:00:00.123Z"}
{"role":"tool","name":"bash","tool_call_id":"t1","content":"src"}
"#
    );
    assert_eq!(
        text(&output.stderr),
        "claw: line 3 loses details, narration\n\
         claw: 1 of 3 messages lose something: details, narration\n"
    );
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn an_array_becomes_an_array() {
    let array = format!("\u{feff} [\n{}\n]", TALK.trim().replace('\n', ",\n"));
    let output = convert("transcript", "agent", &[], &array);
    let messages: Vec<serde_json::Value> =
        serde_json::from_slice(&output.stdout).expect("a JSON array");
    assert_eq!(messages.len(), 2, "instructions have no place there");
    let said = text(&output.stderr);
    assert!(
        said.contains("claw: line 2 loses the whole message\n"),
        "{said}"
    );
    assert!(
        said.contains("claw: line 4 loses details, narration\n"),
        "{said}"
    );
    assert_eq!(text(&convert("chat", "types", &[], " [ ] ").stdout), "[]\n");
}

#[test]
fn a_file_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("talk.jsonl");
    std::fs::write(&path, TALK).expect("can be written");
    let path = path.to_str().expect("UTF-8");
    let output = convert("transcript", "transcript", &[path], "");
    assert_eq!(text(&output.stdout), TALK, "one vocabulary, nothing lost");
    assert_eq!(text(&output.stderr), "");
    let missing = convert("transcript", "chat", &["no/such/file"], "");
    assert_eq!(missing.status.code(), Some(2));
    assert!(text(&missing.stderr).starts_with("claw: cannot read no/such/file: "));
}

#[test]
fn strict_writes_nothing_if_anything_is_lost() {
    let output = convert("transcript", "chat", &["--strict"], TALK);
    assert_eq!(text(&output.stdout), "");
    assert!(text(&output.stderr).ends_with("claw: --strict allows no loss; nothing was written\n"));
    assert_eq!(output.status.code(), Some(1));
    let first = &TALK[..TALK.find('\n').map_or(0, |at| at + 1)];
    let output = convert("transcript", "chat", &["--strict"], first);
    assert_eq!(
        text(&output.stdout),
        "{\"role\":\"system\",\"content\":\"Be brief.\"}\n"
    );
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_torn_last_line_is_reported_and_the_rest_converted() {
    // The middle of a letter, too.
    for torn in [
        &b"{\"role\":\"user\",\"cont"[..],
        b"{\"role\":\"user\",\"content\":\"\xf0\x9f",
    ] {
        let input = [TALK.as_bytes(), torn].concat();
        let output = convert_bytes("transcript", "chat", &[], &input);
        assert_eq!(text(&output.stdout).lines().count(), 3);
        let said = text(&output.stderr);
        assert!(said.contains("standard input, line 4 is torn"), "{said}");
        assert_eq!(output.status.code(), Some(0));
        let strict = convert_bytes("transcript", "chat", &["--strict"], torn);
        assert_eq!(strict.status.code(), Some(1), "a torn line is a loss");
    }
}

#[test]
fn a_torn_line_and_nothing_else_is_an_error() {
    for torn in ["garbage", "\n\n{\"role\":"] {
        let output = convert("transcript", "chat", &[], torn);
        let said = text(&output.stderr);
        assert!(
            said.contains("is torn") && said.contains("nothing was written"),
            "{said}"
        );
        assert_eq!(output.status.code(), Some(1), "{said}");
    }
}

#[test]
fn only_the_line_end_is_missing() {
    let output = convert("transcript", "chat", &[], TALK.trim_end());
    assert_eq!(text(&output.stdout).lines().count(), 3);
    assert!(!text(&output.stderr).contains("torn"));
}

#[test]
fn what_is_broken_is_named() {
    let good = r#"{"role":"user","content":"Hi."}"#;
    for (input, said) in [
        ("\n{\n".to_string(), "line 2: EOF while parsing an object"),
        (format!("{good}\nhello\n{good}\n"), "line 2: expected value"),
        (
            format!("{good}\n\n{{\"role\":\"user\"}}\n"),
            "line 3: missing field `content`",
        ),
        (
            format!(
                "{good}\n{{\"role\":\"user\",\"content\":[{{\"type\":\"text\",\"text\":\"a\"}},{{\"type\":\"text\",\"text\":7}}]}}"
            ),
            "line 2: `content[1].text`: invalid type: integer `7`, expected a string",
        ),
        (
            format!("[{good},\n  {{\n\"role\":\n\"usher\"}}]"),
            "`role`: unknown variant `usher`",
        ),
        (format!("[{good},"), "line 1: EOF while parsing a value"),
        (
            r#"{"role":"assistant","content":[],"stop_reason":"end_turn","stop_reason":"error"}"#
                .to_string(),
            "line 1: duplicate field `stop_reason`",
        ),
    ] {
        let output = convert("transcript", "agent", &[], &input);
        let words = text(&output.stderr);
        assert!(words.contains(said), "{input} says {words}");
        assert_eq!(words.matches("line ").count(), 1, "once: {words}");
        assert_eq!(text(&output.stdout), "", "nothing is written: {input}");
        assert_eq!(output.status.code(), Some(1), "{input}");
    }
    let output = convert_bytes(
        "chat",
        "agent",
        &[],
        b"{\"role\":\"user\",\"content\":\"\xff\"}\n",
    );
    assert!(text(&output.stderr).contains("line 1 is not UTF-8"));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_vocabulary_that_is_none_is_refused() {
    let output = convert("chat", "klingon", &[], "");
    let words = text(&output.stderr);
    assert!(
        words.contains("`klingon` is no vocabulary; there are types, agent, transcript, chat"),
        "{words}"
    );
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn nothing_becomes_nothing() {
    let output = convert("types", "chat", &["--strict"], "");
    assert_eq!(
        (text(&output.stdout), text(&output.stderr)),
        (String::new(), String::new())
    );
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_reader_that_has_enough_is_no_error() {
    let many = "{\"role\":\"user\",\"content\":\"Hi.\"}\n".repeat(50_000);
    let mut child = start("chat", "transcript", &[]);
    let mut stdin = child.stdin.take().expect("a pipe");
    drop(child.stdout.take());
    stdin.write_all(many.as_bytes()).expect("all is read first");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(text(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn nobody_needs_to_read_what_is_lost() {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("talk.jsonl");
    std::fs::write(&path, TALK).expect("can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_claw"));
    command.args(["convert", "--from", "transcript", "--to", "chat"]);
    let output = command.arg(path).stderr(writer).output();
    let output = output.expect("claw starts");
    assert_eq!(text(&output.stdout).lines().count(), 3);
    assert_eq!(output.status.code(), Some(0));
}

fn convert(from: &str, to: &str, more: &[&str], input: &str) -> Output {
    convert_bytes(from, to, more, input.as_bytes())
}

fn convert_bytes(from: &str, to: &str, more: &[&str], input: &[u8]) -> Output {
    let mut child = start(from, to, more);
    let mut stdin = child.stdin.take().expect("a pipe");
    // It may have ended already, without a look at its input.
    let _ = stdin.write_all(input);
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

fn start(from: &str, to: &str, more: &[&str]) -> std::process::Child {
    Command::new(env!("CARGO_BIN_EXE_claw"))
        .args(["convert", "--from", from, "--to", to])
        .args(more)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("claw starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
