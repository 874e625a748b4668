//! `cargo course check`: exit codes, and what is said of each kind of red.

use crate::common::{Fixture, Ran, eventually};

#[test]
fn a_chapter_is_red_until_all_of_it_is_green() {
    let fixture = Fixture::new();
    fixture.run("check").exits(1);
    fixture
        .run("check 1")
        .exits(1)
        .says("0 of 3 checkpoints green");
    fixture.run("solution 1 --apply").exits(0);
    fixture
        .run("check 1")
        .exits(0)
        .says("3 of 3 checkpoints green")
        .says("Chapter 1 is done");
    fixture.run("check").exits(0);
}

#[test]
fn a_chapter_is_judged_without_the_suites_of_others() {
    let fixture = Fixture::new();
    fixture.run("jump 2").exits(0);
    fixture.append(
        "tests/ch02/s01_two_lamps.rs",
        "fn broken() -> u32 { \"no number\" }\n",
    );
    fixture.run("check 1").exits(0).says("Chapter 1 is done");
    fixture.run("check 2").exits(1).says("does not compile");
    fixture.run("check").exits(1).says("does not compile");
}

/// Else crates that look at these variables would be built anew after each plain `cargo test`.
#[test]
fn cargo_is_told_nothing_of_the_runner() {
    let fixture = Fixture::new();
    let cargo = std::env::var("CARGO").expect("cargo runs the tests");
    let script = format!(
        "#!/bin/sh\nenv >> {:?}\nexec {cargo:?} \"$@\"\n",
        fixture.path("seen")
    );
    fixture.program("bin/cargo", script);
    let mut command = fixture.command("check 1");
    command
        .env("CARGO", fixture.path("bin/cargo"))
        .env("CARGO_PKG_NAME", "launcher")
        .env("CARGO_MANIFEST_DIR", "/launcher");
    Ran::of(&mut command).exits(1);
    let seen = fixture.read("seen");
    assert!(seen.contains("PATH="), "cargo was started: {seen}");
    assert!(!seen.contains("launcher"), "{seen}");
}

#[test]
fn a_section_is_judged_by_its_own_tests() {
    let fixture = Fixture::new();
    fixture.run("check 1.1").exits(1);
    fixture.run("solution 1.1 --apply").exits(0);
    fixture
        .run("check 1.1")
        .exits(0)
        .says("1.1 Green for how long · green")
        .says("ok     test_ch1_green_has_limits")
        .does_not_say("test_ch1_lamp");
    fixture.run("check 1.2").exits(1);
    fixture.run("check 1.4").exits(0).says("nothing to write");
}

#[test]
fn a_test_is_found_by_its_name_or_path() {
    let fixture = Fixture::new();
    fixture
        .run("check test_ch1_green_has_limits")
        .exits(1)
        .says("FAILED test_ch1_green_has_limits");
    fixture.run("solution 1.1 --apply").exits(0);
    fixture
        .run("check ch1::s01_green_for::test_ch1_green_has_limits")
        .exits(0)
        .says("ok     test_ch1_green_has_limits");
}

#[test]
fn without_a_name_all_open_chapters_are_checked() {
    let fixture = Fixture::new();
    fixture.run("jump 2").exits(0);
    fixture
        .run("check")
        .exits(1)
        .says("Chapter 1 is done")
        .says("2.1 Two lamps · not written yet");
}

#[test]
fn a_compile_error_is_rustcs_with_its_place() {
    let fixture = Fixture::new();
    fixture.run("solution 1.1 --apply").exits(0);
    fixture.run("check 1.1").exits(0);
    // What was green a moment ago is no excuse for code that does not compile.
    fixture.replace("src/light.rs", "(cars * 2)", "(autos * 2)");
    for what in [
        "check",
        "check 1",
        "check 1.1",
        "check test_ch1_lamp_reads_well",
    ] {
        fixture
            .run(what)
            .exits(1)
            .says("The code does not compile: one error")
            .says("at src/light.rs:6")
            .says("\nerror[E0425]: cannot find value `autos`")
            .does_not_say("\x1b");
    }
}

