//! Section 6.9: The tool write

use std::fs;
use std::sync::mpsc;
use std::time::Duration;

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch6_write_new_files() {
    let folder = folder(&[]);
    let workspace = Workspace::new(folder.path());
    for (path, content, says) in [
        ("a.txt", "one\ntwo\n", "created `a.txt` (2 lines, 8 bytes)"),
        (
            "src/deep/er/b.rs",
            "x",
            "created `src/deep/er/b.rs` (1 line, 1 bytes)",
        ),
        ("c.txt", "a\r\nb", "created `c.txt` (2 lines, 4 bytes)"),
        ("d.txt", "", "created `d.txt` (0 lines, 0 bytes)"),
    ] {
        let result = write_file(&workspace, path, content).expect("it can be written");
        assert_eq!(result, ToolResult::text(says), "write `{path}`");
        assert_eq!(
            read(&folder.path().join(path)),
            content,
            "a new file holds what was asked for, byte for byte, in folders that were missing"
        );
        let place = real(&folder).join(path);
        assert_eq!(
            workspace.check(&place, path, content.as_bytes()),
            Ok(()),
            "who has written `{path}` knows it, and need not read it"
        );
    }
}

#[test]
fn test_ch6_write_needs_a_look_first() {
    let folder = folder(&[("a.txt", "theirs\n")]);
    let place = folder.path().join("a.txt");
    let workspace = Workspace::new(folder.path());
    let message = refused(write_file(&workspace, "a.txt", "mine\n"), "an unread file");
    contains(&message, &["`a.txt`", "read it first"]);
    assert_eq!(read(&place), "theirs\n");
    read_file(&workspace, "a.txt", 1, 1).expect("it can be read");
    fs::write(&place, "others\n").expect("a file");
    let message = refused(write_file(&workspace, "a.txt", "mine\n"), "a stale write");
    contains(&message, &["`a.txt`", "changed", "read it again"]);
    assert_eq!(read(&place), "others\n", "somebody else's work stays");
    read_file(&workspace, "a.txt", 1, 1).expect("it can be read");
    let result = write_file(&workspace, "a.txt", "mine\n").expect("now it was read");
    assert_eq!(result.content, "wrote `a.txt` (1 line, 5 bytes)");
    write_file(&workspace, "a.txt", "mine again\n").expect("its own work it knows");
    assert_eq!(read(&place), "mine again\n");
}

#[tokio::test]
async fn test_ch6_write_takes_its_turn() {
    let folder = folder(&[("a.txt", "theirs\n")]);
    let workspace = Workspace::new(folder.path());
    let place = real(&folder).join("a.txt");
    let early = write_file(&workspace, "a.txt", "mine\n");
    refused(early, "an unread file");
    let (taken, is_taken) = mpsc::channel();
    let (awaited, is_awaited) = mpsc::channel();
    let other = workspace.clone();
    // Somebody has the turn until the tool is seen to wait for it.
    let other = std::thread::spawn(move || {
        let _turn = other.turn();
        taken.send(()).expect("the test waits for it");
        let seen = is_awaited.recv_timeout(Duration::from_secs(2));
        // Who has looked at the file before its turn does not know this.
        other.saw(&place, b"theirs\n");
        seen.is_ok()
    });
    is_taken.recv().expect("the turn is free");
    let tools = ToolSet::new().with(WriteTool::new(&workspace));
    let args = json!({ "path": "a.txt", "content": "mine\n" });
    let mut work = std::pin::pin!(run_tool(&tools, "write", args));
    // What does not wait for its turn is refused at once: the file was not read.
    let early = tokio::time::timeout(Duration::from_millis(20), &mut work).await;
    let _ = awaited.send(());
    assert!(
        other.join().expect("it does not panic"),
        "while the tool waits for its turn, the thread that it was called on must be free for others: let it work on another, as `list` does"
    );
    let answer = match early {
        Ok(answer) => answer,
        Err(_) => work.await,
    };
    assert_eq!(
        answer, "wrote `a.txt` (1 line, 5 bytes)",
        "what was read and written while somebody else had the turn is known when the turn comes: take it before you look at the file, and keep it to the end"
    );
}

