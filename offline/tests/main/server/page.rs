//! The book's page about the server says what the server does.

use claw_offline::{Fault, Reply, Script, Server};
use serde_json::json;

use crate::support::{APIS, CHAT, MESSAGES, RESPONSES, ask, client, page, prompt, rule_server};

/// What a request sets, with the fields for it in Chat Completions, Responses and Messages.
const FIELDS: [(&str, [&str; 3]); 12] = [
    (
        "the conversation",
        ["messages", "instructions input", "system messages"],
    ),
    ("an earlier response", ["", "previous_response_id", ""]),
    ("the tools", ["tools"; 3]),
    ("which tool is called", ["tool_choice"; 3]),
    ("a stream", ["stream"; 3]),
    ("usage at the end of a stream", ["stream_options", "", ""]),
    (
        "the most output tokens",
        [
            "max_tokens max_completion_tokens",
            "max_output_tokens",
            "max_tokens",
        ],
    ),
    ("stop sequences", ["stop", "", "stop_sequences"]),
    ("the number of choices", ["n", "", ""]),
    (
        "JSON, or JSON of a schema",
        ["response_format", "text", "output_config"],
    ),
    ("thinking", ["", "reasoning", "thinking"]),
    ("whether the response is stored", ["", "store", ""]),
];

#[test]
fn the_page_has_the_table_of_fields() {
    let cell = |fields: &str| {
        let names = fields.split_whitespace().map(|it| format!("`{it}`"));
        names.collect::<Vec<_>>().join(", ")
    };
    let rows = FIELDS.iter().map(|(what, [chat, responses, messages])| {
        let cells = [chat, responses, messages].map(|it| cell(it));
        format!("| {what} | {} |\n", cells.join(" | "))
    });
    let head = "| what | Chat Completions | Responses | Messages |\n| --- | --- | --- | --- |\n";
    let table = format!("{head}{}", rows.collect::<String>());
    assert!(page().contains(&table), "this is not on the page:\n{table}");
}

#[tokio::test]
async fn every_field_in_the_table_is_read() {
    let server = rule_server().await;
    let columns = [CHAT, RESPONSES, MESSAGES];
    for (what, fields) in FIELDS {
        for (path, fields) in columns.into_iter().zip(fields) {
            for field in fields.split_whitespace() {
                let mut body = prompt(path, "hello", false);
                body[field] = json!([5]);
                let message = ask(&server, path, &body).await.error_message(path, 400);
                assert!(message.starts_with(field), "{path}, {what}: {message}");
            }
        }
    }
}

#[tokio::test]
async fn other_fields_are_ignored() {
    let server = rule_server().await;
    for path in APIS {
        for field in ["temperature", "top_p", "seed"] {
            assert!(page().contains(&format!("`{field}`")), "{field}");
            let mut body = prompt(path, "hello", false);
            body[field] = json!([5]);
            assert_eq!(ask(&server, path, &body).await.status, 200, "{path}");
        }
    }
}

#[test]
fn the_page_has_every_fault() {
    let source = include_str!("../../../src/fault.rs");
    let (_, body) = source.split_once("pub enum Fault {").expect("the enum");
    let (body, _) = body.split_once("\n}").expect("its end");
    let indented = body.lines().filter_map(|line| line.strip_prefix("    "));
    let names = indented.filter(|line| line.starts_with(char::is_uppercase));
    let names: Vec<&str> = names
        .map(|line| line.trim_end_matches([',', ' ', '{']))
        .collect();
    assert_eq!(names.len(), 9, "{names:?}");
    for name in names {
        assert!(page().contains(&format!("| `{name}` |")), "{name}");
    }
}

#[test]
fn the_page_has_the_example_below() {
    let source = include_str!("page.rs").replace('\r', "");
    let (_, example) = source
        .rsplit_once("    // The example.\n")
        .expect("a start");
    let (example, _) = example.split_once("    // Its end.\n").expect("an end");
    let lines = example
        .lines()
        .map(|line| line.strip_prefix("    ").unwrap_or(line));
    let example = lines.collect::<Vec<_>>().join("\n");
    assert!(
        page().contains(&example),
        "this is not on the page:\n{example}"
    );
}

#[tokio::test]
async fn the_example_works() {
    let answers = async |url: String| {
        let url = format!("{url}{CHAT}");
        let client = client();
        let request = client.post(url).json(&prompt(CHAT, "What is left?", false));
        request.send().await.expect("an answer").status()
    };
    // The example.
    let script = Script::new()
        .fault(Fault::Status {
            status: 429,
            retry_after: Some("1".into()),
            body: r#"{"error": {"message": "slow down"}}"#.into(),
        })
        .reply(Reply::text("Nothing.").usage(20, 3))
        .reply(Reply::tool_calls([(
            "call_1",
            "read",
            json!({ "path": "a.txt" }),
        )]));
    let server = Server::with(script).await.expect("a free port");
    assert_eq!(answers(server.url()).await, 429);
    assert_eq!(answers(server.url()).await, 200);
    assert_eq!(server.requests().len(), 2);
    // Its end.
}
