//! `course-book check`: a sound book passes, and each planted defect is found.

use std::process::Command;

use crate::common::{Scratch, chapter};
use course_book::check::check;

const PAGE: &str = "book/src/ch01-greetings.md";

/// What is found once `text` stands at the end of the chapter's page.
fn found_with(text: &str) -> Vec<String> {
    let scratch = Scratch::new();
    scratch.write(PAGE, &format!("{}\n{text}\n", chapter()));
    problems(&scratch)
}

fn problems(scratch: &Scratch) -> Vec<String> {
    let report = check(&scratch.repo()).expect("the book can be checked");
    report.problems.iter().map(ToString::to_string).collect()
}

/// Asserts that there is one problem, that it is on `line`, and that it says `wanted`.
fn assert_one(problems: &[String], line: usize, wanted: &str) {
    let place = format!("{PAGE}:{line}: ");
    assert!(
        problems.len() == 1 && problems[0].starts_with(&place) && problems[0].contains(wanted),
        "expected one problem `{place}…{wanted}…`, got {problems:#?}"
    );
}

/// The line on which text at the end of the page stands.
fn last() -> usize {
    chapter().lines().count() + 2
}

#[test]
fn a_sound_book_has_no_problems() {
    let report = check(&Scratch::new().repo()).expect("the book can be checked");
    let text = report.to_string();
    assert!(report.problems.is_empty(), "{text}");
    assert!(text.starts_with("checked: 2 pages, "), "{text}");
    assert!(text.ends_with(" links, 4 directives\n"), "{text}");
    assert!(report.links > 20, "{text}");
}

#[test]
fn the_program_reports_by_lines_and_exit_code() {
    let scratch = Scratch::new();
    let run = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_course-book"));
        let output = command.arg("check").current_dir(scratch.root()).output();
        let output = output.expect("course-book runs");
        let text = String::from_utf8(output.stdout).expect("text");
        (output.status.code(), text)
    };
    let (code, text) = run();
    assert_eq!((code, text.lines().count()), (Some(0), 1), "{text}");
    scratch.write(PAGE, &format!("{}\n[gone](gone.md)\n", chapter()));
    let (code, text) = run();
    assert_eq!((code, text.lines().count()), (Some(1), 2), "{text}");
    assert!(
        text.starts_with(&format!("problem: {PAGE}:{}: ", last())),
        "{text}"
    );
}

#[test]
fn dead_links_are_found() {
    assert_one(&found_with("[x](gone.md)"), last(), "leads to nothing");
    assert_one(
        &found_with("[x](../../README.md)"),
        last(),
        "leads to nothing",
    );
    assert_one(
        &found_with("[x](/index.html)"),
        last(),
        "begins with a slash",
    );
    assert_one(
        &found_with("![x](images/gone.png)"),
        last(),
        "leads to nothing",
    );
    assert_one(
        &found_with("[x](index.md#gone)"),
        last(),
        "index.html, which has no `#gone`",
    );
    assert_one(&found_with("[x](#gone)"), last(), "has no `#gone`");
    let good = "[a](index.md) [b](#11-the-function-greet) [c](https://example.org/x) ![d](images/wave.svg)";
    assert_eq!(found_with(good), Vec::<String>::new());
}

#[test]
fn directives_that_do_not_resolve_are_found() {
    assert_one(&found_with("{{#nonsense x}}"), last(), "no such directive");
    assert_one(
        &found_with("{{#item greeting::gone}}"),
        last(),
        "no item `gone`",
    );
    let scratch = Scratch::new();
    scratch.write(
        "book/src/part.rs",
        "// ANCHOR: a\nfn a() {}\n// ANCHOR_END: a\n",
    );
    scratch.write(
        PAGE,
        &format!("{}\n```rust\n{{{{#include part.rs:b}}}}\n```\n", chapter()),
    );
    assert_one(&problems(&scratch), last() + 1, "there is no `ANCHOR: b`");
}

#[test]
fn names_that_do_not_exist_are_found() {
    assert_one(
        &found_with("See `test_ch1_gone`."),
        last(),
        "no suite in tests/ has a test `test_ch1_gone`",
    );
    assert_one(
        &found_with("All test_ch2_* tests."),
        last(),
        "begins with `test_ch2_`",
    );
    assert_one(
        &found_with("See `src/gone.rs`."),
        last(),
        "there is no `src/gone.rs`",
    );
    assert_one(
        &found_with("See `tests/ch02/s01_later.rs`."),
        last(),
        "there is no `tests/ch02/s01_later.rs`",
    );
    let good = "`tests/ch01/s01_greet.rs`, `book/src/chNN-….toml`, `src/*.rs`, `cargo test ch1::s01_greet::test_ch1_greets`";
    assert_eq!(found_with(good), Vec::<String>::new());
}

#[test]
fn a_chapter_that_differs_from_its_manifest_is_found() {
    let twice = found_with("{{#checkpoint 1.1}}");
    assert!(
        twice
            .iter()
            .any(|p| p.contains("stands on line 13 already")),
        "{twice:#?}"
    );
    assert_one(
        &found_with("## 1.2 More"),
        last(),
        "the manifest has no section `1.2 More`",
    );

    let scratch = Scratch::new();
    scratch.write(PAGE, &chapter().replace("## 1.1 The", "## 1.1 A"));
    assert_one(
        &problems(&scratch),
        7,
        "the heading reads `1.1 A function greet()`",
    );

    scratch.write(PAGE, &chapter().replace("{{#checkpoint 1.1}}", ""));
    let missing = problems(&scratch);
    assert!(
        missing
            .iter()
            .any(|p| p.contains("section 1.1 has tests and no checkpoint"))
    );

    scratch.write(PAGE, &chapter().replace("All is well. ", ""));
    assert_one(&problems(&scratch), 1, "words; a chapter has 2000 to 3500");
}

#[test]
fn pages_that_no_reader_finds_are_found() {
    let scratch = Scratch::new();
    scratch.write("book/src/extra.md", "# Extra\n\n{{#checkpoint 1.1}}\n");
    let found = problems(&scratch);
    assert!(
        found[0].starts_with("book/src/extra.md:1: no reader finds this page"),
        "{found:#?}"
    );
    assert!(
        found[1].starts_with("book/src/extra.md:3: a checkpoint belongs"),
        "{found:#?}"
    );
}

#[test]
fn what_a_reader_cannot_see_needs_words() {
    assert_one(
        &found_with("<img src=\"images/wave.svg\">"),
        last(),
        "has no `alt` text",
    );
    let scratch = Scratch::new();
    scratch.write(
        "book/src/images/wave.svg",
        "<svg role=\"img\"><path d=\"M1 1\"/></svg>",
    );
    assert_one(&problems(&scratch), 3, "a picture has no `<title>`");
}

#[test]
fn ids_stand_once_and_mdbook_has_nothing_to_warn_of() {
    assert_one(
        &found_with("<p id=\"twice\">a</p>\n<p id=\"twice\">b</p>"),
        last(),
        "the id `twice` stands on this page twice",
    );
    assert_one(
        &found_with("<div>never closed"),
        1,
        "mdBook warns: unclosed HTML tag",
    );
}

#[test]
fn the_readme_is_checked_if_there_is_one() {
    let scratch = Scratch::new();
    scratch.write(
        "README.md",
        "# Hi\n\n[book](book/src/index.md#x) [gone](docs/x.md)\n",
    );
    assert_eq!(
        problems(&scratch),
        ["README.md:3: the link leads to `docs/x.md`, which is not there"]
    );
}
