//! The pages for teachers, and the slides and the handout in a real browser.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use course::book::Pages;
use course::course_toml::Course;
use course::manifest::{Section, SectionId};
use course::messages::time;
use course::repo::Repo;
use course_book::slides;
use mdbook_markdown::pulldown_cmark::html::push_html;
use mdbook_markdown::{MarkdownOptions, new_cmark_parser};
use scraper::{Html, Selector};
use serde_json::json;
use tempfile::TempDir;

use crate::browser::Browser;
use crate::common::TempCourse;

const WORKSHOPS: &str = r#"
minutes_per_section = 2
[[workshop]]
name = "short"
quiz = { 1 = [1] }
[[workshop.day]]
title = "Only day"
minutes = 30
parts = [
  { title = "Welcome", minutes = 5 },
  { title = "Greet", sections = ["green-time"] },
]
"#;

const QUIZ: &str = r#"
[[question]]
text = "What comes first?"
choices = [
  { text = "red", right = true, because = "Nothing is written." },
  { text = "`*` is <b> or *c*", because = "It comes later." },
]
"#;

/// Expands one directive in a small course with these workshops.
fn expand(workshops: &str, directive: &str) -> Result<String, String> {
    let course = TempCourse::new();
    course.write("book/src/workshops.toml", workshops);
    course.write("book/src/ch01-greetings.quiz.toml", QUIZ);
    let pages = Pages::load(&course.repo()).expect("the course loads");
    let problem = |problems: Vec<_>| format!("{problems:?}");
    pages.expand("teaching.md", directive).map_err(problem)
}

#[test]
fn a_schedule_adds_the_minutes_and_names_the_command() {
    let text = expand(WORKSHOPS, "{{#schedule short}}").expect("a schedule");
    let row = "| 0:05 | **Greet**<br>[1.1](ch01-greetings.md#checkpoint-1.1) The function greet() (10 min) | 12 | `cargo course` |";
    assert!(text.contains(row), "{text}");
    assert!(text.contains("17 min of 30 min: 13 min are left"), "{text}");
}

#[test]
fn a_schedule_that_cannot_be_kept_is_an_error() {
    for (from, to, wanted) in [
        (
            "minutes = 30",
            "minutes = 16",
            "takes 17 minutes and has 16",
        ),
        ("green-time", "gone", "there is no section `gone`"),
        (
            "[\"green-time\"]",
            "[\"green-time\", \"green-time\"]",
            "does not follow 1.1",
        ),
        (
            "{ title = \"Welcome\", minutes = 5 }",
            "{ title = \"First\", sections = [\"green-time\"] }",
            "`Greet`: section 1.1 comes too late",
        ),
        ("1 = [1]", "1 = [2]", "has no question 2"),
    ] {
        let workshops = WORKSHOPS.replace(from, to);
        let directives = "{{#schedule short}}\n{{#exit-quiz short}}";
        let error = expand(&workshops, directives).expect_err("a problem");
        assert!(error.contains(wanted), "{error}");
    }
}

#[test]
fn an_exit_quiz_has_its_key_and_a_rubric_its_sum() {
    let text = expand(WORKSHOPS, "{{#exit-quiz short}}").expect("a quiz");
    let choice = "\n<li><strong>B</strong> <code>*</code> is &lt;b&gt; or *c*</li>\n</ul>\n";
    assert!(text.contains(choice), "plain text with code: {text}");
    assert!(
        text.contains("| 1 | **A** | Nothing is written. |"),
        "{text}"
    );
    let (questions, key) = text.split_once("new-page").expect("a sheet for the key");
    assert!(!questions.contains("Nothing is written"), "{questions}");
    assert!(key.contains("Key: short"), "{key}");
    let text = expand(WORKSHOPS, "{{#rubric short}}").expect("a rubric");
    assert!(text.contains("| **all** | | **10** |"), "{text}");
}

