//! Links to the glossary.

use std::fs;

use course::book::Pages;
use course_book::glossary::Glossary;
use course_book::preprocess::Directives;
use course_book::{build, check};

use crate::common::{TempCourse, chapter};

const GLOSSARY: &str = "# Glossary

### tool call
<!-- link: tool call, tool calls -->

A request of the model.

### batch

Calls in a row.

### JSON Schema
<!-- link: JSON Schema -->

A description.

### call id
<!-- link: call id, tool call id -->

A name.
";

fn linked(markdown: &str) -> String {
    Glossary::parse(GLOSSARY).link(markdown)
}

#[test]
fn the_first_use_of_each_term_is_a_link() {
    for (rule, markdown, expected) in [
        (
            "only the first use",
            "A tool call is a tool call.",
            "A [tool call](glossary.md#tool-call) is a tool call.",
        ),
        (
            "each term once, on one line too",
            "A tool call has a JSON Schema.",
            "A [tool call](glossary.md#tool-call) has a [JSON Schema](glossary.md#json-schema).",
        ),
        (
            "any form, in any case, and one link for all forms",
            "Tool calls come first. A tool call is last.",
            "[Tool calls](glossary.md#tool-call) come first. A tool call is last.",
        ),
        (
            "the longest form",
            "The tool call id of a tool call.",
            "The [tool call id](glossary.md#call-id) of a [tool call](glossary.md#tool-call).",
        ),
        (
            "whole words",
            "multitool calls, tool call-like, tool caller",
            "",
        ),
        ("a term without forms", "A batch of batches.", ""),
    ] {
        let expected = if expected.is_empty() {
            markdown
        } else {
            expected
        };
        assert_eq!(linked(markdown), expected, "{rule}");
    }
}

#[test]
fn only_running_text_gets_links() {
    let link = "[tool call](glossary.md#tool-call)";
    for (rule, markdown) in [
        ("not a heading", "# A tool call\n\nA tool call."),
        (
            "not a code block",
            "```text\ntool call\n```\n\nA tool call.",
        ),
        ("not inline code", "`tool call`, a tool call."),
        ("not a link", "[a tool call](x.md), a tool call."),
        ("not a directive", "{{#picture tool call}}\n\nA tool call."),
        (
            "not a folded answer",
            "<details><summary>Tool call</summary>\n\na TOOL CALL\n\n</details>\n\nA tool call.",
        ),
    ] {
        let (before, _) = markdown.rsplit_once("tool call").expect("it ends with one");
        assert_eq!(linked(markdown), format!("{before}{link}."), "{rule}");
    }
    let table = "| a | b |\n| --- | --- |\n| `tool call` | tool call |\n";
    let expected = table.replace("| tool call |", &format!("| {link} |"));
    assert_eq!(linked(table), expected, "text in a table gets links");
    let by_hand = "A tool call and [one](glossary.md#tool-call).";
    assert_eq!(linked(by_hand), by_hand, "a link by hand is enough");
}

#[test]
fn a_built_chapter_links_the_glossary() {
    let course = TempCourse::new();
    course.write("book/src/glossary.md", GLOSSARY);
    course.write(
        "book/src/SUMMARY.md",
        "# Summary\n\n[Start](index.md)\n[Glossary](glossary.md)\n\n- [Greetings](ch01-greetings.md)\n",
    );
    let text = "A tool call. One more tool call.\n";
    course.write(
        "book/src/ch01-greetings.md",
        &format!("{}{text}", chapter()),
    );
    let index = fs::read_to_string(course.root().join("book/src/index.md")).expect("a page");
    course.write("book/src/index.md", &format!("{index}\n{text}"));
    let report = check::check(&course.repo()).expect("the book can be checked");
    assert!(report.problems.is_empty(), "{:?}", report.problems);

    let pages = Pages::load(&course.repo()).expect("the pages can be read");
    let dest = course.root().join("target/book");
    build::build(&course.repo(), &dest, Directives::new(pages)).expect("the book builds");
    let html = |page: &str| fs::read_to_string(dest.join(page)).expect("the page was built");
    let link = "A <a href=\"glossary.html#tool-call\">tool call</a>. One more tool call.";
    assert!(html("ch01-greetings.html").contains(link));
    assert!(
        !html("index.html").contains("<a href=\"glossary.html#tool-call\""),
        "only the pages of chapters link terms"
    );
}
