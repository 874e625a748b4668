//! Traces on a page, in a real browser.

use std::path::PathBuf;

use course::book::Pages;
use course_book::build::build;
use course_book::preprocess::Directives;

use crate::browser::Browser;
use crate::common::{TempCourse, chapter, trace};

/// Builds a page with one trace. Returns the course and the page's file.
fn page() -> (TempCourse, PathBuf) {
    let course = TempCourse::new();
    course.write("book/src/traces/greeting.json", &trace());
    course.write(
        "book/src/ch01-greetings.md",
        &format!("{}\n{{{{#trace greeting}}}}\n", chapter()),
    );
    let folder = course.root().join("target/book");
    let pages = Pages::load(&course.repo()).expect("the course loads");
    build(&course.repo(), &folder, Directives::new(pages)).expect("the book can be built");
    (course, folder.join("ch01-greetings.html"))
}

/// The numbers of the steps that the page shows.
const SHOWN: &str = "[...document.querySelectorAll('.trace-step')].flatMap((step, at) => step.offsetHeight > 0 ? [at + 1] : [])";

/// What a screen reader announces.
const ANNOUNCED: &str = "document.querySelector('.trace [aria-live=polite]').textContent";

#[test]
fn the_keyboard_steps_through_a_trace() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let (_course, page) = page();
    browser.open(&page);
    browser.value("document.querySelector('.trace').focus()");
    let mut shown = vec![browser.value(SHOWN)];
    let keys = [
        "ArrowRight",
        "ArrowRight",
        "ArrowLeft",
        "End",
        "ArrowRight",
        "Home",
        "ArrowLeft",
    ];
    for key in keys {
        browser.press(key);
        shown.push(browser.value(SHOWN));
    }
    let shown: Vec<u64> = shown.iter().filter_map(|steps| steps[0].as_u64()).collect();
    assert_eq!(shown, [1, 2, 3, 2, 6, 6, 1, 1], "after {keys:?}");
    assert_eq!(browser.value(ANNOUNCED), "Step 1 of 6: You Step number 1");
    // mdBook turns to another chapter on these keys.
    browser.value("document.activeElement.blur()");
    browser.press("ArrowLeft");
    while !browser
        .value("location.pathname")
        .to_string()
        .contains("index")
    {}
}

#[test]
fn the_buttons_of_a_trace_keep_the_focus() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let (_course, page) = page();
    browser.open(&page);
    browser.value("document.querySelector('.trace').focus()");
    browser.press("Tab");
    assert_eq!(browser.value("document.activeElement.textContent"), "Back");
    browser.press("Tab");
    assert_eq!(browser.value("document.activeElement.textContent"), "Next");
    let outline = browser.value("getComputedStyle(document.activeElement).outlineStyle");
    assert_eq!(outline, "solid", "the focus is visible");
    for _ in 0..7 {
        browser.value("document.activeElement.click()");
    }
    assert_eq!(browser.value(ANNOUNCED), "Step 6 of 6: Agent Step number 6");
    assert_eq!(browser.value("document.activeElement.ariaDisabled"), "true");
    browser.press("ArrowLeft");
    assert_eq!(browser.value(ANNOUNCED), "Step 5 of 6: You Step number 5");
}

#[test]
fn without_scripts_a_trace_is_a_list() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let (_course, page) = page();
    browser.disable_scripts();
    browser.open(&page);
    assert_eq!(browser.value(SHOWN), serde_json::json!([1, 2, 3, 4, 5, 6]));
    assert_eq!(
        browser.value("document.querySelectorAll('.trace button').length"),
        0
    );
    let list = "document.querySelector('ol.trace-steps')";
    let style = browser.value(&format!("getComputedStyle({list}).listStyleType"));
    assert_eq!(style, "decimal");
}

#[test]
fn a_trace_fits_on_a_phone() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let (_course, page) = page();
    browser.resize(320, 640);
    browser.open(&page);
    let width = browser.value("document.documentElement.scrollWidth");
    assert!(
        width.as_u64() <= Some(320),
        "the page is {width} pixels wide"
    );
    let inside = "[...document.querySelectorAll('.trace *')].every((one) => one.getBoundingClientRect().right <= 320)";
    assert_eq!(browser.value(inside), true);
}
