//! Section 6.12: The edit tool

use std::sync::Barrier;

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::json;

use super::support::*;

const TEXT: &str = "one\r\ntwo\r\nthree\r\n";

#[test]
fn test_ch6_edit_refuses_a_file_that_is_saved_meanwhile() {
    let folder = TempFolder::with_files(&[("a.txt", "old\n")]);
    let missing = edit_file(&Workspace::new(folder.path()), "b.txt", |_| {
        Ok(String::new())
    });
    assert!(missing.is_err(), "a file that does not exist");
    let workspace = workspace_saved_meanwhile(&folder);
    let mine = edit("old", "mine", false);
    let edited = edit_file(&workspace, "a.txt", |text| apply_edit(text, &mine));
    assert_meanwhile_save_stays(&folder, edited);
    folder.write("a.txt", "old\n");
    let edited = edit_file(&workspace, "a.txt", |text| apply_edit(text, &mine));
    edited.expect("after a refusal, the workspace still knows the old content");
}

#[tokio::test]
async fn test_ch6_edit_needs_a_file_that_was_read() {
    let folder = TempFolder::with_files(&[("a.txt", TEXT)]);
    let tools = file_tools(&folder).await;
    let args = json!({ "path": "a.txt", "old_string": "two", "new_string": "2" });
    assert_call_error(&tools, "edit", args.clone(), &["read it first"]).await;
    call_tool(&tools, "read", json!({ "path": "a.txt" })).await;
    let content = call_tool(&tools, "edit", args).await;
    assert_eq!(content, "edited `a.txt`: line 2");
}

#[tokio::test]
async fn test_ch6_edit_checks_before_it_searches() {
    let folder = TempFolder::with_files(&[("a.txt", TEXT)]);
    let tools = file_tools(&folder).await;
    let args = json!({ "path": "a.txt", "old_string": "four", "new_string": "4" });
    let result = execute_call(&tools, "edit", &args).await;
    let rule = "an unread file is refused before `old_string` is searched";
    assert_contains(rule, &result.content, &["read it first"]);
}

#[tokio::test]
async fn test_ch6_edit_changes_only_its_place() {
    let text = "\u{feff}fn a() {}\r\nfn b() {}\r\nfn b() {}";
    let folder = TempFolder::with_files(&[("a.rs", text), ("src/b.rs", "")]);
    let tools = file_tools(&folder).await;
    call_tool(&tools, "read", json!({ "path": "a.rs" })).await;
    let args =
        json!({ "path": "src/../a.rs", "old_string": "a() {}\n", "new_string": "a() {\n}\n" });
    let content = call_tool(&tools, "edit", args).await;
    assert_eq!(content, "edited `src/../a.rs`: line 1");
    assert_eq!(
        folder.read("a.rs"),
        "\u{feff}fn a() {\r\n}\r\nfn b() {}\r\nfn b() {}",
        "byte order mark, line ends and the missing final line end stay"
    );
    let args = json!({ "path": "a.rs", "old_string": "b", "new_string": "c", "replace_all": true });
    assert_eq!(
        call_tool(&tools, "edit", args).await,
        "edited `a.rs`: 2 places, lines 3 and 4",
        "after an edit the workspace knows the new content, so another edit needs no read"
    );
}

#[tokio::test]
async fn test_ch6_edit_explains_why_it_failed() {
    let folder = TempFolder::with_files(&[("a.rs", "fn a() {}\nfn c() {}\nfn c() {}\n")]);
    let tools = file_tools(&folder).await;
    call_tool(&tools, "read", json!({ "path": "a.rs" })).await;
    for (old, all, part) in [
        ("fn c", false, "2 times"),
        ("fn  a", true, "white space"),
        ("fn c() {}\r\n\r\n", false, "without its final line end"),
    ] {
        let args =
            json!({ "path": "a.rs", "old_string": old, "new_string": "x", "replace_all": all });
        assert_call_error(&tools, "edit", args, &[part]).await;
    }
}

#[tokio::test]
async fn test_ch6_edit_refuses_changed_files() {
    let folder = TempFolder::with_files(&[("a.txt", "let x = 1;\n")]);
    let tools = file_tools(&folder).await;
    call_tool(&tools, "read", json!({ "path": "a.txt" })).await;
    // Another content of the same length and the same time.
    let path = folder.path().join("a.txt");
    let modified = path.metadata().and_then(|it| it.modified());
    folder.write("a.txt", "let x = 2;\n");
    set_modified(&path, modified.expect("files have a modification time"));
    let args = json!({ "path": "a.txt", "old_string": "let", "new_string": "var" });
    let parts = ["changed", "read it again"];
    assert_call_error(&tools, "edit", args.clone(), &parts).await;
    assert_eq!(folder.read("a.txt"), "let x = 2;\n", "nothing is written");
    call_tool(&tools, "read", json!({ "path": "a.txt" })).await;
    call_tool(&tools, "edit", args).await;
    assert_eq!(
        folder.read("a.txt"),
        "var x = 2;\n",
        "the file can be edited once it is read again"
    );
}

