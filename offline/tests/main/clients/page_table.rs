//! The table of clients on the book's page.

use super::agent::{CLAUDE_CODE, CODEX};
use super::npm::AI_SDK;
use super::python::CLIENTS;
use crate::support::page;

/// The APIs that the tests use with each client, and what they do there: the Python clients,
/// the AI SDK, and the agents.
const ROWS: [(&str, &str); 5] = [
    (
        "Chat Completions, Responses",
        "a streamed tool call and its result, errors, the list of models",
    ),
    (
        "Messages",
        "a streamed tool call and its result, errors, the list of models",
    ),
    (
        "all three",
        "a tool call and its result, streamed and not, references to stored items, an object of a schema, the token limit",
    ),
    (
        "Responses",
        "list a folder, edit a file, run a command; with its shell alone, and with `apply_patch`",
    ),
    ("Messages", "list a folder, edit a file, run a command"),
];

fn table() -> String {
    let [openai, anthropic, _] = CLIENTS.map(|it| it.split_once("==").expect("a release"));
    let agents = [CODEX, CLAUDE_CODE].map(|it| (it.package, it.version));
    let clients = [openai, anthropic, AI_SDK[0], agents[0], agents[1]];
    let kinds = ["PyPI", "PyPI", "npm", "npm", "npm"];
    let rows = clients.iter().zip(kinds).zip(ROWS);
    let rows = rows.map(|(((client, version), kind), (apis, what))| {
        format!("| `{client}` | {version} | {kind} | {apis} | {what} |\n")
    });
    let head = "| client | release | from | API | what the tests do with it |\n\
                | --- | --- | --- | --- | --- |\n";
    format!("{head}{}", rows.collect::<String>())
}

#[test]
fn the_page_has_the_table_of_clients() {
    let table = table();
    assert!(page().contains(&table), "this is not on the page:\n{table}");
}
