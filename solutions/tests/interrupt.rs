//! `claw` in a real terminal, which tmux lends: what Ctrl-C and Ctrl-D do, and what is one
//! prompt; and the signals that end it.

#![cfg(unix)]

#[path = "support/program.rs"]
mod program;
#[path = "support/terminal.rs"]
mod terminal;

use std::fs;
use std::process::{Command, Stdio};

use claw_offline::{Fault, Reply, Script, Server};
use program::{Folder, command, stdout, wait_until};
use tempfile::TempDir;
use terminal::Terminal;

// The server answers on the other thread while this one waits for the screen.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn control_c_ends_the_turn_and_control_d_the_program() {
    let long = "All work and no play makes a dull model. ".repeat(40);
    let script = Script::new()
        .fault_in(Fault::Stall { after_bytes: 1500 }, Reply::text(long))
        .reply(Reply::text("The second answer is whole."));
    let Some((_folder, server, terminal)) = claw(script).await else {
        return;
    };
    terminal.line("say something long");
    terminal.shows("no play makes");
    terminal.key("C-c");
    terminal.shows("(stopped)");

    terminal.line("and now something short");
    // With the next prompt the turn is over, and Ctrl-C means no turn any more.
    terminal.shows("The second answer is whole.\n\n>");
    let asked = server.requests();
    let last = asked.last().expect("a second request").body.to_string();
    assert!(
        last.contains("say something long") && last.contains("and now something short"),
        "the conversation goes on behind a turn that was stopped: {last}"
    );

    terminal.key("C-c");
    terminal.shows("(Ctrl-D ends claw)");
    terminal.key("C-d");
    terminal.shows("code-0");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lines_that_are_pasted_together_are_one_prompt() {
    let script = ["One.", "Two.", "Three.", "Four."]
        .into_iter()
        .fold(Script::new(), |script, text| {
            script.reply(Reply::text(text))
        });
    let Some((_folder, server, terminal)) = claw(script).await else {
        return;
    };
    terminal.paste("mend this:\n\n  one \\\n  /exit\n");
    terminal.shows("One.\n\n>");
    terminal.line("first \\");
    terminal.shows("> first \\\n…");
    terminal.line("second");
    terminal.shows("Two.\n\n>");
    terminal.line("dropped \\");
    terminal.shows("> dropped \\\n…");
    terminal.key("C-c");
    terminal.shows("(Ctrl-D ends claw)");
    terminal.paste("/help\nthird\n");
    terminal.shows("Three.\n\n>");
    terminal.line(&"x".repeat(6009));
    terminal.shows("a terminal takes 4095 bytes a line");
    terminal.line("fourth");
    terminal.shows("Four.\n\n>");
    assert_eq!(
        said(&server),
        [
            "mend this:\n\n  one \\\n  /exit",
            "first \nsecond",
            "third",
            "fourth"
        ]
    );
    terminal.key("C-d");
    terminal.shows("code-0");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_that_was_not_ended_is_not_said() {
    let script = Script::new().reply(Reply::text("Never asked."));
    let Some((_folder, server, terminal)) = claw(script).await else {
        return;
    };
    terminal.line("remove all \\");
    terminal.shows("> remove all \\\n…");
    terminal.tmux(&["send-keys", "-l", "half a li"]);
    terminal.key("C-d");
    terminal.key("C-d");
    terminal.shows("code-0");
    assert_eq!(said(&server), [""; 0]);
}

#[test]
fn a_dumb_terminal_gets_no_colours() {
    let folder = tempfile::tempdir().expect("a new folder");
    let Some(terminal) = Terminal::open(folder.path(), folder.path()) else {
        return;
    };
    let claw = env!("CARGO_BIN_EXE_claw");
    for (settings, is_plain) in [("", false), ("TERM=dumb", true), ("NO_COLOR=1", true)] {
        terminal.line(&format!(
            "clear; {settings} {claw} --offline -p 'list the files'; echo ended"
        ));
        terminal.shows("● [list: .]");
        terminal.shows("\nended");
        let screen = terminal.screen(&["-e"]);
        assert_eq!(
            !screen.contains('\u{1b}'),
            is_plain,
            "{settings}: {screen:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_signal_ends_it_and_its_commands() {
    for (signal, code) in [("TERM", 143), ("HUP", 129)] {
        if signal == "HUP" && is_deaf_to_hangup() {
            eprintln!("these tests run under nohup, and so would claw: no hangup is tried");
            continue;
        }
        for arguments in [&["--offline", "-p", WAIT][..], &["--offline"]] {
            let folder = Folder::with(&[("lines", &format!("{WAIT}\nhello\n"))]);
            let home = folder.path().join("home");
            let mut child = command(folder.path(), &home)
                .args(arguments)
                .stdin(match arguments.len() {
                    1 => fs::File::open(folder.path().join("lines"))
                        .expect("a file")
                        .into(),
                    _ => Stdio::null(),
                })
                .stdout(Stdio::null())
                .spawn()
                .expect("claw starts");
            let id = id_in(&folder);
            kill(&[&format!("-{signal}"), &child.id().to_string()]);
            let status = child.wait().expect("has ended");
            assert_eq!(status.code(), Some(code), "{arguments:?}: {status:?}");
            wait_until(|| !kill(&["-0", &id]));
            assert_is_kept(&folder);
        }
    }
}

/// Whether whoever runs the tests has hangups ignored; what they start ignores them too.
fn is_deaf_to_hangup() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|it| it.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|it| u64::from_str_radix(it.trim(), 16).ok());
    // Signal 1 is the lowest bit.
    mask.is_some_and(|mask| mask & 1 == 1)
}

#[test]
fn a_window_that_is_closed_ends_it_and_its_commands() {
    let folder = Folder::with(&[]);
    let Some(terminal) = Terminal::open(folder.path(), &folder.path().join("home")) else {
        return;
    };
    terminal.line(&format!("{} --offline", env!("CARGO_BIN_EXE_claw")));
    terminal.shows("Ctrl-D ends claw");
    terminal.line(WAIT);
    let id = id_in(&folder);
    drop(terminal);
    wait_until(|| !kill(&["-0", &id]));
    assert_is_kept(&folder);
}

#[test]
fn under_nohup_a_hangup_is_none() {
    let folder = Folder::with(&[]);
    let program = command(folder.path(), folder.path());
    let mut shell = Command::new("sh");
    let script = "trap '' HUP; exec \"$0\" --offline -p \"$1\"";
    let wait = "run echo $$ > id; until [ -e go ]; do sleep 0.02; done";
    shell
        .args(["-c", script])
        .arg(program.get_program())
        .arg(wait);
    shell
        .current_dir(folder.path())
        .env("CLAW_HOME", folder.path());
    let mut child = shell
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .expect("claw starts");
    id_in(&folder);
    kill(&["-HUP", &child.id().to_string()]);
    fs::write(folder.path().join("go"), "").expect("can be written");
    let status = child.wait().expect("has ended");
    assert!(status.success(), "{status:?}");
}

/// Has the offline model run a command that does not end soon, and says its id.
const WAIT: &str = "run echo $$ > id; sleep 55; echo awake";

/// The process id that a command has written down.
fn id_in(folder: &Folder) -> String {
    let id = || fs::read_to_string(folder.path().join("id")).unwrap_or_default();
    wait_until(|| id().ends_with('\n'));
    id().trim().to_string()
}

/// Whether there was a process to send it to.
fn kill(arguments: &[&str]) -> bool {
    let output = Command::new("kill").args(arguments).output();
    output.expect("`kill` is there").status.success()
}

/// Whether what was said is there for another time, when conversations are kept at all.
fn assert_is_kept(folder: &Folder) {
    if !cfg!(feature = "ch20") {
        return;
    }
    let home = folder.path().join("home");
    let mut command = command(folder.path(), &home);
    let output = command.args(["--offline", "--resume"]).output();
    let output = output.expect("claw ends");
    let text = stdout(&output);
    assert!(text.contains("> run echo $$ > id; sleep 55"), "{output:?}");
    assert!(
        text.contains("\n\nAsk for something"),
        "and what was said before stands by itself: {text}"
    );
}

/// `claw` in a terminal and a new folder, asking a server with this script.
async fn claw(script: Script) -> Option<(TempDir, Server, Terminal)> {
    let server = Server::with(script).await.expect("a server");
    let folder = tempfile::tempdir().expect("a new folder");
    let terminal = Terminal::open(folder.path(), folder.path())?;
    let claw = env!("CARGO_BIN_EXE_claw");
    let url = format!("{}/v1", server.url());
    terminal.line(&format!(
        "{claw} --base-url {url} --model scripted; echo code-$?"
    ));
    terminal.shows("Ctrl-D ends claw");
    Some((folder, server, terminal))
}

/// What the user has said last, by each request.
fn said(server: &Server) -> Vec<String> {
    let requests = server.requests();
    let last = requests.iter().filter_map(|request| {
        let messages = request.body["messages"].as_array()?;
        Some(messages.last()?["content"].as_str()?.to_string())
    });
    last.collect()
}
