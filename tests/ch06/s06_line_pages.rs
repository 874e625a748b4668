//! Section 6.6: A page of numbered lines

use claw_code::tools::*;
use claw_code::types::*;

use super::support::*;

#[test]
fn test_ch6_page_numbers_the_lines() {
    for (rule, text, expected) in [
        ("number, tab and line", "one\n", "1\tone"),
        (
            "blank lines count",
            "one\n\n  three\n",
            "1\tone\n2\t\n3\t  three",
        ),
        ("one blank line", "\n", "1\t"),
        ("tabs in a line stay", "a\n1\tb\n", "1\ta\n2\t1\tb"),
        ("only \\n ends a line", "a\r\nb\n", "1\ta\r\n2\tb"),
    ] {
        assert_eq!(
            line_page(text, 1, usize::MAX),
            Ok(ToolResult::text(expected)),
            "{rule}, and no line end after the last row: {text:?}"
        );
    }
}

#[test]
fn test_ch6_page_pads_the_numbers() {
    let page = line_page(&"x\n".repeat(10), 1, usize::MAX).expect("ten lines");
    assert!(
        page.content.starts_with(" 1\tx\n 2\tx") && page.content.ends_with("\n10\tx"),
        "all numbers are as wide as the last one; the page is {:?}",
        page.content
    );
    let page = line_page(&"x\n".repeat(9), 1, usize::MAX).expect("nine lines");
    assert!(
        page.content.starts_with("1\tx\n"),
        "the last number of nine lines has one digit; the page is {:?}",
        page.content
    );
}

#[test]
fn test_ch6_page_of_an_empty_file() {
    for offset in [1, 5] {
        assert_eq!(
            line_page("", offset, usize::MAX),
            Ok(ToolResult::text("(the file is empty)")),
            "offset {offset}: the page says that the file is empty, and is no error"
        );
    }
}

#[test]
fn test_ch6_page_by_offset_and_limit() {
    let text = numbered_lines(20);
    for (offset, limit, lines, note) in [
        (
            5,
            5,
            5..=9,
            Some("[lines 5 to 9 of 20; continue with offset 10]"),
        ),
        (
            1,
            3,
            1..=3,
            Some("[lines 1 to 3 of 20; continue with offset 4]"),
        ),
        (20, 1, 20..=20, Some("[lines 20 to 20 of 20]")),
        (19, 50, 19..=20, Some("[lines 19 to 20 of 20]")),
        (1, 20, 1..=20, None),
    ] {
        let rows = lines.map(|number| format!("{number:>2}\tline {number}"));
        let expected: Vec<String> = rows.chain(note.map(str::to_string)).collect();
        assert_eq!(
            line_page(&text, offset, limit),
            Ok(ToolResult::text(expected.join("\n"))),
            "offset {offset}, limit {limit}: the lines, a note if lines are missing, and no truncation, since no requested line is missing"
        );
    }
}

#[test]
fn test_ch6_page_refuses_an_offset_past_the_end() {
    let page = line_page(&numbered_lines(20), 21, 1);
    assert_error("offset 21 of 20 lines", &page, &["21", "20 lines"]);
}

#[test]
fn test_ch6_page_notes_a_missing_line_end() {
    let whole = line_page("one\ntwo", 1, usize::MAX).expect("two lines");
    assert_eq!(
        whole.content, "1\tone\n2\ttwo\n[no line end after the last line]",
        "a note follows the last line if it has no line end"
    );
    let first = line_page("one\ntwo", 1, 1).expect("one line");
    assert_eq!(
        first.content, "1\tone\n[lines 1 to 1 of 2; continue with offset 2]",
        "the note is shown only together with the last line"
    );
    let last = line_page("one\ntwo", 2, 1).expect("one line");
    assert_eq!(
        last.content, "2\ttwo\n[lines 2 to 2 of 2]\n[no line end after the last line]",
        "the note about the lines comes first"
    );
}

