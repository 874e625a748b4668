//! `course-book check`: a correct book passes, and each planted defect is found.

use std::process::Command;

use crate::common::{MANIFEST, TempCourse, chapter, trace};
use course_book::check::check;

const PAGE: &str = "book/src/ch01-greetings.md";

/// The problems after `text` is added to the end of the chapter's page.
fn found_with(text: &str) -> Vec<String> {
    let course = TempCourse::new();
    course.write(PAGE, &format!("{}\n{text}\n", chapter()));
    problems(&course)
}

fn problems(course: &TempCourse) -> Vec<String> {
    let report = check(&course.repo()).expect("the book can be checked");
    report.problems.iter().map(ToString::to_string).collect()
}

/// Asserts that there is one problem, on `line`, whose message contains `wanted`.
fn assert_one(problems: &[String], line: usize, wanted: &str) {
    let place = format!("{PAGE}:{line}: ");
    assert!(
        problems.len() == 1 && problems[0].starts_with(&place) && problems[0].contains(wanted),
        "expected one problem `{place}…{wanted}…`, got {problems:#?}"
    );
}

/// The line of text at the end of the page.
fn last() -> usize {
    chapter().lines().count() + 2
}

#[test]
fn a_sound_book_has_no_problems() {
    let report = check(&TempCourse::new().repo()).expect("the book can be checked");
    let text = report.to_string();
    assert!(report.problems.is_empty(), "{text}");
    assert!(text.starts_with("checked: 2 pages, "), "{text}");
    assert!(text.ends_with(" links, 4 directives\n"), "{text}");
    assert!(report.links > 20, "{text}");
}

#[test]
fn the_program_prints_a_line_for_each_problem() {
    let course = TempCourse::new();
    let run = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_course-book"));
        let output = command.arg("check").current_dir(course.root()).output();
        let output = output.expect("course-book runs");
        let text = String::from_utf8(output.stdout).expect("text");
        (output.status.code(), text)
    };
    let (code, text) = run();
    assert_eq!((code, text.lines().count()), (Some(0), 1), "{text}");
    course.write(PAGE, &format!("{}\n[gone](gone.md)\n", chapter()));
    let (code, text) = run();
    assert_eq!((code, text.lines().count()), (Some(1), 2), "{text}");
    assert!(
        text.starts_with(&format!("problem: {PAGE}:{}: ", last())),
        "{text}"
    );
}

#[test]
fn dead_links_are_found() {
    assert_one(
        &found_with("[x](gone.md)"),
        last(),
        "leads to no page or file",
    );
    assert_one(
        &found_with("[x](../../README.md)"),
        last(),
        "leads to no page or file",
    );
    assert_one(
        &found_with("[x](/index.html)"),
        last(),
        "begins with a slash",
    );
    assert_one(
        &found_with("![x](images/gone.png)"),
        last(),
        "leads to no page or file",
    );
    assert_one(
        &found_with("[x](index.md#gone)"),
        last(),
        "index.html, which has no `#gone`",
    );
    assert_one(
        &found_with("[x](./index.md#gone)"),
        last(),
        "index.html, which has no `#gone`",
    );
    assert_one(&found_with("[x](#gone)"), last(), "has no `#gone`");
    let good = "[a](index.md) [a](./index.md#where-to-start) [b](#11-the-function-greet) [c](https://example.org/x) ![d](images/wave.svg)";
    assert_eq!(found_with(good), Vec::<String>::new());
}

#[test]
fn directives_that_do_not_resolve_are_found() {
    assert_one(
        &found_with("{{#nonsense x}}"),
        last(),
        "there is no such directive",
    );
    assert_one(
        &found_with("{{#item greeting::gone}}"),
        last(),
        "no item `gone`",
    );
    let course = TempCourse::new();
    course.write(
        "book/src/part.rs",
        "// ANCHOR: a\nfn a() {}\n// ANCHOR_END: a\n",
    );
    course.write(
        PAGE,
        &format!("{}\n```rust\n{{{{#include part.rs:b}}}}\n```\n", chapter()),
    );
    assert_one(&problems(&course), last() + 1, "there is no `ANCHOR: b`");
}

