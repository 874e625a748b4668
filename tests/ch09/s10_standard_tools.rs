//! Section 9.10: The standard tools

use claw_code::tools::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch9_standard_tools() {
    let folder = TempFolder::new();
    let registry = standard_registry(&folder);
    assert_eq!(
        registry.names(),
        standard_names(),
        "the tools of chapters 3, 6, 7 and 8"
    );
    assert_eq!(
        registry.read_only().names(),
        ["glob", "grep", "list", "read"],
        "the read-only tools among them"
    );
}

#[tokio::test]
async fn test_ch9_standard_tools_work_in_the_folder() {
    let folder = folder_with_notes();
    let tools = standard_registry(&folder).tool_set();
    for (name, arguments) in [
        ("list", json!({})),
        ("glob", json!({ "pattern": "*.txt" })),
        ("bash", json!({ "command": "ls" })),
        ("grep", json!({ "pattern": "^in notes.txt$" })),
    ] {
        if !standard_names().contains(&name) {
            continue;
        }
        let result = call_tool(&tools, name, arguments).await;
        assert!(
            result.content.contains("notes.txt"),
            "`{name}` should work in the folder that `standard` was given; the result is: {}",
            result.content
        );
    }
}

#[tokio::test]
async fn test_ch9_file_tools_share_a_workspace() {
    let folder = folder_with_notes();
    let tools = standard_registry(&folder).tool_set();
    let path = "notes.txt";
    let read = call_tool(&tools, "read", json!({ "path": path })).await;
    assert!(
        read.content.contains("in notes.txt"),
        "`read` should read the file; the result is: {}",
        read.content
    );
    let edit = json!({ "path": path, "old_string": "in notes", "new_string": "out of notes" });
    let edits = json!([{ "old_string": "out of", "new_string": "about" }]);
    for (rule, name, arguments) in [
        ("`edit` knows what `read` has read", "edit", edit),
        (
            "`multi_edit` knows what `edit` has written",
            "multi_edit",
            json!({ "path": path, "edits": edits }),
        ),
        (
            "`write` knows what `multi_edit` has written",
            "write",
            json!({ "path": path, "content": "new\n" }),
        ),
    ] {
        let result = call_tool(&tools, name, arguments).await;
        assert!(
            !result.is_error,
            "{rule}: the file tools should share one workspace; the result is: {}",
            result.content
        );
    }
    assert_eq!(folder.read(path), "new\n", "the file on disk");
}

#[tokio::test]
async fn test_ch9_every_api_accepts_the_standard_tools() {
    let folder = TempFolder::new();
    let registry = standard_registry(&folder);
    for api in APIS {
        let (status, body) = send_request(api, &registry.schemas(api)).await;
        assert_eq!(
            status, 200,
            "the standard tools for {api:?}; the response: {body}"
        );
    }
}

/// The standard tools of this system: `bash` is for Unix.
fn standard_names() -> Vec<&'static str> {
    let is_here = |name: &&str| cfg!(unix) || *name != "bash";
    STANDARD.into_iter().filter(is_here).collect()
}

#[track_caller]
fn standard_registry(folder: &TempFolder) -> Registry {
    Registry::standard(folder.path()).expect("every API accepts the standard tools")
}

fn folder_with_notes() -> TempFolder {
    TempFolder::with_files(&[("notes.txt", "in notes.txt\n")])
}
