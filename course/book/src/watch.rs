//! Watches folders for changes.

use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};

/// Editors save in several steps. Changes that follow each other within this time are one.
const QUIET: Duration = Duration::from_millis(100);

/// Calls `changed` on another thread after each burst of changes in `folders`. Stops when the
/// returned watcher is dropped.
pub fn watch(
    folders: &[PathBuf],
    mut changed: impl FnMut() + Send + 'static,
) -> Result<RecommendedWatcher> {
    let (sender, events) = mpsc::channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        // Reading a file is an event, too. A build reads all files and must not cause another.
        if event.is_ok_and(|event| !event.kind.is_access()) {
            // Fails if the watcher has been dropped.
            let _ = sender.send(());
        }
    })
    .context("cannot watch files on this system")?;
    for folder in folders {
        watcher
            .watch(folder, RecursiveMode::Recursive)
            .with_context(|| format!("cannot watch {}", folder.display()))?;
    }
    thread::spawn(move || {
        while events.recv().is_ok() && settle(&events) {
            changed();
        }
    });
    Ok(watcher)
}

/// Waits until no more changes come. Returns `false` if the watcher has been dropped.
fn settle(events: &Receiver<()>) -> bool {
    loop {
        match events.recv_timeout(QUIET) {
            Ok(()) => {}
            Err(RecvTimeoutError::Timeout) => return true,
            Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
}
