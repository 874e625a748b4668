//! The schema of the bash tool

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::{Value, json};

#[test]
fn bash_definition() {
    let tool = BashTool::new("/");
    let definition = tool.definition();
    assert_eq!(definition.name, "bash");
    assert!(
        definition.description.contains("standard input is empty"),
        "the description is DESCRIPTION, at the end of the file; it is {:?}",
        definition.description
    );
    let properties = definition.parameters["properties"]
        .as_object()
        .expect("the parameters are an object schema with properties");
    for (name, of_type, part) in [
        ("command", "string", ""),
        ("directory", "string", "root"),
        ("timeout", "number", "120"),
        ("timeout", "number", "second"),
    ] {
        let property = &properties.get(name).unwrap_or(&Value::Null);
        assert_eq!(property["type"], of_type, "`{name}` is a {of_type}");
        let description = property["description"].as_str().unwrap_or_default();
        assert!(
            !description.is_empty() && description.contains(part),
            "the description of `{name}` contains {part:?}, and is {description:?}"
        );
    }
    assert_eq!(properties.len(), 3, "there are no other parameters");
    let required = &definition.parameters["required"];
    assert_eq!(required, &json!(["command"]), "only this is required");
}

#[test]
fn bash_limits_the_timeout() {
    let tool = BashTool::new("/");
    for (timeout, is_valid) in [
        (json!(0.05), true),
        (json!(1), true),
        (json!(MAX_TIMEOUT), true),
        (json!(0), false),
        (json!(-1), false),
        (json!(MAX_TIMEOUT + 1.0), false),
        (json!("10"), false),
    ] {
        let args = json!({ "command": "true", "timeout": timeout });
        let verdict = validate(tool.definition(), &args);
        assert_eq!(
            verdict == ValidationResult::Ok,
            is_valid,
            "the schema allows numbers greater than 0 and at most {MAX_TIMEOUT}; for {timeout} the verdict is {verdict:?}"
        );
    }
}

#[test]
fn bash_is_destructive() {
    let tool: Box<dyn Tool> = Box::new(BashTool::new("/"));
    assert!(
        tool.is_destructive(),
        "a command such as `rm` can't be undone"
    );
    assert!(
        !tool.is_read_only() && !tool.is_concurrent_safe(),
        "most commands change something, and two may interfere with each other"
    );
}

#[test]
fn bash_summary_is_one_line() {
    let tool = BashTool::new("/");
    for (rule, command, summary) in [
        (
            "one line",
            "cargo test --all -- --nocapture",
            "[bash: cargo test --all -- --nocapture]",
        ),
        ("several lines", "cd src\nls -la\n", "[bash: cd src …]"),
        ("a blank first line", "\n  ls\n", "[bash: ls]"),
        ("blank lines at the end", "ls\n\n", "[bash: ls]"),
    ] {
        let args = json!({ "command": command });
        assert_eq!(tool.summary(&args), summary, "{rule}: {command:?}");
    }
}

#[test]
fn bash_refuses_commands_that_cannot_run() {
    let tool = BashTool::new("/");
    let half = MAX_COMMAND_BYTES / 2;
    for (rule, command, parts) in [
        ("no text", String::new(), ["empty"; 2]),
        ("only white space", " \n\t".into(), ["empty"; 2]),
        ("many spaces", " ".repeat(3 * half), ["empty"; 2]),
        ("a NUL character", "printf 'a\0b'".into(), ["NUL"; 2]),
        ("too long", "é".repeat(half + 1), ["100002", "file"]),
        (
            "too long with its white space",
            "é".repeat(half) + " \n",
            ["100002", "file"],
        ),
        (
            "too long, which is checked before NUL",
            "\0".repeat(2 * half + 2),
            ["100002", "file"],
        ),
    ] {
        match tool.validate_input(&json!({ "command": command })) {
            ValidationResult::Error { message, code } => {
                assert!(
                    message.contains("command") && parts.iter().all(|part| message.contains(part)),
                    "{rule}: the message should contain `command` and {parts:?}, and is {message:?}"
                );
                assert_eq!(code, BAD_COMMAND, "{rule}: the code is BAD_COMMAND");
            }
            ValidationResult::Ok => panic!("{rule}: this command can't run, and is accepted"),
        }
    }
}

#[test]
fn bash_accepts_commands_that_can_run() {
    let tool = BashTool::new("/");
    for command in [
        "ls",
        "\nls\n",
        "-x \t\u{1b}",
        &"#".repeat(MAX_COMMAND_BYTES),
    ] {
        assert_eq!(
            tool.validate_input(&json!({ "command": command })),
            ValidationResult::Ok,
            "this command can run: {:?}",
            &command[..command.len().min(20)]
        );
    }
}
