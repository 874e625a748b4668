//! Section 6.12: Edit, and several edits

use std::fs;

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::json;

use super::support::*;

#[tokio::test]
async fn test_ch6_edit_a_file() {
    let folder = folder(&[("a.rs", "\u{feff}fn a() {}\r\nfn b() {}\r\nfn b() {}")]);
    let place = folder.path().join("a.rs");
    let tools = all_tools(&Workspace::new(folder.path()));
    let args = json!({ "path": "a.rs", "old_string": "a() {}\n", "new_string": "a() {\n}\n" });
    let unread = run_tool(&tools, "edit", args.clone()).await;
    assert!(
        unread.starts_with("error: ") && unread.contains("read it first"),
        "a file is read before it is edited; the content is {unread:?}"
    );
    run_tool(&tools, "read", json!({ "path": "a.rs" })).await;
    assert_eq!(
        run_tool(&tools, "edit", args).await,
        "edited `a.rs`: line 1"
    );
    assert_eq!(
        read(&place),
        "\u{feff}fn a() {\r\n}\r\nfn b() {}\r\nfn b() {}",
        "byte order mark, line ends and the missing one at the end stay"
    );
    let args = json!({ "path": "a.rs", "old_string": "b", "new_string": "c", "replace_all": true });
    assert_eq!(
        run_tool(&tools, "edit", args).await,
        "edited `a.rs`: 2 places, lines 3 and 4",
        "after an edit the file is known as it is then, and can be edited again"
    );
    let args = json!({ "path": "a.rs", "old_string": "fn c", "new_string": "fn d" });
    let twice = run_tool(&tools, "edit", args).await;
    assert!(
        twice.starts_with("error: ") && twice.contains("2 times"),
        "without `replace_all` one is meant; the content is {twice:?}"
    );
    let args = json!({ "path": "a.rs", "old_string": "fn  a", "new_string": "fn e" });
    let miss = run_tool(&tools, "edit", args).await;
    assert!(
        miss.starts_with("error: ") && miss.contains("white space"),
        "a miss is explained; the content is {miss:?}"
    );
}

#[tokio::test]
async fn test_ch6_edit_refuses_stale_files() {
    let folder = folder(&[("a.txt", "let x = 1;\n")]);
    let place = folder.path().join("a.txt");
    let tools = all_tools(&Workspace::new(folder.path()));
    run_tool(&tools, "read", json!({ "path": "a.txt" })).await;
    let about = fs::metadata(&place).expect("it is there");
    fs::write(&place, "let x = 2;\n").expect("a file");
    let file = fs::File::options()
        .append(true)
        .open(&place)
        .expect("it is there");
    let modified = about.modified().expect("times are known");
    file.set_modified(modified).expect("times can be set");
    let args = json!({ "path": "a.txt", "old_string": "let", "new_string": "var" });
    let stale = run_tool(&tools, "edit", args.clone()).await;
    assert!(
        stale.starts_with("error: ")
            && stale.contains("changed")
            && stale.contains("read it again"),
        "another content of the same size and time is another content; the answer is {stale:?}"
    );
    assert_eq!(read(&place), "let x = 2;\n", "nothing was written");
    run_tool(&tools, "read", json!({ "path": "a.txt" })).await;
    run_tool(&tools, "edit", args).await;
    assert_eq!(
        read(&place),
        "var x = 2;\n",
        "once read again, it can be edited"
    );
}

#[tokio::test]
async fn test_ch6_edit_bad_files() {
    let folder = folder(&[("src/a.rs", "")]);
    fs::write(folder.path().join("a.out"), b"\x7fELF\0").expect("a file");
    fs::write(folder.path().join("logo.png"), PNG).expect("a file");
    let tools = all_tools(&Workspace::new(folder.path()));
    for (path, words) in [
        ("gone.txt", "there is no `gone.txt`"),
        ("src", "`src` is a folder"),
        ("a.out", "binary"),
        ("logo.png", "binary"),
        ("../x", "leads out"),
    ] {
        let edits = json!([{ "old_string": "a", "new_string": "b" }]);
        for (tool, args) in [
            (
                "edit",
                json!({ "path": path, "old_string": "a", "new_string": "b" }),
            ),
            ("multi_edit", json!({ "path": path, "edits": edits })),
        ] {
            let answer = run_tool(&tools, tool, args).await;
            assert!(
                answer.starts_with("error: ") && answer.contains(words),
                "{tool} `{path}` is an error that says {words:?}; the content is {answer:?}"
            );
        }
    }
    assert_eq!(
        names(folder.path()),
        ["a.out", "logo.png", "src"],
        "nothing was made"
    );
}

