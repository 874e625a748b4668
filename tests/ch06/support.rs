//! Chapter 6, File Tools.
//!
//! Files are real ones, in a folder of their own for each test.

use std::fs;
use std::path::{Path, PathBuf};

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::Value;
use tempfile::TempDir;

/// The first bytes of a PNG, and a few more.
pub const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";

/// A folder of its own with these files in it; it is removed when it is dropped.
pub fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a new folder among the temporary files");
    for (path, content) in files {
        let place = folder.path().join(path);
        let above = place.parent().expect("it lies in the new folder");
        fs::create_dir_all(above).expect("a new folder");
        fs::write(place, content).expect("a new file");
    }
    folder
}

/// A folder's path without links: on some systems the temporary folder is behind one.
pub fn real(folder: &TempDir) -> PathBuf {
    folder.path().canonicalize().expect("it is there")
}

/// The names in a folder, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().expect("it can be listed");
    let names = entries.map(|entry| entry.expect("it can be listed").file_name());
    let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into()).collect();
    names.sort();
    names
}

pub fn read(place: &Path) -> String {
    fs::read_to_string(place).expect("it is there, and text")
}

/// Makes a symbolic link, and says whether it could.
pub fn link(to: &str, at: &Path) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::symlink(to, at).is_ok();
    #[cfg(not(unix))]
    return false;
}

#[track_caller]
pub fn decoded(text: &str) -> Text {
    Text::decode(text.as_bytes(), "a.txt").expect("it is UTF-8")
}

pub fn change(old: &str, new: &str, replace_all: bool) -> Change {
    Change {
        old_string: old.to_string(),
        new_string: new.to_string(),
        replace_all,
    }
}

/// The message of an outcome that is an error, with these pieces in it.
#[track_caller]
pub fn says<T: std::fmt::Debug>(outcome: &Result<T, String>, what: &str, pieces: &[&str]) {
    match outcome {
        Err(message) => contains(message, pieces),
        Ok(value) => panic!("{what}: an error was due that says {pieces:?}; it came to {value:?}"),
    }
}

#[track_caller]
pub fn contains(message: &str, pieces: &[&str]) {
    for piece in pieces {
        assert!(
            message.contains(piece),
            "the message should have {piece:?} in it; it is {message:?}"
        );
    }
}

/// The words by which something was refused.
#[track_caller]
pub fn refused<T: std::fmt::Debug>(outcome: Result<T, FileError>, what: &str) -> String {
    match outcome {
        Err(FileError::Refused(message)) => message,
        other => panic!("{what} should be Refused, in words for the model; it came to {other:?}"),
    }
}

pub async fn run_tool(tools: &ToolSet, name: &str, arguments: Value) -> String {
    let call = ToolCall {
        id: "call_1".to_string(),
        name: name.to_string(),
        arguments,
    };
    execute(tools, &call).await.content
}
