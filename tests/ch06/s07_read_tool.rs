//! Section 6.7: The tool read

use std::fs;

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch6_read_definition() {
    let tool = ReadTool::new(&Workspace::new("."));
    let definition = tool.definition();
    assert_eq!(definition.name, "read");
    let known = &definition.parameters["properties"];
    assert_eq!(known["path"]["type"], "string");
    for name in ["offset", "limit"] {
        assert_eq!(known[name]["type"], "integer", "`{name}` is a whole number");
        for (value, fits) in [(json!(0), false), (json!(-1), false), (json!(1), true)] {
            let args = json!({ "path": "a", name: value });
            assert_eq!(
                validate(definition, &args) == ValidationResult::Ok,
                fits,
                "lines are counted from 1: {args}"
            );
        }
    }
    assert_eq!(definition.parameters["required"], json!(["path"]));
    assert!(tool.is_read_only(), "reading changes nothing");
    assert!(
        tool.is_concurrent_safe(),
        "two readings do not disturb each other"
    );
}

#[tokio::test]
async fn test_ch6_read_files() {
    let folder = folder(&[("src/a.rs", "fn a() {}\r\n\r\nfn b() {}\r\n"), ("none", "")]);
    let tools = ToolSet::new().with(ReadTool::new(&Workspace::new(folder.path())));
    for (args, content) in [
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
            "2\t\n[lines 2 to 2 of 3; go on with offset 3]",
        ),
    ] {
        assert_eq!(
            run_tool(&tools, "read", args.clone()).await,
            content,
            "read with {args}"
        );
    }
    let none = run_tool(&tools, "read", json!({ "path": "none" })).await;
    assert!(
        none.contains("empty") && !none.starts_with("error: "),
        "an empty file is no error; the content is {none:?}"
    );
}

#[tokio::test]
async fn test_ch6_read_bad_paths() {
    let folder = folder(&[("a.txt", "one\n"), ("src/a.rs", "")]);
    fs::write(folder.path().join("a.out"), b"\x7fELF\0").expect("a file");
    let made = link("gone", &folder.path().join("dangling"));
    let tools = ToolSet::new().with(ReadTool::new(&Workspace::new(folder.path())));
    for (path, words) in [
        ("b.txt", "there is no `b.txt`"),
        ("src", "`src` is a folder"),
        ("a.out", "binary"),
        ("../a.txt", "leads out"),
        ("dangling", if made { "leads to nothing" } else { "" }),
    ] {
        let content = run_tool(&tools, "read", json!({ "path": path })).await;
        assert!(
            content.starts_with("error: ") && content.contains(words),
            "read `{path}` is an error that says {words:?}; the content is {content:?}"
        );
    }
    let behind = run_tool(&tools, "read", json!({ "path": "a.txt", "offset": 9 })).await;
    assert!(
        behind.starts_with("error: ") && behind.contains('9'),
        "an offset behind the end is an error; the content is {behind:?}"
    );
}

#[test]
fn test_ch6_read_is_remembered() {
    let folder = folder(&[("a.txt", "one\r\ntwo\r\n"), ("b.txt", "")]);
    let place = real(&folder).join("a.txt");
    let workspace = Workspace::new(folder.path());
    let behind = read_file(&workspace, "a.txt", 9, 1);
    refused(behind, "an offset behind the end");
    assert!(
        workspace.check(&place, "a.txt", b"one\r\ntwo\r\n").is_err(),
        "who was shown nothing knows nothing"
    );
    read_file(&workspace, "./a.txt", 2, 1).expect("it can be read");
    assert_eq!(
        workspace.check(&place, "a.txt", b"one\r\ntwo\r\n"),
        Ok(()),
        "what counts are the bytes on the disk, by whatever path and however little was shown"
    );
}

#[tokio::test]
async fn test_ch6_read_images() {
    let folder = folder(&[]);
    fs::write(folder.path().join("logo.txt"), PNG).expect("a file");
    let huge = [PNG, &vec![1; MAX_IMAGE_BYTES]].concat();
    fs::write(folder.path().join("huge.png"), huge).expect("a file");
    let tools = ToolSet::new().with(ReadTool::new(&Workspace::new(folder.path())));
    let alone = run_tool(&tools, "read", json!({ "path": "logo.txt" })).await;
    assert!(
        alone.contains("image/png") && alone.contains("carries text only"),
        "where nobody collects attachments, the model is told that it won't see the image; the content is {alone:?}"
    );
    let collector = Attachments::new();
    let reading = run_tool(&tools, "read", json!({ "path": "logo.txt" }));
    let content = collector.during(reading).await;
    assert!(
        content.contains("image/png") && content.contains("attached"),
        "the text says what was attached; the content is {content:?}"
    );
    let attached = collector.take();
    assert_eq!(
        attached.first().map(|it| &it.attachment),
        Some(&Attachment {
            media_type: "image/png".to_string(),
            data: PNG.to_vec()
        }),
        "the image's bytes are attached as they are"
    );
    let reading = run_tool(&tools, "read", json!({ "path": "huge.png" }));
    let content = collector.during(reading).await;
    assert!(
        content.starts_with("error: ") && content.contains("`huge.png` is an image"),
        "an image of more than {MAX_IMAGE_BYTES} bytes is refused; the content is {content:?}"
    );
    assert_eq!(collector.take(), [], "and not attached");
}
