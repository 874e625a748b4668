//! The new content of a text file

use super::support::*;

#[test]
fn rewrite_keeps_the_final_line_end() {
    assert_rewrite("old\n", "new\nlines\n", "new\nlines\n");
    assert_rewrite("old\n", "new", "new\n");
    assert_rewrite("old", "new", "new");
    assert_rewrite("old", "new\n", "new\n");
    assert_rewrite("old\n", "", "");
    assert_rewrite("", "new", "new");
}

#[test]
fn rewrite_keeps_crlf_line_ends() {
    assert_rewrite("a\r\nb\r\n", "x\ny", "x\r\ny\r\n");
    assert_rewrite("a\r\nb\r\n", "x\r\ny\n", "x\r\ny\r\n");
    assert_rewrite("a\r\nb\nc\n", "x\ny\n", "x\ny\n");
    assert_rewrite("a\nb\n", "x\r\ny\r\n", "x\r\ny\r\n");
    // Exactly half of the lines, and just more than half.
    assert_rewrite("a\r\nb\n", "x\ny\n", "x\ny\n");
    assert_rewrite("a\r\nb\r\nc\r\nd\ne\n", "x\ny\n", "x\r\ny\r\n");
}

#[test]
fn rewrite_keeps_one_byte_order_mark() {
    assert_rewrite("\u{feff}old\n", "new\n", "\u{feff}new\n");
    assert_rewrite("\u{feff}old\n", "\u{feff}new\n", "\u{feff}new\n");
    assert_rewrite("old\n", "\u{feff}new\n", "new\n");
    assert_rewrite("\u{feff}old\n", "\u{feff}\u{feff}new\n", "\u{feff}new\n");
    assert_rewrite("\u{feff}old\n", "", "\u{feff}");
    assert_rewrite("old\n", "\u{feff}", "");
}

#[test]
fn rewrite_does_not_copy_the_content() {
    let content = "new\n";
    let text = decode("old\n").rewrite(content);
    assert_eq!(
        text.as_ptr(),
        content.as_ptr(),
        "rewrite borrows a content that needs no change: it may have megabytes"
    );
}

/// Fails unless `content` over a file with the text `bytes` gives `expected`.
#[track_caller]
fn assert_rewrite(bytes: &str, content: &str, expected: &str) {
    let text = decode(bytes);
    let new = text.rewrite(content);
    assert_eq!(
        new, expected,
        "{content:?} over {bytes:?}, by the three rules in the docs of `rewrite`"
    );
}
