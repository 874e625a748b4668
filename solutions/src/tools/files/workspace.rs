//! The root folder of the file tools, and the content of the files that a model has read.

use std::collections::HashMap;
use std::hash::Hasher;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use twox_hash::XxHash3_64;

use super::{ByPath, FolderAccess};

/// Identifies the content of a file. Different contents have different fingerprints, even if
/// size and modification time are equal.
///
/// XXH3 computes the hash, ten times as fast as std's hash function. Two contents share a hash
/// of 64 bits by chance about once in 10^19. SHA-256 would win if an attacker could gain something from
/// a collision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint {
    length: usize,
    hash: u64,
}

impl Fingerprint {
    /// The fingerprint of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self::of_reader(bytes).expect("a slice can be read")
    }

    /// The fingerprint of all bytes that `reader` gives. They are hashed in the pieces in
    /// which they come, so a large file need not be in memory. The error is the reader's.
    pub fn of_reader(mut reader: impl BufRead) -> io::Result<Self> {
        let mut hasher = XxHash3_64::new();
        let mut length = 0;
        loop {
            let piece = reader.fill_buf()?;
            if piece.is_empty() {
                let hash = hasher.finish();
                return Ok(Self { length, hash });
            }
            hasher.write(piece);
            let read = piece.len();
            length += read;
            reader.consume(read);
        }
    }
}

/// A root folder, and which content of its files the model knows. Clones share their
/// state: give each tool a clone.
#[derive(Clone)]
pub struct Workspace(Arc<Shared>);

struct Shared {
    root: PathBuf,
    folders: Box<dyn FolderAccess>,
    /// The content that the model knows, by the file's resolved path.
    known: Mutex<HashMap<PathBuf, Fingerprint>>,
    /// Held while a file is changed, from the first look at it to the last.
    write_lock: Mutex<()>,
}

impl Workspace {
    /// A workspace for the folder `root`. No file counts as read yet.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self::with_folders(root, ByPath)
    }

    /// A workspace for the folder `root`, whose tools reach their folders with `folders`.
    pub fn with_folders(root: impl Into<PathBuf>, folders: impl FolderAccess + 'static) -> Self {
        Self(Arc::new(Shared {
            root: root.into(),
            folders: Box::new(folders),
            known: Mutex::default(),
            write_lock: Mutex::default(),
        }))
    }

    /// The root folder.
    pub fn root(&self) -> &Path {
        &self.0.root
    }

    /// How the tools reach the folders of their files.
    pub fn folders(&self) -> &dyn FolderAccess {
        self.0.folders.as_ref()
    }

    /// Records that the model has seen `bytes` as the content of the file at `resolved`.
    pub fn remember(&self, resolved: &Path, bytes: &[u8]) {
        let fingerprint = Fingerprint::of(bytes);
        lock(&self.0.known).insert(resolved.to_path_buf(), fingerprint);
    }

    /// Checks that the model has seen `bytes` as the content of the file at `resolved`, and returns
    /// their fingerprint. The error calls the file `path` and tells the model to read it: it never
    /// has, or the file has changed since.
    pub fn check(&self, resolved: &Path, path: &str, bytes: &[u8]) -> Result<Fingerprint, String> {
        let fingerprint = Fingerprint::of(bytes);
        match lock(&self.0.known).get(resolved) {
            None => Err(format!("`{path}` has not been read yet; read it first")),
            Some(known) if *known != fingerprint => Err(changed_message(path)),
            Some(_) => Ok(fingerprint),
        }
    }

    /// Takes the lock for changing files of this workspace, and blocks until it is free.
    /// Dropping the guard releases it.
    pub fn write_lock(&self) -> MutexGuard<'_, ()> {
        lock(&self.0.write_lock)
    }
}

/// Error text for a file whose content is not the one that the model knows.
pub(in crate::tools) fn changed_message(path: &str) -> String {
    format!("`{path}` has changed on disk since it was read; read it again")
}

/// Locks `mutex`, even if a holder has panicked: a map entry is inserted as a whole, so a
/// panic leaves no partial change.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
