//! The rules, through the Chat Completions API.

use claw_offline::Server;
use serde_json::{Value, json};

use crate::common::{CHAT, ask};

/// A conversation with the model, and the tools that it is offered.
pub struct Talk {
    server: Server,
    messages: Vec<Value>,
    tools: Vec<Value>,
}

/// One answer: its text, and its calls as id, name and arguments.
pub struct Said {
    pub text: String,
    pub calls: Vec<(String, String, Value)>,
}

impl Talk {
    /// With these tools. Each has the arguments that it has in the course.
    pub async fn with(tools: &[&str]) -> Self {
        Self {
            server: Server::start().await.unwrap(),
            messages: Vec::new(),
            tools: tools
                .iter()
                .map(|name| tool(name, arguments(name)))
                .collect(),
        }
    }

    pub async fn say(&mut self, text: &str) -> Said {
        self.messages
            .push(json!({ "role": "user", "content": text }));
        self.next().await
    }

    /// Answers all calls of the last answer, in their order.
    pub async fn results(&mut self, results: &[&str]) -> Said {
        let calls = self.messages.last().expect("something was said")["tool_calls"].clone();
        let calls = calls.as_array().expect("tools were called");
        assert_eq!(calls.len(), results.len(), "{calls:?}");
        for (call, result) in calls.iter().zip(results) {
            self.messages.push(json!({
                "role": "tool", "tool_call_id": call["id"], "content": result,
            }));
        }
        self.next().await
    }

    async fn next(&mut self) -> Said {
        let body = json!({ "model": "m", "messages": self.messages, "tools": self.tools });
        let answer = ask(&self.server, CHAT, &body).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let message = answer.json()["choices"][0]["message"].clone();
        self.messages.push(message.clone());
        let calls = message["tool_calls"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let string = |value: &Value| value.as_str().unwrap_or_default().to_string();
        Said {
            text: string(&message["content"]),
            calls: (calls.iter())
                .map(|call| {
                    let arguments = string(&call["function"]["arguments"]);
                    let arguments = serde_json::from_str(&arguments).expect("arguments are JSON");
                    (
                        string(&call["id"]),
                        string(&call["function"]["name"]),
                        arguments,
                    )
                })
                .collect(),
        }
    }
}

const ALL: [&str; 7] = ["list", "read", "write", "edit", "glob", "grep", "bash"];

fn arguments(tool: &str) -> &'static [&'static str] {
    match tool {
        "write" => &["path", "content"],
        "edit" => &["path", "old_string", "new_string"],
        "glob" => &["pattern"],
        "grep" => &["pattern", "path"],
        "bash" => &["command"],
        _ => &["path"],
    }
}

fn tool(name: &str, arguments: &[&str]) -> Value {
    let properties: serde_json::Map<String, Value> = (arguments.iter())
        .map(|name| (name.to_string(), json!({ "type": "string" })))
        .collect();
    let parameters = json!({ "type": "object", "properties": properties });
    json!({ "type": "function", "function": { "name": name, "parameters": parameters } })
}

