//! The program of chapter 0, as a process: its output is what the chapter's page shows.
#![cfg(unix)]

use std::io::Write;
use std::process::{Command, Stdio};

use claw_code_solutions::first::BREAKAGES;

const PAGE: &str = include_str!("../../book/src/ch00-an-agent-in-one-hour.md");

/// Runs the program with this input. Returns its exit code and its lines, those of standard
/// error too.
fn first(arguments: &[&str], input: &[u8]) -> (Option<i32>, Vec<String>) {
    let mut child = Command::new("sh")
        .args(["-c", "exec \"$0\" \"$@\" 2>&1", env!("CARGO_BIN_EXE_first")])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input).expect("it reads its input");
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    let text = String::from_utf8(output.stdout).expect("the output is text");
    (
        output.status.code(),
        text.lines().map(String::from).collect(),
    )
}

/// The lines that the page shows after a command, up to the end of its block.
fn shown(command: &str) -> Vec<String> {
    let (_, block) = PAGE
        .split_once(&format!("\n$ {command}\n"))
        .unwrap_or_else(|| panic!("the page shows `{command}`"));
    let lines = block.lines().take_while(|line| *line != "```");
    lines.map(String::from).collect()
}

#[test]
fn the_page_shows_what_each_failure_prints() {
    for breakage in BREAKAGES {
        let (code, mut printed) = first(&["break", breakage.name], b"");
        let mut shown = shown(&format!("cargo first break {}", breakage.name));
        // Commands that run at the same time are printed in any order.
        printed.sort();
        shown.sort();
        assert_eq!(printed, shown, "{}", breakage.name);
        assert_eq!(code, Some(0), "{}", breakage.name);
    }
}

#[test]
fn the_page_shows_how_the_agent_answers() {
    let shown = shown("cargo claw");
    let asked = |line: &&String| line.starts_with("> ") && !line.contains("list the files");
    for question in shown.iter().filter(asked) {
        let (code, printed) = first(&[], &question.as_bytes()[2..]);
        let at = shown.iter().position(|line| line == question);
        let answer = &shown[at.expect("it is there") + 1..][..printed.len()];
        assert_eq!(code, Some(0), "{question}");
        // The last line names the year and the system of the machine.
        match question.contains("date") {
            true => assert_eq!(printed[..2], answer[..2]),
            false => assert_eq!(printed, answer),
        }
    }
}

#[test]
fn unknown_arguments_are_a_usage_error() {
    for arguments in [&["break"][..], &["break", "nothing"], &["--offline"]] {
        let (code, lines) = first(arguments, b"");
        assert_eq!(code, Some(2), "{arguments:?}");
        assert!(lines.iter().any(|line| line.contains("swapped-results")));
    }
}

#[test]
fn an_error_ends_the_conversation_with_exit_code_1() {
    let (code, lines) = first(&[], b"hello\n\xFF\nhello\n");
    assert_eq!(code, Some(1));
    assert!(lines[0].starts_with("Hello."), "{lines:?}");
    assert_eq!(lines[1..], ["first: stream did not contain valid UTF-8"]);
}
