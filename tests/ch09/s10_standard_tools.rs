//! Section 9.10: The standard tools

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::{Value, json};

use super::support::*;

#[test]
fn test_ch9_the_standard_tools() {
    let folder = Folder::new(&[]);
    let registry = standard(&folder);
    assert_eq!(
        registry.names(),
        STANDARD,
        "the tools of chapters 3, 6, 7 and 8"
    );
    assert_eq!(
        registry.read_only().names(),
        ["glob", "grep", "list", "read"],
        "those that only look"
    );
}

#[tokio::test]
async fn test_ch9_the_standard_tools_work_in_the_folder() {
    let folder = Folder::new(&["notes.txt"]);
    let tools = standard(&folder).tool_set();
    let run = async |name: &str, arguments: Value| {
        let call = ToolCall {
            id: "a".into(),
            name: name.into(),
            arguments,
        };
        execute(&tools, &call).await.content
    };
    for (name, arguments) in [
        ("list", json!({})),
        ("glob", json!({ "pattern": "*.txt" })),
        ("bash", json!({ "command": "ls" })),
    ] {
        let said = run(name, arguments).await;
        assert!(
            said.contains("notes.txt"),
            "`{name}` works in the folder that `standard` was given; it says: {said}"
        );
    }
    let said = run("grep", json!({ "pattern": "in notes" })).await;
    assert!(said.contains("notes.txt"), "`grep` looks there too: {said}");
}

#[tokio::test]
async fn test_ch9_the_file_tools_share_what_was_read() {
    let folder = Folder::new(&["notes.txt"]);
    let tools = standard(&folder).tool_set();
    let run = async |name: &str, arguments: Value| {
        let call = ToolCall {
            id: "a".into(),
            name: name.into(),
            arguments,
        };
        execute(&tools, &call).await.content
    };
    let edit =
        json!({ "path": "notes.txt", "old_string": "in notes", "new_string": "out of notes" });
    let read = run("read", json!({ "path": "notes.txt" })).await;
    assert!(read.contains("in notes.txt"), "`read` reads: {read}");
    let said = run("edit", edit).await;
    assert!(
        !said.starts_with("error: "),
        "`edit` must know what `read` has read: one workspace for all of them; it says: {said}"
    );
    let edits = json!([{ "old_string": "out of", "new_string": "about" }]);
    let said = run("multi_edit", json!({ "path": "notes.txt", "edits": edits })).await;
    assert!(
        !said.starts_with("error: "),
        "`multi_edit` must know what `edit` has written; it says: {said}"
    );
    let said = run("write", json!({ "path": "notes.txt", "content": "new\n" })).await;
    assert!(
        !said.starts_with("error: "),
        "and so must `write`; it says: {said}"
    );
    let text = std::fs::read_to_string(folder.path().join("notes.txt")).expect("it is there");
    assert_eq!(text, "new\n", "the file on disk");
}

#[tokio::test]
async fn test_ch9_every_api_takes_the_standard_tools() {
    let folder = Folder::new(&[]);
    let registry = standard(&folder);
    for api in [Api::ChatCompletions, Api::Responses, Api::Messages] {
        let (status, said) = ask(api, &registry.schemas(api)).await;
        assert_eq!(status, 200, "the tools of {api:?}; the server says: {said}");
    }
}

fn standard(folder: &Folder) -> Registry {
    Registry::standard(folder.path()).expect("every API takes the standard tools")
}

/// A folder of its own, removed when it goes. Each file's text is `in ` and its name.
struct Folder(PathBuf);

impl Folder {
    fn new(files: &[&str]) -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::SeqCst);
        let name = format!("claw-ch9-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).expect("a new folder");
        for file in files {
            std::fs::write(folder.join(file), format!("in {file}\n")).expect("a new file");
        }
        Self(folder)
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
