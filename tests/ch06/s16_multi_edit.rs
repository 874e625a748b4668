//! Section 6.16: Several edits at once

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::{Value, json};

use super::support::*;

const TEXT: &str = "one\r\ntwo\r\nthree\r\n";

#[test]
fn test_ch6_multi_edit_schema() {
    let tool = MultiEditTool::new(&Workspace::new("."));
    let definition = tool.definition();
    assert_eq!(definition.name, "multi_edit");
    assert_eq!(definition.parameters["required"], json!(["path", "edits"]));
    let edit = json!({ "old_string": "a", "new_string": "b", "replace_all": true });
    let no_all = json!({ "old_string": "a", "new_string": "" });
    let with_path = json!({ "old_string": "a", "new_string": "b", "path": "c" });
    for (rule, edits, is_valid) in [
        ("one edit", json!([edit]), true),
        ("two edits", json!([edit, no_all]), true),
        ("no edit", json!([]), false),
        ("no new_string", json!([{ "old_string": "a" }]), false),
        ("an unknown field", json!([with_path]), false),
        (
            "a number",
            json!([{ "old_string": "a", "new_string": 7 }]),
            false,
        ),
        ("a string", json!("all"), false),
    ] {
        let verdict = validate(definition, &json!({ "path": "a.txt", "edits": edits }));
        assert_eq!(
            verdict == ValidationResult::Ok,
            is_valid,
            "{rule}: the schema of `edits` decides; it says {verdict:?}"
        );
    }
    let single = EditTool::new(&Workspace::new("."));
    for name in ["old_string", "new_string", "replace_all"] {
        let items = &definition.parameters["properties"]["edits"]["items"];
        assert_json(
            &format!("`{name}` of each edit is a parameter of the tool `edit`"),
            &items["properties"][name],
            &single.definition().parameters["properties"][name],
        );
    }
}

#[tokio::test]
async fn test_ch6_multi_edit_applies_all_edits() {
    let folder = TempFolder::with_files(&[("a.txt", TEXT)]);
    let tools = file_tools(&folder);
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
    let tools = file_tools(&folder);
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
    let tools = file_tools(&folder);
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
fn file_tools(folder: &TempFolder) -> ToolSet {
    let workspace = Workspace::new(folder.path());
    ToolSet::new()
        .with(MultiEditTool::new(&workspace))
        .with(ReadTool::new(&workspace))
}
