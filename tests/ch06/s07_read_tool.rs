//! Section 6.7: The read tool

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch6_read_definition() {
    let tool = ReadTool::new(&Workspace::new("."));
    let definition = tool.definition();
    assert_eq!(definition.name, "read");
    let properties = &definition.parameters["properties"];
    assert_eq!(properties["path"]["type"], "string");
    assert_eq!(definition.parameters["required"], json!(["path"]));
    for name in ["offset", "limit"] {
        assert_eq!(
            properties[name]["type"], "integer",
            "`{name}` is a whole number"
        );
        assert!(
            properties[name]["description"].is_string(),
            "the schema of `{name}` has a description for the model"
        );
        for (value, is_valid) in [(json!(0), false), (json!(-1), false), (json!(1), true)] {
            let args = json!({ "path": "a", name: value });
            assert_eq!(
                validate(definition, &args) == ValidationResult::Ok,
                is_valid,
                "the smallest `{name}` is 1, and the schema says so: {args}"
            );
        }
    }
    assert!(tool.is_read_only(), "reading changes nothing");
    assert!(
        tool.is_concurrent_safe(),
        "two reads do not interfere with each other"
    );
}

#[tokio::test]
async fn test_ch6_read_shows_lines() {
    let folder = TempFolder::with_files(&[("src/a.rs", "fn a() {}\r\n\r\nfn b() {}\r\n")]);
    let tools = read_tool(&folder);
    for (args, expected) in [
        (
            json!({ "path": "src/a.rs" }),
            "1\tfn a() {}\n2\t\n3\tfn b() {}",
        ),
        (
            json!({ "path": "src/a.rs", "offset": 3 }),
            "3\tfn b() {}\n[lines 3 to 3 of 3]",
        ),
        (
            json!({ "path": "src/a.rs", "offset": 2.0, "limit": 1.0 }),
            "2\t\n[lines 2 to 2 of 3; continue with offset 3]",
        ),
    ] {
        let content = call_tool(&tools, "read", args.clone()).await;
        assert_eq!(content, expected, "read with {args}");
    }
    folder.write("none", "");
    let content = call_tool(&tools, "read", json!({ "path": "none" })).await;
    assert_contains("an empty file is not an error", &content, &["empty"]);
    folder.write("long.txt", "x\n".repeat(4000));
    let content = call_tool(&tools, "read", json!({ "path": "long.txt" })).await;
    assert_contains("no limit, all lines", &content, &["4000\tx"]);
}

#[tokio::test]
async fn test_ch6_read_refuses_bad_paths() {
    let folder = TempFolder::with_files(&[("a.txt", "one\n"), ("src/a.rs", "")]);
    folder.write("a.out", BINARY);
    let tools = read_tool(&folder);
    for (path, part) in [
        ("b.txt", "there is no `b.txt`"),
        ("src", "`src` is a folder"),
        ("a.out", "binary"),
        ("../a.txt", "leads out"),
    ] {
        assert_call_error(&tools, "read", json!({ "path": path }), &[part]).await;
    }
    let args = json!({ "path": "a.txt", "offset": 9 });
    assert_call_error(&tools, "read", args, &["9"]).await;
    if symlink("gone", &folder.path().join("dangling")) {
        let args = json!({ "path": "dangling" });
        assert_call_error(&tools, "read", args, &["target does not exist"]).await;
    }
}

#[test]
fn test_ch6_read_remembers_the_bytes_on_disk() {
    let folder = TempFolder::with_files(&[("a.txt", "one\r\ntwo\r\n"), ("src/b.txt", "")]);
    let resolved = folder.canonical().join("a.txt");
    let workspace = Workspace::new(folder.path());
    let read = read_file(&workspace, "a.txt", 9, 1);
    assert_refused("an offset past the end", read, &[]);
    assert!(
        workspace
            .check(&resolved, "a.txt", b"one\r\ntwo\r\n")
            .is_err(),
        "a file counts as read only if lines of it were shown"
    );
    read_file(&workspace, "src/../a.txt", 2, 1).expect("the file has two lines");
    assert_eq!(
        workspace.check(&resolved, "a.txt", b"one\r\ntwo\r\n"),
        Ok(Fingerprint::of(b"one\r\ntwo\r\n")),
        "the workspace remembers the bytes on disk, whatever path was used and however few lines were shown"
    );
}

