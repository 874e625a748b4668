//! `claw` in a real terminal, which tmux lends: what Ctrl-C and Ctrl-D do.

#![cfg(unix)]

use std::process::Command;
use std::time::{Duration, Instant};

use claw_offline::{Fault, Reply, Script, Server};

// The server answers on the other thread while this one waits for the screen.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn control_c_ends_the_turn_and_control_d_the_program() {
    let long = "All work and no play makes a dull model. ".repeat(40);
    let script = Script::new()
        .fault_in(Fault::Stall { after_bytes: 1500 }, Reply::text(long))
        .reply(Reply::text("The second answer is whole."));
    let server = Server::with(script).await.expect("a server");
    let Some(terminal) = Terminal::open() else {
        return;
    };
    let claw = env!("CARGO_BIN_EXE_claw");
    let url = format!("{}/v1", server.url());
    terminal.line(&format!(
        "{claw} --base-url {url} --model scripted; echo code-$?"
    ));
    terminal.shows("Ctrl-D ends claw.");

    terminal.line("say something long");
    terminal.shows("no play makes");
    terminal.key("C-c");
    terminal.shows("(stopped)");

    terminal.line("and now something short");
    terminal.shows("The second answer is whole.");
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

/// A shell in a terminal of 100 columns. It ends with this.
struct Terminal {
    socket: String,
}

impl Terminal {
    /// `None`, with a word about it, where there is no tmux.
    fn open() -> Option<Self> {
        if Command::new("tmux").arg("-V").output().is_err() {
            eprintln!("tmux is not installed: claw is not tested in a terminal");
            return None;
        }
        let terminal = Self {
            socket: format!("claw-{}", std::process::id()),
        };
        let size = ["-x", "100", "-y", "30"];
        terminal.tmux(
            &[
                &["-f", "/dev/null", "new-session", "-d"],
                &size[..],
                &["sh"],
            ]
            .concat(),
        );
        Some(terminal)
    }

    fn tmux(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("tmux");
        command.args(["-L", &self.socket]).args(arguments);
        let output = command.env_remove("TMUX").output().expect("tmux starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn line(&self, text: &str) {
        self.tmux(&["send-keys", "-l", text]);
        self.key("Enter");
    }

    fn key(&self, key: &str) {
        self.tmux(&["send-keys", key]);
    }

    /// Waits until the screen shows `words`.
    fn shows(&self, words: &str) {
        let begin = Instant::now();
        loop {
            let screen = self.tmux(&["capture-pane", "-p", "-J"]);
            if screen.contains(words) {
                return;
            }
            assert!(
                begin.elapsed() < Duration::from_secs(30),
                "{words:?} does not come up:\n{screen}"
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}