#[tokio::test]
async fn requests_become_calls() {
    let cases = [
        ("list src", "list", json!({ "path": "src" })),
        ("ls", "list", json!({ "path": "." })),
        (
            "List the files in the src directory, please.",
            "list",
            json!({ "path": "src" }),
        ),
        ("What is in this directory?", "list", json!({ "path": "." })),
        ("what's in ./src?", "list", json!({ "path": "./src" })),
        ("what files are here?", "list", json!({ "path": "." })),
        (
            "what is in `my notes`?",
            "list",
            json!({ "path": "my notes" }),
        ),
        (
            "what is in notes.txt?",
            "read",
            json!({ "path": "notes.txt" }),
        ),
        ("what is in .git", "list", json!({ "path": ".git" })),
        ("list ..", "list", json!({ "path": ".." })),
        ("what is in images?", "list", json!({ "path": "images" })),
        ("Read README.md", "read", json!({ "path": "README.md" })),
        (
            "please can you show me the file src/lib.rs?",
            "read",
            json!({ "path": "src/lib.rs" }),
        ),
        ("what does a.txt say?", "read", json!({ "path": "a.txt" })),
        (
            "search for TODO",
            "grep",
            json!({ "pattern": "TODO", "path": "." }),
        ),
        (
            "grep \"fn main\" in src",
            "grep",
            json!({ "pattern": "fn main", "path": "src" }),
        ),
        (
            "find TODO in src/lib.rs.",
            "grep",
            json!({ "pattern": "TODO", "path": "src/lib.rs" }),
        ),
        (
            "where is Message defined?",
            "grep",
            json!({ "pattern": "Message", "path": "." }),
        ),
        (
            "create a.txt with hello, world",
            "write",
            json!({ "path": "a.txt", "content": "hello, world" }),
        ),
        (
            "Create a new file called `a b.txt` with the text \"one\\ntwo\"",
            "write",
            json!({ "path": "a b.txt", "content": "one\ntwo" }),
        ),
        (
            "write 'x = 1' to conf/x.toml",
            "write",
            json!({ "path": "conf/x.toml", "content": "x = 1" }),
        ),
        (
            "replace milk with bread in notes.txt",
            "edit",
            json!({ "path": "notes.txt", "old_string": "milk", "new_string": "bread" }),
        ),
        (
            "Replace \"a with b\" with \"c in d\" in notes.txt.",
            "edit",
            json!({ "path": "notes.txt", "old_string": "a with b", "new_string": "c in d" }),
        ),
        (
            "change `it's` to `it is` in notes.txt",
            "edit",
            json!({ "path": "notes.txt", "old_string": "it's", "new_string": "it is" }),
        ),
        (
            "in notes.txt replace milk by nothing much",
            "edit",
            json!({ "path": "notes.txt", "old_string": "milk", "new_string": "nothing much" }),
        ),
        (
            "run cargo build",
            "bash",
            json!({ "command": "cargo build" }),
        ),
        (
            "Run `ls -la | head`.",
            "bash",
            json!({ "command": "ls -la | head" }),
        ),
        ("run the tests", "bash", json!({ "command": "cargo test" })),
        (
            "make the tests pass",
            "bash",
            json!({ "command": "cargo test" }),
        ),
        (
            "Fix the failing tests!",
            "bash",
            json!({ "command": "cargo test" }),
        ),
        (
            "make the tests pass using `sh test.sh`",
            "bash",
            json!({ "command": "sh test.sh" }),
        ),
        (
            "make `sh test.sh` pass",
            "bash",
            json!({ "command": "sh test.sh" }),
        ),
        (
            "Hello. Please list src. Thank you.",
            "list",
            json!({ "path": "src" }),
        ),
        (
            "Some context.\nlist src\nMore of it.",
            "list",
            json!({ "path": "src" }),
        ),
    ];
    for (request, name, arguments) in cases {
        let mut talk = Talk::with(&ALL).await;
        let said = talk.say(request).await;
        assert_eq!(said.calls.len(), 1, "{request}: {}", said.text);
        let (id, called, given) = &said.calls[0];
        assert_eq!((called.as_str(), given), (name, &arguments), "{request}");
        assert_eq!(id, "call_1");
        assert!(
            said.text.starts_with("I will"),
            "it says what it does: {}",
            said.text
        );
    }
}

#[tokio::test]
async fn small_talk_says_what_it_is() {
    for greeting in [
        "hello",
        "Hi there!",
        "Who are you?",
        "are you a real model?",
    ] {
        let said = Talk::with(&ALL).await.say(greeting).await;
        assert!(said.calls.is_empty());
        assert!(
            said.text.contains("not a neural network"),
            "{greeting}: {}",
            said.text
        );
    }
    let said = Talk::with(&ALL).await.say("what can you do?").await;
    assert!(said.text.contains("make the tests pass"), "{}", said.text);
}

#[tokio::test]
async fn what_no_rule_fits_is_said_to_fit_none() {
    for request in [
        "Explain the borrow checker to me in the style of a sea shanty.",
        "what is in a word?",
        "show me how to write a parser",
        "",
        "   ",
        "\"",
    ] {
        let said = Talk::with(&ALL).await.say(request).await;
        assert!(said.calls.is_empty(), "{request}: {:?}", said.calls);
        assert!(
            said.text.contains("None of my rules fits"),
            "{request}: {}",
            said.text
        );
    }
}

