//! The core path and the full path.

use course::repo::Repo;
use course::verdict_cache;
use serde_json::Value;

use crate::common::{Fixture, assert_same_files};

const MANIFEST: &str = "book/src/ch01-one-light.toml";
/// Where the verdicts are cached.
const VERDICTS: &str = ".course/results.json";
const LAMP: &str = "src/lamp.rs";

/// The course with section 1.3 as depth.
fn with_depth() -> Fixture {
    let fixture = Fixture::new();
    fixture.replace(MANIFEST, "id = \"lamps\"", "id = \"lamps\"\ndepth = true");
    fixture
}

#[test]
fn the_core_path_gives_depth_sections_and_says_so() {
    let fixture = with_depth();
    fixture
        .run("check")
        .prints("These depth sections are given, since you are on the core path")
        .prints("1.3   Lamps (10 min)")
        .prints("`cargo course undo` restores them");
    let lamp = fixture.read(LAMP);
    assert!(lamp.contains("seconds: green_for(cars)"), "{lamp}");
    assert!(
        lamp.contains("todo!(\"crossing: write"),
        "section 2.1 stays a stub: {lamp}"
    );
    let verdicts = fixture.read(VERDICTS);
    assert!(
        verdicts.contains("lamps"),
        "the verdicts are about the code with the given sections, so they are kept: {verdicts}"
    );
}

#[test]
fn next_gives_the_depth_sections_too() {
    let fixture = with_depth();
    fixture
        .run("next")
        .exits(1)
        .prints("These depth sections are given")
        .prints("1.1 Green for how long · not written yet");
}

#[test]
fn a_refused_command_gives_nothing() {
    let fixture = with_depth();
    let before = fixture.everything();
    for command in [
        "check 1.99",
        "check 2",
        "check 2.1",
        "check 42",
        "check test_ch2_the_other_waits",
        "check no_test",
        "hint 1.99",
        "open 42",
    ] {
        fixture.run(command).exits(2).does_not_print("are given");
        assert_same_files(&fixture.everything(), &before, command);
    }
    fixture
        .run("undo --list")
        .prints("Nothing has been overwritten yet.");
}

#[test]
fn an_open_chapter_gets_its_depth_sections_when_the_learner_is_in_it() {
    let fixture = Fixture::with_depth_in_chapter_2();
    fixture.run("check").exits(1).does_not_print("are given");
    fixture.run("next").exits(1).does_not_print("are given");
    fixture
        .run("solution 1 --apply")
        .does_not_print("are given");
    fixture
        .run("next")
        .prints("These depth sections are given")
        .prints("2.1   Two lamps");
    fixture
        .run("undo --list")
        .prints("before `cargo course next`: src/");
}

#[test]
fn a_reset_of_a_chapter_does_not_keep_later_ones_from_getting_theirs() {
    let fixture = Fixture::with_depth_in_chapter_2();
    fixture.run("reset 1").exits(0);
    fixture
        .run("check 2.1")
        .prints("These depth sections are given");
}

#[test]
fn a_check_of_a_later_chapter_gives_its_depth_sections() {
    let fixture = Fixture::with_depth_in_chapter_2();
    fixture
        .run("check 2.1")
        .prints("These depth sections are given")
        .prints("2.1   Two lamps");
    fixture
        .run("undo --list")
        .prints("before `cargo course check 2.1`: src/");
}

#[test]
fn status_only_says_what_will_be_given() {
    let fixture = with_depth();
    let before = fixture.work();
    for _ in 0..2 {
        fixture
            .run("status")
            .exits(0)
            .prints("0 of 2 checkpoints green · about 20 min left")
            .prints("depth  10 min   to be given")
            .prints("1.1 Green for how long · not written yet")
            .prints(
                "These depth sections will be given by the next `cargo course`, `next` or `check`",
            )
            .prints("1.3   Lamps (10 min)");
    }
    assert_eq!(fixture.work(), before, "`status` writes nothing into src/");
    fixture.run("path full").exits(0);
    fixture
        .run("status")
        .prints("0 of 3 checkpoints green")
        .does_not_print("will be given");
}

