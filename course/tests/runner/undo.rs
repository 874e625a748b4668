//! `cargo course undo`.

use crate::common::{Fixture, assert_same_files};

#[test]
fn with_nothing_done_there_is_nothing_to_undo() {
    let fixture = Fixture::new();
    fixture
        .run("undo")
        .refuses(&["there is nothing to undo"])
        .in_one_line();
    fixture
        .run("undo --list")
        .exits(0)
        .says("Nothing was overwritten so far.");
    fixture
        .run("undo 5")
        .refuses(&["there is no save 5", "`cargo course undo --list`"])
        .in_one_line();
}

#[test]
fn undo_goes_back_command_by_command() {
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
        fixture.run("undo").exits(0).says("Undid `cargo course ");
        assert_same_files(&fixture.work(), &before, "after undo");
    }
    fixture.run("undo").refuses(&["there is nothing to undo"]);
}

#[test]
fn undo_says_what_it_undid_and_how_to_take_it_back() {
    let fixture = Fixture::new();
    fixture
        .run("jump 2")
        .exits(0)
        .says("`cargo course undo` puts it back");
    let after = fixture.work();
    fixture
        .run("undo")
        .exits(0)
        .says("Undid `cargo course jump 2`:")
        .says("restored Cargo.toml")
        .says("restored src/light.rs")
        .says("`cargo course undo 2` brings it back")
        .says("The newest open chapter is 1.");
    fixture.run("undo 2").exits(0);
    assert_same_files(&fixture.work(), &after, "after the undo was undone");
}

#[test]
fn an_undo_that_was_undone_can_be_done_again() {
    let fixture = Fixture::new();
    let before = fixture.work();
    fixture.run("solution 1.1 --apply").exits(0);
    fixture.run("undo").exits(0);
    fixture.run("undo 2").exits(0);
    fixture
        .run("undo")
        .exits(0)
        .says("Undid `cargo course solution 1.1 --apply`");
    assert_same_files(&fixture.work(), &before, "after undo, its undo, and undo");
}

#[test]
fn any_save_can_be_put_back_by_its_number() {
    let fixture = Fixture::new();
    let before = fixture.work();
    for command in ["solution 1.1 --apply", "solution 1.2 --apply"] {
        fixture.run(command).exits(0);
    }
    fixture
        .run("undo --list")
        .exits(0)
        .says("2  ")
        .says("before `solution 1.2 --apply`: src/light.rs")
        .says("before `solution 1.1 --apply`: src/light.rs");
    fixture.run("undo 1").exits(0);
    assert_same_files(&fixture.work(), &before, "after undo of the first save");
    fixture
        .run("undo --list")
        .says("before `undo of solution 1.1 --apply`");
}

#[test]
fn what_a_command_made_is_removed_again() {
    let fixture = Fixture::new();
    std::fs::remove_file(fixture.path("src/light.rs")).expect("it is there");
    let before = fixture.work();
    fixture.run("reset 1").exits(0);
    fixture.run("undo").exits(0).says("removed src/light.rs");
    assert_same_files(&fixture.work(), &before, "after undo");
}
