//! Tasks that the offline model does with the tools.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::Workspace;

/// Asserts that the rows of tool calls begin like this, in this order, and that no call failed.
#[track_caller]
fn assert_calls(text: &str, expected: &[&str]) {
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

#[test]
fn it_runs_a_command() {
    let workspace = Workspace::new();
    let text = workspace.ask("run echo made here > made.txt");
    assert_calls(&text, &["● [bash: echo made here > made.txt]"]);
    assert_eq!(workspace.read("made.txt"), "made here\n");
}

/// The project with a bug that comes with the course.
const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../course/demo");

#[test]
fn it_makes_failing_tests_pass() {
    let workspace = Workspace::new();
    copy_demo(Path::new(DEMO), workspace.path());
    let text = workspace.ask("make the tests pass");
    assert_calls(
        &text,
        &[
            "● [bash: cargo test]",
            "● [read: tests/sums.rs]",
            "● [grep",
            "● [read: src/lib.rs]",
            "● [edit: src/lib.rs]",
            "● [bash: cargo test]",
        ],
    );
    let last = text.lines().next_back();
    assert_eq!(last, Some("The tests pass now. I fixed `total`."));
    assert_only_one_operator_changed(&workspace);
    assert_tests_pass(&workspace);
}

#[track_caller]
fn assert_only_one_operator_changed(workspace: &Workspace) {
    let demo = |name: &str| fs::read_to_string(Path::new(DEMO).join(name)).expect("a file");
    let code = demo("src/lib.rs").replace("price + count", "price * count");
    assert_eq!(workspace.read("src/lib.rs"), code);
    assert_eq!(workspace.read("tests/sums.rs"), demo("tests/sums.rs"));
}

#[track_caller]
fn assert_tests_pass(workspace: &Workspace) {
    let output = Command::new("cargo")
        .args(["test", "--quiet", "--offline"])
        .current_dir(workspace.path())
        .env_remove("CARGO_TARGET_DIR")
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{output:?}");
}

/// Copies the demo without what was built in it.
fn copy_demo(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in from.read_dir().expect("the folder can be read") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            true if entry.file_name() == "target" => {}
            true => copy_demo(&entry.path(), &target),
            false => {
                fs::copy(entry.path(), target).expect("a copy");
            }
        }
    }
}