#[test]
fn a_cached_status_parses_neither_the_reference_nor_a_manifest() {
    let fixture = with_depth();
    let first = fixture.run("status").exits(0);
    fixture.write("solutions/src/lamp.rs", "not Rust");
    fixture.write(MANIFEST, "not TOML");
    let repo = Repo::find(&fixture.root()).expect("the fixture is a course");
    let sources = verdict_cache::fingerprint(&repo).expect("the sources can be read");
    let mut verdicts: Value = serde_json::from_str(&fixture.read(VERDICTS)).expect("it is JSON");
    verdicts["1"]["sources"] = sources.into();
    fixture.write(VERDICTS, verdicts.to_string());
    let second = fixture.run("status").exits(0).prints("will be given");
    assert_eq!(second.stdout, first.stdout);
}

#[test]
fn a_section_that_the_learner_has_begun_is_not_announced_as_given() {
    let fixture = with_depth();
    let begun = "let seconds = 5;\n        todo!(\"lamps: write Lamp::green\")";
    fixture.fill(LAMP, "lamps", "Lamp::green", begun);
    fixture
        .run("status")
        .prints("0 of 3 checkpoints green")
        .does_not_print("to be given")
        .does_not_print("will be given");
}

#[test]
fn a_given_section_is_shown_as_given_and_not_counted() {
    let fixture = with_depth();
    fixture.run("check");
    fixture
        .run("status")
        .prints("0 of 2 checkpoints green · about 20 min left")
        .prints("depth  10 min   given");
}

#[test]
fn a_given_section_that_fails_points_to_the_learners_sections() {
    let fixture = with_depth();
    fixture.run("solution 1.1 --apply").exits(0);
    fixture.run("solution 1.2 --apply").exits(0);
    fixture.replace(
        "src/light.rs",
        "(cars * 2)",
        "(cars * 2 + u32::from(cars == 4))",
    );
    fixture
        .run("check 1.3")
        .exits(1)
        .prints("1.3 Lamps · given code; look at the sections you wrote that it calls")
        .does_not_print("not right yet");
}

#[test]
fn depth_sections_are_given_once() {
    let fixture = with_depth();
    fixture.run("check");
    fixture.run("check").does_not_print("are given");
}

#[test]
fn what_the_learner_has_begun_is_not_overwritten() {
    let fixture = with_depth();
    fixture.fill(LAMP, "lamps", "Lamp::green", "unimplemented!()");
    let mine = fixture.read(LAMP);
    fixture.run("check");
    assert_eq!(fixture.read(LAMP), mine, "the learner's own lines stay");
}

#[test]
fn reset_makes_a_given_section_the_learners_work() {
    let fixture = with_depth();
    let stub = fixture.read(LAMP);
    fixture.run("check");
    fixture.run("reset 1.3").exits(0);
    assert_eq!(fixture.read(LAMP), stub);
    fixture
        .run("status")
        .prints("0 of 3 checkpoints green · about 30 min left");
}

#[test]
fn undo_takes_a_gift_back_for_good() {
    let fixture = with_depth();
    let stub = fixture.read(LAMP);
    fixture.run("check");
    fixture.run("undo").exits(0);
    fixture
        .run("status")
        .prints("0 of 3 checkpoints green · about 30 min left");
    assert_eq!(fixture.read(LAMP), stub, "it is not given a second time");
}

#[test]
fn the_full_path_turns_gifts_into_stubs_and_the_core_path_gives_them_again() {
    let fixture = with_depth();
    let stub = fixture.read(LAMP);
    fixture.run("check");
    let given = fixture.read(LAMP);
    fixture
        .run("path full")
        .prints("Types lack parts again, such as those of section 1.3");
    assert_eq!(fixture.read(LAMP), stub);
    fixture.run("path core").exits(0);
    assert_eq!(fixture.read(LAMP), given);
}

