//! Section 6.10: Find the text to replace

use std::ops::Range;

use claw_code::tools::*;

use super::support::*;

#[test]
fn test_ch6_occurrences_may_overlap() {
    for (text, wanted, expected) in [
        ("abcabc", "abc", vec![0, 3]),
        ("aaa", "aa", vec![0, 1]),
        ("\n\n\n", "\n\n", vec![0, 1]),
        ("ééé", "éé", vec![0, 2]),
        ("abc", "d", vec![]),
        ("abc", "", vec![]),
        ("", "a", vec![]),
    ] {
        assert_eq!(
            occurrences(text, wanted),
            expected,
            "the offsets, in bytes, of {wanted:?} in {text:?}"
        );
    }
}

#[test]
fn test_ch6_one_occurrence_is_found() {
    let text = "let a = 1;\nlet b = 2;\n";
    for (old, range) in [("a", 4..5), ("1;\nlet", 8..14), ("1;\r\nlet", 8..14)] {
        assert_eq!(
            edit_ranges(text, &edit(old, "x", false)),
            only(range),
            "{old:?} occurs once, whichever line ends it has"
        );
    }
}

#[test]
fn test_ch6_several_occurrences_are_refused() {
    let (five, nine) = ("x\n".repeat(5), "x\n".repeat(9));
    for (text, old, count, lines) in [
        ("let a = 1;\nlet b = 2;\n", "let", 2, "lines 1 and 2"),
        ("x\n\n\ny", "\n\n", 2, "lines 1 and 2"),
        (&five, "x", 5, "lines 1, 2, 3, 4 and 5"),
        (&nine, "x", 9, "lines 1, 2, 3, 4, 5 and more"),
    ] {
        let ranges = edit_ranges(text, &edit(old, "y", false));
        let rule = format!("{count} occurrences of {old:?}");
        let times = format!("{count} times");
        assert_error(&rule, &ranges, &[&times, lines, "replace_all"]);
    }
}

#[test]
fn test_ch6_replace_all_finds_every_occurrence() {
    let nine = "x\n".repeat(9);
    assert_eq!(
        edit_ranges(&nine, &edit("x\n", "y", true)).map(|ranges| ranges.len()),
        Ok(9),
        "`replace_all` finds all nine"
    );
    assert_eq!(
        edit_ranges("aaaaa", &edit("aa", "b", true)),
        Ok(vec![0..2, 2..4]),
        "an occurrence that overlaps the one before is left out"
    );
}

#[test]
fn test_ch6_edits_that_change_nothing_are_refused() {
    for new in ["x", ""] {
        let ranges = edit_ranges("text\n", &edit("", new, true));
        let parts = ["`old_string` is empty", "`write`"];
        assert_error("an empty old_string", &ranges, &parts);
    }
    for (old, new, all) in [
        ("text", "text", false),
        ("text", "text", true),
        ("text\n", "text\r\n", false),
        ("text\r\n", "text\n", false),
        ("text\r\n", "text\r\n", false),
        // This is the first error, however often the string occurs.
        ("t", "t", false),
        ("gone", "gone", false),
    ] {
        let ranges = edit_ranges("text\n", &edit(old, new, all));
        assert_error("equal strings", &ranges, &["are the same"]);
    }
}

#[test]
fn test_ch6_ranges_are_offsets_in_bytes() {
    for (text, old, range) in [
        ("a\nb\n", "b", 2..3),
        ("a\nb\nc\n", "a\nb\nc\n", 0..6),
        ("aXa", "aXa", 0..3),
        ("漢字", "漢字", 0..6),
        ("éè", "éè", 0..4),
    ] {
        let ranges = edit_ranges(text, &edit(old, "new", false));
        assert_eq!(ranges, only(range), "the range of {old:?} in {text:?}");
    }
    let ranges = edit_ranges("aba", &edit("a", "x", true));
    assert_eq!(ranges, Ok(vec![0..1, 2..3]), "both ranges of \"a\"");
}

/// The ranges when there is only this one.
fn only(range: Range<usize>) -> Result<Vec<Range<usize>>, String> {
    Ok(std::iter::once(range).collect())
}
