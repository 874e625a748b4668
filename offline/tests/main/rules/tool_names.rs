//! Which tool the model calls, whatever an agent calls it, and with which argument names.

use serde_json::{Value, json};

use crate::support::{Conversation, function};

/// The only tool, the request, and the argument of the call.
const FALLBACKS: [(&str, &str, &str, &str); 9] = [
    ("glob", "list src/", "pattern", "src/*"),
    ("glob", "list .", "pattern", "*"),
    ("bash", "list my/src", "command", "ls my/src"),
    (
        "bash",
        "list \"it's here\"",
        "command",
        "ls 'it'\\''s here'",
    ),
    ("bash", "read a.txt", "command", "cat a.txt"),
    (
        "bash",
        "search for fn main in src",
        "command",
        "grep -rnIE -e 'fn main' src",
    ),
    (
        "bash",
        "create a.txt with it's here",
        "command",
        "printf %s 'it'\\''s here' > a.txt",
    ),
    (
        "bash",
        "create conf/a.txt with x",
        "command",
        "mkdir -p conf && printf %s x > conf/a.txt",
    ),
    (
        "bash",
        "replace a with b in c.txt",
        "command",
        r"FROM=a TO=b perl -0777 -i -pe '$n += s/\Q$ENV{FROM}\E/$ENV{TO}/; END { exit !$n }' c.txt",
    ),
];

#[tokio::test]
async fn the_next_best_tool_is_used() {
    for (tool, request, name, value) in FALLBACKS {
        let reply = Conversation::with(&[tool]).await.say(request).await;
        let call = &reply.calls[0];
        assert_eq!(call.name, tool, "{request}");
        assert_eq!(call.arguments, json!({ name: value }), "{request}");
    }
}

#[tokio::test]
async fn arguments_have_the_names_in_the_schema() {
    let parameters = ["file_path", "old_string", "new_string", "replace_all"];
    let mut conversation = Conversation::with_definitions([function("Edit", &parameters)]).await;
    let reply = conversation.say("replace a with b in c.txt").await;
    assert_eq!(reply.calls[0].name, "Edit");
    assert_eq!(
        reply.calls[0].arguments,
        json!({ "file_path": "c.txt", "old_string": "a", "new_string": "b" })
    );
}

#[tokio::test]
async fn a_missing_tool_is_named() {
    for (tools, request, expected) in [
        (
            &["read", "list"][..],
            "run cargo build",
            "I lack the tool for that: `bash`. I have `read`, `list`.",
        ),
        (
            &[],
            "list src",
            "I lack the tool for that: `list` or `glob` or `bash`. I have no tools.",
        ),
        (
            &["read"],
            "create a.txt with x",
            "I lack the tool for that: `write` or `apply_patch` or `bash`. I have `read`.",
        ),
    ] {
        let reply = Conversation::with(tools).await.say(request).await;
        assert!(reply.calls.is_empty());
        assert_eq!(reply.text, expected);
    }
}

