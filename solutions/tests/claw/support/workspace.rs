//! The folders that `claw` works in.

use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::rc::Rc;

use claw_code_solutions::provider::API_KEY_VARIABLES;

use super::temp_folder::TempFolder;
use super::{Claw, wait_until};

/// A folder to work in, and one in which sessions are saved. Both are removed when nothing
/// uses them any more: no clone, no command, no terminal.
#[derive(Clone)]
pub struct Workspace {
    folder: Rc<TempFolder>,
    home: Rc<TempFolder>,
}

impl Deref for Workspace {
    type Target = TempFolder;

    fn deref(&self) -> &TempFolder {
        &self.folder
    }
}

impl Workspace {
    pub fn new() -> Self {
        Self::with(&[])
    }

    /// A folder with these files: path and content of each.
    pub fn with(files: &[(&str, &str)]) -> Self {
        Self {
            folder: Rc::new(TempFolder::with_files(files)),
            home: Rc::new(TempFolder::new()),
        }
    }

    /// The folder in which sessions are saved.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// Waits until the file `name` in this folder contains `text`.
    #[track_caller]
    pub fn wait_for(&self, name: &str, text: &str) {
        let file = self.path().join(name);
        wait_until(|| fs::read_to_string(&file).is_ok_and(|it| it.contains(text)));
    }

    /// `claw` with these arguments, in this folder and with no keys set.
    pub fn claw(&self, arguments: &[&str]) -> Claw {
        let mut command = Command::new(env!("CARGO_BIN_EXE_claw"));
        for name in API_KEY_VARIABLES {
            command.env_remove(name);
        }
        for name in ["CARGO_TARGET_DIR", "CLAW_BASE_URL", "CLAW_MODEL"] {
            command.env_remove(name);
        }
        command
            .current_dir(self.path())
            .args(without_questions(arguments));
        command.args(arguments);
        command.env("CLAW_HOME", self.home());
        command.stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Claw {
            command,
            workspace: self.clone(),
        }
    }

    /// Runs `claw --offline -p PROMPT` and returns what it prints.
    #[track_caller]
    pub fn ask(&self, prompt: &str) -> String {
        let run = self.claw(&["--offline", "-p", prompt]).run();
        run.succeeds().stdout
    }

    /// The databases with saved sessions.
    pub fn databases(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.home().join("sessions"));
        let entries = entries.into_iter().flatten();
        entries
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.extension().is_some_and(|it| it == "db"))
            .collect()
    }

    /// The only database.
    #[track_caller]
    pub fn database(&self) -> PathBuf {
        let [database] = self.databases().try_into().expect("one database");
        database
    }
}

/// The arguments that let every call run, before these arguments: most tests are not about
/// permissions. Empty without options, for a test that names a mode itself, and before chapter
/// 10, where every call runs.
pub fn without_questions(arguments: &[&str]) -> &'static [&'static str] {
    let is_option = arguments
        .first()
        .is_some_and(|first| first.starts_with('-'));
    let has_mode = arguments.iter().any(|it| it.contains("--permission-mode"));
    match cfg!(feature = "ch10") && is_option && !has_mode {
        true => &["--permission-mode", "bypass"],
        false => &[],
    }
}
