//! The task of `cargo course demo`: the offline model makes failing tests pass.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::offline_tasks::assert_calls;
use crate::support::Workspace;

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