#[test]
fn test_ch6_read_loads_files_through_the_workspace() {
    let folder = TempFolder::with_files(&[("a.txt", "old\n")]);
    read_file(&Workspace::new(folder.path()), "a.txt", 1, 1).expect("the file has one line");
    let workspace = workspace_saved_meanwhile(&folder);
    for shown in ["1\told", "1\ttheirs"] {
        let read = read_file(&workspace, "a.txt", 1, 1);
        assert!(
            matches!(&read, Ok(ReadOutput::Lines(page)) if page.content == shown),
            "`workspace.load` reads the bytes through the workspace, which saves `a.txt` when it is used again; expected {shown:?}, got {read:?}"
        );
    }
}

#[test]
fn test_ch6_image_does_not_count_as_read() {
    let folder = TempFolder::new();
    folder.write("logo.png", PNG);
    let workspace = Workspace::new(folder.path());
    read_file(&workspace, "logo.png", 1, 1).expect("an image can be read");
    let resolved = folder.canonical().join("logo.png");
    assert!(
        workspace.check(&resolved, "logo.png", PNG).is_err(),
        "the model has not seen the bytes of an image, so it can't write others"
    );
}

#[test]
fn test_ch6_read_does_not_block_the_async_thread() {
    let folder = TempFolder::with_files(&[("a.txt", "one\n")]);
    let tools = read_tool(&folder);
    let content = call_with_busy_thread(&tools, "read", json!({ "path": "a.txt" }));
    assert_eq!(content, "1\tone");
    let workspace = Workspace::new(folder.path());
    let _guard = workspace.write_lock();
    let (reader, (sender, receiver)) = (workspace.clone(), std::sync::mpsc::channel());
    std::thread::spawn(move || sender.send(read_file(&reader, "a.txt", 1, 1).is_ok()));
    assert_eq!(
        receiver.recv_timeout(std::time::Duration::from_secs(5)),
        Ok(true),
        "`read_file` takes no write lock, so it does not wait for a write"
    );
}

#[tokio::test]
async fn test_ch6_read_attaches_images() {
    let folder = TempFolder::new();
    folder.write("logo.txt", PNG);
    let tools = read_tool(&folder);
    let collector = Attachments::new();
    let call = call_tool(&tools, "read", json!({ "path": "logo.txt" }));
    let content = collector.during(call).await;
    let rule =
        "an image with a collector (not attached if `attach_image` was called on another thread)";
    let parts = [
        "`logo.txt` is an image (image/png, 16 bytes)",
        "it is attached",
    ];
    assert_contains(rule, &content, &parts);
    let attached = collector.take();
    assert_eq!(
        attached.first().map(|it| &it.attachment),
        Some(&Attachment {
            media_type: "image/png".to_string(),
            data: PNG.to_vec()
        }),
        "the attachment has the image's bytes, unchanged"
    );
}

#[tokio::test]
async fn test_ch6_read_says_that_images_cannot_be_shown() {
    let folder = TempFolder::new();
    folder.write("logo.txt", PNG);
    let content = call_tool(&read_tool(&folder), "read", json!({ "path": "logo.txt" })).await;
    let parts = ["`logo.txt` is an image (image/png", "carries text only"];
    assert_contains("an image without a collector", &content, &parts);
}

#[tokio::test]
async fn test_ch6_read_refuses_large_images() {
    let folder = TempFolder::new();
    let image = |size: usize| [PNG, &vec![1; size - PNG.len()]].concat();
    folder.write("large.png", image(MAX_IMAGE_BYTES));
    folder.write("huge.png", image(MAX_IMAGE_BYTES + 1));
    let tools = read_tool(&folder);
    let collector = Attachments::new();
    let args = json!({ "path": "huge.png" });
    let call = assert_call_error(&tools, "read", args, &["`huge.png` is an image"]);
    collector.during(call).await;
    assert_eq!(
        collector.take(),
        [],
        "an image of more than {MAX_IMAGE_BYTES} bytes is not attached"
    );
    let large = read_file(&Workspace::new(folder.path()), "large.png", 1, 1);
    assert!(
        matches!(large, Ok(ReadOutput::Image(_))),
        "an image may have exactly {MAX_IMAGE_BYTES} bytes"
    );
}

fn read_tool(folder: &TempFolder) -> ToolSet {
    ToolSet::new().with(ReadTool::new(&Workspace::new(folder.path())))
}