#[test]
fn notes_show_what_the_manifest_and_the_page_say() {
    let course = TempCourse::new();
    let path = course.root().join("book/src/ch01-greetings.toml");
    let manifest = fs::read_to_string(path).expect("the manifest");
    let pages = Pages::load(&course.repo()).expect("the course loads");
    let text = pages.expand("notes.md", "{{#notes 1}}").expect("notes");
    let hint = "the course knows no common mistake here. Its first hint: one\n";
    assert!(text.contains(hint), "{text}");
    let wrong = "\n[[wrong]]\nsection = \"green-time\"\nitem = \"greeting::greet\"\nbody = 'String::new()'\ntests = [\"test_ch1_greets\"]\nsays = 'nobody \\\"n\\\" *b* _c_ [d](e) <f>'\nbecause = \"The name is missing.\"\n";
    course.write("book/src/ch01-greetings.toml", &(manifest + wrong));
    let page = crate::common::chapter().replace(
        "{{#stub greeting::greet}}",
        "**Predict.** Who is greeted?\n\n<details><summary>Answer</summary>\n\nAda.\n\n</details>",
    );
    course.write("book/src/ch01-greetings.md", &page);
    let pages = Pages::load(&course.repo()).expect("the course loads");
    let text = pages.expand("notes.md", "{{#notes 1}}").expect("notes");
    for wanted in [
        "### 1.1 The function greet() · 10 min",
        "**Say:** A greeting names the person.",
        "**Ask:** Who is greeted?",
        "`cargo course check 1.1`",
        "</q>. The name is missing.",
        "`cargo course solution 1.1 --apply` writes its code, which later sections may use.\n",
    ] {
        assert!(text.contains(wanted), "{wanted} is missing in:\n{text}");
    }
    assert!(
        !text.contains("Ada."),
        "the answer is on the slides: {text}"
    );
    let mut html = String::new();
    push_html(
        &mut html,
        new_cmark_parser(&text, &MarkdownOptions::default()),
    );
    let html = Html::parse_document(&html);
    let quoted = Selector::parse("q").expect("a selector");
    let quoted = html.select(&quoted).next().expect("a quotation");
    assert_eq!(
        quoted.text().collect::<String>(),
        r#"nobody \"n\" *b* _c_ [d](e) <f>"#,
        "the failure text as it is on the screen"
    );
    let text = pages.expand("slides.md", "{{#slides 1}}").expect("slides");
    let (question, answer) = text.split_once("Who is greeted?").expect("the question");
    assert!(
        !question.contains("Ada.") && answer.contains("Ada."),
        "{text}"
    );
}

fn real_course() -> Repo {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Repo::find(&root).expect("this repository")
}

#[test]
fn every_core_section_has_three_mistakes_to_expect() {
    let course = Course::load(&real_course()).expect("the course loads");
    for (_, manifest) in course.written() {
        for section in manifest.sections.iter().filter(|section| !section.depth) {
            let wrong = manifest.wrong.iter();
            let known = wrong.filter(|wrong| wrong.section == section.id).count();
            assert!(known >= 3, "{} has {known} wrong answers", section.id);
        }
    }
}

#[test]
fn every_core_section_has_work_for_people_who_finish_early() {
    let pages = Pages::load(&real_course()).expect("the course loads");
    let manifests = pages.course().written().map(|(_, manifest)| manifest);
    let sections: Vec<_> = manifests.flat_map(|it| &it.sections).collect();
    let mut given = BTreeSet::new();
    for (chapter, manifest) in pages.course().written() {
        let notes = format!("{{{{#notes {}}}}}", chapter.number);
        let notes = pages.expand("notes.md", &notes).expect("notes");
        for core in manifest.sections.iter().filter(|section| !section.depth) {
            let id = core.id;
            let line = early_work(&notes, id);
            let named = |section: &&&Section| line.starts_with(&format!("[{}](", section.id));
            let work = sections.iter().find(named);
            let work = work.unwrap_or_else(|| panic!("{id} names no section: {line}"));
            let wanted = format!("({}). ", time(work.minutes));
            assert!(line.contains(&wanted), "{id} names the minutes: {line}");
            let mut later = sections.iter().filter(|section| section.id > id);
            let next = later.find(|section| !section.depth);
            let can_be_written = |section: &Section| {
                section.depth
                    && section.id.chapter <= id.chapter
                    && next.is_none_or(|next| section.id < next.id)
            };
            if work.depth {
                assert!(can_be_written(work), "{id} comes before what {line} needs");
                assert!(given.insert(work.id), "{line} has been given before {id}");
                let command = format!("`cargo course reset {}` makes it a stub.", work.id);
                assert!(line.ends_with(&command), "{id}: {line}");
            } else {
                assert_eq!(Some(work.id), next.map(|next| next.id), "{id}: {line}");
                let left = sections
                    .iter()
                    .find(|section| can_be_written(section) && !given.contains(&section.id));
                assert!(left.is_none(), "{id} could have {:?}", left.map(|it| it.id));
                assert!(line.ends_with("`cargo course next`."), "{id}: {line}");
            }
        }
    }
}