#[test]
fn an_error_outside_the_crates_code_is_cargos() {
    let fixture = Fixture::new();
    fixture.replace(
        "Cargo.toml",
        "[features]",
        "[features]\nnope = [\"nothing\"]",
    );
    fixture
        .run("check")
        .exits(1)
        .says("cargo could not build the tests")
        .says("nothing")
        .says("`git diff Cargo.toml`");
}

#[test]
fn half_a_section_is_not_finished() {
    let fixture = Fixture::new();
    fixture.fill("src/light.rs", "1.2", "Color::all", "vec![]");
    fixture
        .run("check 1.2")
        .exits(1)
        .says("1.2 Colors · not finished yet")
        .says("to write Color::Amber  src/light.rs:12")
        .says("written   Color::all  src/light.rs:21")
        .says("to write an attribute on Color  src/light.rs:12");
}

#[test]
fn a_known_mistake_is_explained() {
    let fixture = Fixture::new();
    fixture.fill("src/light.rs", "1.1", "green_for", "2 * cars");
    fixture
        .run("check 1.1")
        .exits(1)
        .says("1.1 Green for how long · written, and not right yet")
        .says("✗ test_ch1_green_has_limits  tests/ch01/s01_green_for.rs:")
        .says("even an empty road gets five seconds")
        .says("Why: Two seconds for each car is right, and nothing holds it between 5 and 60.");
}

#[test]
fn a_known_mistake_in_a_type_is_explained() {
    let fixture = Fixture::new();
    fixture.run("solution 1.2 --apply").exits(0);
    fixture.replace("src/light.rs", "#[repr(u16)]\n", "");
    fixture
        .run("check 1.2")
        .exits(1)
        .says("written, and not right yet")
        .says("Why: Rust takes the smallest size");
}

#[test]
fn an_unknown_mistake_gets_no_sentence() {
    let fixture = Fixture::new();
    fixture.fill("src/light.rs", "1.1", "green_for", "7");
    fixture
        .run("check 1.1")
        .exits(1)
        .says("written, and not right yet")
        .says("two seconds for each car")
        .does_not_say("Why:");
}

#[test]
fn a_section_that_needs_an_earlier_one_says_which() {
    let fixture = Fixture::new();
    fixture.run("solution 1.3 --apply").exits(0);
    fixture
        .run("check 1.3")
        .exits(1)
        .says("1.3 Lamps · needs section 1.1 first")
        .says("not yet implemented: 1.1: write green_for");
    assert_eq!(fixture.state("1.3"), "waiting");
}

#[test]
fn code_that_does_not_compile_forgets_no_progress() {
    let fixture = Fixture::new();
    fixture.run("solution 1.1 --apply").exits(0);
    fixture.run("status").exits(0);
    fixture.append("src/light.rs", "broken");
    fixture
        .run("status")
        .says("1 of 3 checkpoints were green before this")
        .says("✓ 1.1")
        .says("The code does not compile");
    fixture.run("check 1").exits(1);
}

#[test]
fn a_signature_that_was_changed_is_pointed_out() {
    let fixture = Fixture::new();
    fixture.replace(
        "src/light.rs",
        "green_for(cars: u32)",
        "green_for(cars: &str)",
    );
    fixture
        .run("check 1")
        .exits(1)
        .says("The code does not compile")
        .says("Look: `green_for` of section 1.1 has another signature")
        .says("`cargo course reset 1.1`");
    fixture.run("reset 1.1").exits(0);
    fixture.replace(
        "src/light.rs",
        "green_for(cars: u32)",
        "green_for(mut autos: u32)",
    );
    fixture.append("src/light.rs", "broken");
    fixture.run("check 1").exits(1).does_not_say("Look:");
}

#[test]
fn what_a_test_printed_is_shown() {
    let fixture = Fixture::new();
    let body = "println!(\"I see {cars}\"); cars";
    fixture.fill("src/light.rs", "1.1", "green_for", body);
    fixture
        .run("check 1.1")
        .exits(1)
        .says("It printed:")
        .says("I see 10");
}

