//! `claw` in a real terminal: what is typed while a turn runs, and thoughts, dimmed.

#![cfg(unix)]

#[path = "support/terminal.rs"]
mod terminal;

use std::fs;

use claw_offline::{Fault, LoggedRequest, Reply, Script, Server};
use serde_json::json;
use tempfile::TempDir;
use terminal::Terminal;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_redirects_the_turn_that_runs() {
    let wait = json!({ "command": "until [ -e go ]; do sleep 0.02; done" });
    let script = Script::new()
        .reply(Reply::tool_calls([
            ("a", "bash", wait),
            ("b", "list", json!({})),
        ]))
        .reply(Reply::text("In blue, then."))
        .reply(Reply::text("And tested."));
    let Some((folder, server, terminal)) = claw(script, "completions").await else {
        return;
    };
    terminal.line("paint it red");
    terminal.shows("[bash: until");
    terminal.line("no, blue");
    terminal.shows("(queued, for the next step: no, blue)");
    terminal.line("/then test it");
    terminal.shows("(queued, for when this is done: test it)");
    fs::write(folder.path().join("go"), "").expect("can be written");
    terminal.shows("> no, blue\nIn blue, then.\n> test it\nAnd tested.\n");
    let requests = server.requests();
    assert_eq!(
        said(&requests[1]),
        ["paint it red", "no, blue"],
        "the line comes in at the next tool boundary"
    );
    let second = requests[1].body.to_string();
    assert!(
        second.contains("Skipped due to queued user message"),
        "and the call that had not begun is skipped: {second}"
    );
    assert_eq!(
        said(&requests[2]),
        ["paint it red", "no, blue", "test it"],
        "what is to follow comes when there is nothing left to do"
    );
    terminal.key("C-d");
    terminal.shows("continues this conversation.");
    terminal.shows("code-0");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopped_turn_takes_nothing_up() {
    let wait = Reply::text("word ".repeat(400));
    let script = Script::new()
        .fault_in(Fault::Stall { after_bytes: 4000 }, wait)
        .reply(Reply::text("Never asked."));
    let Some((_folder, server, terminal)) = claw(script, "completions").await else {
        return;
    };
    terminal.line("speak");
    terminal.shows("word word");
    terminal.line("shorter, please");
    terminal.shows("(queued, for the next step: shorter, please)");
    terminal.key("C-c");
    terminal.shows("(not sent: shorter, please)");
    terminal.shows("(stopped)");
    assert_eq!(
        server.requests().len(),
        1,
        "a stopped turn takes nothing up"
    );
    terminal.line("/exit");
    terminal.shows("code-0");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_end_waits_for_the_turn() {
    let wait = json!({ "command": "until [ -e go ]; do sleep 0.02; done" });
    let script = Script::new()
        .reply(Reply::tool_calls([("a", "bash", wait)]))
        .reply(Reply::text("All done."));
    let Some((folder, _server, terminal)) = claw(script, "completions").await else {
        return;
    };
    terminal.line("wait");
    terminal.shows("[bash: until");
    terminal.key("C-d");
    terminal.shows("(claw ends when this is done; Ctrl-C stops it)");
    fs::write(folder.path().join("go"), "").expect("can be written");
    terminal.shows("All done.");
    terminal.shows("code-0");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thoughts_are_dimmed() {
    for api in ["messages", "responses"] {
        let script = Script::new().reply(Reply::text("Four.").thinking("Two and two, hm.", "seal"));
        let Some((_folder, _server, terminal)) = claw(script, api).await else {
            return;
        };
        terminal.line("2 + 2?");
        terminal.shows("Four.");
        let screen = terminal.screen(&["-e"]);
        let lines: Vec<&str> = screen.lines().collect();
        let at = lines
            .iter()
            .position(|line| line.ends_with("\u{1b}[2mTwo and two, hm."))
            .unwrap_or_else(|| panic!("{api}: dimmed, and on a line of their own: {screen:?}"));
        assert!(
            lines[at + 1].starts_with("\u{1b}[0m") && lines[at + 1].ends_with("Four."),
            "{api}: and the answer is not: {screen:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thoughts_give_the_terminal_no_orders() {
    let thought = "Two \u{1b}[31mand\u{9b}1m two.";
    let script = Script::new().reply(Reply::text("Four.").thinking(thought, "seal"));
    let Some((_folder, _server, terminal)) = claw(script, "messages").await else {
        return;
    };
    terminal.line("2 + 2?");
    terminal.shows("Two [31mand1m two.\nFour.");
}

#[test]
fn the_offline_model_thinks_dimmed() {
    let folder = tempfile::tempdir().expect("a new folder");
    let Some(terminal) = Terminal::open(folder.path(), folder.path()) else {
        return;
    };
    let claw = env!("CARGO_BIN_EXE_claw");
    terminal.line(&format!("{claw} --offline --thinking low; echo code-$?"));
    terminal.shows("Ctrl-D ends claw");
    terminal.line("hello");
    terminal.shows("a table of rules");
    let screen = terminal.screen(&["-e"]);
    assert!(
        screen.contains("\u{1b}[2mI was asked: hello."),
        "{screen:?}"
    );
    terminal.key("C-d");
    terminal.shows("code-0");
}

/// `claw` in a terminal and a new folder, asking a server with this script.
async fn claw(script: Script, api: &str) -> Option<(TempDir, Server, Terminal)> {
    let server = Server::with(script).await.expect("a server");
    let folder = tempfile::tempdir().expect("a new folder");
    let home = folder.path().join(".home");
    let terminal = Terminal::open(folder.path(), &home)?;
    let claw = env!("CARGO_BIN_EXE_claw");
    let url = format!("{}/v1", server.url());
    let thinking = match api {
        "completions" => "off",
        _ => "low",
    };
    terminal.line(&format!(
        "{claw} --base-url {url} --model scripted --api {api} --thinking {thinking}; echo code-$?"
    ));
    terminal.shows("Ctrl-D ends claw");
    Some((folder, server, terminal))
}

/// What the user has said, by a request.
fn said(request: &LoggedRequest) -> Vec<&str> {
    let messages = request.body["messages"].as_array().expect("messages");
    let messages = messages.iter().filter(|message| message["role"] == "user");
    messages
        .filter_map(|message| message["content"].as_str())
        .collect()
}