#[tokio::test]
async fn the_next_best_tool_is_taken() {
    let cases = [
        (
            &["glob"][..],
            "list src/",
            "glob",
            json!({ "pattern": "src/*" }),
        ),
        (&["glob"], "list .", "glob", json!({ "pattern": "*" })),
        (
            &["bash"],
            "list my/src",
            "bash",
            json!({ "command": "ls my/src" }),
        ),
        (
            &["bash"],
            "list \"it's here\"",
            "bash",
            json!({ "command": "ls 'it'\\''s here'" }),
        ),
        (
            &["bash"],
            "read a.txt",
            "bash",
            json!({ "command": "cat a.txt" }),
        ),
        (
            &["bash"],
            "search for fn main in src",
            "bash",
            json!({ "command": "grep -rnIE -e 'fn main' src" }),
        ),
    ];
    for (tools, request, name, arguments) in cases {
        let said = Talk::with(tools).await.say(request).await;
        let (_, called, given) = &said.calls[0];
        assert_eq!((called.as_str(), given), (name, &arguments), "{request}");
    }
}

#[tokio::test]
async fn arguments_have_the_names_of_the_schema() {
    let mut talk = Talk::with(&[]).await;
    talk.tools.push(tool(
        "Edit",
        &["file_path", "old_string", "new_string", "replace_all"],
    ));
    let said = talk.say("replace a with b in c.txt").await;
    let arguments = json!({ "file_path": "c.txt", "old_string": "a", "new_string": "b" });
    assert_eq!(said.calls[0].1, "Edit");
    assert_eq!(said.calls[0].2, arguments);
}

#[tokio::test]
async fn a_missing_tool_is_named() {
    let said = Talk::with(&["read", "list"])
        .await
        .say("run cargo build")
        .await;
    assert!(said.calls.is_empty());
    assert_eq!(
        said.text,
        "I lack the tool for that: `bash`. What I am offered is `read`, `list`."
    );
    let said = Talk::with(&[]).await.say("list src").await;
    assert_eq!(
        said.text,
        "I lack the tool for that: `list` or `glob` or `bash`. No tools are offered to me."
    );
}

#[tokio::test]
async fn results_are_summed_up() {
    let cases = [
        (
            "list src",
            "a.rs\nb.rs",
            "`src` holds 2 entries: a.rs, b.rs.",
        ),
        (
            "list src",
            "1\n2\n3\n4\n5\n6\n7",
            "`src` holds 7 entries: 1, 2, 3, 4, 5 and 2 more.",
        ),
        ("list src", "a.rs", "`src` holds 1 entry: a.rs."),
        ("list src", "", "There is nothing in `src`."),
        (
            "list src",
            "(the folder is empty)",
            "There is nothing in `src`.",
        ),
        (
            "read a.txt",
            "one\n\ntwo\n",
            "`a.txt` has 2 lines, blank ones aside. It begins: one.",
        ),
        ("read a.txt", "", "`a.txt` is empty."),
        (
            "read a.png",
            "`a.png` is an image; it is attached\n[image]",
            "`a.png` is a picture, and I cannot see pictures.",
        ),
        ("read a.txt", "(the file is empty)", "`a.txt` is empty."),
        (
            "search for x",
            "a:1:x\nb:2:x",
            "Searching for `x` gave 2 lines. The first: a:1:x.",
        ),
        ("search for x", "", "Nothing matches `x`."),
        (
            "search for x",
            "nothing matches; searched: 1 of 3 files",
            "Nothing matches `x`.",
        ),
        (
            "create a.txt with x",
            "Wrote 1 byte.",
            "`a.txt` is done: Wrote 1 byte.",
        ),
        ("run make", "", "`make` ran and printed nothing."),
        ("run make", "(no output)", "`make` ran and printed nothing."),
        (
            "run make",
            "(no output)\n[what it had left running was stopped]\n[exit code 1]",
            "`make` ran and printed nothing. It ended with exit code 1.",
        ),
        (
            "run make",
            "cc\n[exit code 139: killed by SIGSEGV]",
            "`make` ran and printed 1 line. The last: cc. It ended with exit code 139: killed by \
             SIGSEGV.",
        ),
        (
            "run make",
            "cc\nok",
            "`make` ran and printed 2 lines. The last: ok.",
        ),
        (
            "list src",
            "error: no such directory",
            "The `list` tool failed: no such directory.",
        ),
    ];
    for (request, result, expected) in cases {
        let mut talk = Talk::with(&ALL).await;
        talk.say(request).await;
        let said = talk.results(&[result]).await;
        assert_eq!(said.text, expected, "{request}");
        assert!(said.calls.is_empty(), "{request}: it stops");
    }
    let mut talk = Talk::with(&ALL).await;
    talk.say("run make").await;
    let said = talk.results(&[&"ä".repeat(5000)]).await;
    assert!(
        said.text.ends_with("ä…"),
        "a long line is cut: {}",
        said.text
    );
    assert!(said.text.chars().count() < 250);
}

