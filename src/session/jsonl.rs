//! Messages in a file, one line each (JSON Lines).

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use serde::ser::Error as _;

use super::convert::without_position;
use crate::chat::ChatMessage;

/// The content of a file of messages.
#[derive(Debug, Clone, PartialEq)]
pub struct JsonlContents {
    /// The messages of its lines, including a last line that is complete but for its line end.
    pub messages: Vec<ChatMessage>,
    /// The bytes of the last line if it is torn: a process is writing it now, or was killed
    /// while it did.
    pub torn: Option<Vec<u8>>,
}

/// Reads a file of messages without changing it.
///
/// A last line that is not a message and has no line end is torn. Any other line that is not
/// a message is damaged: the error names the file and the number of the line.
pub fn read_jsonl(path: impl AsRef<Path>) -> Result<JsonlContents> {
    todo!("read-json-lines: write read_jsonl")
}

/// Reads messages from the bytes of a file. Like [`read_jsonl`], except that an error names
/// only the line, counted from 1.
pub fn parse_jsonl(bytes: &[u8]) -> Result<JsonlContents> {
    todo!("read-json-lines: write parse_jsonl")
}

/// A file of messages to which one process appends.
#[derive(Debug)]
pub struct JsonlFile {
    file: File,
    path: PathBuf,
    /// The length of the file up to the end of its last complete line, in bytes.
    length: u64,
    /// Whether the folder's entry for the file is on the disk.
    is_folder_synced: bool,
}

impl JsonlFile {
    /// Opens a file to append to it, and creates it if it does not exist.
    ///
    /// The file stays locked until this value is dropped. It is an error if another process
    /// has locked it, or if a line is damaged. A last message that lacks only its line end
    /// gets one. A torn last line is moved to the end of another file, whose name is this
    /// file's name and `.torn`.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self> {
        todo!("append-json-lines: write JsonlFile::open")
    }

    /// Appends messages, one line each, with one write. When this returns, they survive the
    /// end of this process; after [`sync`](Self::sync) they also survive a power failure.
    ///
    /// A message whose JSON could not be read again is an error. After an error, the file is cut
    /// back to where it ended before, if possible.
    pub fn append(&mut self, messages: &[ChatMessage]) -> Result<()> {
        todo!("append-json-lines: write JsonlFile::append")
    }

    /// Waits until everything appended is on the disk, and the folder's entry for the file.
    pub fn sync(&mut self) -> Result<()> {
        let message = || format!("cannot write {} to the disk", self.path.display());
        self.file.sync_data().with_context(message)?;
        if !self.is_folder_synced {
            sync_folder(&self.path).with_context(message)?;
            self.is_folder_synced = true;
        }
        Ok(())
    }

    /// Makes the file end with a complete line, as [`open`](Self::open) describes it, and sets
    /// `length`. A torn line is saved before it is cut off.
    fn repair(&mut self) -> Result<()> {
        todo!("append-json-lines: write JsonlFile::repair")
    }

    /// Appends a torn line and a line end to the file for torn lines, and waits until they are
    /// on the disk.
    fn save_torn_line(&self, torn: &[u8]) -> Result<()> {
        let mut name = self.path.clone().into_os_string();
        name.push(".torn");
        let save = || {
            let mut file = OpenOptions::new().append(true).create(true).open(&name)?;
            file.write_all(torn)?;
            file.write_all(b"\n")?;
            file.sync_data()?;
            sync_folder(&self.path)
        };
        save().with_context(|| format!("cannot save the torn line of {}", self.path.display()))
    }
}

impl Drop for JsonlFile {
    /// Releases the lock. Closing the file is not enough: a child process that is just being
    /// started may still have it open.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

/// The JSON of a message, on one line. JSON that could not be read again is an error, since
/// one such message would make its whole session unreadable.
pub(super) fn readable_json(message: &ChatMessage) -> serde_json::Result<String> {
    let json = serde_json::to_string(message)?;
    // Every message, since unknown fields contain JSON of any depth too, not only blocks.
    serde_json::from_str::<ChatMessage>(&json).map_err(unreadable)?;
    Ok(json)
}

/// The error for JSON that was written but cannot be read.
fn unreadable(error: serde_json::Error) -> serde_json::Error {
    serde_json::Error::custom(format!("its JSON could not be read again ({error})"))
}

/// Waits until the folder's entry for this file is on the disk. Only Unix has a call for that,
/// and needs it.
fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?;
    }
    Ok(())
}

/// The error for a line that is not a message. Lines are counted from 1.
fn damaged_line(number: usize, error: &serde_json::Error) -> anyhow::Error {
    let what = without_position(error);
    anyhow!("line {number} is not a message ({what}); repair or remove it")
}

/// Locks the file for this process. It is an error if another process has locked it.
fn lock(file: &File, path: &Path) -> Result<()> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => bail!(
            "{} is in use: another process appends to it",
            path.display()
        ),
        Err(TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("cannot lock {}", path.display()))
        }
    }
}
