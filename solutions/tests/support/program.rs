//! `claw` as a process, in a folder of its own.

#![allow(dead_code, reason = "each test takes what it needs")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A folder of its own, removed when it goes.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().expect("a new folder"));
        for (name, text) in files {
            let place: PathBuf = folder.path().join(name);
            fs::create_dir_all(place.parent().expect("a folder")).expect("a new folder");
            fs::write(place, text).expect("a new file");
        }
        folder
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

/// `claw` in this folder, with no keys set, keeping what it keeps in `home`.
pub fn command(folder: &Path, home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_claw"));
    for name in [
        "CARGO_TARGET_DIR",
        "ANTHROPIC_API_KEY",
        "CLAW_API_KEY",
        "CLAW_BASE_URL",
        "CLAW_MODEL",
        "OPENAI_API_KEY",
        "OPENROUTER_API_KEY",
    ] {
        command.env_remove(name);
    }
    command.current_dir(folder).env("CLAW_HOME", home);
    // It reads what is piped in, up to the end: that of whoever runs the tests may have none.
    command.stdin(Stdio::null());
    command
}

/// Runs a command to its end, with this as its input.
pub fn run(command: &mut Command, input: impl AsRef<[u8]>) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("claw starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // One that answers a single prompt may end before it reads anything.
    let _ = stdin.write_all(input.as_ref());
    drop(stdin);
    child.wait_with_output().expect("claw ends")
}

/// What a program has said.
pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What a program has complained about.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Waits until something is so.
pub fn wait_until(is_so: impl Fn() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(
            begin.elapsed() < Duration::from_secs(30),
            "it does not come"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}
