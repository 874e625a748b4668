//! Section 7.1: A command for a tool

use claw_code::tools::*;
use claw_code::types::*;
use serde_json::{Value, json};

#[test]
fn test_ch7_bash_definition() {
    let tool = BashTool::new("/");
    let definition = tool.definition();
    assert_eq!(definition.name, "bash");
    assert!(
        definition.description.contains("bash"),
        "the description is the constant at the end of the file; this one is {:?}",
        definition.description
    );
    let properties = definition.parameters["properties"]
        .as_object()
        .expect("the parameters are an object schema with properties");
    for (name, of_type) in [
        ("command", "string"),
        ("directory", "string"),
        ("timeout", "number"),
    ] {
        let property = &properties.get(name).unwrap_or(&Value::Null);
        assert_eq!(property["type"], of_type, "`{name}` is a {of_type}");
        assert!(
            property["description"]
                .as_str()
                .is_some_and(|words| !words.is_empty()),
            "`{name}` is described to the model"
        );
    }
    assert_eq!(properties.len(), 3, "there is no fourth parameter");
    assert_eq!(
        definition.parameters["required"],
        json!(["command"]),
        "only `command` is required"
    );
}

#[test]
fn test_ch7_bash_bounds_the_timeout() {
    let tool = BashTool::new("/");
    for (timeout, fits) in [
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
            fits,
            "a timeout is a number above 0 and up to {MAX_TIMEOUT}, and the schema says so; for {timeout} the verdict is {verdict:?}"
        );
    }
}

#[test]
fn test_ch7_bash_says_what_it_does() {
    let tool: Box<dyn Tool> = Box::new(BashTool::new("/"));
    assert!(
        tool.is_destructive(),
        "a command can do what can't be undone, `rm` for one"
    );
    assert!(
        !tool.is_read_only() && !tool.is_concurrent_safe(),
        "most commands change something, and two may get in each other's way"
    );
    for (command, summary) in [
        ("cargo test", "[bash: cargo test]"),
        ("cd src\nls -la\n", "[bash: cd src …]"),
        ("\n  ls\n", "[bash: ls]"),
    ] {
        assert_eq!(
            tool.summary(&json!({ "command": command })),
            summary,
            "the summary is one line for the terminal, whatever the command is; this one is {command:?}"
        );
    }
}

#[test]
fn test_ch7_bash_refuses_what_cannot_run() {
    let tool = BashTool::new("/");
    for (command, says) in [
        (String::new(), "empty"),
        (" \n\t".into(), "empty"),
        ("printf 'a\0b'".into(), "NUL"),
        ("#".repeat(MAX_COMMAND + 1), "100001 bytes"),
    ] {
        let short: String = command.chars().take(20).collect();
        match tool.validate_input(&json!({ "command": command })) {
            ValidationResult::Error { message, code } => {
                assert!(
                    message.contains("`command`") && message.contains(says),
                    "the message for {short:?} names `command` and contains {says:?}; it says: {message}"
                );
                assert_eq!(code, BAD_COMMAND, "the code for {short:?} is BAD_COMMAND");
            }
            ValidationResult::Ok => panic!("the command {short:?} can't be run and was accepted"),
        }
    }
    for command in ["ls", "\nls\n", &"#".repeat(MAX_COMMAND)] {
        assert_eq!(
            tool.validate_input(&json!({ "command": command })),
            ValidationResult::Ok,
            "this command can be run: {:.20?}",
            command
        );
    }
}