/// What the notes on a section give to people who finish it early.
fn early_work(notes: &str, section: SectionId) -> &str {
    let (_, text) = notes
        .split_once(&format!("\n### {section} "))
        .unwrap_or_else(|| panic!("there are no notes on {section}"));
    let text = text.split("\n### ").next().unwrap_or_default();
    let (_, line) = text
        .split_once("**For people who finish early:** ")
        .unwrap_or_else(|| panic!("no work for people who finish {section} early: {text}"));
    line.lines().next().unwrap_or_default()
}

/// The real slides, in a folder of their own: they need no other file.
fn real_slides() -> (TempDir, PathBuf) {
    let repo = real_course();
    let pages = Pages::load(&repo).expect("the course loads");
    let html = slides::render(&repo, &pages).expect("the slides can be made");
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join(slides::FILE);
    fs::write(&path, html.expect("there are slides")).expect("a file");
    (folder, path)
}

#[test]
fn every_slide_fits_and_the_keys_work() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let (_folder, path) = real_slides();
    browser.resize(1280, 720);
    browser.open(&path);
    let too_large = "slides.map((slide, number) => { show(number); return [slide, parseInt(slide.style.fontSize)]; }).filter(([slide, size]) => size < 60 || slide.scrollHeight > slide.clientHeight || slide.scrollWidth > slide.clientWidth).map(([slide, size]) => slide.innerText.slice(0, 60) + size)";
    assert_eq!(
        browser.value(too_large),
        json!([]),
        "slides that do not fit"
    );
    let others = "[...document.querySelectorAll('[src], link, img')].length";
    assert_eq!(browser.value(others), 0, "the file needs no other file");

    let place = "document.getElementById('place').textContent.split(' ')[0]";
    browser.value("show(0)");
    let mut shown = Vec::new();
    for key in ["ArrowRight", "ArrowRight", "ArrowLeft", "Home", "ArrowLeft"] {
        browser.press(key);
        shown.push(browser.value(place));
    }
    assert_eq!(shown, ["2", "3", "2", "1", "1"]);
    browser.press("End");
    assert_eq!(browser.value("slides[at].id"), "end");
    let hidden = "slides.filter((slide) => slide.offsetHeight > 0).length";
    assert_eq!(browser.value(hidden), 1, "one slide is shown");
}

#[test]
fn slides_have_two_themes_and_are_printed_in_the_light_one() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let (_folder, path) = real_slides();
    browser.open(&path);
    let colors = "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector('h2')).color].join()";
    let light = browser.value(colors);
    assert_eq!(light, "rgb(255, 253, 250),rgb(163, 74, 33)");
    browser.press("t");
    let dark = browser.value(colors);
    assert_eq!(dark, "rgb(20, 23, 31),rgb(240, 163, 127)");
    let during = |event| format!("dispatchEvent(new Event('{event}')), {colors}");
    assert_eq!(browser.value(&during("beforeprint")), light);
    assert_eq!(browser.value(&during("afterprint")), dark);
}

#[test]
fn slides_without_a_script_follow_each_other() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let (_folder, path) = real_slides();
    browser.disable_scripts();
    browser.open(&path);
    let hidden = "[...document.querySelectorAll('main > section')].filter((slide) => slide.offsetHeight === 0).length";
    assert_eq!(browser.value(hidden), 0);
}

#[test]
fn the_handout_is_one_sheet() {
    if Command::new("chromium").arg("--version").output().is_err() {
        return;
    }
    let course = TempCourse::new();
    let book = real_course().root().join("book/src");
    for name in ["handout.md", "images/first-agent.svg"] {
        let text = fs::read_to_string(book.join(name)).expect("the real book has it");
        course.write(&format!("book/src/{name}"), &text);
    }
    course.write("book/src/SUMMARY.md", "[Handout](handout.md)\n");
    let folder = course.root().join("target/book");
    let pages = Pages::load(&course.repo()).expect("the course loads");
    let directives = course_book::preprocess::Directives::new(pages);
    course_book::build::build(&course.repo(), &folder, directives).expect("the book can be built");
    let pdf = course.root().join("handout.pdf");
    let status = Command::new("chromium")
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-pdf-header-footer",
        ])
        .arg(format!(
            "--user-data-dir={}",
            course.root().join("profile").display()
        ))
        .arg(format!("--print-to-pdf={}", pdf.display()))
        .arg(format!("file://{}", folder.join("handout.html").display()))
        .output()
        .expect("chromium runs");
    let pdf = fs::read(&pdf).unwrap_or_else(|error| panic!("{error}: {status:?}"));
    let pdf = String::from_utf8_lossy(&pdf);
    let pages = pdf.matches("/Type /Page\n").count();
    assert_eq!(pages, 1, "the handout is printed on one sheet");
}
