//! Tasks that the offline model does with the tools.

use crate::support::Workspace;

/// Asserts that the rows of tool calls begin like this, in this order, and that no call failed.
#[track_caller]
pub fn assert_calls(text: &str, expected: &[&str]) {
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with('●')).collect();
    let is_same = rows.len() == expected.len()
        && rows
            .iter()
            .zip(expected)
            .all(|(row, start)| row.starts_with(start));
    assert!(is_same, "{rows:#?}, not {expected:#?}, in: {text}");
    assert!(!text.contains("└ error:"), "{text}");
}

#[test]
fn it_lists_a_folder() {
    let workspace = Workspace::with(&[("src/lib.rs", ""), ("notes.txt", "")]);
    let text = workspace.ask("list the files here");
    assert_calls(&text, &["● [list: .]"]);
    assert!(text.contains("2 entries: notes.txt, src/"), "{text}");
}

#[test]
fn it_creates_a_file() {
    let workspace = Workspace::new();
    let text = workspace.ask("create the file docs/plan.md with the text \"one\\ntwo\\n\"");
    assert_calls(&text, &["● [write: docs/plan.md]"]);
    assert_eq!(workspace.read("docs/plan.md"), "one\ntwo\n");
}

#[test]
fn it_reads_a_file() {
    let workspace = Workspace::with(&[("notes.txt", "milk\nbread\n")]);
    let text = workspace.ask("read notes.txt");
    assert_calls(&text, &["● [read: notes.txt]"]);
    assert!(
        text.contains("has 2 lines") && text.contains("milk"),
        "{text}"
    );
}

#[cfg(feature = "ch8")]
#[test]
fn it_searches() {
    let workspace = Workspace::with(&[("a.txt", "one\n"), ("src/b.txt", "needle\n")]);
    let text = workspace.ask("search for needle");
    assert_calls(&text, &["● [grep"]);
    assert!(text.contains("src/b.txt"), "{text}");
}

#[test]
fn an_edit_is_refused_until_the_file_is_read() {
    let workspace = Workspace::with(&[("notes.txt", "milk\nbread\n")]);
    let text = workspace.ask("replace milk with honey in notes.txt");
    let rows = text.lines().filter(|line| line.starts_with('●'));
    assert_eq!(
        rows.collect::<Vec<_>>(),
        [
            "● [edit: notes.txt]",
            "● [read: notes.txt]",
            "● [edit: notes.txt]"
        ]
    );
    assert_eq!(workspace.read("notes.txt"), "honey\nbread\n", "{text}");
}

#[cfg(feature = "ch7")]
#[test]
fn it_runs_a_command() {
    let workspace = Workspace::new();
    let text = workspace.ask("run echo made here > made.txt");
    assert_calls(&text, &["● [bash: echo made here > made.txt]"]);
    assert_eq!(workspace.read("made.txt"), "made here\n");
}