/// Section 1.2 solved, and `body` in section 1.1.
fn beside_a_green_section(body: &str) -> Fixture {
    let fixture = Fixture::new();
    fixture.run("solution 1.2 --apply").exits(0);
    fixture.fill("src/light.rs", "1.1", "green_for", body);
    fixture
}

#[test]
fn an_endless_loop_is_ended_with_all_it_started() {
    let fixture = beside_a_green_section("loop {}");
    fixture
        .run("check 1.1")
        .exits(1)
        .says("✗ test_ch1_green_grows_with_the_queue")
        .says("look for a loop that never ends");
    eventually(
        "the tests' processes are gone",
        || fixture.processes().is_empty(),
        || format!("{:?}", fixture.processes()),
    );
    assert_eq!(
        fixture.state("1.2"),
        "done",
        "the other tests have their outcomes"
    );
}

#[test]
fn a_test_program_that_aborts_is_no_mystery() {
    let fixture = beside_a_green_section("std::process::abort()");
    fixture
        .run("check 1.1")
        .exits(1)
        .says("✗ test_ch1_green_grows_with_the_queue")
        .says("the test brought the whole program down");
    assert_eq!(
        fixture.state("1.2"),
        "done",
        "the other tests have their outcomes"
    );
}

#[test]
fn a_panic_that_was_caught_is_not_why_a_test_fails() {
    let fixture = beside_a_green_section(
        "let _ = std::panic::catch_unwind(|| panic!(\"a spill\"));\n    cars * 3",
    );
    fixture
        .run("check 1.1")
        .exits(1)
        .says("two seconds for each car")
        .does_not_say("a spill");
}

#[cfg(target_os = "linux")]
#[test]
fn a_loop_that_eats_memory_is_named() {
    let fixture = beside_a_green_section(
        "let mut all = Vec::new();\n    loop { all.push(vec![cars; 1 << 24]); }",
    );
    fixture
        .run("check 1.1")
        .exits(1)
        .says("✗ test_ch1_green_grows_with_the_queue")
        .says("look for a loop that adds to a collection and never ends");
    assert_eq!(
        fixture.state("1.2"),
        "done",
        "the other tests have their outcomes"
    );
}

#[test]
fn a_stack_overflow_is_named() {
    let fixture = beside_a_green_section("green_for(cars + 1) + 1");
    fixture
        .run("check 1.1")
        .exits(1)
        .says("✗ test_ch1_green_grows_with_the_queue")
        .says("the stack overflowed: look for a function that calls itself");
    assert_eq!(
        fixture.state("1.2"),
        "done",
        "the other tests have their outcomes"
    );
}

#[test]
fn an_exit_in_the_middle_is_no_success() {
    let fixture = beside_a_green_section("std::process::exit(0)");
    fixture
        .run("check 1.1")
        .exits(1)
        .says("the test brought the whole program down");
}

#[test]
fn a_chapter_that_is_not_open_says_how_to_open_it() {
    let fixture = Fixture::new();
    for what in ["check 2", "check 2.1", "check test_ch2_one_road_drives"] {
        fixture
            .run(what)
            .refuses(&["chapter 2 is not open yet", "`cargo course open 2`"])
            .in_one_line();
    }
}

#[test]
fn what_is_not_in_the_course_is_refused() {
    let fixture = Fixture::new();
    fixture
        .run("check 4")
        .refuses(&["there is no chapter 4", "chapters 1 to 3"])
        .in_one_line();
    fixture
        .run("check 1.9")
        .refuses(&["chapter 1 has no section 1.9", "1.1 to 1.4"])
        .in_one_line();
    fixture
        .run("check test_ch1_nothing")
        .refuses(&["`test_ch1_nothing`", "`cargo course status`"])
        .in_one_line();
    fixture
        .run("check 3")
        .refuses(&["chapter 3, The Town, is planned"])
        .in_one_line();
}

#[test]
fn it_says_what_a_plain_cargo_test_says() {
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
