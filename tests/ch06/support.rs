//! Helpers for the tests of chapter 6. Every test has a folder of its own, with real files.

use std::fmt::Debug;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::Value;

pub use crate::support::TempFolder;
use crate::support::run_beside_busy_thread;

/// The first bytes of a PNG.
pub const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";

/// The first bytes of a program, which is a binary file.
pub const BINARY: &[u8] = b"\x7fELF\0";

/// The names in a folder, sorted.
pub fn file_names(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().expect("the folder can be listed");
    let names = entries.map(|entry| entry.expect("the folder can be listed").file_name());
    let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into()).collect();
    names.sort();
    names
}

/// Creates a symbolic link. Returns whether the system allows that.
pub fn symlink(target: &str, link: &Path) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::symlink(target, link).is_ok();
    #[cfg(not(unix))]
    return false;
}

/// Sets the time at which a file was last modified.
pub fn set_modified(file: &Path, time: SystemTime) {
    let file = fs::File::options().append(true).open(file);
    let file = file.expect("the file exists");
    file.set_modified(time).expect("times can be set");
}

#[track_caller]
pub fn decode(text: &str) -> TextFile {
    TextFile::decode(text.as_bytes().to_vec(), "a.txt").expect("the text is UTF-8")
}

/// The bytes of `text` on disk, as a string.
pub fn encode(text: &TextFile) -> String {
    String::from_utf8(text.encode().into_owned()).expect("a text file is UTF-8")
}

pub fn edit(old: &str, new: &str, replace_all: bool) -> Edit {
    Edit {
        old_string: old.to_string(),
        new_string: new.to_string(),
        replace_all,
    }
}

/// Fails with `rule` unless `message` contains all `parts`.
#[track_caller]
pub fn assert_contains(rule: &str, message: &str, parts: &[&str]) {
    for part in parts {
        assert!(
            message.contains(part),
            "{rule}: the message should contain {part:?}, and is {message:?}"
        );
    }
}

/// Fails with `rule` unless `outcome` is an error whose text contains all `parts`.
#[track_caller]
pub fn assert_error<T: Debug>(rule: &str, outcome: &Result<T, String>, parts: &[&str]) {
    match outcome {
        Err(message) => assert_contains(rule, message, parts),
        Ok(value) => panic!("{rule}: expected an error with {parts:?}, got {value:?}"),
    }
}

/// Fails with `rule` unless `outcome` is `Refused` with a text that contains all `parts`.
#[track_caller]
pub fn assert_refused<T: Debug>(rule: &str, outcome: Result<T, FileError>, parts: &[&str]) {
    match outcome {
        Err(FileError::Refused(message)) => assert_contains(rule, &message, parts),
        other => panic!("{rule}: expected Refused with {parts:?}, got {other:?}"),
    }
}

/// The text of a call that succeeds.
pub async fn call_tool(tools: &ToolSet, name: &str, arguments: Value) -> String {
    let result = execute_call(tools, name, &arguments).await;
    assert!(
        !result.is_error && !result.content.starts_with("error: "),
        "{name} with {arguments} should succeed, and fails: {}",
        result.content
    );
    result.content
}

/// The text of a call that works in `spawn_blocking`. Fails if the call ends while the only
/// thread for that is busy.
#[track_caller]
pub fn call_with_busy_thread(tools: &ToolSet, name: &str, arguments: Value) -> String {
    let result = run_beside_busy_thread(execute_call(tools, name, &arguments));
    let Some(result) = result else {
        panic!(
            "{name}: while the tool waits for the disk or a lock, its async thread must be free: work in `spawn_blocking`, as `list` does"
        );
    };
    result.content
}

/// Fails unless the call is an error whose text contains all `parts`.
pub async fn assert_call_error(tools: &ToolSet, name: &str, arguments: Value, parts: &[&str]) {
    let result = execute_call(tools, name, &arguments).await;
    let content = &result.content;
    assert!(
        result.is_error && content.starts_with("error: "),
        "{name} with {arguments} should fail with {parts:?}, and succeeds: {content}"
    );
    assert!(
        !content.starts_with("error: the tool"),
        "{name} with {arguments}: a refusal is a message for the model and not a failure of the tool: {content}"
    );
    assert_contains(&format!("{name} with {arguments}"), content, parts);
}

/// Reaches folders by their path. Before it opens the second one, it saves `theirs` in its `a.txt`.
#[derive(Default)]
struct SavesMeanwhile(AtomicUsize);

impl FolderAccess for SavesMeanwhile {
    fn open(&self, folder: &Path, creates: bool) -> io::Result<OpenFolder> {
        if self.0.fetch_add(1, Ordering::Relaxed) == 1 {
            fs::write(folder.join("a.txt"), "theirs\n")?;
        }
        ByPath.open(folder, creates)
    }
}

/// A workspace that knows `a.txt` with `old`, and in which it is saved after the next check.
pub fn workspace_saved_meanwhile(folder: &TempFolder) -> Workspace {
    let workspace = Workspace::with_folders(folder.path(), SavesMeanwhile::default());
    workspace.remember(&folder.canonical().join("a.txt"), b"old\n");
    workspace
}

/// Fails unless the change of `a.txt` was refused, and what was saved meanwhile is still there.
#[track_caller]
pub fn assert_meanwhile_save_stays<T: Debug>(folder: &TempFolder, changed: Result<T, FileError>) {
    let rule = "a file that is saved after the check. Use `workspace.load` and `workspace.replace`";
    assert_refused(rule, changed, &["`a.txt`", "changed"]);
    assert_eq!(
        folder.read("a.txt"),
        "theirs\n",
        "{rule}: the content stays"
    );
}

/// The result of a call.
pub async fn execute_call(tools: &ToolSet, name: &str, arguments: &Value) -> ToolResult {
    let call = ToolCall {
        id: "call_1".to_string(),
        name: name.to_string(),
        arguments: arguments.clone(),
    };
    execute(tools, &call).await
}
