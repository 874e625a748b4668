//! Section 17.8: Commands and searches

use claw_code::transcript::narrate::*;
use serde_json::json;

use super::support::*;

#[tokio::test]
async fn test_ch17_commands() {
    let tools = Tools::new();
    for (command, expected) in [
        ("ls -la", "Ran ls -la"),
        ("exit 3", "Ran exit 3 (exit code 3)"),
        (
            "kill -9 $$",
            "Ran kill -9 $$ (exit code 137: killed by SIGKILL)",
        ),
        ("\n  true\necho 2", "Ran true …"),
        ("echo '[exit code x]'", "Ran echo '[exit code x]'"),
        ("echo '[exit code 1]'\necho 2", "Ran echo '[exit code 1]' …"),
    ] {
        let args = json!({ "command": command });
        tools.deed("bash", &BashNarrator, args, expected).await;
    }
    let long = json!({ "command": format!("echo {}", "x".repeat(100)) });
    let expected = format!("Ran echo {}…", "x".repeat(54));
    assert_eq!(
        BashNarrator.deed(&long, "").as_deref(),
        Some(expected.as_str()),
        "a command is shown in 60 characters"
    );
}

#[tokio::test]
async fn test_ch17_output_that_looks_like_an_error() {
    let tools = Tools::new();
    for (command, expected) in [
        ("echo 'error: no main'", "Ran echo 'error: no main'"),
        (
            "echo 'error: no main'; exit 101",
            "Ran echo 'error: no main'; exit 101 (exit code 101)",
        ),
    ] {
        let args = json!({ "command": command });
        tools.deed("bash", &BashNarrator, args, expected).await;
    }
}

#[tokio::test]
async fn test_ch17_looking_for_files() {
    let tools = Tools::new();
    for name in ["a.rs", "b/c.rs", "[id].rs"] {
        tools.file(name, "");
    }
    for (args, expected) in [
        (json!({ "pattern": "*.rs" }), "Looked for *.rs: 3 files"),
        (json!({ "pattern": "a.*" }), "Looked for a.*: 1 file"),
        (json!({ "pattern": "*.zip" }), "Looked for *.zip: no files"),
        (
            json!({ "pattern": "*.rs", "limit": 1 }),
            "Looked for *.rs: 3 files",
        ),
    ] {
        tools.deed("glob", &GlobNarrator, args, expected).await;
    }
    let unread = "a.rs\n[2 could not be read, such as d: Permission denied]";
    assert_eq!(
        GlobNarrator
            .deed(&json!({ "pattern": "*.rs" }), unread)
            .as_deref(),
        Some("Looked for *.rs: 1 file"),
        "what could not be read was not found"
    );
}

#[tokio::test]
async fn test_ch17_searching() {
    let tools = Tools::new();
    tools.file("a.rs", "todo 1\n\nx\n2: no\ntodo 3\n");
    tools.file("b.rs", "x\ntodo: 1:2\n");
    tools.file("12:c.rs", "todo\n");
    for (args, expected) in [
        (json!({ "pattern": "todo" }), "4 results in 3 files"),
        (
            json!({ "pattern": "todo", "context": 1 }),
            "4 results in 3 files",
        ),
        (
            json!({ "pattern": "todo", "limit": 1 }),
            "4 results in 3 files",
        ),
        (
            json!({ "pattern": "todo", "path": "b.rs" }),
            "1 result in 1 file",
        ),
        (
            json!({ "pattern": "todo", "output_mode": "files" }),
            "3 files",
        ),
        (
            json!({ "pattern": "todo", "output_mode": "files", "limit": 2 }),
            "3 files",
        ),
        (
            json!({ "pattern": "todo", "output_mode": "count" }),
            "4 results in 3 files",
        ),
        (
            json!({ "pattern": "todo", "output_mode": "count", "limit": 2 }),
            "3 files",
        ),
        (json!({ "pattern": "todo", "glob": "*.zip" }), "no results"),
    ] {
        let expected = format!("Searched for todo: {expected}");
        tools.deed("grep", &GrepNarrator, args, &expected).await;
    }
    tools.file("d.rs", "[7 are shown\ntwo[9] // are shown]\n");
    tools
        .deed(
            "grep",
            &GrepNarrator,
            json!({ "pattern": "are shown" }),
            "Searched for are shown: 2 results in 1 file",
        )
        .await;
    for mode in ["content", "files", "count"] {
        let args = json!({ "pattern": "fixme", "output_mode": mode });
        tools
            .deed(
                "grep",
                &GrepNarrator,
                args,
                "Searched for fixme: no results",
            )
            .await;
    }
}
