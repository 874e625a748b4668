//! The watcher of files.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use course::file_watcher::{RecursiveMode, watch};
use tempfile::TempDir;

#[test]
fn a_watcher_that_is_dropped_during_a_burst_of_writes_ends_its_thread() {
    static WAS_WRITTEN: AtomicBool = AtomicBool::new(false);
    fn is_watched(_: &Path) -> bool {
        WAS_WRITTEN.store(true, Ordering::Relaxed);
        true
    }
    let folder = TempDir::new().expect("a temporary folder");
    let folders = [(folder.path().to_path_buf(), RecursiveMode::NonRecursive)];
    // The thread owns the sender, so the channel is closed when the thread has ended.
    let (sender, calls) = mpsc::channel();
    let watcher = watch(&folders, is_watched, move || {
        let _ = sender.send(());
    });
    let watcher = watcher.expect("a watcher");
    for _ in 0..10_000 {
        if WAS_WRITTEN.load(Ordering::Relaxed) {
            break;
        }
        fs::write(folder.path().join("file.rs"), "").expect("a file");
        thread::sleep(Duration::from_millis(1));
    }
    drop(watcher);
    let end = loop {
        if let Err(end) = calls.recv_timeout(Duration::from_secs(10)) {
            break end;
        }
    };
    assert_eq!(end, RecvTimeoutError::Disconnected, "the thread has ended");
}