#[test]
fn the_full_path_keeps_a_given_section_that_the_learner_changed() {
    let fixture = with_depth();
    fixture.run("check");
    fixture.replace(LAMP, "green_for(cars)", "green_for(cars + 0)");
    let mine = fixture.read(LAMP);
    fixture
        .run("path full")
        .prints("You have changed the given code of section 1.3, so it stays as it is");
    assert_eq!(fixture.read(LAMP), mine);
}

#[test]
fn on_the_full_path_nothing_is_given() {
    let fixture = with_depth();
    let stub = fixture.read(LAMP);
    fixture.run("path full").exits(0);
    fixture
        .run("status")
        .prints("0 of 3 checkpoints green · about 30 min left");
    assert_eq!(fixture.read(LAMP), stub);
}

#[test]
fn resetting_a_chapter_keeps_its_depth_sections_given() {
    let fixture = with_depth();
    fixture.run("check");
    let given = fixture.read(LAMP);
    fixture.run("solution 1 --apply").exits(0);
    fixture.run("reset 1").exits(0);
    assert_eq!(fixture.read(LAMP), given);
    fixture
        .run("status")
        .prints("0 of 2 checkpoints green · about 20 min left");
}

#[test]
fn opening_a_chapter_gives_its_depth_sections_in_one_backup() {
    let fixture = before_a_gift();
    let before = fixture.files("src");
    let cargo = fixture.read("Cargo.toml");
    fixture.run("open 2").exits(0);
    assert_ne!(fixture.files("src"), before, "section 2.1 is given");
    fixture.run("undo").exits(0);
    assert_eq!(fixture.files("src"), before);
    assert_eq!(
        fixture.read("Cargo.toml"),
        cargo,
        "chapter 2 is closed again"
    );
}

/// The course with chapter 1 solved and section 2.1 as depth, on the core path.
fn before_a_gift() -> Fixture {
    let fixture = Fixture::after_chapter_1();
    fixture.replace(
        "book/src/ch02-the-crossing.toml",
        "id = \"crossing\"",
        "id = \"crossing\"\ndepth = true",
    );
    fixture
}

#[test]
fn a_chapter_that_is_opened_again_after_an_undo_gets_its_depth_sections_again() {
    for command in ["open 2", "jump 2"] {
        let fixture = before_a_gift();
        fixture.run(command).exits(0);
        let given = fixture.files("src");
        fixture.run("undo").exits(0);
        fixture
            .run("open 2")
            .exits(0)
            .prints("These depth sections are given");
        assert_eq!(fixture.files("src"), given, "after `undo` of `{command}`");
    }
}

#[test]
fn a_given_section_is_given_again_after_a_reset_and_its_undo() {
    for command in ["reset 1.3", "path full"] {
        let fixture = with_depth();
        fixture.run("check");
        fixture.run(command).exits(0);
        fixture.run("status").prints("0 of 3 checkpoints green");
        fixture.run("undo").exits(0);
        fixture
            .run("status")
            .prints("0 of 2 checkpoints green")
            .prints("depth  10 min   given");
    }
}

#[test]
fn an_undo_keeps_later_changes_of_the_path() {
    let fixture = before_a_gift();
    fixture.run("open 2").exits(0);
    fixture.run("reset 2.1").exits(0);
    fixture.run("undo 1").exits(0);
    let path = fixture.read(".course/path.json");
    assert!(!path.contains("crossing"), "2.1 is not given: {path}");
    fixture
        .run("undo --list")
        .prints("before `cargo course reset 2.1`");
}

#[test]
fn the_times_of_both_paths_are_shown() {
    with_depth()
        .run("path")
        .prints("You are on the core path.")
        .prints("1   One Light")
        .prints("30 min      10 min");
}

#[test]
fn a_damaged_path_file_is_named() {
    let fixture = with_depth();
    fixture.write(".course/path.json", "{");
    fixture
        .run("status")
        .fails_with(&[".course/path.json is damaged; delete it and choose your path again"]);
}
