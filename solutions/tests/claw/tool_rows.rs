//! The rows that show a tool call and its result.

use claw_offline::{Reply, Script};
use serde_json::json;

use crate::support::{ScriptedServer, Workspace};

#[test]
fn a_row_is_one_short_line_without_control_characters() {
    let long = "long ".repeat(100);
    let command = format!("run echo one\necho {long}\t\u{1b}[31mred");
    let text = Workspace::new().ask(&command);
    let rows = text.lines().filter(|line| line.starts_with(['●', ' ']));
    let rows: Vec<&str> = rows.collect();
    assert_eq!(rows.len(), 2, "a call and its result: {text}");
    for row in rows {
        assert!(row.chars().count() < 200, "{row:?}");
        assert!(!row.contains('\u{1b}'), "{row:?}");
    }
}

#[test]
fn a_failed_command_shows_its_last_lines_and_its_exit_code() {
    let long = "x".repeat(300);
    let command = format!("run printf 'one\\ntwo\\nthree\\n{long}\\nfour\\n'; exit 3");
    let text = Workspace::new().ask(&command);
    let mut rows = text.lines().skip_while(|row| !row.starts_with("  └"));
    let mut next = || rows.next().unwrap_or_default();
    assert_eq!(next(), "  └ … 2 more lines", "{text}");
    assert_eq!(next(), "    three");
    let cut = next();
    assert!(cut.starts_with("    xxx") && cut.ends_with('…'), "{cut:?}");
    assert!(cut.chars().count() <= 120, "{cut:?}");
    assert_eq!(next(), "    four");
    assert_eq!(next(), "    [exit code 3]", "it is the last: {text}");
    assert!(!next().starts_with(' '), "three lines are enough: {text}");
}

#[test]
fn a_successful_command_shows_one_row() {
    let text = Workspace::new().ask("run printf 'one\\ntwo\\n'");
    assert!(text.contains("  └ one … 1 more line\n"), "{text}");
    assert!(!text.contains("    two"), "{text}");
}

#[test]
fn output_in_brackets_is_cut_like_any_other() {
    let text = Workspace::new().ask("run seq 1 30 | sed 's/.*/[&]/'");
    let rows = text.lines().filter(|row| row.starts_with("  ")).count();
    assert_eq!(
        rows, 4,
        "one row of output, and three that may be notes: {text}"
    );
}

#[test]
fn output_that_begins_with_error_is_shown_like_any_other() {
    let workspace = Workspace::with(&[("f", "error: x\nsecond\n")]);
    for prompt in ["run cat f", "run printf 'error: x\\nsecond\\n'"] {
        let text = workspace.ask(prompt);
        let rows: Vec<&str> = text.lines().filter(|row| row.starts_with("  ")).collect();
        let row = "  └ error: x … 1 more line";
        assert_eq!(rows, [row], "a success has one row: {text}");
    }
}

#[test]
fn a_failed_call_shows_the_error_message_and_its_last_lines() {
    let calls = [("a", "bash", json!({ "command": 7, "directory": 8 }))];
    let script = Script::new()
        .reply(Reply::tool_calls(calls))
        .reply(Reply::text("No."));
    let server = ScriptedServer::new(script);
    let claw = Workspace::new().claw(&["-p", "go"]).asks(&server);
    let text = claw.run().succeeds().stdout;
    let rows: Vec<&str> = text.lines().filter(|row| row.starts_with("  ")).collect();
    assert_eq!(
        rows,
        [
            "  └ error: the arguments do not fit the tool `bash`: … 2 more lines",
            "    - `command` must be string, not 7",
            "    - `directory` must be string, not 8",
        ],
        "{text}"
    );
}
