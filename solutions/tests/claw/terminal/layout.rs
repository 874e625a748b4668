//! How text and calls look while a turn runs, and after it.

use std::fs;

use claw_offline::{Fault, Reply, Script};
use serde_json::json;

use super::{claw, claw_in};
use crate::support::{ScriptedServer, Terminal, Workspace};

#[test]
fn words_are_wrapped_at_every_width() {
    let words = "one two three 四つの言葉 five sixteen seventeen";
    for columns in [12, 80, 200] {
        let server = ScriptedServer::replies([words]);
        let Some((_workspace, terminal)) = claw_in(&server, columns, "") else {
            return;
        };
        terminal.line("go");
        terminal.wait_for("seventeen");
        terminal.wait_for("seventeen\n\n>");
        let screen = terminal.screen();
        for word in words.split(' ') {
            assert!(screen.contains(word), "{columns} columns, {word}: {screen}");
        }
    }
}

#[cfg(feature = "ch10")]
#[test]
fn messages_and_questions_are_wrapped_between_words() {
    let workspace = Workspace::with(&[("notes.txt", "日本語\n")]);
    for columns in [12, 80, 200] {
        let Some(terminal) = Terminal::with_columns(&workspace, columns) else {
            return;
        };
        let claw = env!("CARGO_BIN_EXE_claw");
        terminal.line(&format!("clear; {claw} --offline"));
        terminal.wait_for("commands.\n\n>");
        terminal.line("change 日本語 to 中国語 in notes.txt");
        terminal.wait_for("use the");
        terminal.wait_for("\n?");
        let screen = terminal.screen();
        for word in ["-日本語\n", "+中国語\n", "session:", "reason", "follow:"] {
            assert!(screen.contains(word), "{columns} columns, {word}: {screen}");
        }
    }
}

#[test]
fn a_single_prompt_names_the_key_that_stops_it() {
    let workspace = Workspace::new();
    let Some(terminal) = Terminal::open(&workspace) else {
        return;
    };
    let server = ScriptedServer::new(Script::new().fault(Fault::StallBeforeHeaders));
    let claw = env!("CARGO_BIN_EXE_claw");
    let url = server.base_url();
    terminal.line(&format!(
        "{claw} --base-url {url} --model m -p go; echo code-$?"
    ));
    terminal.wait_for(" s · Ctrl-C stops");
    terminal.key("C-c");
    terminal.wait_for("code-1");
}

#[test]
fn markdown_is_rendered() {
    let text = "# A heading\n- **bold** and `code`\n\n```rust\nlet x = *y;\n```\n2 * 3, *.rs";
    let server = ScriptedServer::replies([text]);
    let Some((_workspace, terminal)) = claw(&server) else {
        return;
    };
    terminal.line("go");
    terminal.wait_for("A heading\n• bold and `code`\n\n  let x = *y;\n2 * 3, *.rs\n\n>");
    let screen = terminal.styled_screen();
    assert!(screen.contains("\u{1b}[1mbold"), "{screen:?}");
}

#[test]
fn markdown_is_left_alone_without_colors_and_outside_a_terminal() {
    let text = "**bold** `code`";
    let server = ScriptedServer::replies([text, text]);
    let workspace = Workspace::new();
    let run = workspace.claw(&["-p", "go"]).asks(&server).run();
    assert_eq!(run.stdout, format!("{text}\n"));
    let Some((_workspace, terminal)) = claw_in(&server, 100, "NO_COLOR=1") else {
        return;
    };
    terminal.line("go");
    terminal.wait_for(text);
}

#[test]
fn a_running_command_shows_its_time_and_its_last_lines() {
    let workspace = Workspace::new();
    let Some(terminal) = Terminal::claw(&workspace, "--offline") else {
        return;
    };
    terminal.line("run seq 1 9; until [ -e go ]; do sleep 0.02; done");
    terminal.wait_for("    7\n    8\n    9\n  ");
    terminal.wait_for(" 1 s\n");
    terminal.text("typed meanwhile");
    terminal.wait_for(" s\n> typed meanwhile");
    workspace.write("go", "");
    terminal.wait_for("\n\n> typed meanwhile");
    assert!(!terminal.screen().contains(" s\n"), "{}", terminal.screen());
}

