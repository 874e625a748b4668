//! Section 3.4: The call

use claw_code::tools::*;
use claw_code::types::*;
use futures_util::FutureExt;
use serde_json::json;

use super::support::*;

#[tokio::test]
async fn test_ch3_list_folders() {
    let folder = Folder::new(&["src/main.rs", "src/bin/tool.rs", "Cargo.toml"]);
    for (path, listing) in [
        (".", "Cargo.toml\nsrc/"),
        ("src", "bin/\nmain.rs"),
        ("src/bin", "tool.rs"),
    ] {
        assert_eq!(
            list(folder.path(), path).expect("the folder can be read"),
            ToolResult::text(listing),
            "list `{path}`: one entry a line, no line end behind the last"
        );
    }
    let tool = ListTool::new(folder.path());
    for (args, listing) in [
        (json!({}), "Cargo.toml\nsrc/"),
        (json!({ "path": "src" }), "bin/\nmain.rs"),
    ] {
        let result = tool.call(args.clone()).await;
        assert_eq!(
            result.expect("the folder can be read"),
            ToolResult::text(listing),
            "a call of the tool with the arguments {args}"
        );
    }
}

#[test]
fn test_ch3_list_empty_folder() {
    let folder = Folder::new(&[]);
    let result = list(folder.path(), ".").expect("the folder can be read");
    assert!(
        result.content.contains("empty") && !result.is_error,
        "an empty folder is no error, and is called empty: no text at all looks like a tool that failed; the content is {:?}",
        result.content
    );
    assert!(!result.is_truncated, "nothing was left out");
}

#[tokio::test]
async fn test_ch3_list_bad_paths() {
    let folder = Folder::new(&["root/Cargo.toml", "secret.txt"]);
    let root = folder.path().join("root");
    for (path, says) in [
        ("src", "there is no `src`"),
        ("Cargo.toml", "`Cargo.toml` is a file"),
        ("..", "leads out of the root folder"),
        ("/", "absolute"),
    ] {
        let result = list(&root, path).unwrap_or_else(|error| {
            panic!(
                "the model can mend `{path}`, so it gets ToolResult::error and no Err: {error:#}"
            )
        });
        assert!(
            result.is_error
                && result.content.starts_with("error: ")
                && result.content.contains(says),
            "list `{path}` should be an error that says {says:?}; the content is {:?}",
            result.content
        );
        let called = ListTool::new(&root).call(json!({ "path": path })).await;
        assert_eq!(
            called.expect("no Err from the tool either"),
            result,
            "the tool answers what list answers"
        );
    }
}

#[test]
fn test_ch3_list_huge_folder() {
    let folder = Folder::new(&[]);
    let add = |name: String| std::fs::write(folder.path().join(name), "").expect("a new file");
    (0..MAX_ENTRIES).for_each(|number| add(format!("{number:05}")));
    let full = list(folder.path(), ".").expect("the folder can be read");
    assert!(
        !full.is_truncated && full.content.lines().count() == MAX_ENTRIES,
        "{MAX_ENTRIES} entries are listed whole"
    );
    (0..7).for_each(|number| add(format!("1{number:05}")));
    let result = list(folder.path(), ".").expect("the folder can be read");
    let lines: Vec<&str> = result.content.lines().collect();
    assert!(
        result.is_truncated,
        "a listing that leaves entries out is marked as truncated"
    );
    assert_eq!(
        lines.len(),
        MAX_ENTRIES + 1,
        "the first {MAX_ENTRIES} entries are listed, and one line counts the rest"
    );
    assert_eq!(lines[0], "00000");
    assert_eq!(
        lines[MAX_ENTRIES], "[7 more entries left out]",
        "the last line says how many entries are missing"
    );
}

#[test]
fn test_ch3_list_leaves_the_thread_to_others() {
    let folder = Folder::new(&["Cargo.toml"]);
    let listing = list(folder.path(), ".").expect("the folder can be read");
    let tool = ListTool::new(folder.path());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .max_blocking_threads(1)
        .build();
    runtime.expect("a runtime").block_on(async {
        // The only thread for work that blocks is taken: what is handed to it has to wait.
        let (release, wait) = std::sync::mpsc::channel::<()>();
        let busy = tokio::task::spawn_blocking(move || wait.recv());
        let mut call = tool.call(json!({}));
        assert!(
            (&mut call).now_or_never().is_none(),
            "the disk may be slow: `call` leaves it to `spawn_blocking` and waits, and does not read on the thread that runs other tasks"
        );
        drop(release);
        let _ = busy.await;
        assert_eq!(
            call.await.expect("the folder can be read"),
            listing,
            "the listing comes once there is a thread for it"
        );
    });
}
