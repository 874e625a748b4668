//! `cargo course new-chapter`.

// The book builder is started by a shell script.
#![cfg(unix)]

mod common;

use common::Fixture;

const MANIFEST: &str = "book/src/ch03-the-town.toml";

#[test]
fn a_skeleton_can_be_generated_and_lists_what_to_fill_in() {
    let fixture = Fixture::with_book();
    fixture
        .run("new-chapter 3 the-town")
        .exits(0)
        .prints("Chapter 3, The Town, has a skeleton.")
        .prints("wrote book/src/ch03-the-town.toml")
        .prints("wrote solutions/src/the_town.rs")
        .prints("wrote tests/ch03/s01_first_step.rs")
        .prints("`cargo course verify --chapter 3` lists what to fill in");
    fixture.run("generate").exits(0).prints("wrote Cargo.toml");
    fixture
        .run_with_book("verify --chapter 3")
        .exits(1)
        .prints("FAILED in step ")
        .prints("book/src/ch03-the-town.toml:4: FILL IN: what the chapter's Cargo feature enables")
        .prints("book/src/ch03-the-town.md:3: FILL IN: what you build")
        .prints("solutions/src/the_town.rs:1: FILL IN: what this module does.")
        .prints("tests/ch03/s01_first_step.rs:7: FILL IN: one test for each rule.")
        .prints("ok     green      1 tests pass on the reference")
        .prints("ok     red        1 tests fail on the stubs")
        .prints("ok     isolated   1 chapters, 1 sections pass without later ones")
        .prints("ok     sharp      1 wrong answers caught and explained")
        .prints("FAILED true book ")
        .prints("a chapter has 2000 to 8000");
}

#[test]
fn a_filled_in_skeleton_is_verified() {
    let fixture = Fixture::with_book();
    fixture.run("new-chapter 3 the-town").exits(0);
    fixture.run("generate").exits(0);
    for file in [
        MANIFEST,
        "book/src/ch03-the-town.md",
        "book/src/ch03-the-town.quiz.toml",
        "solutions/src/the_town.rs",
        "tests/ch03/s01_first_step.rs",
        "tests/ch03/support.rs",
    ] {
        fixture.write(
            file,
            fixture
                .read(file)
                .replace("FILL IN: ", "")
                .replace("FILL IN", "yes"),
        );
    }
    let text = "Cars come and go. ".repeat(550);
    fixture.append("book/src/ch03-the-town.md", &format!("\n{text}\n"));
    fixture.run("generate").exits(0);
    fixture.run_with_book("verify").exits(0);
}

#[test]
fn a_chapter_that_is_not_planned_joins_the_last_part() {
    let fixture = Fixture::new();
    fixture.run("new-chapter 4 traffic-jams").exits(0);
    let contents = fixture.read("book/src/course.toml");
    assert!(
        contents.contains("\n  { number = 4, slug = \"traffic-jams\", title = \"Traffic Jams\""),
        "{contents}"
    );
    let summary = fixture.read("book/src/SUMMARY.md");
    assert!(
        summary.ends_with("- [Traffic Jams](ch04-traffic-jams.md)\n"),
        "{summary}"
    );
    fixture.run("generate").exits(0);
    fixture.run("open 4").exits(0);
    fixture.run("undo").exits(0);
    fixture.run("undo").exits(0);
    fixture.run("undo").exits(0);
    assert!(
        !fixture.path("tests/ch04/support.rs").exists(),
        "undo removes the skeleton"
    );
}

#[test]
fn a_skeleton_overwrites_nothing() {
    let fixture = Fixture::new();
    let before = fixture.files("solutions");
    for (arguments, error) in [
        ("1 one-light", "chapter 1, One Light, is written already"),
        ("3 town", "chapter 3 is `the-town` in book/src/course.toml"),
        ("6 far", "the next chapter is 4"),
        ("4 light", "already has a module `light`"),
        ("4 Not_A-Slug", "`Not_A-Slug` is not a slug"),
        ("4 a--b", "`a--b` is not a slug"),
    ] {
        fixture
            .run(&format!("new-chapter {arguments}"))
            .fails_with(&[error]);
    }
    assert!(
        before == fixture.files("solutions"),
        "solutions/ is unchanged"
    );
}
