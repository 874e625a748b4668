//! Find similar text

use claw_code::tools::*;

#[test]
fn white_space_is_ignored_in_both() {
    for (lines, wanted, expected) in [
        (&["", "a b", "", "c d"][..], &["bc"][..], Some(1)),
        (&["", "ab", "", "cd"], &["c d"], Some(3)),
        (&["", "é\u{a0}b "], &["é b"], Some(1)),
        (&["", "a", ""], &["  "], None),
        (&["", "a", ""], &["a", " ", "b"], None),
        (&["a"], &["a", "b"], None),
    ] {
        let found = find_ignoring_white_space(&CompactLines::of(lines), &CompactLines::of(wanted));
        assert_eq!(found, expected, "{wanted:?} in {lines:?}");
    }
}

#[test]
fn closest_match_of_equally_similar_lines() {
    let lines = ["}", "return x;", "a", "return x;", "b", "return x;", "b"];
    for (rule, wanted, expected) in [
        ("the first", &["return x;", "c"][..], Some(1)),
        ("more equal lines", &["return x;", "b"], Some(3)),
        ("the longest line", &["a", "return y;"], Some(2)),
        ("equal lines before it", &["b", "return x;"], Some(4)),
        (
            "the first of two longest lines",
            &["return x;", "return z;"],
            Some(1),
        ),
        (
            "the length without white space at the ends",
            &["b", "return x;", "b             "],
            Some(4),
        ),
        ("no similar line", &["nothing else"], None),
        ("the length in bytes", &["ééééé", "return x;"], None),
    ] {
        let found = closest(&lines, wanted);
        assert_eq!(found, expected, "{rule} decides: {wanted:?}");
    }
    assert_eq!(
        closest(
            &["return x;", "return y;", "b", "c"],
            &["return x;", "b", "c"]
        ),
        Some(0),
        "equal lines count only for lines of the same similarity"
    );
    assert_eq!(
        closest(&["return x;"], &["a", "b", "return x;"]),
        Some(0),
        "a match does not begin before the first line"
    );
    assert_eq!(
        closest(&["abc1", "abcd"], &["abcd"]),
        Some(1),
        "each line is compared with all pairs of `wanted`"
    );
}

#[test]
fn closest_match_shares_half_of_the_pairs() {
    for (line, wanted) in [("abd", "abc"), ("xyzwabc", "abc"), ("abc", "xyzwabc")] {
        assert_eq!(
            closest(&[line], &[wanted]),
            Some(0),
            "half of the pairs are enough: {line:?} and {wanted:?}"
        );
    }
    for (line, wanted) in [
        ("ab", "abcdefghijklmnop"),
        ("abcdefghijklmnop", "ab"),
        ("ababababab", "abcdef"),
        ("fedcba", "abcdef"),
    ] {
        assert_eq!(
            closest(&[line], &[wanted]),
            None,
            "{line:?} and {wanted:?} share less than half of their pairs"
        );
    }
}

/// The [`closest_match`] of `wanted` in these lines.
fn closest(lines: &[&str], wanted: &[&str]) -> Option<usize> {
    closest_match(lines, &CompactLines::of(lines), wanted)
}