#[tokio::test]
async fn a_picture_is_not_seen() {
    let cases = [
        (
            "[image_url]\nhello",
            "I cannot see the picture that came with that. Hello.",
        ),
        (
            "[image_url]\n[image_url]\nwhat is it?",
            "I cannot see the 2 pictures that came with that. None of my rules fits",
        ),
        (
            "[image_url]\nwhat is in this picture?",
            "I cannot see pictures. There is one in this conversation:",
        ),
        (
            "What do you see?",
            "I cannot see pictures. There is none in this conversation, either.",
        ),
    ];
    for (request, expected) in cases {
        let said = Talk::with(&ALL).await.say(request).await;
        assert!(said.calls.is_empty(), "{request}: {:?}", said.calls);
        assert!(said.text.starts_with(expected), "{request}: {}", said.text);
    }
    let mut talk = Talk::with(&ALL).await;
    talk.say("[image_url]\nhello").await;
    let said = talk.say("describe the picture").await;
    assert!(said.text.contains("There is one"), "{}", said.text);
    let said = talk.say("[image_url]\nlist src").await;
    assert_eq!(said.calls[0].1, "list", "a picture is in no rule's way");
}

#[tokio::test]
async fn several_files_are_read_at_once() {
    let mut talk = Talk::with(&ALL).await;
    let said = talk.say("read a.txt, b.txt and c.txt").await;
    let ids: Vec<&str> = said.calls.iter().map(|(id, ..)| id.as_str()).collect();
    assert_eq!(ids, ["call_1", "call_2", "call_3"]);
    let said = talk.results(&["one", "error: gone", "three"]).await;
    assert!(said.text.contains("It begins: one."), "{}", said.text);
    assert!(said.text.contains("failed: gone."), "{}", said.text);
    assert!(said.text.contains("It begins: three."), "{}", said.text);
}

#[tokio::test]
async fn tasks_in_a_row_are_done_in_a_row() {
    let mut talk = Talk::with(&ALL).await;
    let said = talk
        .say("create a.txt with hi, then read a.txt and then run make")
        .await;
    assert_eq!(said.calls[0].1, "write");
    let said = talk.results(&["Wrote a.txt"]).await;
    assert_eq!(
        (said.calls[0].0.as_str(), said.calls[0].1.as_str()),
        ("call_2", "read")
    );
    let said = talk.results(&["hi"]).await;
    assert_eq!(
        (said.calls[0].0.as_str(), said.calls[0].1.as_str()),
        ("call_3", "bash")
    );
    let said = talk.results(&["done"]).await;
    assert!(said.calls.is_empty());
    for expected in ["Wrote a.txt.", "It begins: hi.", "The last: done."] {
        assert!(
            said.text.contains(expected),
            "{expected:?} is not in {:?}",
            said.text
        );
    }
}

#[tokio::test]
async fn a_failed_task_ends_the_row() {
    let mut talk = Talk::with(&ALL).await;
    talk.say("read a.txt, then run make").await;
    let said = talk.results(&["error: a.txt: not found"]).await;
    assert!(said.calls.is_empty());
    assert_eq!(said.text, "The `read` tool failed: a.txt: not found.");
}

#[tokio::test]
async fn a_file_that_must_be_read_first_is_read_first() {
    let mut talk = Talk::with(&ALL).await;
    talk.say("replace a with b in c.txt").await;
    let said = talk
        .results(&["error: c.txt has not been read yet: read it first"])
        .await;
    assert_eq!(said.calls[0].1, "read");
    let said = talk.results(&["a"]).await;
    assert_eq!(said.calls[0].1, "edit");
    let said = talk.results(&["Replaced 1 occurrence."]).await;
    assert_eq!(said.text, "`c.txt` is done: Replaced 1 occurrence.");
}

#[tokio::test]
async fn a_file_that_is_there_is_read_before_it_is_overwritten() {
    let mut talk = Talk::with(&ALL).await;
    talk.say("create c.txt with the text hello").await;
    let said = talk
        .results(&["error: `c.txt` has not been read yet; read it first"])
        .await;
    assert_eq!(said.calls[0].1, "read");
    let said = talk.results(&["1\told"]).await;
    assert_eq!(said.calls[0].1, "write");
    let said = talk.results(&["wrote `c.txt` (1 line, 5 bytes)"]).await;
    assert_eq!(
        said.text,
        "`c.txt` is done: wrote `c.txt` (1 line, 5 bytes)."
    );
}

