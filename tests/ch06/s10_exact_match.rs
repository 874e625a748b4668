//! Section 6.10: Exactly once

use std::ops::Range;

use claw_code::tools::*;

use super::support::*;

#[test]
fn test_ch6_occurrences() {
    for (text, wanted, places) in [
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
            places,
            "where {wanted:?} begins in {text:?}, counted in bytes"
        );
    }
}

#[test]
fn test_ch6_find_exactly_one() {
    let text = "let a = 1;\nlet b = 2;\n";
    for (old, range) in [("a", 4..5), ("1;\nlet", 8..14), ("1;\r\nlet", 8..14)] {
        assert_eq!(
            find_change(text, &change(old, "x", false)),
            only(range),
            "{old:?} stands once, in whichever line ends it is written"
        );
    }
    says(
        &find_change(text, &change("let", "x", false)),
        "two places",
        &["2 times", "lines 1 and 2", "replace_all"],
    );
    says(
        &find_change("x\n\n\ny", &change("\n\n", "\n", false)),
        "two places that overlap",
        &["2 times", "lines 1 and 2"],
    );
    let five = "x\n".repeat(5);
    says(
        &find_change(&five, &change("x", "y", false)),
        "five places",
        &["5 times", "lines 1, 2, 3, 4 and 5"],
    );
    let many = "x\n".repeat(9);
    says(
        &find_change(&many, &change("x", "y", false)),
        "nine places",
        &["9 times", "lines 1, 2, 3, 4, 5 and more"],
    );
    assert_eq!(
        find_change(&many, &change("x\n", "y", true)).map(|ranges| ranges.len()),
        Ok(9),
        "with `replace_all` every one is found"
    );
    assert_eq!(
        find_change("aaaaa", &change("aa", "b", true)),
        Ok(vec![0..2, 2..4]),
        "those that overlap are not replaced twice"
    );
}

#[test]
fn test_ch6_find_refuses_empty_changes() {
    let text = "text\n";
    says(
        &find_change(text, &change("", "x", true)),
        "an empty old_string",
        &["`old_string` is empty", "`write`"],
    );
    for (old, new) in [("text", "text"), ("text\n", "text\r\n")] {
        says(
            &find_change(text, &change(old, new, false)),
            "nothing to do",
            &["are the same"],
        );
    }
}

#[test]
fn test_ch6_apply_changes_the_text() {
    assert_eq!(find_change("a\nb\n", &change("b", "x", false)), only(2..3));
    for (bytes, old, new, all, after, said) in [
        ("a\nb\nc\n", "b", "x", false, "a\nx\nc\n", "line 2"),
        (
            "a b a\na\n",
            "a",
            "x",
            true,
            "x b x\nx\n",
            "3 places, lines 1 and 2",
        ),
        (
            "a\r\nb\r\n",
            "a\n",
            "x\ny\n",
            false,
            "x\r\ny\r\nb\r\n",
            "line 1",
        ),
        ("last", "last", "last\nline", false, "last\nline", "line 1"),
        ("a\n\nb\n", "\n\n", "\n", false, "a\nb\n", "line 1"),
    ] {
        let mut text = decoded(bytes);
        assert_eq!(
            apply_change(&mut text, &change(old, new, all)),
            Ok(said.to_string()),
            "{new:?} for {old:?} in {bytes:?}"
        );
        assert_eq!(String::from_utf8_lossy(&text.encode()), after);
    }
    let mut text = decoded("a\na\n");
    assert!(apply_change(&mut text, &change("a", "b", false)).is_err());
    assert_eq!(text, decoded("a\na\n"), "an error has changed nothing");
}

#[test]
fn test_ch6_apply_touches_only_what_differs() {
    let repeats = change("a\nb\nc\n", "a\nB\nc\n", false);
    assert_eq!(find_change("a\nb\nc\n", &repeats), only(0..6));
    // Line ends are mixed, and most are \n.
    let mut text = decoded("a\r\nb\nc\r\nd\ne\nf\n");
    apply_change(&mut text, &repeats).expect("it is there");
    assert_eq!(
        String::from_utf8_lossy(&text.encode()),
        "a\r\nB\nc\r\nd\ne\nf\n",
        "lines of `old_string` that `new_string` repeats keep their own line ends"
    );
    for (bytes, old, new, after) in [
        ("aXa", "aXa", "aa", "aa"),
        ("aa", "aa", "aXa", "aXa"),
        ("aaa", "aaa", "aa", "aa"),
        ("漢字", "漢字", "漢漢字字", "漢漢字字"),
        ("éè", "éè", "éê", "éê"),
    ] {
        let mut text = decoded(bytes);
        apply_change(&mut text, &change(old, new, false)).expect("it is there");
        assert_eq!(
            String::from_utf8_lossy(&text.encode()),
            after,
            "{new:?} for {old:?}: what is common at both ends is counted once"
        );
    }
}

/// What is found when there is one place.
fn only(range: Range<usize>) -> Result<Vec<Range<usize>>, String> {
    Ok(std::iter::once(range).collect())
}
