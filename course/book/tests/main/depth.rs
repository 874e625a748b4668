//! The depth sections of a page, in a real browser.

use std::path::PathBuf;

use course::book::Pages;
use course_book::build::build;
use course_book::preprocess::Directives;
use serde_json::json;

use crate::browser::Browser;
use crate::common::{MANIFEST, TempCourse, chapter};

/// Builds a page with a core section and a depth section. Returns the course and the page's file.
fn page() -> (TempCourse, PathBuf) {
    let course = TempCourse::new();
    course.write(
        "book/src/ch01-greetings.toml",
        &format!("{MANIFEST}{DEPTH_SECTION}"),
    );
    course.write(
        "solutions/src/greeting.rs",
        "pub fn greet() {\n    shout()\n}\n\npub fn shout() {\n    greet()\n}\n",
    );
    course.write("book/src/ch01-greetings.md", &(chapter() + DEPTH_TEXT));
    let folder = course.root().join("target/book");
    let pages = Pages::load(&course.repo()).expect("the course loads");
    build(&course.repo(), &folder, Directives::new(pages)).expect("the book can be built");
    (course, folder.join("ch01-greetings.html"))
}

const DEPTH_SECTION: &str = r#"
[[section]]
id = "shouting"
minutes = 5
depth = true
title = "The function shout()"
items = ["greeting::shout"]
tests = ["test_ch1_shouts"]
hints = ["one", "two", "three"]
"#;

const DEPTH_TEXT: &str = "
## 1.2 The function `shout()`

A loud greeting.

<div style='height: 300vh'></div>

### Louder

Even louder.

## What you built

Greetings.
";

/// The paragraphs that the page shows.
const SHOWN: &str = "[...document.querySelectorAll('main p')].filter((it) => it.checkVisibility()).map((it) => it.textContent)
    .filter((text) => ['A loud greeting.', 'Even louder.', 'Greetings.'].includes(text))";

#[test]
fn depth_sections_are_folded_until_the_reader_unfolds_them() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let (_course, page) = page();
    browser.open(&page);
    let all = json!(["A loud greeting.", "Even louder.", "Greetings."]);
    assert_eq!(browser.value(SHOWN), json!(["Greetings."]));

    let button = "document.querySelector('.depth-button')";
    let label = format!("{button}.textContent");
    assert_eq!(browser.value(&label), "unfold the depth sections");
    browser.value(&format!("{button}.click()"));
    assert_eq!(browser.value(SHOWN), all);
    assert_eq!(browser.value(&label), "fold the depth sections");

    browser.open(&page);
    assert_eq!(browser.value(SHOWN), all, "the browser remembers it");
    browser.value(&format!("{button}.click()"));
    assert_eq!(browser.value(SHOWN), json!(["Greetings."]));
}

#[test]
fn links_into_folded_sections_unfold_them() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let (_course, page) = page();
    let all = json!(["A loud greeting.", "Even louder.", "Greetings."]);
    browser.visit(&format!("file://{}?highlight=louder", page.display()));
    assert_eq!(browser.value(SHOWN), all, "the page shows what was found");
    browser.visit(&format!("file://{}#12-the-function-shout", page.display()));
    assert_eq!(browser.value(SHOWN), all, "a heading leads to its section");
    // Otherwise the browser would stay on the page, where the section is unfolded.
    browser.visit("about:blank");
    browser.visit(&format!("file://{}#louder", page.display()));
    assert_eq!(browser.value(SHOWN), all);
    let is_in_view = "document.getElementById('louder').getBoundingClientRect().top < innerHeight";
    assert_eq!(browser.value(is_in_view), true);
}

#[test]
fn without_scripts_depth_sections_are_shown() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let (_course, page) = page();
    browser.disable_scripts();
    browser.open(&page);
    let folds = browser.value("document.querySelectorAll('.depth-section').length");
    assert_eq!(folds, 0);
}
