//! Section 6.9: The write tool

use std::sync::{Barrier, mpsc};

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch6_write_refuses_a_file_that_is_saved_meanwhile() {
    let folder = TempFolder::with_files(&[("a.txt", "old\n")]);
    write_file(&Workspace::new(folder.path()), "b.txt", "b\n").expect("a new file");
    let workspace = workspace_saved_meanwhile(&folder);
    let written = write_file(&workspace, "a.txt", "mine\n");
    assert_meanwhile_save_stays(&folder, written);
    folder.write("a.txt", "old\n");
    write_file(&workspace, "a.txt", "mine\n")
        .expect("after a refusal, the workspace still knows the old content");
}

#[test]
fn test_ch6_write_creates_files_and_folders() {
    let folder = TempFolder::new();
    let workspace = Workspace::new(folder.path());
    for (path, content, summary) in [
        ("a.txt", "one\ntwo\n", "created `a.txt` (2 lines, 8 bytes)"),
        (
            "src/deep/er/b.rs",
            "x",
            "created `src/deep/er/b.rs` (1 line, 1 bytes)",
        ),
        ("c.txt", "a\r\nb", "created `c.txt` (2 lines, 4 bytes)"),
        ("d.txt", "", "created `d.txt` (0 lines, 0 bytes)"),
    ] {
        let result = write_file(&workspace, path, content).expect("a new file");
        assert_eq!(result, ToolResult::text(summary), "write `{path}`");
        assert_eq!(
            folder.read(path),
            content,
            "a new file has exactly the given content, in folders that are created for it"
        );
        assert_eq!(
            workspace.check(&folder.canonical().join(path), path, content.as_bytes()),
            Ok(Fingerprint::of(content.as_bytes())),
            "after the write, the workspace knows `{path}`"
        );
    }
}

#[test]
fn test_ch6_write_refuses_unread_and_changed_files() {
    let folder = TempFolder::with_files(&[("a.txt", "theirs\n")]);
    let workspace = Workspace::new(folder.path());
    let written = write_file(&workspace, "a.txt", "mine\n");
    assert_refused("an unread file", written, &["`a.txt`", "read it first"]);
    assert_eq!(folder.read("a.txt"), "theirs\n", "the content stays");
    read_file(&workspace, "a.txt", 1, 1).expect("a text file");
    folder.write("a.txt", "others\n");
    let written = write_file(&workspace, "a.txt", "mine\n");
    let parts = ["`a.txt`", "changed", "read it again"];
    assert_refused("a changed file", written, &parts);
    assert_eq!(folder.read("a.txt"), "others\n", "the content stays");
}

#[test]
fn test_ch6_write_replaces_a_file_that_was_read() {
    let folder = TempFolder::with_files(&[("a.txt", "theirs\n")]);
    let workspace = Workspace::new(folder.path());
    let written = write_file(&workspace, "a.txt", "mine\n");
    assert_refused("an unread file", written, &["read it first"]);
    read_file(&workspace, "a.txt", 1, 1).expect("a text file");
    let result = write_file(&workspace, "a.txt", "mine\n").expect("the file was read");
    assert_eq!(result.content, "wrote `a.txt` (1 line, 5 bytes)");
    write_file(&workspace, "a.txt", "mine again\n")
        .expect("the workspace knows the content that it wrote");
    assert_eq!(folder.read("a.txt"), "mine again\n");
}

#[test]
fn test_ch6_write_does_not_block_the_async_thread() {
    let folder = TempFolder::new();
    let tools = ToolSet::new().with(WriteTool::new(&Workspace::new(folder.path())));
    let args = json!({ "path": "a.txt", "content": "mine\n" });
    let content = call_with_busy_thread(&tools, "write", args);
    assert_eq!(content, "created `a.txt` (1 line, 5 bytes)");
}

#[test]
fn test_ch6_write_checks_while_it_has_the_write_lock() {
    let folder = TempFolder::new();
    let (workspace, elsewhere) = (Workspace::new(folder.path()), Workspace::new(folder.path()));
    write_file(&workspace, "a.txt", "old\n").expect("a new file");
    let (started, has_started) = mpsc::channel();
    let write = || {
        started.send(()).expect("the test waits for it");
        write_file(&workspace, "a.txt", "mine\n")
    };
    let written = std::thread::scope(|scope| {
        let guard = workspace.write_lock();
        let writer = scope.spawn(write);
        has_started.recv().expect("the writer starts");
        // Ten writes give one write without the lock the time to end.
        for number in 0..10 {
            let path = format!("{number}.txt");
            write_file(&elsewhere, &path, "x").expect("a new file");
            std::thread::yield_now();
        }
        folder.write("a.txt", "others\n");
        drop(guard);
        writer.join().expect("no panic")
    });
    let rule =
        "a file that changes while the write waits for the lock. Take the lock before the check";
    assert_refused(rule, written, &["`a.txt`", "changed"]);
    assert_eq!(
        folder.read("a.txt"),
        "others\n",
        "{rule}: the content stays"
    );
    read_file(&workspace, "a.txt", 1, 1).expect("a text file");
    let (workspace, start) = (&workspace, &Barrier::new(8));
    // The contents differ, or the workspace would know the content of every writer after the first.
    let write = |writer: usize| {
        start.wait();
        (0..5)
            .map(|round| write_file(workspace, "a.txt", &format!("{writer}.{round}\n")))
            .collect::<Result<Vec<_>, _>>()
    };
    let written = std::thread::scope(|scope| {
        let writers: [_; 8] = std::array::from_fn(|writer| scope.spawn(move || write(writer)));
        writers.map(|it| it.join().expect("no panic"))
    });
    for written in written {
        assert!(
            written.is_ok(),
            "a concurrent write was refused. Hold the write lock from before the check until the workspace remembers the new content: {written:?}"
        );
    }
}

