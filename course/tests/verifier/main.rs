//! `cargo course verify`: a consistent course passes, and the right check finds each planted
//! defect and names it.

// The book builder is started by a shell script.
#![cfg(unix)]

#[path = "../common/mod.rs"]
mod common;

mod cached;
mod green;
mod in_step;
mod isolated;
mod manifests;
mod red;
mod sharp;
mod sized;
mod taught;
mod true_book;

use common::{Fixture, Ran};

const MANIFEST: &str = "book/src/ch01-one-light.toml";
const GREEN_FOR: &str = "tests/ch01/s01_green_for.rs";
const COLORS: &str = "tests/ch01/s02_colors.rs";
const LAMPS: &str = "tests/ch01/s03_lamps.rs";

/// A wrong answer to `Color::all`, with this body, for the manifest of chapter 1.
fn wrong_colors(body: &str) -> String {
    format!(
        "\n[[wrong]]\nsection = \"colors\"\nitem = \"light::Color::all\"\nbody = \"{body}\"\ntests = [\"test_ch1_colors_in_order\"]\nsays = \"a light turns amber after green\"\nbecause = \"There are three, in another order.\"\n"
    )
}

/// Verifies chapter 1. Asserts that only the check `name` fails and prints `texts`.
fn finds(fixture: &Fixture, name: &str, texts: &[&str]) {
    only(fixture.run_with_book("verify --chapter 1"), name, texts);
}

/// Asserts that only the check `name` failed and printed `texts`.
fn only(ran: Ran, name: &str, texts: &[&str]) {
    let ran = ran.exits(1);
    let failed: Vec<&str> = ran
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("FAILED "))
        .map(|rest| rest.split("  ").next().unwrap_or(rest).trim())
        .collect();
    assert_eq!(failed, [name], "the checks that fail in {ran}");
    let ran = ran.prints(&format!("Not verified: {name} ("));
    texts.iter().fold(ran, |ran, text| ran.prints(text));
}

#[test]
fn a_consistent_course_is_verified() {
    let ran = Fixture::with_book().run_with_book("verify").exits(0);
    let ran = [
        "ok     in step    4 files, 7 functions, 8 tests",
        "ok     green      8 tests pass on the reference",
        "ok     red        8 tests fail on the stubs",
        "ok     isolated   2 chapters, 4 sections pass without later ones",
        "ok     sharp      4 wrong answers caught and explained",
        "ok     sized      core 16 lines in 50 min, depth 0 min",
        "ok     taught     5 texts that tests expect",
        "ok     true book  3 pages, ",
        "Verified in ",
    ]
    .into_iter()
    .fold(ran, |ran, text| ran.prints(text));
    assert_eq!(
        ran.stdout.lines().count(),
        9,
        "one line for each check and one at the end: {ran}"
    );
}

#[test]
fn one_chapter_can_be_verified_alone() {
    let fixture = Fixture::with_book();
    fixture.replace(
        "tests/ch02/s01_two_lamps.rs",
        "Green for 8 s",
        "Green for 9 s",
    );
    fixture
        .run_with_book("verify --chapter 1")
        .exits(0)
        .prints("6 tests pass on the reference")
        .prints("3 wrong answers caught and explained");
    fixture
        .run_with_book("verify --chapter 2")
        .exits(1)
        .prints("on the reference, test_ch2_one_road_drives fails");
    fixture
        .run("verify --chapter 3")
        .fails_with(&["chapter 3, The Town, is planned"]);
    fixture
        .run("verify --chapter 9")
        .fails_with(&["there is no chapter 9"]);
}