#[test]
fn unknown_names_are_found() {
    assert_one(
        &found_with("See `test_ch1_gone`."),
        last(),
        "there is no test `test_ch1_gone` in tests/",
    );
    assert_one(
        &found_with("All test_ch2_* tests."),
        last(),
        "no test in tests/ begins with `test_ch2_`",
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
    assert_one(
        &found_with("```sh\ncargo test ch1::s01_greet::test_ch1_gone\n```"),
        last() + 1,
        "there is no test `test_ch1_gone` in tests/",
    );
    let good = "`tests/ch01/s01_greet.rs`, `book/src/chNN-….toml`, `src/*.rs`, `src/../x`, `cargo test ch1::s01_greet::test_ch1_greets`";
    assert_eq!(found_with(good), Vec::<String>::new());
}

#[test]
fn unknown_names_in_manifests_and_quizzes_are_found() {
    let course = TempCourse::new();
    let hint = MANIFEST.replace("\"one\"", "\"See `src/gone.rs`.\"");
    course.write("book/src/ch01-greetings.toml", &hint);
    let because = "\n# A quiz.\nbecause = \"It is `test_ch1_greets`, not `test_ch1_gone`.\"\n";
    course.write("book/src/ch01-greetings.quiz.toml", because);
    assert_eq!(
        problems(&course),
        [
            "book/src/ch01-greetings.quiz.toml:3: there is no test `test_ch1_gone` in tests/; correct the name",
            "book/src/ch01-greetings.toml:9: there is no `src/gone.rs` in the repository; correct the path",
        ]
    );
}

#[test]
fn a_chapter_that_differs_from_its_manifest_is_found() {
    let twice = found_with("{{#checkpoint 1.1}}");
    assert!(
        twice.iter().any(|p| p.contains("is already on line 21")),
        "{twice:#?}"
    );
    assert_one(
        &found_with("## 1.2 More"),
        last(),
        "the manifest has no section `1.2 More`",
    );

    let course = TempCourse::new();
    course.write(PAGE, &chapter().replace("## 1.1 The", "## 1.1 A"));
    assert_one(
        &problems(&course),
        7,
        "the heading is `1.1 A function greet()`",
    );

    course.write(PAGE, &chapter().replace("{{#checkpoint 1.1}}", ""));
    let missing = problems(&course);
    assert!(
        missing
            .iter()
            .any(|p| p.contains("section 1.1 has tests but no checkpoint"))
    );

    course.write(PAGE, &chapter().replace("All is well. ", ""));
    assert_one(&problems(&course), 1, "words; a chapter has 2000 to 8000");
}

#[test]
fn pages_that_summary_does_not_list_are_found() {
    let course = TempCourse::new();
    course.write("book/src/extra.md", "# Extra\n\n{{#checkpoint 1.1}}\n");
    let found = problems(&course);
    assert!(
        found[0].starts_with("book/src/extra.md:1: SUMMARY.md does not list this page"),
        "{found:#?}"
    );
    assert!(
        found[1].starts_with("book/src/extra.md:3: a checkpoint belongs"),
        "{found:#?}"
    );
}

#[test]
fn pictures_need_a_text_alternative() {
    assert_one(
        &found_with("<img src=\"images/wave.svg\">"),
        last(),
        "has no `alt` text",
    );
    let course = TempCourse::new();
    course.write(
        "book/src/images/wave.svg",
        "<svg role=\"img\"><path d=\"M1 1\"/></svg>",
    );
    assert_one(&problems(&course), 3, "a picture has no `<title>`");
}

#[test]
fn dead_links_and_other_files_in_the_slides_are_found() {
    let course = TempCourse::new();
    for file in ["slides.css", "slides.js"] {
        course.write(&format!("book/slides/{file}"), "");
    }
    let slides = "# Hi\n\n[page](index.md) [site](https://example.org/) [all](#1.1)\n\n\
                  <!-- slide -->\n\n{{#slides 1}}\n";
    for (text, wanted) in [
        ("[x](#gone)", "slides.html, which has no `#gone`"),
        ("![x](images/wave.svg)", "`images/wave.svg` is another file"),
        ("<img src=\"data:,\">", "has no `alt` text"),
        ("", ""),
    ] {
        course.write("book/slides/slides.md", &format!("{slides}\n{text}\n"));
        let found = problems(&course);
        match wanted {
            "" => assert_eq!(found, [""; 0]),
            _ => assert!(
                found.len() == 1
                    && found[0].starts_with("book/slides/slides.md:9: ")
                    && found[0].contains(wanted),
                "expected {wanted}: {found:#?}"
            ),
        }
    }
}

#[test]
fn a_trace_that_no_page_shows_is_found() {
    let course = TempCourse::new();
    course.write("book/src/traces/greeting.json", &trace());
    let unused = "book/src/traces/greeting.json:1: no page shows this trace";
    let found = problems(&course);
    assert!(
        found.len() == 1 && found[0].starts_with(unused),
        "{found:#?}"
    );
    course.write(PAGE, &format!("{}\n{{{{#trace greeting}}}}\n", chapter()));
    assert_eq!(problems(&course), Vec::<String>::new());
}

#[test]
fn the_links_of_a_trace_lead_to_listings_and_sections() {
    let course = TempCourse::new();
    course.write("book/src/traces/greeting.json", &trace());
    let page = format!("{}\n{{{{#trace greeting}}}}\n", chapter());
    // Without the listing, the section that asks for the item is linked.
    course.write(PAGE, &page.replace("{{#stub greeting::greet}}", ""));
    assert_eq!(problems(&course), Vec::<String>::new());
    course.write(PAGE, &page);
    course.write(
        "book/src/traces/greeting.json",
        &trace().replacen("greeting::greet", "greeting::gone", 1),
    );
    assert_one(
        &problems(&course),
        last(),
        "step 1 of book/src/traces/greeting.json",
    );
}

#[test]
fn duplicate_ids_and_mdbook_warnings_are_found() {
    assert_one(
        &found_with("<p id=\"twice\">a</p>\n<p id=\"twice\">b</p>"),
        last(),
        "the id `twice` occurs twice on this page",
    );
    assert_one(
        &found_with("<div>never closed"),
        1,
        "mdBook warns: unclosed HTML tag",
    );
}

#[test]
fn the_readme_is_checked_if_it_exists() {
    let course = TempCourse::new();
    course.write(
        "README.md",
        "# Hi\n\n[book](book/src/index.md#x) [gone](docs/x.md)\n",
    );
    assert_eq!(
        problems(&course),
        ["README.md:3: the link leads to `docs/x.md`, which does not exist"]
    );
}

#[test]
fn a_core_section_with_tests_needs_a_question() {
    let course = TempCourse::new();
    for (from, to) in [
        ("**Predict.**", "Think."),
        ("What comes back?", ""),
        ("<details>", "<details class=\"answer\">"),
        ("\nA text.\n", ""),
    ] {
        course.write(PAGE, &chapter().replace(from, to));
        assert_one(
            &problems(&course),
            1,
            "core section 1.1 needs a **Predict.** question and then its answer in `<details>`",
        );
    }
}

#[test]
fn a_core_section_needs_a_talking_point() {
    let course = TempCourse::new();
    let path = course.root().join("book/src/ch01-greetings.toml");
    let manifest = std::fs::read_to_string(path).expect("the manifest");
    let talk = "talk = \"A greeting names the person.\"\n";
    for (other, wanted) in [
        (String::new(), "core section 1.1 needs `talk`"),
        (
            format!("talk = \"{}\"\n", "word ".repeat(41)),
            "more than 40 words",
        ),
    ] {
        course.write(
            "book/src/ch01-greetings.toml",
            &manifest.replace(talk, &other),
        );
        let problems = problems(&course);
        assert!(
            problems.len() == 1 && problems[0].contains(wanted),
            "{problems:#?}"
        );
    }
    let depth = manifest.replace(talk, "depth = true\n");
    course.write("book/src/ch01-greetings.toml", &depth);
    assert_eq!(problems(&course), [""; 0]);
}