#[test]
fn test_ch6_page_cuts_long_lines() {
    let longest = "ä".repeat(MAX_LINE_CHARS);
    assert_eq!(
        line_page(&format!("{longest}\n"), 1, usize::MAX),
        Ok(ToolResult::text(format!("1\t{longest}"))),
        "{MAX_LINE_CHARS} characters are shown, however many bytes they have"
    );
    let page = line_page(&format!("{longest}äöü\nnext\n"), 1, usize::MAX).expect("two lines");
    assert_eq!(
        page.content,
        format!("1\t{longest}[3 more characters]\n2\tnext"),
        "the number of missing characters follows a line that is cut"
    );
    assert!(
        page.is_truncated,
        "a page with a cut line is marked as truncated"
    );
    let page = line_page(&"x".repeat(2 * PAGE_BYTES), 1, usize::MAX).expect("one line");
    assert!(
        page.content.starts_with("1\txxx"),
        "a line that is longer than a page is cut, and the part that is shown fits: {:?}",
        page.content
    );
}

#[test]
fn test_ch6_page_fits_into_a_result() {
    let text = numbered_lines(5000);
    let pages = all_pages(&text);
    for page in &pages {
        assert!(
            page.content.len() <= RESULT_LIMIT,
            "a page and its notes must fit into a result of {RESULT_LIMIT} bytes; this page has {}",
            page.content.len()
        );
    }
    for page in &pages[..pages.len() - 1] {
        assert!(
            page.content.len() > RESULT_LIMIT / 2,
            "a page that is cut is nearly full; this page has {} bytes",
            page.content.len()
        );
    }
}

#[test]
fn test_ch6_pages_show_every_line_once() {
    let mut next = 1;
    for page in all_pages(&numbered_lines(5000)) {
        let rows = rows(&page);
        assert_eq!(
            rows[0],
            format!("{next:>4}\tline {next}"),
            "a page begins with the line at `offset`"
        );
        next += rows.len();
        let note = format!("continue with offset {next}]");
        assert_eq!(
            page.content.ends_with(&note),
            next <= 5000,
            "a page that is cut ends with {note:?}; this one ends with {:?}",
            page.content.lines().last()
        );
    }
    assert_eq!(next, 5001, "all pages together show 5000 lines");
}

#[test]
fn test_ch6_page_may_be_exactly_full() {
    // With its number, a tab and a line end, each of the 32 rows has a part of the page.
    let line = "x".repeat(PAGE_BYTES / 32 - "32\t\n".len());
    for (rule, last, shown, is_truncated) in [
        ("32 rows of exactly PAGE_BYTES bytes fit", "", 32, false),
        ("with one byte more, row 32 does not fit", "x", 31, true),
        ("a short row after it is not shown", "x\ny", 31, true),
    ] {
        let text = format!("{}{line}{last}\n", format!("{line}\n").repeat(31));
        let page = line_page(&text, 1, usize::MAX).expect("32 lines");
        assert_eq!(
            (rows(&page).len(), page.is_truncated),
            (shown, is_truncated),
            "{rule}: the number of rows, and whether the page is truncated"
        );
    }
    let text = format!("{}{}ä\n", format!("{line}\n").repeat(31), &line[1..]);
    let page = line_page(&text, 1, usize::MAX).expect("32 lines");
    assert_eq!(
        rows(&page).len(),
        31,
        "the page is measured in bytes: a letter of two bytes counts as two"
    );
    // A short row, and 15 rows that are cut: one byte more than PAGE_BYTES.
    let cut = "x".repeat(MAX_LINE_CHARS + 5);
    let row = "16\t[5 more characters]\n".len() + MAX_LINE_CHARS;
    let first = "x".repeat(PAGE_BYTES + 1 - 15 * row - " 1\t\n".len());
    let text = format!("{first}\n{}", format!("{cut}\n").repeat(15));
    let page = line_page(&text, 1, usize::MAX).expect("16 lines");
    assert_eq!(
        rows(&page).len(),
        15,
        "the note `[5 more characters]` is a part of its row"
    );
}

fn numbered_lines(count: usize) -> String {
    (1..=count)
        .map(|number| format!("line {number}\n"))
        .collect()
}

/// The pages of `text`, each from the line after the one before, until a page is not
/// marked as truncated.
fn all_pages(text: &str) -> Vec<ToolResult> {
    let (mut pages, mut offset, mut is_truncated) = (Vec::new(), 1, true);
    while is_truncated {
        let page = line_page(text, offset, usize::MAX).expect("a truncated page is not the last");
        offset += rows(&page).len();
        is_truncated = page.is_truncated;
        pages.push(page);
    }
    pages
}

/// The rows of a page, without its notes.
fn rows(page: &ToolResult) -> Vec<&str> {
    let rows = page.content.lines().filter(|line| !line.starts_with('['));
    rows.collect()
}
