//! Section 11.4: Opening without a race

use std::fs::{self, Permissions};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use claw_code::safety::*;
use claw_code::tools::{FolderAccess, Registry};
use serde_json::{Value, json};

use super::support::link;
use crate::support::TempFolder;

/// Sets its flag when it is dropped, also by a panic.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The tools of claw, in this folder.
struct Tools {
    registry: Registry,
    runtime: tokio::runtime::Runtime,
}

impl Tools {
    /// The result of a call, or its error.
    fn call(&self, tool: &str, arguments: Value) -> String {
        let tool = self.registry.get(tool).expect("a tool of claw");
        match self.runtime.block_on(tool.call(arguments)) {
            Ok(result) => result.content,
            Err(error) => format!("{error:#}"),
        }
    }
}

/// The standard tools, held inside of the folder.
fn inside_tools(folder: &TempFolder) -> Tools {
    let _reaches_the_function = open_inside(folder.path(), Path::new("missing"));
    let root = folder.canonical();
    let standard = Registry::standard(&root).expect("the tools");
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    Tools {
        registry: hold_inside(&standard, &root).expect("the tools"),
        runtime: runtime.build().expect("a runtime"),
    }
}

/// The content of the file that is opened.
fn content(folder: &TempFolder, path: &str) -> std::io::Result<String> {
    let mut text = String::new();
    open_inside(folder.path(), Path::new(path))?.read_to_string(&mut text)?;
    Ok(text)
}

#[test]
fn test_ch11_file_below_the_folder_is_opened() {
    let folder = TempFolder::with_files(&[("a/b/c", "deep"), ("d", "flat")]);
    assert_eq!(content(&folder, "a/b/c").ok().as_deref(), Some("deep"));
    assert_eq!(content(&folder, "d").ok().as_deref(), Some("flat"));
}

#[test]
fn test_ch11_path_must_have_only_names() {
    let folder = TempFolder::with_files(&[("a/b", "")]);
    for path in ["a/../b", "/etc/passwd", "", "..", "./a/b", "missing/../b"] {
        let error = content(&folder, path).expect_err("not only names");
        let kind = error.kind();
        assert_eq!(
            kind,
            std::io::ErrorKind::InvalidInput,
            "`{path}` is refused before anything is opened: {error}"
        );
    }
}

#[test]
fn test_ch11_programs_do_not_inherit_the_file() {
    let folder = TempFolder::with_files(&[("file", "text")]);
    let file = open_inside(folder.path(), Path::new("file")).expect("a file");
    let flags = rustix::io::fcntl_getfd(&file).expect("the flags of an open file");
    assert!(
        flags.contains(rustix::io::FdFlags::CLOEXEC),
        "CLOEXEC keeps the handle from programs that you start: {flags:?}"
    );
}

#[test]
fn test_ch11_no_link_is_followed() {
    let folder = TempFolder::with_files(&[("real/file", "")]);
    link(&folder, "folder", "real");
    link(&folder, "real/link", "file");
    for path in ["folder/file", "real/link"] {
        let opened = content(&folder, path);
        assert!(opened.is_err(), "`{path}` has a link: {opened:?}");
    }
}

#[test]
fn test_ch11_folder_itself_may_be_reached_by_a_link() {
    let parent = TempFolder::with_files(&[("real/file", "text")]);
    link(&parent, "link", "real");
    let opened = open_inside(&parent.path().join("link"), Path::new("file"));
    assert!(
        opened.is_ok(),
        "only links below the folder count: {opened:?}"
    );
}

#[test]
fn test_ch11_pipe_without_a_writer_is_opened_at_once() {
    let folder = TempFolder::with_files(&[("file", "text")]);
    assert!(content(&folder, "file").is_ok(), "a file is opened");
    let pipe = folder.path().join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|it| it.success()), "every Unix has `mkfifo`");
    for (path, is_opened) in [("pipe", true), ("pipe/file", false)] {
        let (send, opened) = mpsc::channel();
        let parent = folder.path().to_path_buf();
        std::thread::spawn(move || send.send(open_inside(&parent, Path::new(path)).is_ok()));
        let opened = opened.recv_timeout(Duration::from_secs(10));
        assert_eq!(
            opened,
            Ok(is_opened),
            "opening must not wait for a writer, and a pipe is no folder: `{path}`"
        );
    }
}

