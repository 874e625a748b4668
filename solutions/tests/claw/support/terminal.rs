//! A real terminal, which tmux provides.

use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::{Workspace, without_questions};

/// A shell in a terminal of 30 rows. It ends on drop.
pub struct Terminal {
    socket: String,
    _workspace: Workspace,
}

impl Terminal {
    /// A shell in the workspace, with 100 columns. `None` if tmux is not installed: the test is
    /// then skipped.
    pub fn open(workspace: &Workspace) -> Option<Self> {
        Self::with_columns(workspace, 100)
    }

    /// A shell in the workspace, with this many columns.
    pub fn with_columns(workspace: &Workspace, columns: usize) -> Option<Self> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        if Command::new("tmux").arg("-V").output().is_err() {
            eprintln!("skipped: tmux is not installed");
            return None;
        }
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let terminal = Self {
            socket: format!("claw-{}-{number}", std::process::id()),
            _workspace: workspace.clone(),
        };
        let [folder, home] = [workspace.path(), workspace.home()].map(|it| it.to_str());
        let folder = folder.expect("a UTF-8 path");
        let home = format!("CLAW_HOME={}", home.expect("a UTF-8 path"));
        let session = ["-f", "/dev/null", "new-session", "-d", "-y", "30", "-x"];
        let columns = columns.to_string();
        terminal.tmux(&[&session[..], &[&columns, "-c", folder, "-e", &home, "sh"]].concat());
        Some(terminal)
    }

    /// Starts `claw` with these arguments and waits for its greeting. At its end, the shell
    /// prints its exit code as `code-0`.
    pub fn claw(workspace: &Workspace, arguments: &str) -> Option<Self> {
        let terminal = Self::open(workspace)?;
        terminal.start_claw("", arguments);
        Some(terminal)
    }

    /// Does what [`claw`](Self::claw) does, with these variables, such as `TERM=dumb`.
    pub fn start_claw(&self, variables: &str, arguments: &str) {
        let claw = env!("CARGO_BIN_EXE_claw");
        let mode = without_questions(&[arguments]).join(" ");
        let command = format!("clear; {variables} {claw} {mode} {arguments}; echo code-$?");
        self.line(&command);
        // At 12 columns, each word of the greeting has a row.
        self.wait_for("commands.\n\n>");
    }

    /// Types a line and the key Enter.
    pub fn line(&self, text: &str) {
        self.text(text);
        self.key("Enter");
    }

    /// Types a text.
    pub fn text(&self, text: &str) {
        self.tmux(&["send-keys", "-l", text]);
    }

    /// Presses a key, by its name in tmux, such as `C-c`.
    pub fn key(&self, key: &str) {
        self.tmux(&["send-keys", key]);
    }

    /// Pastes a text. Unless the program knows bracketed paste, each line end is the key Enter.
    pub fn paste(&self, text: &str) {
        self.tmux(&["set-buffer", text]);
        self.tmux(&["paste-buffer", "-p"]);
    }

    /// Sends bytes as they are, such as a part of a paste.
    pub fn bytes(&self, bytes: &[u8]) {
        let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:x}")).collect();
        let hex = hex.iter().map(String::as_str);
        let arguments: Vec<&str> = ["send-keys", "-H"].into_iter().chain(hex).collect();
        self.tmux(&arguments);
    }

    /// The text on the screen.
    pub fn screen(&self) -> String {
        self.tmux(&["capture-pane", "-p", "-J"])
    }

    /// The text on the screen, with its styles as escape sequences.
    pub fn styled_screen(&self) -> String {
        self.tmux(&["capture-pane", "-p", "-J", "-e"])
    }

    /// Waits until the screen contains `text`.
    #[track_caller]
    pub fn wait_for(&self, text: &str) {
        let start = Instant::now();
        loop {
            let screen = self.screen();
            if screen.contains(text) {
                return;
            }
            let waited = start.elapsed();
            assert!(
                waited < Duration::from_secs(30),
                "{text:?} is not on the screen:\n{screen}"
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn tmux(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("tmux");
        command.args(["-L", &self.socket]).args(arguments);
        let output = command.env_remove("TMUX").output().expect("tmux starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}
