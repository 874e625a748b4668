//! Section 3.10: Head and tail

use claw_code::tools::*;
use claw_code::types::*;

#[test]
fn test_ch3_truncate_keeps_what_fits() {
    for text in ["", "short", "äöü"] {
        for limit in text.len()..text.len() + 40 {
            assert_eq!(
                truncate(text, limit),
                text,
                "{text:?} has {} bytes and fits into {limit}",
                text.len()
            );
        }
    }
}

#[test]
fn test_ch3_truncate_says_what_is_missing() {
    let text: String = (0..200).map(|number| format!("line {number}\n")).collect();
    let cut = truncate(&text, 80);
    let lines: Vec<&str> = cut.lines().collect();
    assert_eq!(lines[0], "line 0", "the head stays:\n{cut}");
    assert_eq!(lines.last(), Some(&"line 199"), "the tail stays:\n{cut}");
    let (head, left_out, tail) = parts(&cut);
    assert_eq!(
        left_out,
        text.len() - head.len() - tail.len(),
        "the number is that of the bytes which are missing:\n{cut}"
    );
    assert!(
        head.len().abs_diff(tail.len()) <= 1,
        "head and tail are about as long as each other: {} and {} bytes",
        head.len(),
        tail.len()
    );
}

#[test]
fn test_ch3_truncate_at_every_limit() {
    let crabs = "🦀".repeat(40);
    let mixed = "aé漢🦀e\u{301}👨‍👩‍👧\r\n".repeat(12);
    let ascii = "0123456789".repeat(20);
    for text in [&crabs, &mixed, &ascii] {
        for limit in 0..text.len() {
            let cut = truncate(text, limit);
            assert!(
                cut.len() <= limit,
                "{} bytes came back for a limit of {limit}: {cut:?}",
                cut.len()
            );
            if !cut.contains("left out") {
                assert!(
                    text.starts_with(&*cut) && limit < "\n[999 bytes left out]\n".len(),
                    "without room for the line in the middle the head alone stays; for {limit} bytes this came: {cut:?}"
                );
                assert!(
                    cut.len() + 3 >= limit,
                    "the head takes up the limit of {limit} but for a piece of a character: {cut:?}"
                );
                continue;
            }
            let (head, left_out, tail) = parts(&cut);
            assert!(
                text.starts_with(head) && text.ends_with(tail),
                "head and tail are the text's own, for a limit of {limit}: {cut:?}"
            );
            assert_eq!(
                left_out,
                text.len() - head.len() - tail.len(),
                "the number is that of the missing bytes, for a limit of {limit}: {cut:?}"
            );
            assert!(
                cut.len() + 12 >= limit,
                "a limit of {limit} has room for more than these {} bytes: {cut:?}",
                cut.len()
            );
            assert!(
                head.len().abs_diff(tail.len()) <= 8,
                "head and tail are about as long as each other, for a limit of {limit}: {cut:?}"
            );
        }
    }
}

#[test]
fn test_ch3_bounded_marks_what_it_cuts() {
    let whole = ToolResult::text("0123456789".repeat(10));
    assert_eq!(
        bounded(whole.clone(), 100),
        whole,
        "100 bytes fit into 100 and are not truncated"
    );
    let cut = bounded(whole.clone(), 99);
    assert!(cut.is_truncated, "what was cut is marked as truncated");
    assert_eq!(
        cut.content,
        truncate(&whole.content, 99),
        "the content is cut by truncate"
    );
    let already = ToolResult {
        is_truncated: true,
        ..ToolResult::text("short")
    };
    assert_eq!(
        bounded(already.clone(), 100),
        already,
        "what the tool cut itself stays marked, though it fits"
    );
    assert_eq!(
        bounded(ToolResult::text("ä"), 1),
        ToolResult {
            is_truncated: true,
            ..ToolResult::text("")
        },
        "nothing fits, and it is said that something was there"
    );
    for limit in [0, 3, 40, 1000] {
        assert!(
            bounded(ToolResult::error("no such file".repeat(9)), limit).is_error,
            "a failure stays a failure in {limit} bytes"
        );
        assert!(
            !bounded(ToolResult::text("error: 3 warnings".repeat(9)), limit).is_error,
            "output stays output in {limit} bytes"
        );
    }
}

/// Head, number of bytes left out, and tail of a truncated text.
#[track_caller]
fn parts(cut: &str) -> (&str, usize, &str) {
    let found = cut
        .rsplit_once(" bytes left out]\n")
        .and_then(|(before, tail)| {
            let (head, number) = before.rsplit_once("\n[")?;
            Some((head, number.parse().ok()?, tail))
        });
    found.unwrap_or_else(|| {
        panic!("a truncated text has a line such as [123 bytes left out] between head and tail; this one has not: {cut:?}")
    })
}