#[test]
fn test_ch6_edit_keeps_within_the_limit() {
    let folder = folder(&[]);
    let workspace = Workspace::new(folder.path());
    let mine = change("x", &"y".repeat(1_000_000), true);
    let unread = edit_file(&workspace, "a.txt", |text| apply_change(text, &mine));
    refused(unread, "a file that is not there");
    let content = "x".repeat(11);
    write_file(&workspace, "a.txt", &content).expect("it can be written");
    let grown = edit_file(&workspace, "a.txt", |text| apply_change(text, &mine));
    let answer = refused(grown, "an edit that makes the file too large");
    assert!(
        answer.contains("11000000 bytes"),
        "an edit that makes the file too large is refused; the content is {answer:?}"
    );
    assert_eq!(
        read(&folder.path().join("a.txt")),
        content,
        "nothing was written"
    );
}

#[test]
fn test_ch6_multi_edit_definition() {
    let tool = MultiEditTool::new(&Workspace::new("."));
    let definition = tool.definition();
    assert_eq!(definition.name, "multi_edit");
    let edit = json!({ "old_string": "a", "new_string": "b", "replace_all": true });
    for (edits, fits) in [
        (json!([edit]), true),
        (json!([edit, { "old_string": "a", "new_string": "" }]), true),
        (json!([]), false),
        (json!([{ "old_string": "a" }]), false),
        (
            json!([{ "old_string": "a", "new_string": "b", "path": "c" }]),
            false,
        ),
        (json!([{ "old_string": "a", "new_string": 7 }]), false),
        (json!("all"), false),
    ] {
        let verdict = validate(definition, &json!({ "path": "a.txt", "edits": edits }));
        assert_eq!(
            verdict == ValidationResult::Ok,
            fits,
            "the schema of `edits` decides on {edits}; it says {verdict:?}"
        );
    }
    assert_eq!(definition.parameters["required"], json!(["path", "edits"]));
}

#[tokio::test]
async fn test_ch6_multi_edit_all_or_none() {
    let folder = folder(&[("a.txt", "one\r\ntwo\r\nthree\r\n")]);
    let place = folder.path().join("a.txt");
    let tools = all_tools(&Workspace::new(folder.path()));
    run_tool(&tools, "read", json!({ "path": "a.txt" })).await;
    let edits = json!([
        { "old_string": "one", "new_string": "1\n1" },
        { "old_string": "towo", "new_string": "2" },
        { "old_string": "three", "new_string": "3" }
    ]);
    let answer = run_tool(
        &tools,
        "multi_edit",
        json!({ "path": "a.txt", "edits": edits }),
    )
    .await;
    for words in [
        "error: ",
        "none of the 3 edits",
        "`edits[1]`",
        "not in the file",
    ] {
        assert!(
            answer.contains(words),
            "the error says which edit can't be made, and that none was: {words:?}; it is {answer:?}"
        );
    }
    assert_eq!(
        read(&place),
        "one\r\ntwo\r\nthree\r\n",
        "one of three can't be made, so none is"
    );
    let edits = json!([
        { "old_string": "one", "new_string": "1\n1" },
        { "old_string": "1\ntwo", "new_string": "2" },
        { "old_string": "e", "new_string": "E", "replace_all": true }
    ]);
    let answer = run_tool(
        &tools,
        "multi_edit",
        json!({ "path": "a.txt", "edits": edits }),
    )
    .await;
    assert_eq!(
        answer, "edited `a.txt`: line 1; line 2; 2 places, line 3",
        "each edit is made in what the ones before have left"
    );
    assert_eq!(read(&place), "1\r\n2\r\nthrEE\r\n");
}

#[test]
fn test_ch6_edits_at_once_all_land() {
    let lines: Vec<String> = (0..8).map(|number| format!("line {number};\n")).collect();
    let folder = folder(&[("a.txt", &lines.concat())]);
    let workspace = Workspace::new(folder.path());
    let unread = edit_file(&workspace, "a.txt", |_| Ok("nothing".to_string()));
    refused(unread, "a file that was not read");
    read_file(&workspace, "a.txt", 1, 9).expect("it can be read");
    std::thread::scope(|scope| {
        for number in 0..8 {
            let workspace = &workspace;
            scope.spawn(move || {
                let mine = change(
                    &format!("line {number};"),
                    &format!("done {number};"),
                    false,
                );
                edit_file(workspace, "a.txt", |text| apply_change(text, &mine))
                    .expect("edits of one workspace wait for each other");
            });
        }
    });
    assert_eq!(
        read(&folder.path().join("a.txt")),
        lines.concat().replace("line", "done"),
        "eight edits at once: each one is in the file"
    );
}

/// The four tools on one workspace.
fn all_tools(workspace: &Workspace) -> ToolSet {
    ToolSet::new()
        .with(MultiEditTool::new(workspace))
        .with(EditTool::new(workspace))
        .with(WriteTool::new(workspace))
        .with(ReadTool::new(workspace))
}