#[test]
fn test_ch11_swapped_links_never_lead_out() {
    let outside = TempFolder::with_files(&[("file", "secret")]);
    let folder = TempFolder::with_files(&[("real/file", "inside")]);
    let swapped = folder.path().join("swapped");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                let _ = std::os::unix::fs::symlink(outside.path(), &swapped);
                let _ = fs::remove_file(&swapped);
                let _ = fs::rename(folder.path().join("real"), &swapped);
                let _ = fs::rename(&swapped, folder.path().join("real"));
            }
        });
        let _ends_the_thread = SetOnDrop(&done);
        let mut contents = Vec::new();
        for _ in 0..10_000 {
            contents.extend(content(&folder, "swapped/file"));
        }
        let leaked = contents.iter().filter(|it| *it != "inside").count();
        assert_eq!(leaked, 0, "of 10,000 attempts, some read the file outside");
    });
}

#[test]
fn test_ch11_access_inside_opens_no_link() {
    let outside = TempFolder::with_files(&[("file", "secret")]);
    let folder = TempFolder::new();
    link(&folder, "away", outside.path());
    let access = InsideAccess::new(folder.path());
    for path in ["away", "away/new"] {
        let opened = access.open(&folder.canonical().join(path), true);
        assert!(opened.is_err(), "`{path}` leads out: {opened:?}");
    }
    let names = fs::read_dir(outside.path()).expect("a folder").count();
    assert_eq!(names, 1, "no folder was created outside");
}

#[test]
fn test_ch11_access_inside_creates_a_folder_only_if_asked() {
    let folder = TempFolder::new();
    let new = folder.canonical().join("new");
    let access = InsideAccess::new(folder.path());
    let opened = access.open(&new, false);
    assert!(opened.is_err(), "there is no such folder: {opened:?}");
    assert!(!new.exists(), "a tool that reads creates no folder");
    let created = access.open(&new, true);
    assert!(created.is_ok(), "a tool that writes does: {created:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn test_ch11_open_folder_stays_the_same() {
    let outside = TempFolder::with_files(&[("file", "secret")]);
    let folder = TempFolder::with_files(&[("real/file", "inside")]);
    let real = folder.canonical().join("real");
    let opened = InsideAccess::new(folder.path()).open(&real, false);
    let opened = opened.expect("a folder");
    fs::rename(&real, folder.path().join("moved")).expect("a rename");
    link(&folder, "real", outside.path());
    let text = fs::read_to_string(opened.path.join("file")).expect("the file");
    assert_eq!(text, "inside", "the path leads through the open folder");
}

#[test]
fn test_ch11_tools_inside_work_as_before() {
    let folder = TempFolder::with_files(&[("src/a.txt", "one\n")]);
    let tools = inside_tools(&folder);
    assert_eq!(tools.call("list", json!({})), "src/");
    assert_eq!(tools.call("list", json!({ "path": "src" })), "a.txt");
    let refused = tools.call("list", json!({ "path": "src/a.txt" }));
    assert!(refused.contains("is not a folder"), "{refused}");
    let closed = folder.path().join("src/closed");
    fs::create_dir(&closed).expect("a folder");
    fs::set_permissions(&closed, Permissions::from_mode(0o000)).expect("your own folder");
    let listed = tools.call("list", json!({ "path": "src/closed" }));
    fs::remove_dir(&closed).expect("an empty folder");
    assert!(
        !listed.contains("is not a folder"),
        "only an administrator may read it, but it is a folder: {listed}"
    );
    assert_eq!(tools.call("read", json!({ "path": "src/a.txt" })), "1\tone");
    let edit = json!({ "path": "src/a.txt", "old_string": "one", "new_string": "two" });
    tools.call("edit", edit);
    assert_eq!(folder.read("src/a.txt"), "two\n");
    tools.call(
        "write",
        json!({ "path": "new/deep/b.txt", "content": "text" }),
    );
    assert_eq!(folder.read("new/deep/b.txt"), "text", "folders are created");
    let list = tools.registry.get("list").expect("a tool of claw");
    assert!(
        list.is_read_only() && list.is_concurrent_safe(),
        "`list` changes nothing, so it needs no question"
    );
}

#[test]
fn test_ch11_tools_inside_say_that_the_root_is_a_folder() {
    let folder = TempFolder::with_files(&[("a", "")]);
    let tools = inside_tools(&folder);
    for (tool, arguments) in [
        ("read", json!({ "path": "." })),
        ("write", json!({ "path": ".", "content": "x" })),
    ] {
        let text = tools.call(tool, arguments);
        assert!(text.contains("is a folder"), "{tool}: {text}");
    }
}