/// The tools of other agents: the name, the arguments, a request, and the arguments of the call.
fn tools_of_agents() -> [(&'static str, &'static [&'static str], &'static str, Value); 14] {
    [
        (
            "exec_command",
            &["cmd", "workdir"],
            "run make",
            json!({ "cmd": "make" }),
        ),
        (
            "shell",
            &["command"],
            "list src",
            json!({ "command": "ls src" }),
        ),
        (
            "Bash",
            &["command", "description"],
            "run make",
            json!({ "command": "make" }),
        ),
        (
            "run_shell_command",
            &["command"],
            "run make",
            json!({ "command": "make" }),
        ),
        (
            "Read",
            &["file_path", "limit"],
            "read a.txt",
            json!({ "file_path": "a.txt" }),
        ),
        (
            "read_file",
            &["absolute_path"],
            "read a.txt",
            json!({ "absolute_path": "a.txt" }),
        ),
        (
            "mcp__files__read_file",
            &["path"],
            "read a.txt",
            json!({ "path": "a.txt" }),
        ),
        (
            "LS",
            &["path", "ignore"],
            "list src",
            json!({ "path": "src" }),
        ),
        (
            "list_directory",
            &["dir_path"],
            "list src",
            json!({ "dir_path": "src" }),
        ),
        (
            "Glob",
            &["pattern", "path"],
            "list src",
            json!({ "pattern": "src/*" }),
        ),
        (
            "Grep",
            &["pattern", "path", "glob"],
            "search for x in src",
            json!({ "pattern": "x", "path": "src" }),
        ),
        (
            "search_file_content",
            &["pattern"],
            "search for x",
            json!({ "pattern": "x" }),
        ),
        (
            "Write",
            &["file_path", "content"],
            "create a.txt with x",
            json!({ "file_path": "a.txt", "content": "x" }),
        ),
        (
            "edit",
            &["filePath", "oldString", "newString"],
            "replace x with y in a.txt",
            json!({ "filePath": "a.txt", "oldString": "x", "newString": "y" }),
        ),
    ]
}

#[tokio::test]
async fn tools_of_other_agents_are_known_by_name() {
    for (name, parameters, request, arguments) in tools_of_agents() {
        let definitions = [function(name, parameters)];
        let mut conversation = Conversation::with_definitions(definitions).await;
        let reply = conversation.say(request).await;
        assert_eq!(reply.calls.len(), 1, "{name}: {}", reply.text);
        assert_eq!(reply.calls[0].name, name);
        assert_eq!(reply.calls[0].arguments, arguments, "{name}");
    }
}

#[tokio::test]
async fn other_names_are_known_by_their_arguments() {
    for (parameters, request) in [
        (&["cmd"][..], "run make"),
        (&["path", "text"], "create a.txt with x"),
        (&["path", "old_str", "new_str"], "replace x with y in a.txt"),
        (&["query", "folder"], "search for x in src"),
    ] {
        let definitions = [function("frobnicate", parameters)];
        let mut conversation = Conversation::with_definitions(definitions).await;
        let reply = conversation.say(request).await;
        assert_eq!(reply.calls.len(), 1, "{request}: {}", reply.text);
    }
}

#[tokio::test]
async fn a_required_argument_that_may_be_null_is_null() {
    for limit in [
        json!({ "type": ["integer", "null"] }),
        json!({ "anyOf": [{ "type": "integer" }, { "type": "null" }] }),
    ] {
        let properties = json!({ "path": { "type": "string" }, "limit": limit });
        let tool = strict_function("read_file", properties);
        let mut conversation = Conversation::with_definitions([tool]).await;
        let reply = conversation.say("read a.txt").await;
        assert_eq!(
            reply.calls[0].arguments,
            json!({ "path": "a.txt", "limit": null })
        );
    }
}

/// A tool definition with these properties, all of them required.
fn strict_function(name: &str, properties: Value) -> Value {
    let names = properties.as_object().expect("an object").keys();
    let required: Vec<&String> = names.collect();
    let schema = json!({ "type": "object", "properties": properties, "required": required });
    json!({ "type": "function", "function": { "name": name, "parameters": schema } })
}

#[tokio::test]
async fn other_required_arguments_are_filled() {
    let tool = strict_function(
        "run_terminal_cmd",
        json!({
            "command": { "type": "string" },
            "explanation": { "type": "string" },
            "is_background": { "type": "boolean" },
            "shell": { "enum": ["sh", "bash"] },
        }),
    );
    let mut conversation = Conversation::with_definitions([tool]).await;
    let reply = conversation.say("run make").await;
    assert_eq!(
        reply.calls[0].arguments,
        json!({
            "command": "make",
            "explanation": "I will run `make`.",
            "is_background": false,
            "shell": "sh",
        })
    );
}

#[tokio::test]
async fn a_tool_with_an_argument_that_cannot_be_filled_is_not_called() {
    let properties = json!({ "cmd": { "type": "string" }, "session": { "type": "number" } });
    let tool = strict_function("run_command", properties);
    let mut conversation = Conversation::with_definitions([tool]).await;
    let reply = conversation.say("run make").await;
    assert_eq!(
        reply.text,
        "I lack the tool for that: `bash`. I have `run_command`."
    );
}

#[tokio::test]
async fn a_command_may_be_an_array_of_words() {
    let words = json!({ "type": "array", "items": { "type": "string" } });
    let tool = strict_function("shell", json!({ "command": words }));
    let mut conversation = Conversation::with_definitions([tool]).await;
    let reply = conversation.say("run ls -la").await;
    let expected = json!({ "command": ["bash", "-lc", "ls -la"] });
    assert_eq!(reply.calls[0].arguments, expected);
    let reply = conversation.results(&["one\ntwo"]).await;
    assert_eq!(
        reply.text,
        "`ls -la` ran and printed 2 lines. The last: two."
    );
}
