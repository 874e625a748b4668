//! What the file tools share: the root folder, and what was read in it.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Tells a file's content from any other. Two contents of the same length, saved in the
/// same instant, differ in it, where size and time of change do not.
///
/// It is made by std's hash function, whose 64 bits two contents share by chance once in
/// 10^19 times. Whoever wants them to can find such contents: against that, SHA-256 would
/// win.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint {
    length: usize,
    hash: u64,
}

impl Fingerprint {
    /// That of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        todo!("6.4: write Fingerprint::of")
    }
}

/// A root folder, and what an agent knows of the files in it. Copies share what they
/// know: give each tool one.
#[derive(Clone)]
pub struct Workspace(Arc<Shared>);

struct Shared {
    root: PathBuf,
    /// Of each file, by its place, the content that was seen last.
    seen: Mutex<HashMap<PathBuf, Fingerprint>>,
    /// Held by whoever changes a file, from the first look at it to the last.
    turn: Mutex<()>,
}

impl Workspace {
    /// The folder `root`, of which nothing was read yet.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self(Arc::new(Shared {
            root: root.into(),
            seen: Mutex::default(),
            turn: Mutex::default(),
        }))
    }

    /// The root folder.
    pub fn root(&self) -> &Path {
        &self.0.root
    }

    /// Remembers that the model knows the file at `place` to hold `bytes`.
    pub fn saw(&self, place: &Path, bytes: &[u8]) {
        todo!("6.4: write Workspace::saw")
    }

    /// Whether the model knows that the file at `place`, which it calls `path`, holds
    /// `bytes`. If not, the error tells it to read the file: it never has, or the file
    /// has changed since.
    pub fn check(&self, place: &Path, path: &str, bytes: &[u8]) -> Result<(), String> {
        todo!("6.4: write Workspace::check")
    }

    /// Waits until nobody else has the turn to change files of this workspace, and takes
    /// it. The turn lasts until the answer is dropped.
    pub fn turn(&self) -> MutexGuard<'_, ()> {
        todo!("6.4: write Workspace::turn")
    }
}

/// What the model is told of a file that is not as it knows it.
pub(in crate::tools) fn changed(path: &str) -> String {
    format!("`{path}` has changed on disk since it was read; read it again")
}

/// What is behind a lock. A panic of another holder has left nothing half done: each map
/// entry is put in as a whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