#[test]
fn test_ch6_write_keeps_line_ends_and_mark() {
    let folder = TempFolder::new();
    let workspace = Workspace::new(folder.path());
    let old = "\u{feff}old\r\nlines\r\n";
    write_file(&workspace, "a.txt", old).expect("a new file");
    let result = write_file(&workspace, "a.txt", "new\nlines").expect("a known file");
    assert_eq!(
        folder.read("a.txt"),
        "\u{feff}new\r\nlines\r\n",
        "byte order mark, line ends and final line end stay"
    );
    assert_eq!(
        result.content, "wrote `a.txt` (2 lines, 15 bytes)",
        "the summary counts the bytes on disk"
    );
    write_file(&workspace, "a.txt", "again\n").expect("the workspace knows the bytes on disk");
}

#[test]
fn test_ch6_write_follows_links() {
    let folder = TempFolder::new();
    let workspace = Workspace::new(folder.path());
    write_file(&workspace, "real.txt", "old\n").expect("a new file");
    let link = folder.path().join("link.txt");
    if !symlink("real.txt", &link) {
        return; // This system does not allow links.
    }
    write_file(&workspace, "link.txt", "new\n").expect("the same file by another name");
    assert_eq!(
        folder.read("real.txt"),
        "new\n",
        "the link's target is written"
    );
    assert!(link.is_symlink(), "the link is still a link");
    write_file(&workspace, "real.txt", "newer\n").expect("the same file by its own name");
}

#[test]
fn test_ch6_write_refuses_links_to_nowhere() {
    let folder = TempFolder::with_files(&[("root/a", ""), ("outside.txt", "theirs\n")]);
    let root = folder.path().join("root");
    if !symlink("gone.txt", &root.join("dangling")) || !symlink("../outside.txt", &root.join("out"))
    {
        return; // This system does not allow links.
    }
    let workspace = Workspace::new(&root);
    for (path, part) in [("dangling", "target does not exist"), ("out", "leads out")] {
        let written = write_file(&workspace, path, "x");
        assert_refused(path, written, &[path, part]);
    }
    assert_eq!(file_names(&root), ["a", "dangling", "out"]);
    assert_eq!(folder.read("outside.txt"), "theirs\n");
}

#[test]
fn test_ch6_write_limits_the_size() {
    let folder = TempFolder::new();
    let workspace = Workspace::new(folder.path());
    let content = "x".repeat(MAX_FILE_BYTES + 1);
    let written = write_file(&workspace, "new/a.txt", &content);
    let parts = ["`new/a.txt`", "10485761 bytes"];
    assert_refused("too many bytes", written, &parts);
    assert!(
        file_names(folder.path()).is_empty(),
        "a file that is too large to be read is not written, and its folder is not created"
    );
    write_file(&workspace, "a.txt", &content[1..]).expect("a file may have exactly the limit");
    write_file(&workspace, "b.txt", "a\r\n").expect("a new file");
    let line = format!("{}\n", &content[2..]);
    let written = write_file(&workspace, "b.txt", &line);
    assert_refused("too many bytes on disk", written, &["10485761 bytes"]);
}

#[tokio::test]
async fn test_ch6_write_refuses_bad_paths() {
    let folder = TempFolder::with_files(&[("src/a.rs", ""), ("a.txt", "text\n")]);
    folder.write("a.out", BINARY);
    let tools = ToolSet::new().with(WriteTool::new(&Workspace::new(folder.path())));
    for (path, part) in [
        ("src", "`src` is a folder"),
        (".", "is a folder"),
        ("new/", "names a folder"),
        ("a.out", "binary"),
        ("a.txt/b", "cannot be opened"),
        ("../b.txt", "leads out"),
    ] {
        let args = json!({ "path": path, "content": "x" });
        assert_call_error(&tools, "write", args, &[part]).await;
    }
    assert_eq!(
        file_names(folder.path()),
        ["a.out", "a.txt", "src"],
        "a refused write creates nothing"
    );
    let args = json!({ "path": "b.txt", "content": "new\n" });
    let content = call_tool(&tools, "write", args).await;
    assert_eq!(content, "created `b.txt` (1 line, 4 bytes)");
}
