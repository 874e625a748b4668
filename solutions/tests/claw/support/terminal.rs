//! A real terminal, which tmux provides.

use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::{Workspace, without_questions};

/// A shell in a terminal of 100 columns and 30 rows. It ends on drop.
pub struct Terminal {
    socket: String,
    _workspace: Workspace,
}

impl Terminal {
    /// A shell in the workspace. `None` if tmux is not installed: the test is then skipped.
    pub fn open(workspace: &Workspace) -> Option<Self> {
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
        let session = ["-f", "/dev/null", "new-session", "-d", "-x", "100", "-y"];
        terminal.tmux(&[&session[..], &["30", "-c", folder, "-e", &home, "sh"]].concat());
        Some(terminal)
    }

    /// Starts `claw` with these arguments and waits for its greeting. At its end, the shell
    /// prints its exit code as `code-0`.
    pub fn claw(workspace: &Workspace, arguments: &str) -> Option<Self> {
        let terminal = Self::open(workspace)?;
        let claw = env!("CARGO_BIN_EXE_claw");
        let mode = without_questions(&[arguments]).join(" ");
        terminal.line(&format!("{claw} {mode} {arguments}; echo code-$?"));
        terminal.wait_for("Ctrl-D ends claw");
        Some(terminal)
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

    /// Pastes a text. As in every terminal, each line end in it is the key Enter.
    pub fn paste(&self, text: &str) {
        self.tmux(&["set-buffer", text]);
        self.tmux(&["paste-buffer"]);
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
