//! Section 6.6: A page of lines

use claw_code::tools::*;
use claw_code::types::*;

use super::support::*;

#[test]
fn test_ch6_page_numbers_the_lines() {
    for (text, shown) in [
        ("one\n", "1\tone"),
        ("one\n\n  three\n", "1\tone\n2\t\n3\t  three"),
        ("\n", "1\t"),
        ("a\n1\tb\n", "1\ta\n2\t1\tb"),
    ] {
        assert_eq!(
            page(text, 1, usize::MAX),
            Ok(ToolResult::text(shown)),
            "{text:?}: number, tab, line, and no line end behind the last"
        );
    }
    let ten = page(&"x\n".repeat(10), 1, usize::MAX).expect("ten lines");
    assert!(
        ten.content.starts_with(" 1\tx\n 2\tx") && ten.content.ends_with("\n10\tx"),
        "numbers are as wide as the last one; the content is {:?}",
        ten.content
    );
    let empty = page("", 1, usize::MAX).expect("no error");
    assert!(
        empty.content.contains("empty") && !empty.is_truncated,
        "an empty file is called so in words; the content is {:?}",
        empty.content
    );
}

#[test]
fn test_ch6_page_by_offset_and_limit() {
    let text: String = (1..=20).map(|number| format!("line {number}\n")).collect();
    for (offset, limit, lines, note) in [
        (
            5,
            5,
            5..=9,
            Some("[lines 5 to 9 of 20; go on with offset 10]"),
        ),
        (
            1,
            3,
            1..=3,
            Some("[lines 1 to 3 of 20; go on with offset 4]"),
        ),
        (20, 1, 20..=20, Some("[lines 20 to 20 of 20]")),
        (19, 50, 19..=20, Some("[lines 19 to 20 of 20]")),
        (1, 20, 1..=20, None),
    ] {
        let rows = lines.map(|number| format!("{number:>2}\tline {number}"));
        let rows: Vec<String> = rows.chain(note.map(str::to_string)).collect();
        let shown = page(&text, offset, limit).expect("lines are there");
        assert_eq!(
            shown.content,
            rows.join("\n"),
            "offset {offset}, limit {limit}: the lines, and a note if any are missing"
        );
        assert!(
            !shown.is_truncated,
            "who asks for {limit} lines gets them; nothing was cut off"
        );
    }
    says(&page(&text, 21, 1), "offset 21 of 20", &["21", "20 lines"]);
}

#[test]
fn test_ch6_page_notes_a_missing_line_end() {
    let whole = page("one\ntwo", 1, usize::MAX).expect("two lines");
    assert_eq!(
        whole.content,
        "1\tone\n2\ttwo\n[no line end behind the last line]"
    );
    let first = page("one\ntwo", 1, 1).expect("one line");
    assert_eq!(
        first.content, "1\tone\n[lines 1 to 1 of 2; go on with offset 2]",
        "the note about the last line comes with the last line"
    );
}

#[test]
fn test_ch6_page_cuts_long_lines() {
    let fits = "ä".repeat(MAX_LINE_CHARS);
    let shown = page(&format!("{fits}\n"), 1, usize::MAX).expect("a line");
    assert_eq!(
        shown,
        ToolResult::text(format!("1\t{fits}")),
        "{MAX_LINE_CHARS} characters are shown, however many bytes they take"
    );
    let shown = page(&format!("{fits}äöü\nnext\n"), 1, usize::MAX).expect("lines");
    assert_eq!(
        shown.content,
        format!("1\t{fits}[3 more characters]\n2\tnext"),
        "of a longer line it is said how much is missing"
    );
    assert!(shown.is_truncated, "a line that was cut marks the result");
}

#[test]
fn test_ch6_page_holds_what_fits() {
    let text: String = (1..=5000)
        .map(|number| format!("line {number}\n"))
        .collect();
    let mut offset = 1;
    let mut seen = 0;
    loop {
        let shown = page(&text, offset, usize::MAX).expect("lines are there");
        assert!(
            shown.content.len() <= RESULT_LIMIT,
            "a page fits into a result, its notes included; this one has {} bytes",
            shown.content.len()
        );
        let rows = shown.content.lines().filter(|line| !line.starts_with('['));
        let rows: Vec<&str> = rows.collect();
        let first = format!("{offset:>4}\tline {offset}");
        assert_eq!(rows[0], first, "a page begins with the line asked for");
        seen += rows.len();
        let next = seen + 1;
        assert_eq!(
            shown.is_truncated,
            seen < 5000,
            "a page that could not hold all lines is marked as truncated"
        );
        if seen >= 5000 {
            break;
        }
        assert!(
            shown.content.len() > RESULT_LIMIT / 2,
            "a page is filled; this one has {} bytes",
            shown.content.len()
        );
        let note = format!("go on with offset {next}]");
        assert!(
            shown.content.ends_with(&note),
            "the last line says {note:?}; it is {:?}",
            shown.content.lines().last()
        );
        offset = next;
    }
    assert_eq!(seen, 5000, "page after page, every line is shown once");
}
