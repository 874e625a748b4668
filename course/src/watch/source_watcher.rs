//! Watches the files that the tests depend on.

use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::repo::Repo;

/// Calls `saved` after each burst of writes to a source. Stops when the returned watcher is
/// dropped.
pub fn watch(repo: &Repo, saved: impl Fn() + Send + 'static) -> Result<RecommendedWatcher> {
    let (sender, writes) = mpsc::channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        // Reading a file is an event, too, and cargo reads all of them.
        let written = match &event {
            Ok(event) => {
                !matches!(event.kind, EventKind::Access(_))
                    && event.paths.iter().any(|path| is_source(path))
            }
            Err(_) => true,
        };
        if written {
            let _ = sender.send(());
        }
    })
    .context("cannot watch files on this system")?;
    for (path, mode) in [
        (repo.root().to_path_buf(), RecursiveMode::NonRecursive),
        (repo.src(), RecursiveMode::Recursive),
        (repo.tests(), RecursiveMode::Recursive),
        (repo.book(), RecursiveMode::NonRecursive),
    ] {
        watcher
            .watch(&path, mode)
            .with_context(|| format!("cannot watch {}", path.display()))?;
    }
    thread::spawn(move || {
        while writes.recv().is_ok() {
            while writes.recv_timeout(SETTLE) != Err(RecvTimeoutError::Timeout) {}
            saved();
        }
    });
    Ok(watcher)
}

fn is_source(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending == "rs" || ending == "toml")
}

/// Editors save in several steps. Writes that follow each other within this time are one save.
const SETTLE: Duration = Duration::from_millis(30);
