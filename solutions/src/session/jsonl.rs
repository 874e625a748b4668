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
    let path = path.as_ref();
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    parse_jsonl(&bytes).with_context(|| format!("{} is damaged", path.display()))
}

/// As [`read_jsonl`], for a file's bytes.
pub fn parse_jsonl(bytes: &[u8]) -> Result<JsonlContents> {
    let mut contents = JsonlContents {
        messages: Vec::new(),
        torn: None,
    };
    for (index, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        match serde_json::from_slice(line) {
            Ok(message) => contents.messages.push(message),
            Err(_) if !line.ends_with(b"\n") => contents.torn = Some(line.to_vec()),
            Err(error) => bail!(damaged_line(index + 1, &error)),
        }
    }
    Ok(contents)
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
        let path = path.into();
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        let file = options
            .open(&path)
            .with_context(|| format!("cannot open {}", path.display()))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!(in_use(&path)),
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("cannot lock {}", path.display()));
            }
        }
        let mut jsonl = Self {
            file,
            path,
            length: 0,
            named: false,
        };
        jsonl.repair()?;
        Ok(jsonl)
    }

    /// Appends messages, each as one line, all in one write. When this returns, they survive
    /// the end of this process; the end of the machine they survive after [`sync`](Self::sync).
    ///
    /// A message that could not be read again is an error. After an error, the file ends
    /// where it ended before.
    pub fn append(&mut self, messages: &[ChatMessage]) -> Result<()> {
        let mut lines = String::new();
        for message in messages {
            lines.push_str(&readable_json(message)?);
            lines.push('\n');
        }
        if let Err(error) = self.file.write_all(lines.as_bytes()) {
            // On a full disk, a part of a line may be there. If it cannot be cut off, it is
            // a torn line, and the next `open` moves it.
            let _ = self.file.set_len(self.length);
            return Err(error).with_context(|| format!("cannot write {}", self.path.display()));
        }
        self.length += lines.len() as u64;
        Ok(())
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
        let mut bytes = Vec::new();
        self.file
            .read_to_end(&mut bytes)
            .with_context(|| format!("cannot read {}", self.path.display()))?;
        let contents =
            parse_jsonl(&bytes).with_context(|| format!("{} is damaged", self.path.display()))?;
        self.length = bytes.len() as u64;
        if let Some(torn) = contents.torn {
            self.keep(&torn)?;
            self.length -= torn.len() as u64;
            self.file.set_len(self.length)?;
        } else if bytes.last().is_some_and(|byte| *byte != b'\n') {
            self.file.write_all(b"\n")?;
            self.length += 1;
        }
        Ok(())
    }

    /// Puts a torn line, and a line end behind it, where it can be found, and waits until it
    /// is there.
    fn keep(&self, torn: &[u8]) -> Result<()> {
        let mut name = self.path.clone().into_os_string();
        name.push(".torn");
        let keep = || {
            let mut file = OpenOptions::new().append(true).create(true).open(&name)?;
            file.write_all(torn)?;
            file.write_all(b"\n")?;
            file.sync_data()?;
            sync_folder(&self.path)
        };
        keep().with_context(|| format!("cannot keep the torn line of {}", self.path.display()))
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
    let json = serde_json::to_string(message)?;
    // Only blocks hold JSON of any shape and depth: without them, what can be written can be
    // read, and the time to do so is saved.
    if message.raw_content_blocks.is_some() {
        serde_json::from_str::<ChatMessage>(&json).map_err(unreadable)?;
    }
    Ok(json)
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