#[test]
fn test_ch6_write_keeps_the_shape() {
    let folder = folder(&[]);
    let workspace = Workspace::new(folder.path());
    let old = "\u{feff}old\r\nlines\r\n";
    write_file(&workspace, "a.txt", old).expect("it can be written");
    let result = write_file(&workspace, "a.txt", "new\nlines").expect("it was read");
    assert_eq!(
        read(&folder.path().join("a.txt")),
        "\u{feff}new\r\nlines\r\n",
        "byte order mark, line ends and final line end stay as they were"
    );
    assert_eq!(
        result.content, "wrote `a.txt` (2 lines, 15 bytes)",
        "the bytes are those on the disk"
    );
    write_file(&workspace, "a.txt", "again\n").expect("what is on the disk is what it knows");
}

#[test]
fn test_ch6_write_follows_links() {
    let folder = folder(&[("root/sub/a", ""), ("outside.txt", "theirs\n")]);
    let root = folder.path().join("root");
    let workspace = Workspace::new(&root);
    write_file(&workspace, "real.txt", "old\n").expect("it can be written");
    if !link("real.txt", &root.join("link.txt"))
        || !link("gone.txt", &root.join("dangling"))
        || !link("../outside.txt", &root.join("out"))
    {
        return; // This system does not let us make links.
    }
    write_file(&workspace, "link.txt", "new\n").expect("it is known by its other name");
    assert_eq!(
        read(&root.join("real.txt")),
        "new\n",
        "what the link leads to is written"
    );
    assert!(
        root.join("link.txt").is_symlink(),
        "the link is still a link"
    );
    write_file(&workspace, "real.txt", "newer\n").expect("the same file by its own name");
    for (path, words) in [("dangling", "leads to nothing"), ("out", "leads out")] {
        let message = refused(write_file(&workspace, path, "x"), path);
        contains(&message, &[path, words]);
    }
    assert_eq!(
        names(&root),
        ["dangling", "link.txt", "out", "real.txt", "sub"]
    );
    assert_eq!(read(&folder.path().join("outside.txt")), "theirs\n");
}

#[test]
fn test_ch6_write_knows_a_limit() {
    let folder = folder(&[]);
    let workspace = Workspace::new(folder.path());
    let huge = "x".repeat(MAX_FILE_BYTES + 1);
    let message = refused(write_file(&workspace, "new/a.txt", &huge), "too much");
    contains(&message, &["`new/a.txt`", "10485761 bytes"]);
    assert!(
        names(folder.path()).is_empty(),
        "what could not be read afterwards is not written, and no folder is made for it"
    );
}

#[tokio::test]
async fn test_ch6_write_bad_paths() {
    let folder = folder(&[("src/a.rs", ""), ("a.txt", "text\n")]);
    fs::write(folder.path().join("a.out"), b"\x7fELF\0").expect("a file");
    let tools = ToolSet::new().with(WriteTool::new(&Workspace::new(folder.path())));
    for (path, content, words) in [
        ("src", "x", "`src` is a folder"),
        (".", "x", "is a folder"),
        ("new/", "x", "names a folder"),
        ("a.out", "x", "binary"),
        ("a.txt/b", "x", "cannot be opened"),
        ("../b.txt", "x", "leads out"),
    ] {
        let args = json!({ "path": path, "content": content });
        let answer = run_tool(&tools, "write", args).await;
        assert!(
            answer.starts_with("error: ") && answer.contains(words),
            "write `{path}` is an error that says {words:?}; the content is {answer:?}"
        );
    }
    assert_eq!(
        names(folder.path()),
        ["a.out", "a.txt", "src"],
        "nothing was made"
    );
    let args = json!({ "path": "b.txt", "content": "new\n" });
    assert_eq!(
        run_tool(&tools, "write", args).await,
        "created `b.txt` (1 line, 4 bytes)",
        "and what is right is done"
    );
}
