//! `claw convert`: what it reads and writes, what it reports, and when it refuses.

use crate::support::{Claw, Run, Workspace};

/// Three messages of a transcript.
const TRANSCRIPT: &str = r#"{"role":"system","content":"Be brief."}
{"role":"user","content":"What is in here?","timestamp":1767225600123}
{"role":"tool_result","tool_call_id":"t1","tool_name":"bash","content":[{"type":"text","text":"src"}],"is_error":false,"narration":"Ran ls.","details":{"entries":1}}
"#;

fn command(from: &str, to: &str, more: &[&str]) -> Claw {
    let arguments = ["convert", "--from", from, "--to", to];
    Workspace::new().claw(&[&arguments[..], more].concat())
}

fn convert(from: &str, to: &str, input: impl AsRef<[u8]>) -> Run {
    command(from, to, &[]).run_with(input)
}

fn convert_strictly(from: &str, to: &str, input: impl AsRef<[u8]>) -> Run {
    command(from, to, &["--strict"]).run_with(input)
}

#[test]
fn json_lines_become_json_lines() {
    let run = convert("transcript", "chat", TRANSCRIPT).succeeds();
    assert_eq!(
        run.stdout,
        r#"{"role":"system","content":"Be brief."}
{"role":"user","content":"What is in here?","timestamp":"2026-01-01T00:00:00.123Z"}
{"role":"tool","name":"bash","tool_call_id":"t1","content":"src"}
"#
    );
}

#[test]
fn what_a_message_loses_is_reported_with_its_line() {
    let run = convert("transcript", "chat", TRANSCRIPT).succeeds();
    assert_eq!(
        run.stderr,
        "claw: line 3 loses details, narration\n\
         claw: 1 of 3 messages lose something: details, narration\n"
    );
}

#[test]
fn an_array_becomes_an_array() {
    let array = format!("\u{feff} [\n{}\n]", TRANSCRIPT.trim().replace('\n', ",\n"));
    let run = convert("transcript", "agent", &array);
    let messages: Vec<serde_json::Value> = serde_json::from_str(&run.stdout).expect("a JSON array");
    assert_eq!(messages.len(), 2, "the agent has no system messages");
    for loss in [
        "line 2 loses the whole message",
        "line 4 loses details, narration",
    ] {
        let line = format!("claw: {loss}\n");
        assert!(run.stderr.contains(&line), "{line:?}: {run:?}");
    }
}

#[test]
fn an_empty_array_stays_one() {
    assert_eq!(convert("chat", "types", " [ ] ").stdout, "[]\n");
}

#[test]
fn empty_input_becomes_empty_output() {
    let run = convert_strictly("types", "chat", "").succeeds();
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
}

#[test]
fn a_file_is_read_and_within_one_vocabulary_nothing_is_lost() {
    let workspace = Workspace::with(&[("talk.jsonl", TRANSCRIPT)]);
    let arguments = ["convert", "--from", "transcript", "--to", "transcript"];
    let claw = workspace.claw(&[&arguments[..], &["talk.jsonl"]].concat());
    let run = claw.run().succeeds();
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), (TRANSCRIPT, ""));
}

#[test]
fn a_missing_file_is_an_error() {
    let run = command("transcript", "chat", &["no/such/file"]).run();
    run.fails(2, "claw: cannot read no/such/file: ");
}

#[test]
fn strict_writes_nothing_if_anything_is_lost() {
    let run = convert_strictly("transcript", "chat", TRANSCRIPT);
    assert_eq!(run.stdout, "");
    run.fails(1, "claw: --strict allows no loss; nothing was written\n");
}

#[test]
fn strict_writes_what_is_converted_without_loss() {
    let (first, _) = TRANSCRIPT.split_once('\n').expect("lines");
    let run = convert_strictly("transcript", "chat", first).succeeds();
    assert_eq!(
        run.stdout,
        "{\"role\":\"system\",\"content\":\"Be brief.\"}\n"
    );
}

/// A last line that a crash cut short, once in the middle of a character.
const TORN: [&[u8]; 2] = [
    b"{\"role\":\"user\",\"cont",
    b"{\"role\":\"user\",\"content\":\"\xf0\x9f",
];

#[test]
fn a_torn_last_line_is_reported_and_the_others_are_converted() {
    for torn in TORN {
        let input = [TRANSCRIPT.as_bytes(), torn].concat();
        let run = convert("transcript", "chat", &input).succeeds();
        assert_eq!(run.stdout.lines().count(), 3);
        let message = "standard input, line 4 is torn";
        assert!(run.stderr.contains(message), "{run:?}");
    }
}

#[test]
fn strict_counts_a_torn_line_as_a_loss() {
    let (first, _) = TRANSCRIPT.split_once('\n').expect("lines");
    for torn in TORN {
        let input = [first.as_bytes(), b"\n", torn].concat();
        let run = convert_strictly("transcript", "chat", input);
        run.fails(1, "--strict allows no loss");
    }
}

#[test]
fn input_of_only_a_torn_line_is_an_error() {
    for torn in ["garbage", "\n\n{\"role\":"] {
        let run = convert("transcript", "chat", torn);
        let run = run.fails(1, "is torn");
        assert!(run.stderr.contains("nothing was written"), "{run:?}");
    }
}

#[test]
fn a_last_line_that_only_lacks_its_end_is_not_torn() {
    let run = convert("transcript", "chat", TRANSCRIPT.trim_end());
    assert_eq!(run.stdout.lines().count(), 3);
    assert!(!run.stderr.contains("torn"), "{run:?}");
}

