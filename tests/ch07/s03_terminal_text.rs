//! Section 7.3: What a terminal would show

use claw_code::tools::shell::*;

#[test]
fn test_ch7_escape_sequences_go() {
    for (text, shown) in [
        ("no escapes,\tbut a tab\n", "no escapes,\tbut a tab\n"),
        (
            "\u{1b}[31mred\u{1b}[0m and \u{1b}[1;38;5;208mbold\u{1b}[m",
            "red and bold",
        ),
        ("\u{1b}[2K\u{1b}[1Gline", "line"),
        ("\u{1b}]0;a title\u{7}text", "text"),
        ("\u{1b}]8;;http://a.b\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
        ("\u{1b}Pdata\u{1b}\\text", "text"),
        ("\u{1b}(Btext\u{1b}=\u{1b}7", "text"),
        (
            "a bell\u{7}, a nul\0, and \u{9b}more",
            "a bell, a nul, and more",
        ),
        ("größe 漢 🦀", "größe 漢 🦀"),
    ] {
        assert_plain(
            text,
            shown,
            "escape sequences and other control characters go",
        );
    }
}

#[test]
fn test_ch7_an_open_sequence_ends_with_its_line() {
    for (text, shown) in [
        ("\u{1b}]0;never closed\nnext", "\nnext"),
        ("a\u{1b}[31\nnext", "a\nnext"),
        ("a\u{1b}\nnext", "a\nnext"),
        ("\u{1b}]0;\u{1b}[31mred", "red"),
    ] {
        assert_plain(
            text,
            shown,
            "a sequence that is not closed swallows nothing behind its line",
        );
    }
}

#[test]
fn test_ch7_a_line_written_over_is_its_last_state() {
    for (text, shown) in [
        (" 10%\r 50%\r100%\ndone\n", "100%\ndone\n"),
        ("one\r\ntwo\r\n", "one\ntwo\n"),
        ("one\r\r\ntwo", "one\ntwo"),
        ("one\r", "one"),
        ("one\r\u{1b}[K", "one"),
        ("one\r\u{1b}[Ktwo", "two"),
        ("N\u{8}NA\u{8}A", "NA"),
        ("\u{8}a", "a"),
        ("one\r\u{8}\n", "one\n"),
        ("kept\none\rtwo", "kept\ntwo"),
        ("one\r\ttwo", "\ttwo"),
    ] {
        assert_plain(
            text,
            shown,
            "a carriage return or a backspace goes back, and what follows takes the place",
        );
    }
}

#[test]
fn test_ch7_only_the_current_line_is_held_back() {
    let mut plain = Plain::default();
    assert_eq!(
        plain.push("one\ntwo"),
        "one\n",
        "finished lines are returned"
    );
    assert_eq!(plain.line(), "two", "the current one may still change");
    assert_eq!(plain.push("\nthree"), "two\n");
    let mut plain = Plain::default();
    let long = "ä漢".repeat(100_000);
    let mut returned = plain.push(&long);
    assert!(
        plain.line().len() <= LINE_LIMIT,
        "of a line without end at most {LINE_LIMIT} bytes are held back, and no {}",
        plain.line().len()
    );
    returned.push_str(plain.line());
    assert!(returned == long, "and nothing of it is lost");
    let mut plain = Plain::default();
    for _ in 0..2 * LINE_LIMIT {
        plain.push("\t");
    }
    assert_eq!(
        plain.line().len(),
        LINE_LIMIT,
        "a line of tabs is a line without end as well; what is not beyond the limit may still change"
    );
}

/// Compares what becomes of `text`, whole and letter by letter.
#[track_caller]
fn assert_plain(text: &str, shown: &str, because: &str) {
    let mut plain = Plain::default();
    let got = plain.push(text) + plain.line();
    assert_eq!(got, shown, "{because}; the text is {text:?}");
    let mut plain = Plain::default();
    let mut got = String::new();
    for letter in text.chars() {
        got.push_str(&plain.push(&letter.to_string()));
    }
    got.push_str(plain.line());
    assert_eq!(
        got, shown,
        "letter by letter it is the same; the text is {text:?}"
    );
}
