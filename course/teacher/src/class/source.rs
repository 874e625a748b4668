//! Where the learners' files come from: a folder, or a git repository.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use course::repo::Repo;

use super::hand_in::{self, HandIn};

/// How long to wait between two fetches.
const PAUSE: Duration = Duration::from_secs(15);

/// A folder with learners' files.
pub(super) struct Source {
    /// The argument of the command.
    pub name: String,
    folder: PathBuf,
    /// Why the last fetch failed, if it did.
    problem: Arc<Mutex<Option<String>>>,
}

impl Source {
    /// Opens the folder `name`, or clones the repository `name` and fetches it from now on. The
    /// server's `port` makes the folder of the clone unique.
    pub fn open(repo: &Repo, name: &str, port: u16) -> Result<Self> {
        let problem = Arc::default();
        let path = Path::new(name);
        let is_repository = path.join("HEAD").is_file() && path.join("objects").is_dir();
        if path.is_dir() && !is_repository {
            let folder = path.to_path_buf();
            fs::read_dir(&folder).with_context(|| format!("cannot read {name}"))?;
            let name = name.to_string();
            return Ok(Self {
                name,
                folder,
                problem,
            });
        }
        let folder = repo.root().join(format!("target/class-{port}"));
        if folder.exists() {
            fs::remove_dir_all(&folder)
                .with_context(|| format!("cannot remove {}", folder.display()))?;
        }
        let cloned = Command::new("git")
            .args(["clone", "--quiet", "--", name])
            .arg(&folder)
            .status()
            .context("cannot start git")?;
        ensure!(
            cloned.success(),
            "`{name}` is neither a folder nor a git repository that can be cloned; see git's message above"
        );
        let (clone, failed) = (folder.clone(), Arc::clone(&problem));
        thread::spawn(move || {
            loop {
                thread::sleep(PAUSE);
                *failed.lock().unwrap_or_else(PoisonError::into_inner) = fetch(&clone).err();
            }
        });
        Ok(Self {
            name: name.to_string(),
            folder,
            problem,
        })
    }

    /// What the learners have handed in, sorted by nickname, or why it cannot be read.
    pub fn read(&self) -> Result<Vec<HandIn>, String> {
        hand_in::read_all(&self.folder)
            .map_err(|error| format!("{} cannot be read: {error}", self.name))
    }

    /// Why the last fetch failed, if it did.
    pub fn problem(&self) -> Option<String> {
        let problem = self.problem.lock();
        problem.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Brings the clone to the newest commit. The error is the line of git's message that names the
/// cause, or the last line.
fn fetch(clone: &Path) -> Result<(), String> {
    for arguments in [
        &["fetch", "--quiet", "origin", "HEAD"][..],
        &["reset", "--quiet", "--hard", "FETCH_HEAD"],
    ] {
        let output = Command::new("git")
            .arg("-C")
            .arg(clone)
            .args(arguments)
            // Nobody can answer a question for a password now.
            .env("GIT_TERMINAL_PROMPT", "0")
            .output()
            .map_err(|error| error.to_string())?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr);
            let cause = text.lines().find_map(|line| line.strip_prefix("fatal: "));
            let last = text.lines().rfind(|line| !line.trim().is_empty());
            return Err(cause.or(last).unwrap_or("git failed").to_string());
        }
    }
    Ok(())
}