#[test]
fn a_broken_message_is_reported_once_with_its_line() {
    let good = r#"{"role":"user","content":"Hi."}"#;
    for (input, message) in [
        ("\n{\n".to_string(), "line 2: EOF while parsing an object"),
        (format!("{good}\nhello\n{good}\n"), "line 2: expected value"),
        (
            format!("{good}\n\n{{\"role\":\"user\"}}\n"),
            "line 3: in `user`: missing field `content`",
        ),
        (format!("[{good},"), "line 1: EOF while parsing a value"),
        (
            r#"{"role":"assistant","content":[],"stop_reason":"end_turn","stop_reason":"error"}"#
                .to_string(),
            "line 1: in `assistant`: duplicate field `stop_reason`",
        ),
    ] {
        let run = convert("transcript", "agent", &input).fails(1, message);
        assert_eq!(run.stderr.matches("line ").count(), 1, "{run:?}");
        assert_eq!(run.stdout, "", "{input}");
    }
}

/// Converts a broken message of line 2 of an input.
fn refusal(from: &str, good: &str, broken: &str) -> String {
    let to = if from == "agent" { "chat" } else { "agent" };
    let run = convert(from, to, format!("{good}\n{broken}\n")).fails(1, "standard input, line 2: ");
    assert_eq!(run.stdout, "", "{broken}");
    run.stderr
}

#[test]
fn an_error_in_an_agent_message_is_reported_with_its_field() {
    let good = r#"{"role":"user","content":[],"timestamp":1}"#;
    for (broken, message) in [
        (
            r#"{"role":"user","timestamp":1,"content":[{"type":"text","text":"a"},{"type":"text","text":7}]}"#,
            "line 2: `content[1]`: in `text`: invalid type: integer `7`, expected a string;",
        ),
        (
            r#"{"role":"user","content":[],"timestamp":"x"}"#,
            "line 2: `timestamp`: invalid type: string \"x\", expected u64;",
        ),
        (
            r#"{"timestamp":"x","role":"user","content":[]}"#,
            "line 2: `timestamp`: invalid type: string \"x\", expected u64;",
        ),
        (
            r#"{"role":"user","content":[]}"#,
            "line 2: missing field `timestamp`;",
        ),
    ] {
        let stderr = refusal("agent", good, broken);
        assert!(stderr.contains(message), "{message}: {stderr}");
    }
}

#[test]
fn an_error_in_a_message_with_a_buffered_tag_is_reported_with_its_field() {
    for (from, good, broken, message) in [
        (
            "transcript",
            r#"{"role":"user","content":"Hi."}"#,
            r#"{"role":"user","content":[{"type":"text","text":7}]}"#,
            "line 2: `content`: in `user`: in `text`: invalid type: integer `7`, expected a string;",
        ),
        (
            "types",
            r#"{"type":"User","id":"m1","content":"Hi."}"#,
            r#"{"type":"User","id":"m1","content":7}"#,
            "line 2: `content`: invalid type: integer `7`, expected a string;",
        ),
        (
            "types",
            r#"{"type":"User","id":"m1","content":"Hi."}"#,
            r#"{"type":"User","id":"m1"}"#,
            "line 2: missing field `content`;",
        ),
    ] {
        let stderr = refusal(from, good, broken);
        assert!(stderr.contains(message), "{message}: {stderr}");
    }
}

#[test]
fn an_error_in_a_session_message_is_reported_with_its_field() {
    let good = r#"{"role":"user","content":"Hi."}"#;
    for (broken, message) in [
        (
            r#"{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"b"}}]}"#,
            "line 2: `tool_calls[0].function`: missing field `arguments`;",
        ),
        (
            r#"{"role":"user","raw_content_blocks":[{"type":"text","text":7}]}"#,
            "line 2: `raw_content_blocks[0]`: in `text`: invalid type: integer `7`, expected a string;",
        ),
    ] {
        let stderr = refusal("chat", good, broken);
        assert!(stderr.contains(message), "{message}: {stderr}");
    }
}

#[test]
fn a_broken_message_of_an_array_is_reported_with_its_first_line() {
    let good = r#"{"role":"user","content":"Hi."}"#;
    let input = format!("[{good},\n{good},\n  {{\n\"role\":\n\"usher\"}}]");
    let run = convert("transcript", "agent", &input);
    let run = run.fails(1, "line 3: unknown role `usher`");
    assert_eq!(run.stderr.matches("line ").count(), 1, "{run:?}");
    assert_eq!(run.stdout, "");
}

#[test]
fn a_line_that_is_not_utf8_is_an_error() {
    let input = b"{\"role\":\"user\",\"content\":\"\xff\"}\n";
    convert("chat", "agent", input).fails(1, "line 1 is not UTF-8");
}

#[test]
fn an_unknown_vocabulary_is_an_error() {
    let run = convert("chat", "klingon", "");
    run.fails(
        2,
        "`klingon` is not a vocabulary; choose one of types, agent, transcript, chat",
    );
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let many = "{\"role\":\"user\",\"content\":\"Hi.\"}\n".repeat(50_000);
    let claw = command("chat", "transcript", &[]).closed_stdout();
    assert_eq!(claw.run_with(many).succeeds().stderr, "");
}

#[test]
fn the_conversion_succeeds_if_the_report_cannot_be_written() {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut claw = command("transcript", "chat", &[]);
    claw.command.stderr(writer);
    let run = claw.run_with(TRANSCRIPT).succeeds();
    assert_eq!(run.stdout.lines().count(), 3);
}
