//! `claw` itself, as a process: one prompt, a conversation, and what goes wrong.

use std::io::Write;
use std::process::{Command, Output, Stdio};

#[test]
fn without_a_key_it_says_so_and_answers() {
    let output = claw(&[], "list the files here\n");
    let text = stdout(&output);
    let first = text.lines().next().unwrap_or_default();
    assert!(first.contains("offline model"), "the first line: {first:?}");
    assert!(text.contains("● [list"), "a row for the tool: {text}");
    assert!(text.contains("Cargo.toml"), "the folder's files: {text}");
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn one_prompt_and_out() {
    let output = claw(&["--offline", "-p", "list the files here"], "");
    let text = stdout(&output);
    assert!(text.contains("Cargo.toml"), "{text}");
    assert!(!text.contains("offline model:"), "no greeting: {text}");
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn a_server_that_is_down_is_an_error_with_a_next_step() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/v1", closed.local_addr().expect("an address"));
    drop(closed);
    let output = claw(&["--base-url", &url, "--model", "m", "-p", "hi"], "");
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{words}");
    assert!(words.contains("check the base URL"), "{words}");
}

#[test]
fn a_server_needs_a_model() {
    let output = claw(&["--base-url", "http://127.0.0.1:9/v1", "-p", "hi"], "");
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{words}");
    assert!(words.contains("--model"), "{words}");
}

#[test]
fn a_conversation_remembers() {
    let output = claw(
        &["--offline"],
        "hello\nlist the files here\n/exit\nnever read\n",
    );
    let text = stdout(&output);
    assert!(text.contains("Cargo.toml"), "{text}");
    assert!(output.status.success(), "{output:?}");
}

/// Runs `claw` in this package's folder with no keys set.
fn claw(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_claw"));
    for name in [
        "CLAW_API_KEY",
        "CLAW_BASE_URL",
        "CLAW_MODEL",
        "OPENAI_API_KEY",
        "OPENROUTER_API_KEY",
    ] {
        command.env_remove(name);
    }
    let mut child = command
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("claw starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // One that answers a single prompt may end before it reads anything.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("claw ends")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}
