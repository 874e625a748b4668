//! Section 6.13: Several edits at once

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::{Value, json};

use super::support::*;

const TEXT: &str = "one\r\ntwo\r\nthree\r\n";

#[tokio::test]
async fn test_ch6_multi_edit_applies_all_edits() {
    let folder = TempFolder::with_files(&[("a.txt", TEXT)]);
    let tools = file_tools(&folder).await;
    call_tool(&tools, "read", json!({ "path": "a.txt" })).await;
    let args = edits(json!([
        { "old_string": "one", "new_string": "1\n1" },
        { "old_string": "1\ntwo", "new_string": "2" },
        { "old_string": "e", "new_string": "E", "replace_all": true }
    ]));
    assert_eq!(
        call_tool(&tools, "multi_edit", args).await,
        "edited `a.txt`: line 1; line 2; 2 places, line 3",
        "each edit applies to the result of those before it"
    );
    assert_eq!(folder.read("a.txt"), "1\r\n2\r\nthrEE\r\n");
}

#[tokio::test]
async fn test_ch6_multi_edit_applies_all_or_none() {
    let folder = TempFolder::with_files(&[("a.txt", TEXT)]);
    let tools = file_tools(&folder).await;
    call_tool(&tools, "read", json!({ "path": "a.txt" })).await;
    let args = edits(json!([
        { "old_string": "one", "new_string": "1\n1" },
        { "old_string": "towo", "new_string": "2" },
        { "old_string": "three", "new_string": "3" }
    ]));
    let parts = ["no edit was made", "`edits[1]` of 3", "not in the file"];
    assert_call_error(&tools, "multi_edit", args, &parts).await;
    assert_eq!(
        folder.read("a.txt"),
        TEXT,
        "one of three edits fails, so the file is unchanged"
    );
}

#[tokio::test]
async fn test_ch6_multi_edit_refuses_bad_files() {
    let folder = TempFolder::new();
    folder.write("a.out", BINARY);
    let tools = file_tools(&folder).await;
    for (path, part) in [("gone.txt", "there is no `gone.txt`"), ("a.out", "binary")] {
        let edits = json!([{ "old_string": "a", "new_string": "b" }]);
        let args = json!({ "path": path, "edits": edits });
        assert_call_error(&tools, "multi_edit", args, &[part]).await;
    }
    let names = file_names(folder.path());
    assert_eq!(names, ["a.out"], "no file is created");
}

#[test]
fn test_ch6_multi_edit_does_not_block_the_async_thread() {
    let folder = TempFolder::new();
    let tools = ToolSet::new().with(MultiEditTool::new(&Workspace::new(folder.path())));
    let args = json!({ "path": "gone.txt", "edits": [{ "old_string": "a", "new_string": "b" }] });
    let content = call_with_busy_thread(&tools, "multi_edit", args);
    assert_contains("a missing file", &content, &["there is no `gone.txt`"]);
}

/// The arguments of a `multi_edit` of `a.txt`.
fn edits(edits: Value) -> Value {
    json!({ "path": "a.txt", "edits": edits })
}

/// The tools `multi_edit` and `read` on one workspace.
async fn file_tools(folder: &TempFolder) -> ToolSet {
    let workspace = Workspace::new(folder.path());
    let multi_edit_only = ToolSet::new().with(MultiEditTool::new(&workspace));
    let edits = json!([{ "old_string": "a", "new_string": "b" }]);
    let args = json!({ "path": "gone.txt", "edits": edits });
    let parts = ["there is no `gone.txt`"];
    assert_call_error(&multi_edit_only, "multi_edit", args, &parts).await;
    multi_edit_only.with(ReadTool::new(&workspace))
}
