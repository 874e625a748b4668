//! Section 6.11: Apply an edit

use claw_code::tools::*;

use super::support::*;

#[test]
fn test_ch6_an_edit_is_applied() {
    for (bytes, old, new, expected, summary) in [
        ("a\nb\nc\n", "b", "x", "a\nx\nc\n", "line 2"),
        ("a\r\nb\r\n", "a\n", "x\ny\n", "x\r\ny\r\nb\r\n", "line 1"),
        ("last", "last", "last\nline", "last\nline", "line 1"),
        ("a\n\nb\n", "\n\n", "\n", "a\nb\n", "line 1"),
        ("a\nb\n", "a\r\nb", "a\r\nc", "a\nc\n", "line 1"),
        ("a\nb\n", "b\r\n", "x\r\n", "a\nx\n", "line 2"),
    ] {
        let (applied, text) = apply(bytes, &edit(old, new, false));
        let rule = format!("{new:?} for {old:?} in {bytes:?}");
        assert_eq!(
            applied.as_deref(),
            Ok(summary),
            "{rule}: the line on which `old_string` begins"
        );
        assert_eq!(encode(&text), expected, "{rule}");
    }
}

#[test]
fn test_ch6_replace_all_is_applied_everywhere() {
    let (applied, text) = apply("ab cd ab\nab\n", &edit("ab", "a\nx", true));
    assert_eq!(
        applied.as_deref(),
        Ok("3 places, lines 1 and 2"),
        "the number of places, and their lines in the old text"
    );
    assert_eq!(
        encode(&text),
        "a\nx cd a\nx\na\nx\n",
        "every place is replaced, and only what the strings do not have in common"
    );
}

#[test]
fn test_ch6_a_refused_edit_changes_nothing() {
    let (applied, text) = apply("a\na\n", &edit("a", "b", false));
    assert_error("two occurrences", &applied, &["2 times"]);
    assert_eq!(
        text,
        decode("a\na\n"),
        "after an error, the text is unchanged"
    );
}

#[test]
fn test_ch6_repeated_lines_keep_their_line_ends() {
    // Line ends are mixed, and most are \n.
    let mixed = "a\r\nb\nc\r\nd\ne\nf\n";
    let (applied, text) = apply(mixed, &edit("a\nb\nc\n", "a\nB\nc\n", false));
    applied.expect("it occurs once");
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
        let (applied, text) = apply(bytes, &edit(old, new, false));
        applied.expect("it occurs once");
        assert_eq!(
            encode(&text),
            new,
            "{new:?} for {old:?}: a character belongs to the common prefix or to the common suffix"
        );
    }
}

/// Applies `edit` to a file with the text `bytes`. Returns the outcome and the text.
#[track_caller]
fn apply(bytes: &str, edit: &Edit) -> (Result<String, String>, TextFile) {
    let no_text = Edit {
        old_string: String::new(),
        ..edit.clone()
    };
    let refused = apply_edit(&mut TextFile::default(), &no_text);
    assert_error("an empty old_string", &refused, &["is empty"]);
    let mut text = decode(bytes);
    (apply_edit(&mut text, edit), text)
}