#[test]
fn the_last_lines_of_a_stopped_command_stay() {
    let workspace = Workspace::new();
    let Some(terminal) = Terminal::claw(&workspace, "--offline") else {
        return;
    };
    terminal.line("run seq 1 9; until [ -e go ]; do sleep 0.02; done");
    terminal.wait_for("    7\n    8\n    9\n  ");
    terminal.key("C-c");
    terminal.wait_for("    7\n    8\n    9\n(stopped)");
}

#[test]
fn a_long_result_shows_its_first_and_last_lines_and_show_shows_all() {
    let workspace = Workspace::new();
    let Some(terminal) = Terminal::claw(&workspace, "--offline") else {
        return;
    };
    terminal.line("run seq 1 20");
    terminal.wait_for("  └ 1\n    2\n    … 16 more lines: /show 1\n    19\n    20\n");
    terminal.line("/show");
    terminal.wait_for("● [bash: seq 1 20]\n1\n2\n3\n");
    terminal.line("/show 7");
    terminal.wait_for("there is no call 7; the last one is 1");
}

#[test]
fn output_without_text_is_not_called_empty() {
    let workspace = Workspace::new();
    let Some(terminal) = Terminal::claw(&workspace, "--offline") else {
        return;
    };
    terminal.line("run head -c 5000 /dev/zero");
    terminal.wait_for("(no text in 5000 bytes of output)");
}

#[test]
fn parallel_calls_name_their_results() {
    let wait = |name: &str| json!({ "path": name });
    let calls = [("a", "read", wait("a")), ("b", "read", wait("b"))];
    let script = Script::new()
        .reply(Reply::tool_calls(calls))
        .reply(Reply::text("Read."));
    let server = ScriptedServer::new(script);
    let Some((workspace, terminal)) = claw(&server) else {
        return;
    };
    for name in ["a", "b"] {
        fs::write(workspace.path().join(name), name).expect("a file");
    }
    terminal.line("go");
    terminal.wait_for("Read.\n\n>");
    let screen = terminal.screen();
    let rows = screen.lines().filter(|row| row.starts_with("  └"));
    let named = rows.filter(|row| row.contains("[read: a]")).count();
    let in_order = screen.contains("● [read: a]\n  └");
    assert!(named == 1 || in_order, "{screen}");
}

#[test]
fn every_edit_shows_its_diff_once() {
    let workspace = Workspace::with(&[("notes.txt", "alpha\n")]);
    let Some(terminal) = Terminal::claw(&workspace, "--offline") else {
        return;
    };
    terminal.line("change alpha to beta in notes.txt");
    workspace.wait_for("notes.txt", "beta");
    terminal.wait_for("\n  -alpha\n  +beta\n");
    let screen = terminal.styled_screen();
    assert!(screen.contains("\u{1b}[32m  +beta"), "{screen:?}");
    assert_eq!(screen.matches("+beta").count(), 1, "{screen:?}");
}

// Before chapter 20, `claw` runs on the loop of chapter 4, which does not report retries.
#[cfg(feature = "ch20")]
#[test]
fn a_message_stays_above_the_line_that_is_typed() {
    let busy = Fault::Status {
        status: 503,
        retry_after: Some("0".into()),
        body: "{}".into(),
    };
    let wait = json!({ "command": "until [ -e go ]; do sleep 0.01; done" });
    let script = Script::new()
        .reply(Reply::tool_calls([("a", "bash", wait)]))
        .fault(busy)
        .fault(Fault::StallBeforeHeaders);
    let server = ScriptedServer::new(script);
    let Some((workspace, terminal)) = claw(&server) else {
        return;
    };
    terminal.line("work");
    terminal.wait_for("● [bash: until");
    terminal.text("typed meanwhile");
    terminal.wait_for(" s\n> typed meanwhile");
    fs::write(workspace.path().join("go"), "").expect("the file");
    terminal.wait_for("claw: no answer (");
    terminal.text(", and more");
    terminal.wait_for("\n> typed meanwhile, and more");
    // A frame is written in two parts, so one capture can miss the last row.
    crate::support::wait_until(|| {
        let screen = terminal.screen();
        screen.contains("claw: no answer (") && screen.matches("> typed").count() == 1
    });
}
