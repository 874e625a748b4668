//! Watches files, and waits until a burst of writes has ended.
//!
//! `notify-debouncer-mini` does not fit, because it reports reads as changes: a build, which
//! reads every file, would cause the next build. `notify-debouncer-full` tells them apart, but
//! wakes up more than a hundred times a second to do so, even while nothing happens.

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
pub use notify::RecursiveMode;
use notify::{Event, RecommendedWatcher, Watcher};

/// Calls `changed` on another thread after each burst of writes to a file that `is_watched`
/// accepts. Stops when the returned watcher is dropped.
pub fn watch(
    folders: &[(PathBuf, RecursiveMode)],
    is_watched: fn(&Path) -> bool,
    mut changed: impl FnMut() + Send + 'static,
) -> Result<RecommendedWatcher> {
    let (sender, writes) = mpsc::channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        // After an error, such as a queue that is full, anything can have changed.
        let is_write = event.map_or(true, |event| {
            !event.kind.is_access() && event.paths.iter().any(|path| is_watched(path))
        });
        if is_write {
            let _ = sender.send(());
        }
    })
    .context("cannot watch files on this system")?;
    for (folder, mode) in folders {
        watcher
            .watch(folder, *mode)
            .with_context(|| format!("cannot watch {}", folder.display()))?;
    }
    thread::spawn(move || {
        while writes.recv().is_ok() {
            while writes.recv_timeout(SETTLE).is_ok() {}
            changed();
        }
    });
    Ok(watcher)
}

/// Editors save in several steps. Writes that follow each other within this time are one save.
const SETTLE: Duration = Duration::from_millis(30);
