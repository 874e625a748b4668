//! `cargo course check`: what it runs, its exit codes, and the state of each section.

use crate::common::{Fixture, Ran};

#[test]
fn a_chapter_is_red_until_every_checkpoint_is_green() {
    let fixture = Fixture::new();
    fixture.run("check").exits(1);
    fixture
        .run("check 1")
        .exits(1)
        .prints("0 of 3 checkpoints green");
    fixture.run("solution 1 --apply").exits(0);
    fixture
        .run("check 1")
        .exits(0)
        .prints("3 of 3 checkpoints green")
        .prints("Chapter 1 is done");
    fixture.run("check").exits(0);
}

#[test]
fn a_section_is_judged_by_its_own_tests() {
    let fixture = Fixture::new();
    fixture.run("check 1.1").exits(1);
    fixture.run("solution 1.1 --apply").exits(0);
    fixture
        .run("check 1.1")
        .exits(0)
        .prints("1.1 Green for how long · green")
        .prints("ok     test_ch1_green_has_limits")
        .does_not_print("test_ch1_lamp");
    fixture.run("check 1.2").exits(1);
    fixture.run("check 1.4").exits(0).prints("nothing to write");
}

#[test]
fn a_test_is_found_by_its_name_or_path() {
    let fixture = Fixture::new();
    fixture
        .run("check test_ch1_green_has_limits")
        .exits(1)
        .prints("FAILED test_ch1_green_has_limits");
    fixture.run("solution 1.1 --apply").exits(0);
    fixture
        .run("check ch1::s01_green_for::test_ch1_green_has_limits")
        .exits(0)
        .prints("ok     test_ch1_green_has_limits");
}

#[test]
fn without_a_name_all_open_chapters_are_checked() {
    let fixture = Fixture::new();
    fixture.run("jump 2").exits(0);
    fixture
        .run("check")
        .exits(1)
        .prints("Chapter 1 is done")
        .prints("2.1 Two lamps · not written yet");
}

#[test]
fn half_a_section_is_not_finished() {
    let fixture = Fixture::new();
    fixture.fill("src/light.rs", "colors", "Color::all", "vec![]");
    fixture
        .run("check 1.2")
        .exits(1)
        .prints("1.2 Colors · not finished yet")
        .prints("to write Color::Amber  src/light.rs:12")
        .prints("written   Color::all  src/light.rs:21")
        .prints("to write an attribute on Color  src/light.rs:12");
}

#[test]
fn a_body_may_begin_with_inner_attributes() {
    let fixture = Fixture::new();
    let body = "//! Two seconds each.\n    #![allow(unused)]\n    (cars * 2).clamp(5, 60)";
    fixture.fill("src/light.rs", "green-time", "green_for", body);
    fixture.run("check 1.1").exits(0);
    assert_eq!(fixture.state("1.1"), "done");
}

#[test]
fn a_compile_error_keeps_the_states_of_sections() {
    let fixture = Fixture::new();
    fixture.run("solution 1.1 --apply").exits(0);
    fixture.run("status").exits(0);
    fixture.append("src/light.rs", "broken");
    fixture
        .run("status")
        .prints("1 of 3 checkpoints were green before this")
        .prints("✓ 1.1")
        .prints("The code does not compile");
    fixture.run("check 1").exits(1);
}

/// The newest chapter is the current one, and stays so.
#[test]
fn a_compile_error_keeps_the_current_chapter() {
    let fixture = Fixture::new();
    fixture.run("jump 2").exits(0);
    fixture.run("check").exits(1);
    fixture.append("src/crossing.rs", "broken");
    for command in ["status", "check", "next"] {
        let ran = fixture.run(command).prints("Chapter 2 · The Crossing");
        let errors = ran.stdout.matches("The code does not compile").count();
        assert_eq!(errors, 1, "the error comes once from {ran}");
        assert!(!ran.stdout.contains("Chapter 1"), "{ran}");
    }
    fixture.run("hint").exits(0).prints("Hint 1 of 3 for 2.1");
    fixture.run("status").prints("Chapter 2 · The Crossing");
}

/// A learner without a network, whose new chapter needs a download.
#[test]
fn a_failure_of_cargo_keeps_the_current_chapter() {
    let fixture = Fixture::new();
    fixture.run("solution 1 --apply").exits(0);
    fixture.run("next").exits(0);
    let mut command = fixture.command("status");
    command.env("CARGO", "/bin/false");
    Ran::of(&mut command)
        .prints("Chapter 2 · The Crossing")
        .prints("cargo could not build the tests")
        .does_not_print("Chapter 1");
}

#[cfg(unix)]
#[test]
fn next_runs_the_current_chapter_only() {
    let fixture = Fixture::new();
    fixture.run("jump 2").exits(0);
    fixture.run("check").exits(1);
    fixture.append("src/crossing.rs", "// A thought.\n");
    let cargo = std::env::var("CARGO").expect("cargo runs the tests");
    let script = format!(
        "#!/bin/sh\necho \"$@\" >> {:?}\nexec {cargo:?} \"$@\"\n",
        fixture.path("seen")
    );
    fixture.program("bin/cargo", script);
    let mut command = fixture.command("next");
    command.env("CARGO", fixture.path("bin/cargo"));
    Ran::of(&mut command)
        .exits(1)
        .prints("Chapter 2 · The Crossing");
    let seen = fixture.read("seen");
    assert_eq!(seen.lines().count(), 1, "one build: {seen}");
    assert!(
        seen.contains("with_tests=\"ch2\""),
        "chapter 2 alone: {seen}"
    );
}

#[test]
fn a_closed_chapter_is_refused_with_the_command_to_open_it() {
    let fixture = Fixture::new();
    for what in ["check 2", "check 2.1", "check test_ch2_one_road_drives"] {
        fixture
            .run(what)
            .fails_with(&["chapter 2 is not open yet", "`cargo course open 2`"])
            .on_one_line();
    }
}

#[test]
fn an_unknown_name_is_refused() {
    let fixture = Fixture::new();
    fixture
        .run("check 4")
        .fails_with(&["there is no chapter 4", "chapters 1 to 3"])
        .on_one_line();
    fixture
        .run("check 1.9")
        .fails_with(&["chapter 1 has no section 1.9", "1.1 to 1.4"])
        .on_one_line();
    fixture
        .run("check test_ch1_nothing")
        .fails_with(&["`test_ch1_nothing`", "`cargo course status`"])
        .on_one_line();
    fixture
        .run("check 3")
        .fails_with(&["chapter 3, The Town, is planned"])
        .on_one_line();
}

#[test]
fn the_results_equal_those_of_cargo_test() {
    let fixture = Fixture::new();
    for step in [
        "status",
        "solution 1.1 --apply",
        "solution 1 --apply",
        "next",
        "reset 1.2",
        "jump 2",
        "solution 2 --apply",
        "reset 2",
        "undo",
        "open 1",
        "undo 1",
    ] {
        fixture.run(step);
        assert_eq!(
            fixture.verdict(),
            fixture.plain_cargo_test(),
            "which tests pass after `{step}`: left by the runner, right by cargo"
        );
    }
}
