//! Noticing that files have changed.

use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};

/// Editors save in several steps; changes closer together than this are one.
const QUIET: Duration = Duration::from_millis(100);

/// Calls `changed`, on a thread of its own, whenever something in `folders` has
/// changed and come to rest, until the watcher that it gives back is dropped.
pub fn watch(
    folders: &[PathBuf],
    mut changed: impl FnMut() + Send + 'static,
) -> Result<RecommendedWatcher> {
    let (sender, events) = mpsc::channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        // A build reads all files. Were that a change, it would never end.
        if event.is_ok_and(|event| !event.kind.is_access()) {
            // Fails when nobody waits for changes any more.
            let _ = sender.send(());
        }
    })
    .context("files can't be watched on this system")?;
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

/// Waits until no more changes come; false when none ever will.
fn settle(events: &Receiver<()>) -> bool {
    loop {
        match events.recv_timeout(QUIET) {
            Ok(()) => {}
            Err(RecvTimeoutError::Timeout) => return true,
            Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
}
