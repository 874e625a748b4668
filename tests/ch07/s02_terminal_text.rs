//! Section 7.2: Terminal output as text

use claw_code::tools::shell::*;

#[test]
fn test_ch7_escape_sequences_are_removed() {
    let colors = "\u{1b}[31mred\u{1b}[0m and \u{1b}[1;38;5;208mbold\u{1b}[m";
    let link = "\u{1b}]8;;http://a.b\u{1b}\\link\u{1b}]8;;\u{1b}\\";
    let others = "a bell\u{7}, a nul\0, and \u{9b}more";
    let plain = "no escapes,\tbut a tab\n";
    for (rule, text, expected) in [
        ("plain text stays", plain, plain),
        ("colors", colors, "red and bold"),
        (
            "other finals",
            "\u{1b}[2K\u{1b}[?25h\u{1b}[2~\u{1b}[@line",
            "line",
        ),
        ("ends with a bell", "\u{1b}]0;a title\u{7}text", "text"),
        ("ends with ESC \\", link, "link"),
        (
            "strings",
            "\u{1b}Pa\u{1b}\\\u{1b}X$\u{7}\u{1b}^a\u{7}\u{1b}_ab\u{7}t",
            "t",
        ),
        (
            "short sequences",
            "\u{1b}(Btext\u{1b}=\u{1b}7\u{1b}#8",
            "text",
        ),
        (
            "a sequence begins inside another one",
            "a\u{1b}[3\u{1b}[32mb\u{1b}\u{1b}[1mc",
            "abc",
        ),
        (
            "a letter outside of ASCII ends a sequence",
            "\u{1b}étext",
            "text",
        ),
        ("other controls", others, "a bell, a nul, and more"),
        ("all letters stay", "größe 漢 🦀", "größe 漢 🦀"),
    ] {
        assert_text(rule, text, expected);
    }
    let much = "x".repeat(100);
    let (text, expected) = (format!("{much}\u{1b}[1mbold"), format!("{much}bold"));
    assert_text("bold after much text", &text, &expected);
}

#[test]
fn test_ch7_an_unterminated_sequence_ends_with_its_line() {
    for (text, expected) in [
        ("\u{1b}]0;never closed\nnext", "\nnext"),
        ("a\u{1b}[31\nnext", "a\nnext"),
        ("a\u{1b}\nnext", "a\nnext"),
        ("a\u{1b}[31\tnext", "a\tnext"),
        ("a\u{1b}[31\u{9b}next", "anext"),
        ("\u{1b}]0;\u{1b}[31mred", "red"),
        ("a\u{1b}[31\u{1b}\u{1b}[0mb", "ab"),
    ] {
        let rule = "an unterminated sequence swallows no text after its line";
        assert_text(rule, text, expected);
    }
}

#[test]
fn test_ch7_an_overwritten_line_is_its_last_state() {
    for (rule, text, expected) in [
        ("progress", " 10%\r 50%\r100%\ndone\n", "100%\ndone\n"),
        ("\\r\\n is a line end", "one\r\ntwo\r\n", "one\ntwo\n"),
        (
            "\\r\\r\\n is a line end",
            "one\r\r\nt\u{1b}[mwo",
            "one\ntwo",
        ),
        ("\\r erases nothing", "one\r", "one"),
        ("nor does a sequence", "one\r\u{1b}[K", "one"),
        ("new text overwrites", "one\r\u{1b}[Ktwo", "two"),
        ("a backspace erases", "N\u{8}é\u{8}NA\u{8}A", "NA"),
        ("a backspace on no text", "\u{8}a", "a"),
        ("a backspace after \\r", "one\r\u{8}\n", "one\n"),
        ("finished lines stay", "kept\none\rtwo", "kept\ntwo"),
        ("a tab overwrites", "one\r\ttwo", "\ttwo"),
    ] {
        assert_text(rule, text, expected);
    }
}

#[test]
fn test_ch7_finished_lines_are_returned() {
    let mut terminal = TerminalText::default();
    assert_eq!(
        terminal.push("one\ntwo\nthree"),
        "one\ntwo\n",
        "finished lines are returned"
    );
    assert_eq!(
        terminal.current_line(),
        "three",
        "the current line may still change"
    );
    assert_eq!(terminal.push("\nfour"), "three\n");
}

#[test]
fn test_ch7_a_long_line_is_held_back_in_part() {
    let mut terminal = TerminalText::default();
    let long = "ä漢".repeat(100_000);
    let mut returned = terminal.push(&long);
    assert!(
        terminal.current_line().len() <= LINE_LIMIT,
        "at most {LINE_LIMIT} bytes of a line are held back, not {}",
        terminal.current_line().len()
    );
    returned.push_str(terminal.current_line());
    assert!(returned == long, "no text is lost");
    let mut terminal = TerminalText::default();
    let text = "\t".repeat(LINE_LIMIT + 3) + "\rend";
    let shown = terminal.push(&text) + terminal.current_line();
    assert!(
        shown == "\t\t\tend",
        "of a line of {LINE_LIMIT} and 3 tabs, `\\r` takes back the last {LINE_LIMIT} bytes, and 3 stay before `end`; {} bytes came",
        shown.len()
    );
}

#[test]
fn test_ch7_the_line_keeps_its_buffer() {
    let mut terminal = TerminalText::default();
    terminal.push(&"x".repeat(100));
    let address = terminal.current_line().as_ptr();
    for text in ["\none", "\ntwo\nthree", "\rfour"] {
        terminal.push(text);
        assert_eq!(
            terminal.current_line().as_ptr(),
            address,
            "the line after {text:?} is in the buffer of the line before it"
        );
    }
}

/// Fails with `rule` unless `text` becomes `expected`, pushed at once and letter by letter.
#[track_caller]
fn assert_text(rule: &str, text: &str, expected: &str) {
    let mut terminal = TerminalText::default();
    let shown = terminal.push(text) + terminal.current_line();
    assert_eq!(shown, expected, "{rule}: {text:?}");
    let mut terminal = TerminalText::default();
    let mut shown = String::new();
    for letter in text.chars() {
        shown.push_str(&terminal.push(&letter.to_string()));
    }
    shown.push_str(terminal.current_line());
    assert_eq!(shown, expected, "{rule}, letter by letter: {text:?}");
}
