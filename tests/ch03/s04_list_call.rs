//! Section 3.4: The call of list

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch3_list_has_one_entry_on_each_line() {
    let folder = folder_with(&["src/main.rs", "src/bin/tool.rs", "Cargo.toml"]);
    for (path, listing) in [
        (".", "Cargo.toml\nsrc/"),
        ("src", "bin/\nmain.rs"),
        ("src/bin", "tool.rs"),
    ] {
        assert_eq!(
            list_folder(folder.path(), path).expect("the folder can be read"),
            ToolResult::text(listing),
            "listing `{path}`: one entry on each line, without a line end after the last one"
        );
    }
}

#[tokio::test]
async fn test_ch3_list_call_uses_the_path() {
    let folder = folder_with(&["src/main.rs", "src/bin/tool.rs", "Cargo.toml"]);
    let root = list_folder(folder.path(), ".").expect("the folder can be read");
    let tool = ListTool::new(folder.path());
    for (args, listing) in [
        (json!({}), root),
        (json!({ "path": "src" }), ToolResult::text("bin/\nmain.rs")),
    ] {
        let result = tool.call(args.clone()).await;
        assert_eq!(
            result.expect("the folder can be read"),
            listing,
            "a call with the arguments {args}"
        );
    }
}

#[test]
fn test_ch3_list_says_that_a_folder_is_empty() {
    let folder = folder_with(&[]);
    let result = list_folder(folder.path(), ".").expect("the folder can be read");
    assert!(
        result.content.contains("empty") && !result.is_error,
        "an empty folder is not an error, and the text should say that it is empty: {result:?}"
    );
    assert!(!result.is_truncated, "the listing is complete");
}

#[tokio::test]
async fn test_ch3_list_of_a_bad_path_is_an_error_result() {
    let folder = folder_with(&["root/Cargo.toml", "secret.txt"]);
    let root = folder.path().join("root");
    for (path, part) in [
        ("src", "there is no `src`"),
        (
            "Cargo.toml",
            "`Cargo.toml` is a file, not a folder; list the folder that contains it",
        ),
        ("./Cargo.toml", "`./Cargo.toml` is a file"),
        ("..", "leads out of the root folder"),
        ("/", "absolute"),
    ] {
        let result = list_folder(&root, path).unwrap_or_else(|error| {
            panic!("the model can correct `{path}`, so the result is ToolResult::error and not Err: {error:#}")
        });
        assert_error_result(&result, &[part]);
        let called = ListTool::new(&root).call(json!({ "path": path })).await;
        assert_eq!(
            called.expect("the tool returns Ok too"),
            result,
            "the tool returns the result of list_folder"
        );
    }
}

#[cfg(unix)]
#[test]
fn test_ch3_list_of_a_socket_is_an_error_result() {
    let folder = folder_with(&[]);
    if std::os::unix::net::UnixListener::bind(folder.path().join("z")).is_err() {
        return; // The path of the temporary folder is too long for a socket.
    }
    let result = list_folder(folder.path(), "z").unwrap_or_else(|error| {
        panic!("a socket is not a folder either, so the result is ToolResult::error and not Err: {error:#}")
    });
    assert_error_result(&result, &["`z` is a file, not a folder"]);
}

/// A user who may read every folder, such as root, gets a listing.
#[cfg(unix)]
#[tokio::test]
async fn test_ch3_list_of_a_folder_that_cannot_be_read_is_an_err() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder_with(&["closed/x"]);
    let closed = folder.path().join("closed");
    let set = |mode| std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(mode));
    set(0o000).expect("the folder is ours");
    let is_closed = closed.read_dir().is_err();
    let result = list_folder(folder.path(), "closed");
    let tool = ListTool::new(folder.path());
    let called = tool.call(json!({ "path": "closed" })).await;
    set(0o700).expect("the folder is ours");
    let opened = tool.call(json!({ "path": "closed" })).await;
    assert_eq!(
        result.is_err_and(|error| error.chain().count() > 1),
        is_closed,
        "the model cannot correct a folder that cannot be read, so this is an Err: the system's error, and a context that adds what failed"
    );
    assert_eq!(
        called.is_err(),
        is_closed,
        "`call` returns this Err as well"
    );
    assert_eq!(
        opened.expect("the folder can be read now"),
        ToolResult::text("x"),
        "the folder is listed once it can be read"
    );
}

#[test]
fn test_ch3_list_truncates_a_huge_folder() {
    let folder = folder_with(&["00000"]);
    // One file under many names, which takes less time than many files.
    let add = |name: String| {
        let linked = std::fs::hard_link(folder.path().join("00000"), folder.path().join(&name));
        linked.unwrap_or_else(|_| folder.write(&name, ""));
    };
    (1..MAX_ENTRIES).for_each(|number| add(format!("{number:05}")));
    let full = list_folder(folder.path(), ".").expect("the folder can be read");
    assert!(
        !full.is_truncated && full.content.lines().count() == MAX_ENTRIES,
        "{MAX_ENTRIES} entries are listed in full"
    );

    (0..7).for_each(|number| add(format!("1{number:05}")));
    let result = list_folder(folder.path(), ".").expect("the folder can be read");
    let lines: Vec<&str> = result.content.lines().collect();
    assert!(result.is_truncated, "the listing leaves entries out");
    assert_eq!(
        lines.len(),
        MAX_ENTRIES + 1,
        "the first {MAX_ENTRIES} entries and one line that counts the rest"
    );
    assert_eq!(lines[0], "00000");
    assert_eq!(
        lines[MAX_ENTRIES], "[7 more entries left out]",
        "the last line counts the missing entries"
    );
}

#[test]
fn test_ch3_list_reads_the_disk_on_another_thread() {
    let folder = folder_with(&["Cargo.toml"]);
    let listing = list_folder(folder.path(), ".").expect("the folder can be read");
    let tool = ListTool::new(folder.path());
    let result = run_beside_busy_thread(tool.call(json!({}))).expect(
        "the disk can be slow: `call` should read it with `spawn_blocking`, and not on the thread that runs other tasks",
    );
    let result = result.expect("the folder can be read");
    assert_eq!(result, listing, "the listing comes once a thread is free");
}
