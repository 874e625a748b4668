//! Messages in a file, one line each.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use serde::ser::Error as _;

use crate::chat::ChatMessage;

/// What a file of lines holds.
#[derive(Debug, Clone, PartialEq)]
pub struct JsonlContents {
    /// The messages of its whole lines.
    pub messages: Vec<ChatMessage>,
    /// What stands behind the last of them, if the last line was torn: somebody is writing
    /// it at this moment, or was ended while writing it.
    pub torn: Option<Vec<u8>>,
}

/// Reads a file of messages and changes nothing.
///
/// A last line without a line end is torn, unless it is a whole message and lacks nothing
/// else. A damaged line anywhere else is an error that names the file and the line.
pub fn read_jsonl(path: impl AsRef<Path>) -> Result<JsonlContents> {
    todo!("20.2: write read_jsonl")
}

/// As [`read_jsonl`], for a file's bytes.
pub fn parse_jsonl(bytes: &[u8]) -> Result<JsonlContents> {
    todo!("20.2: write parse_jsonl")
}

/// A file of messages to which one process appends.
#[derive(Debug)]
pub struct JsonlFile {
    file: File,
    path: PathBuf,
    /// The file's length up to the end of its last whole line.
    length: u64,
    /// Whether its folder has been told to keep its name.
    named: bool,
}

impl JsonlFile {
    /// Opens a file to append to it, and makes it if there is none.
    ///
    /// The file is locked for as long as this value lives; if another process has it, that is
    /// an error. So is a damaged line that is not the last. A last line that lacks only its
    /// line end is given one. One that is torn is moved, to the end of the file with
    /// `.torn` behind its name, before it is cut off here.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self> {
        todo!("20.3: write JsonlFile::open")
    }

    /// Appends messages, each as one line, all in one write. When this returns, they survive
    /// the end of this process; the end of the machine they survive after [`sync`](Self::sync).
    ///
    /// A message that could not be read again is an error. After an error, the file ends
    /// where it ended before.
    pub fn append(&mut self, messages: &[ChatMessage]) -> Result<()> {
        todo!("20.3: write JsonlFile::append")
    }

    /// Waits until all that was appended is on the disk, and with it the file's name.
    pub fn sync(&mut self) -> Result<()> {
        let to_the_disk = || format!("cannot write {} to the disk", self.path.display());
        self.file.sync_data().with_context(to_the_disk)?;
        if !self.named {
            sync_folder(&self.path).with_context(to_the_disk)?;
            self.named = true;
        }
        Ok(())
    }

    /// Has the file end with a whole line.
    fn repair(&mut self) -> Result<()> {
        todo!("20.3: write JsonlFile::repair")
    }

    /// Puts a torn line, and a line end behind it, where it can be found, and waits until it
    /// is there.
    fn keep(&self, torn: &[u8]) -> Result<()> {
        todo!("20.3: write JsonlFile::keep")
    }
}

impl Drop for JsonlFile {
    /// Gives the lock back. Closing the file alone would leave it to a process that is just
    /// being started and has the file still open.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

/// A message as JSON, on one line. If it could not be read again, that is an error: one such
/// message would take the whole session with it.
pub(super) fn readable_json(message: &ChatMessage) -> serde_json::Result<String> {
    todo!("20.3: write readable_json")
}

/// The words for JSON that could be written, and not read again.
fn unreadable(error: serde_json::Error) -> serde_json::Error {
    serde_json::Error::custom(format!("it could not be read again ({error})"))
}

/// Waits until the folder of this file has its name on the disk. Only Unix has, and needs,
/// a way to ask for that.
fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?;
    }
    Ok(())
}

fn damaged_line(number: usize, error: &serde_json::Error) -> anyhow::Error {
    anyhow!("line {number} is no message ({error}); repair or remove that line")
}

fn in_use(path: &Path) -> anyhow::Error {
    anyhow!(
        "{} is in use: another process appends to it",
        path.display()
    )
}
