//! Section 8.7: The tool glob

use std::collections::BTreeSet;

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::json;

use super::support::*;

#[test]
fn test_ch8_glob_definition() {
    let tool = GlobTool::new("/");
    let definition = tool.definition();
    assert_eq!(definition.name, "glob");
    assert_eq!(
        definition.parameters["required"],
        json!(["pattern"]),
        "only the pattern is required"
    );
    described(
        definition,
        &["hidden", "ignored", "limit", "path", "pattern"],
    );
    assert!(
        tool.is_read_only() && tool.is_concurrent_safe(),
        "a search changes nothing"
    );
    assert_eq!(
        tool.summary(&json!({ "pattern": "*.rs", "path": "." })),
        "[glob: *.rs]",
        "people see the pattern"
    );
}

#[tokio::test]
async fn test_ch8_glob_finds_files() {
    let folder = project();
    for (args, listing) in [
        (
            json!({ "pattern": "*.rs" }),
            "src/bin/tool.rs\nsrc/lib.rs\nsrc/main.rs",
        ),
        (json!({ "pattern": "src/*.rs" }), "src/lib.rs\nsrc/main.rs"),
        (
            json!({ "pattern": "*.rs", "path": "src/bin" }),
            "src/bin/tool.rs",
        ),
        (json!({ "pattern": "*.{toml,md}" }), "Cargo.toml\nREADME.md"),
        (
            json!({ "pattern": "*.o", "ignored": true }),
            "target/main.o",
        ),
        (json!({ "pattern": ".env", "hidden": true }), ".env"),
    ] {
        assert_eq!(
            called(&GlobTool::new(folder.path()), &args).await,
            ToolResult::text(listing),
            "glob {args}: relative to the root folder, in path order, one a line"
        );
    }
}

#[tokio::test]
async fn test_ch8_glob_is_cut_at_the_limit() {
    let folder = sixty_files();
    let tool = GlobTool::new(folder.path());
    let result = called(&tool, &json!({ "pattern": "*.txt", "limit": 3 })).await;
    assert!(
        result.is_truncated
            && result
                .content
                .starts_with("0/0/00.txt\n0/0/12.txt\n0/0/24.txt\n["),
        "the first three in path order are shown, whichever were met first: {}",
        result.content
    );
    assert!(
        result.content.contains("3 of 60 files"),
        "and all are counted: {}",
        result.content
    );
    let result = called(&tool, &json!({ "pattern": "*.txt", "limit": 60.0 })).await;
    assert!(
        !result.is_truncated && result.content.lines().count() == 60,
        "60.0 is an integer to JSON Schema as well, and as many as the limit are shown whole"
    );
}

#[tokio::test]
async fn test_ch8_glob_bad_calls() {
    let folder = project();
    let tool = GlobTool::new(folder.path());
    let none = called(&tool, &json!({ "pattern": "*.py", "path": "src" })).await;
    assert!(
        !none.is_error
            && none.content.contains("`*.py`")
            && none.content.contains("`src`")
            && none.content.contains("ignored"),
        "that nothing fits is no error; the answer repeats what was looked for and where, and what was left out: {}",
        none.content
    );
    for (args, says) in [
        (json!({ "pattern": "*.{rs" }), "unclosed"),
        (json!({ "pattern": "" }), "empty"),
        (
            json!({ "pattern": "*", "path": "nowhere" }),
            "there is no `nowhere`",
        ),
        (json!({ "pattern": "*", "path": "../" }), "leads out"),
        (
            json!({ "pattern": "*", "path": "Cargo.toml" }),
            "Cargo.toml",
        ),
        (json!({ "pattern": "*", "limit": 0 }), "at least 1"),
        (json!({ "path": "src" }), "`pattern` is required"),
        (json!({ "glob": "*.rs" }), "`glob` is not known"),
    ] {
        let result = called(&tool, &args).await;
        assert!(
            result.is_error
                && result.content.starts_with("error: ")
                && result.content.contains(says),
            "glob {args} should be an error that says {says:?}; the content is {:?}",
            result.content
        );
    }
}

#[track_caller]
fn described(definition: &ToolDefinition, names: &[&str]) {
    let properties = definition.parameters["properties"]
        .as_object()
        .expect("the parameters are an object schema with properties");
    assert_eq!(
        properties
            .keys()
            .map(String::as_str)
            .collect::<BTreeSet<_>>(),
        names.iter().copied().collect(),
        "the parameters of {}",
        definition.name
    );
    for (name, schema) in properties {
        assert!(
            schema["description"]
                .as_str()
                .is_some_and(|words| words.len() > 10),
            "`{name}` is described to the model"
        );
    }
}
