//! A real terminal, which tmux lends.

#![allow(dead_code, reason = "each test takes what it needs")]

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A shell in a terminal of 100 columns. It ends with this.
pub struct Terminal {
    socket: String,
}

impl Terminal {
    /// In this folder, where `claw` keeps what it keeps in `home`. `None`, with a word about
    /// it, where there is no tmux.
    pub fn open(folder: &Path, home: &Path) -> Option<Self> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        if Command::new("tmux").arg("-V").output().is_err() {
            eprintln!("tmux is not installed: claw is not tested in a terminal");
            return None;
        }
        let terminal = Self {
            socket: format!(
                "claw-{}-{}",
                std::process::id(),
                COUNT.fetch_add(1, Ordering::Relaxed)
            ),
        };
        let [folder, home] = [folder, home].map(|it| it.to_str().expect("a plain name"));
        let home = format!("CLAW_HOME={home}");
        let new = ["-f", "/dev/null", "new-session", "-d"];
        let size = ["-x", "100", "-y", "30"];
        terminal.tmux(&[&new[..], &size, &["-c", folder, "-e", &home, "sh"]].concat());
        Some(terminal)
    }

    pub fn tmux(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("tmux");
        command.args(["-L", &self.socket]).args(arguments);
        let output = command.env_remove("TMUX").output().expect("tmux starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    pub fn line(&self, text: &str) {
        self.tmux(&["send-keys", "-l", text]);
        self.key("Enter");
    }

    /// Pastes a text. As in every terminal, each line end in it is the key Enter.
    pub fn paste(&self, text: &str) {
        self.tmux(&["set-buffer", text]);
        self.tmux(&["paste-buffer"]);
    }

    pub fn key(&self, key: &str) {
        self.tmux(&["send-keys", key]);
    }

    /// What stands on the screen. With `-e`, styles are among it as escapes.
    pub fn screen(&self, options: &[&str]) -> String {
        self.tmux(&[&["capture-pane", "-p", "-J"], options].concat())
    }

    /// Waits until the screen shows `words`.
    pub fn shows(&self, words: &str) {
        let begin = Instant::now();
        loop {
            let screen = self.screen(&[]);
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