#[tokio::test]
async fn an_edit_that_fails_otherwise_is_reported() {
    let mut talk = Talk::with(&ALL).await;
    talk.say("replace a with b in c.txt").await;
    let said = talk.results(&["error: old_string does not occur"]).await;
    assert!(said.calls.is_empty());
    assert_eq!(
        said.text,
        "The `edit` tool failed: old_string does not occur."
    );
}

#[tokio::test]
async fn a_failing_line_is_read_and_its_function_edited() {
    let edit = json!({
        "path": "sums.py",
        "old_string": "def add(a, b):\n    return a - b",
        "new_string": "def add(a, b):\n    return a + b",
    });
    let plain = "7: seven\n7: eight\ndef add(a, b):\n    return a - b\n\nassert add(2, 3) == 5\n";
    let first_is_numbered = plain.replace("7: eight", "eight");
    let numbered: String = (plain.lines().zip(1..))
        .map(|(line, number)| format!("{number:>4}\t{line}\n"))
        .collect();
    let with_a_note = format!("{numbered}\n(end of file)\n");
    for file in [plain, &first_is_numbered, &numbered, &with_a_note] {
        let mut talk = Talk::with(&ALL).await;
        talk.say("make `sh t.sh` pass").await;
        let said = talk
            .results(&["sums.py:6: expected 5, got -1\nexit code: 1"])
            .await;
        assert_eq!(said.text, "`sums.py:6` fails. I will read `sums.py`.");
        assert_eq!(said.calls[0].2, json!({ "path": "sums.py" }));
        let said = talk.results(&[file]).await;
        assert_eq!(
            said.text,
            "add(2, 3) should be 5, so `add` needs `+` for `-`."
        );
        assert_eq!(said.calls[0].2, edit, "{file}");
        talk.results(&["Replaced 1 occurrence."]).await;
        let said = talk.results(&["exit code: 0"]).await;
        assert_eq!(said.text, "The tests pass now. I mended `add`.");
    }
}

#[tokio::test]
async fn a_function_that_still_fails_is_given_up() {
    let mut talk = Talk::with(&ALL).await;
    let fails = "sums.py:4: expected 5, got -1";
    let file = "def add(a, b):\n    return a - b\n\nassert add(2, 3) == 5\n";
    talk.say("make `sh t.sh` pass").await;
    for result in [fails, file, "Replaced 1 occurrence.", fails] {
        assert_eq!(talk.results(&[result]).await.calls.len(), 1);
    }
    let said = talk.results(&[file]).await;
    assert!(said.calls.is_empty());
    assert!(
        said.text.starts_with("`add` still fails after my edit."),
        "{}",
        said.text
    );
}

#[tokio::test]
async fn a_new_question_starts_anew() {
    let mut talk = Talk::with(&ALL).await;
    talk.say("list src").await;
    talk.results(&["a.rs"]).await;
    let said = talk.say("read a.rs").await;
    assert_eq!(
        said.calls[0].0, "call_2",
        "ids are not used twice in a conversation"
    );
    assert_eq!(said.calls[0].1, "read");
}

#[tokio::test]
async fn calls_that_a_script_made_are_summed_up_too() {
    let mut talk = Talk::with(&ALL).await;
    talk.messages = vec![
        json!({ "role": "user", "content": "surprise me" }),
        json!({ "role": "assistant", "content": null, "tool_calls": [
            { "id": "x", "type": "function", "function": { "name": "weather", "arguments": "{}" } },
        ] }),
        json!({ "role": "tool", "tool_call_id": "x", "content": "rain\ntomorrow sun" }),
    ];
    let said = talk.next().await;
    assert_eq!(said.text, "The `weather` tool answered: rain.");
}

#[tokio::test]
async fn a_conversation_can_be_summarized() {
    let mut talk = Talk::with(&ALL).await;
    talk.say("list src").await;
    talk.results(&["a.rs"]).await;
    let said = talk
        .say("Summarize the conversation so far for whoever continues it.")
        .await;
    assert_eq!(
        said.text,
        "So far, this was asked: list src. These tools were used, in this order: list."
    );
}
