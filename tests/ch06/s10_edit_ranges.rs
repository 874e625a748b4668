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
    let ranges = edit_ranges("text\n", &edit("", "x", true));
    let parts = ["`old_string` is empty", "`write`"];
    assert_error("an empty old_string", &ranges, &parts);
    for (old, new) in [("text", "text"), ("text\n", "text\r\n")] {
        let ranges = edit_ranges("text\n", &edit(old, new, false));
        assert_error("equal strings", &ranges, &["are the same"]);
    }
}

#[test]
fn test_ch6_an_edit_is_applied() {
    let ranges = edit_ranges("a\nb\n", &edit("b", "x", false));
    assert_eq!(ranges, only(2..3));
    for (bytes, old, new, expected, summary) in [
        ("a\nb\nc\n", "b", "x", "a\nx\nc\n", "line 2"),
        ("a\r\nb\r\n", "a\n", "x\ny\n", "x\r\ny\r\nb\r\n", "line 1"),
        ("last", "last", "last\nline", "last\nline", "line 1"),
        ("a\n\nb\n", "\n\n", "\n", "a\nb\n", "line 1"),
    ] {
        let mut text = decode(bytes);
        let applied = apply_edit(&mut text, &edit(old, new, false));
        let rule = format!("{new:?} for {old:?} in {bytes:?}");
        assert_eq!(applied.as_deref(), Ok(summary), "{rule}");
        assert_eq!(encode(&text), expected, "{rule}");
    }
}

#[test]
fn test_ch6_replace_all_is_applied_everywhere() {
    let all = edit("a", "x", true);
    assert_eq!(edit_ranges("aba", &all), Ok(vec![0..1, 2..3]));
    let mut text = decode("a b a\na\n");
    let applied = apply_edit(&mut text, &all);
    assert_eq!(applied.as_deref(), Ok("3 places, lines 1 and 2"));
    assert_eq!(encode(&text), "x b x\nx\n");
}

#[test]
fn test_ch6_a_refused_edit_changes_nothing() {
    let ambiguous = edit("a", "b", false);
    let ranges = edit_ranges("a\na\n", &ambiguous);
    assert_error("two occurrences", &ranges, &["2 times"]);
    let mut text = decode("a\na\n");
    let applied = apply_edit(&mut text, &ambiguous);
    assert_error("two occurrences", &applied, &["2 times"]);
    assert_eq!(
        text,
        decode("a\na\n"),
        "after an error, the text is unchanged"
    );
}

#[test]
fn test_ch6_repeated_lines_keep_their_line_ends() {
    let repeats = edit("a\nb\nc\n", "a\nB\nc\n", false);
    assert_eq!(edit_ranges("a\nb\nc\n", &repeats), only(0..6));
    // Line ends are mixed, and most are \n.
    let mut text = decode("a\r\nb\nc\r\nd\ne\nf\n");
    apply_edit(&mut text, &repeats).expect("it occurs once");
    assert_eq!(
        encode(&text),
        "a\r\nB\nc\r\nd\ne\nf\n",
        "lines of `old_string` that `new_string` repeats are not touched"
    );
}

#[test]
fn test_ch6_common_ends_do_not_overlap() {
    for (bytes, old, new) in [
        ("aXa", "aXa", "aa"),
        ("aa", "aa", "aXa"),
        ("aaa", "aaa", "aa"),
        ("漢字", "漢字", "漢漢字字"),
        ("éè", "éè", "éê"),
    ] {
        let edit = edit(old, new, false);
        assert_eq!(edit_ranges(bytes, &edit), only(0..bytes.len()));
        let mut text = decode(bytes);
        apply_edit(&mut text, &edit).expect("it occurs once");
        assert_eq!(
            encode(&text),
            new,
            "{new:?} for {old:?}: a character belongs to the common prefix or to the common suffix"
        );
    }
}

/// The ranges when there is only this one.
fn only(range: Range<usize>) -> Result<Vec<Range<usize>>, String> {
    Ok(std::iter::once(range).collect())
}
