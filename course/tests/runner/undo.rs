//! `cargo course undo`.

use crate::common::{Fixture, assert_same_files};

#[test]
fn there_is_nothing_to_undo_at_first() {
    let fixture = Fixture::new();
    fixture
        .run("undo")
        .fails_with(&["there is nothing to undo"])
        .on_one_line();
    fixture
        .run("undo --list")
        .exits(0)
        .prints("Nothing has been overwritten yet.");
    fixture
        .run("undo 5")
        .fails_with(&["there is no backup 5", "`cargo course undo --list`"])
        .on_one_line();
}

#[test]
fn undo_restores_one_command_at_a_time() {
    let fixture = Fixture::new();
    let mut states = vec![fixture.work()];
    for command in [
        "solution 1.1 --apply",
        "solution 1.2 --apply",
        "reset 1.1",
        "open 2",
    ] {
        fixture.run(command).exits(0);
        states.push(fixture.work());
    }
    states.pop();
    while let Some(before) = states.pop() {
        fixture.run("undo").exits(0).prints("Undid `cargo course ");
        assert_same_files(&fixture.work(), &before, "after undo");
    }
    fixture
        .run("undo")
        .fails_with(&["there is nothing to undo"]);
}

#[test]
fn undo_lists_its_files_and_can_itself_be_undone() {
    let fixture = Fixture::new();
    fixture
        .run("jump 2")
        .exits(0)
        .prints("`cargo course undo` restores them");
    let after = fixture.work();
    fixture
        .run("undo")
        .exits(0)
        .prints("Undid `cargo course jump 2`:")
        .prints("restored Cargo.toml")
        .prints("restored src/light.rs")
        .prints("`cargo course undo 2` restores them")
        .prints("The newest open chapter is 1.");
    fixture
        .run("undo 2")
        .exits(0)
        .prints("Undid `cargo course undo 1`:");
    assert_same_files(&fixture.work(), &after, "after the undo was undone");
}

#[test]
fn an_undone_undo_can_be_repeated() {
    let fixture = Fixture::new();
    let before = fixture.work();
    fixture.run("solution 1.1 --apply").exits(0);
    fixture.run("undo").exits(0);
    fixture.run("undo 2").exits(0);
    fixture
        .run("undo")
        .exits(0)
        .prints("Undid `cargo course solution 1.1 --apply`");
    assert_same_files(&fixture.work(), &before, "after undo, its undo, and undo");
}

#[test]
fn any_backup_can_be_restored_by_number() {
    let fixture = Fixture::new();
    let before = fixture.work();
    for command in ["solution 1.1 --apply", "solution 1.2 --apply"] {
        fixture.run(command).exits(0);
    }
    fixture
        .run("undo --list")
        .exits(0)
        .prints("2  ")
        .prints("before `cargo course solution 1.2 --apply`: src/light.rs")
        .prints("before `cargo course solution 1.1 --apply`: src/light.rs");
    fixture.run("undo 2").exits(0);
    fixture.run("undo 1").exits(0);
    assert_same_files(&fixture.work(), &before, "after undo of both");
    fixture
        .run("undo --list")
        .prints("before `cargo course undo 1`");
}

#[test]
fn undo_removes_files_that_the_command_created() {
    let fixture = Fixture::new();
    std::fs::remove_file(fixture.path("src/light.rs")).expect("it is there");
    let before = fixture.work();
    fixture.run("reset 1").exits(0);
    fixture.run("undo").exits(0).prints("removed src/light.rs");
    assert_same_files(&fixture.work(), &before, "after undo");
}

#[test]
fn undo_keeps_what_was_written_since() {
    let fixture = Fixture::new();
    let stubs = fixture.read("src/light.rs");
    fixture.run("solution 1.1 --apply").exits(0);
    fixture.fill("src/light.rs", "colors", "Color::all", "vec![Color::Red]");
    fixture.append("src/light.rs", "\n// My own thought.\n");
    fixture
        .run("undo")
        .exits(0)
        .prints("restored src/light.rs, and kept what you have written in it since");
    let wanted = stubs.replace("todo!(\"colors: write Color::all\")", "vec![Color::Red]");
    assert_eq!(
        fixture.read("src/light.rs"),
        wanted + "\n// My own thought.\n",
        "section 1.1 is a stub again, and 1.2 is kept"
    );
}

#[test]
fn undo_takes_an_older_command_back_and_keeps_the_newer_one() {
    let fixture = Fixture::new();
    fixture.run("solution 1.1 --apply").exits(0);
    fixture.run("solution 1.2 --apply").exits(0);
    fixture.run("undo 1").exits(0);
    let text = fixture.read("src/light.rs");
    assert!(
        text.contains("green-time: write green_for"),
        "1.1 is a stub:\n{text}"
    );
    assert!(text.contains("Amber"), "1.2 is solved:\n{text}");
}

#[test]
fn undo_asks_before_it_takes_back_edits_of_the_same_lines() {
    let fixture = Fixture::new();
    let stubs = fixture.work();
    fixture.run("solution 1.1 --apply").exits(0);
    fixture.replace(
        "src/light.rs",
        "(cars * 2).clamp(5, 60)",
        "(cars * 2).clamp(5, 61)",
    );
    let edited = fixture.work();
    fixture
        .run("undo")
        .exits(1)
        .prints("Nothing was changed")
        .prints("src/light.rs")
        .prints("+    (cars * 2).clamp(5, 61)")
        .prints("`cargo course undo 1 --all`");
    assert_same_files(&fixture.work(), &edited, "after the question");
    fixture.run("undo 1 --all").exits(0);
    assert_same_files(&fixture.work(), &stubs, "after undo --all");
    fixture.run("undo 2").exits(0);
    assert_same_files(&fixture.work(), &edited, "after the undo was undone");
}

#[test]
fn undo_takes_nothing_back_that_it_has_not_shown() {
    let fixture = Fixture::new();
    fixture.run("solution 1 --apply").exits(0);
    fixture.replace(
        "src/light.rs",
        "(cars * 2).clamp(5, 60)",
        "(cars * 2).clamp(5, 61)",
    );
    let other = "src/lamp.rs";
    fixture.append(other, "\n// My own thought.\n");
    fixture
        .run("undo")
        .exits(1)
        .prints("src/light.rs")
        .does_not_print(other);
    fixture.run("undo --all").exits(0);
    assert!(
        fixture.read(other).ends_with("\n// My own thought.\n"),
        "the other file keeps what was written in it"
    );
}