#[tokio::test]
async fn test_ch6_edit_refuses_bad_files() {
    let folder = TempFolder::with_files(&[("src/a.rs", "")]);
    folder.write("a.out", BINARY);
    folder.write("logo.png", PNG);
    let tools = file_tools(&folder).await;
    for (path, part) in [
        ("gone.txt", "there is no `gone.txt`"),
        ("src", "`src` is a folder"),
        ("a.out", "binary"),
        ("logo.png", "binary"),
        ("../x", "leads out"),
    ] {
        let args = json!({ "path": path, "old_string": "a", "new_string": "b" });
        assert_call_error(&tools, "edit", args, &[part]).await;
    }
    let names = file_names(folder.path());
    assert_eq!(names, ["a.out", "logo.png", "src"], "no file is created");
    if symlink("gone", &folder.path().join("dangling")) {
        let args = json!({ "path": "dangling", "old_string": "a", "new_string": "b" });
        assert_call_error(&tools, "edit", args, &["target does not exist"]).await;
    }
}

#[test]
fn test_ch6_edit_limits_the_size() {
    let folder = TempFolder::new();
    let workspace = Workspace::new(folder.path());
    let grow = edit("x", &"y".repeat(MAX_FILE_BYTES / 10), true);
    let edited = edit_file(&workspace, "a.txt", |text| apply_edit(text, &grow));
    assert_refused("a missing file", edited, &["there is no `a.txt`"]);
    let content = "x".repeat(11);
    write_file(&workspace, "a.txt", &content).expect("a new file");
    let edited = edit_file(&workspace, "a.txt", |text| apply_edit(text, &grow));
    let rule = "an edit that makes the file too large";
    assert_refused(rule, edited, &["11534336 bytes"]);
    assert_eq!(folder.read("a.txt"), content, "{rule}: nothing is written");
    write_file(&workspace, "a.txt", &content[1..]).expect("a known file");
    let edited = edit_file(&workspace, "a.txt", |text| apply_edit(text, &grow));
    edited.expect("a file may have exactly the limit");
    write_file(&workspace, "b.txt", "a\r\nx\r\n").expect("a new file");
    let grow = edit("x", &"y".repeat(MAX_FILE_BYTES - 4), false);
    let edited = edit_file(&workspace, "b.txt", |text| apply_edit(text, &grow));
    assert_refused("too many bytes on disk", edited, &["10485761 bytes"]);
}

#[test]
fn test_ch6_edit_does_not_block_the_async_thread() {
    let folder = TempFolder::new();
    let tools = ToolSet::new().with(EditTool::new(&Workspace::new(folder.path())));
    let args = json!({ "path": "gone.txt", "old_string": "a", "new_string": "b" });
    let content = call_with_busy_thread(&tools, "edit", args);
    assert_contains("a missing file", &content, &["there is no `gone.txt`"]);
}

#[test]
fn test_ch6_concurrent_edits_all_succeed() {
    let lines: String = (0..8).map(|number| format!("line {number};\n")).collect();
    let folder = TempFolder::with_files(&[("a.txt", &lines)]);
    let workspace = Workspace::new(folder.path());
    let unread = edit_file(&workspace, "a.txt", |_| Ok("nothing".to_string()));
    assert_refused("an unread file", unread, &["read it first"]);
    read_file(&workspace, "a.txt", 1, 9).expect("a text file");
    let start = Barrier::new(8);
    let edit_line = |number: usize| {
        let mine = edit(
            &format!("line {number};"),
            &format!("done {number};"),
            false,
        );
        start.wait();
        edit_file(&workspace, "a.txt", |text| {
            std::thread::yield_now();
            apply_edit(text, &mine)
        })
    };
    let edited: Vec<_> = std::thread::scope(|scope| {
        let edits: [_; 8] = std::array::from_fn(|number| scope.spawn(move || edit_line(number)));
        edits.map(|it| it.join().expect("no panic")).into()
    });
    let rule = "all eight concurrent edits are in the file. Hold the write lock from before the check until the workspace remembers the new content";
    let expected = lines.replace("line", "done");
    assert_eq!(folder.read("a.txt"), expected, "{rule}: {edited:?}");
    let all_succeeded = edited.iter().all(Result::is_ok);
    assert!(all_succeeded, "{rule}: {edited:?}");
}

/// The tools `edit` and `read` on one workspace.
async fn file_tools(folder: &TempFolder) -> ToolSet {
    let workspace = Workspace::new(folder.path());
    let edit_only = ToolSet::new().with(EditTool::new(&workspace));
    let args = json!({ "path": "gone.txt", "old_string": "a", "new_string": "b" });
    assert_call_error(&edit_only, "edit", args, &["there is no `gone.txt`"]).await;
    edit_only.with(ReadTool::new(&workspace))
}
