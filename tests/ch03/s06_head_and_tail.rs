//! Section 3.6: Head and tail

use claw_code::tools::*;
use claw_code::types::*;

#[test]
fn test_ch3_truncate_keeps_a_text_that_fits() {
    let long = "0123456789".repeat(9);
    for text in ["", "short", "äöü", &long] {
        for limit in text.len()..text.len() + 40 {
            assert_eq!(
                truncate(text, limit),
                text,
                "{text:?} has {} bytes and fits into {limit}",
                text.len()
            );
        }
    }
    assert!(
        matches!(truncate("short", 5), std::borrow::Cow::Borrowed(_)),
        "a text that fits is not copied"
    );
}

#[test]
fn test_ch3_truncate_keeps_head_and_tail() {
    let text: String = (0..200).map(|number| format!("line {number}\n")).collect();
    let cut = truncate(&text, 80);
    let lines: Vec<&str> = cut.lines().collect();
    assert_eq!(lines[0], "line 0", "the head stays:\n{cut}");
    assert_eq!(lines.last(), Some(&"line 199"), "the tail stays:\n{cut}");
    let (head, left_out, tail) = split_cut(&cut);
    assert_eq!(
        left_out,
        text.len() - head.len() - tail.len(),
        "the line in the middle counts the missing bytes:\n{cut}"
    );
    assert!(
        head.len().abs_diff(tail.len()) <= 1,
        "head and tail should have about the same length, not {} and {} bytes",
        head.len(),
        tail.len()
    );
}

#[test]
fn test_ch3_truncate_never_exceeds_the_limit() {
    for (text, limit) in texts_and_limits() {
        let cut = truncate(&text, limit);
        assert!(
            cut.len() <= limit,
            "the limit is {limit} bytes, and the result has {}: {cut:?}",
            cut.len()
        );
    }
}

#[test]
fn test_ch3_truncate_uses_the_limit_for_head_and_tail() {
    for (text, limit) in texts_and_limits() {
        let cut = truncate(&text, limit);
        if !cut.contains("left out") {
            continue;
        }
        let (head, left_out, tail) = split_cut(&cut);
        assert!(
            text.starts_with(head) && text.ends_with(tail),
            "head and tail should come from the text; limit {limit}: {cut:?}"
        );
        assert_eq!(
            left_out,
            text.len() - head.len() - tail.len(),
            "the line in the middle counts the missing bytes; limit {limit}: {cut:?}"
        );
        assert!(
            cut.len() + 12 >= limit,
            "a limit of {limit} has room for more than these {} bytes: {cut:?}",
            cut.len()
        );
        assert!(
            head.len().abs_diff(tail.len()) <= 8,
            "head and tail should have about the same length; limit {limit}: {cut:?}"
        );
    }
    let text = "0123456789".repeat(169);
    let cut = truncate(&text, 80);
    let (head, _, tail) = split_cut(&cut);
    assert_eq!(
        (head.len(), tail.len()),
        (29, 28),
        "of 1690 bytes, 57 stay: `room / 2` are the tail, and the rest is the head:\n{cut}"
    );
}

#[test]
fn test_ch3_truncate_keeps_only_the_head_at_a_small_limit() {
    for (text, limit) in texts_and_limits() {
        let cut = truncate(&text, limit);
        if cut.contains("left out") {
            continue;
        }
        assert!(
            text.starts_with(&*cut) && limit < "\n[999 bytes left out]\n".len(),
            "without room for the line in the middle only the head stays; limit {limit}: {cut:?}"
        );
        assert!(
            matches!(cut, std::borrow::Cow::Borrowed(_)),
            "a head alone is not copied; limit {limit}"
        );
        assert!(
            cut.len() + 3 >= limit,
            "the head should use the limit of {limit} up to a part of a character: {cut:?}"
        );
    }
}

#[test]
fn test_ch3_truncate_result_marks_a_cut() {
    let complete = ToolResult::text("0123456789".repeat(10));
    assert_eq!(
        truncate_result(complete.clone(), 100),
        complete,
        "100 bytes fit into 100, so the result is not truncated"
    );
    let cut = truncate_result(complete.clone(), 99);
    assert!(cut.is_truncated, "a cut sets is_truncated");
    assert_eq!(
        cut.content,
        truncate(&complete.content, 99),
        "`truncate` cuts the content"
    );
    assert_eq!(
        truncate_result(ToolResult::text("ä"), 1),
        ToolResult {
            is_truncated: true,
            ..ToolResult::text("")
        },
        "an empty content is marked if it had text before"
    );
}

#[test]
fn test_ch3_truncate_result_keeps_the_mark_of_the_tool() {
    let truncated = ToolResult {
        is_truncated: true,
        ..ToolResult::text("short")
    };
    assert_eq!(
        truncate_result(truncated.clone(), 100),
        truncated,
        "a result that the tool truncated stays marked, even if it fits"
    );
    assert_eq!(
        truncate_result(truncated, 3).content,
        "sho",
        "a result that the tool truncated is cut too, if it does not fit"
    );
}

#[test]
fn test_ch3_truncate_result_keeps_is_error() {
    for limit in [0, 3, 40, 1000] {
        assert!(
            truncate_result(ToolResult::error("no such file".repeat(9)), limit).is_error,
            "a failure stays a failure in {limit} bytes"
        );
        assert!(
            !truncate_result(ToolResult::text("error: 3 warnings".repeat(9)), limit).is_error,
            "a success stays a success in {limit} bytes"
        );
    }
}

/// Texts with characters of one to four bytes, each with every limit that is too small.
fn texts_and_limits() -> impl Iterator<Item = (String, usize)> {
    let crabs = "🦀".repeat(40);
    let mixed = "aé漢🦀e\u{301}👨‍👩‍👧\r\n".repeat(12);
    let ascii = "0123456789".repeat(20);
    let texts = [crabs, mixed, ascii].into_iter();
    texts.flat_map(|text| (0..text.len()).map(move |limit| (text.clone(), limit)))
}

/// The head, the number of missing bytes, and the tail of a truncated text.
#[track_caller]
fn split_cut(cut: &str) -> (&str, usize, &str) {
    let parts = cut
        .rsplit_once(" bytes left out]\n")
        .and_then(|(before, tail)| {
            let (head, number) = before.rsplit_once("\n[")?;
            Some((head, number.parse().ok()?, tail))
        });
    parts.unwrap_or_else(|| {
        panic!("a truncated text should have a line such as [123 bytes left out] between head and tail: {cut:?}")
    })
}
