//! Section 20.2: Read JSON Lines

use std::fs;
use std::path::Path;

use claw_code::chat::ChatMessage;
use claw_code::session::*;

use super::support::*;

#[test]
fn test_ch20_each_line_is_a_message() {
    assert_parsed(
        "each line is a message, and they keep their order",
        json_lines(&talk(3)),
        &talk(3),
        None,
    );
    assert_parsed("an empty file has no messages", "", &[], None);
}

#[test]
fn test_ch20_only_a_newline_ends_a_line() {
    let messages = [user("two\nlines\r\nand\u{2028}\u{85}a third"), user("")];
    assert_parsed(
        "JSON escapes the line ends inside a message, and no other character ends a line",
        json_lines(&messages),
        &messages,
        None,
    );
}

#[test]
fn test_ch20_torn_last_line_is_returned() {
    let complete = json_lines(&talk(2));
    let last = json_line(&user("Grüße, 世界"));
    for length in 1..last.len() - 1 {
        let torn = &last.as_bytes()[..length];
        assert_parsed(
            &format!(
                "the last line is torn after {length} bytes, perhaps inside a character; its \
                 bytes are in `torn`, and the lines before it are complete"
            ),
            [complete.as_bytes(), torn].concat(),
            &talk(2),
            Some(torn),
        );
    }
    let no_message = b"{\"role\":\"king\"}";
    assert_parsed(
        "anything without a line end that is not a message is torn, even if it is complete JSON",
        [complete.as_bytes(), no_message].concat(),
        &talk(2),
        Some(no_message),
    );
}

#[test]
fn test_ch20_zeros_after_the_last_line_are_torn() {
    let zeros = [0; 64];
    assert_parsed(
        "after a power failure some file systems leave zeros, which are a torn line",
        [json_lines(&talk(2)).as_bytes(), &zeros].concat(),
        &talk(2),
        Some(&zeros),
    );
}

#[test]
fn test_ch20_last_message_may_lack_its_line_end() {
    assert_parsed(
        "a last line that lacks only its line end is a message",
        json_lines(&talk(2)).trim_end(),
        &talk(2),
        None,
    );
}

#[test]
fn test_ch20_broken_line_with_its_end_is_damaged() {
    let [one, two] = [user("1"), user("2")].map(|message| json_line(&message));
    assert_damaged(
        "a last line with its line end was written completely, so it is damaged, not torn",
        format!("{one}{{\"role\":\"us\n"),
        "line 2",
    );
    assert_damaged(
        "JSON that is not a message is damage",
        format!("{one}{two}{{\"role\":\"king\"}}\n{one}"),
        "line 3",
    );
    for empty in ["", " ", "\r"] {
        let text = format!("{one}{empty}\n{two}");
        assert_damaged("an empty line is damage", text, "line 2");
    }
    assert_damaged(
        "a line that is not UTF-8 is damage",
        [
            one.as_bytes(),
            b"{\"role\":\"user\",\"content\":\"\xff\"}\n",
        ]
        .concat(),
        "line 2",
    );
}

#[test]
fn test_ch20_two_messages_on_one_line_are_damage() {
    let [one, two] = [user("1"), user("2")].map(|message| json_line(&message));
    assert_damaged(
        "a torn line and the next message on one line are damage",
        format!("{one}{{\"role\":\"us{two}{two}"),
        "line 2",
    );
    assert_damaged(
        "two messages on one line are damage",
        format!("{}{two}", one.trim_end()),
        "line 1",
    );
}

#[test]
fn test_ch20_read_jsonl_reads_a_file() {
    let folder = folder();
    let path = folder.path().join("talk.jsonl");
    let text = json_lines(&talk(2)) + "{\"role";
    fs::write(&path, &text).expect("can be written");
    assert_contents(
        "the messages and the torn line are those of the file",
        read_jsonl(&path),
        &talk(2),
        Some(b"{\"role"),
    );
    assert_eq!(
        read(&path),
        text,
        "reading changes nothing: another process may be writing the last line now"
    );
}

#[test]
fn test_ch20_read_jsonl_errors_name_the_file() {
    let folder = folder();
    let damaged = folder.path().join("damaged.jsonl");
    fs::write(&damaged, "{}\n").expect("can be written");
    for (path, part) in [
        (damaged.as_path(), "line 1"),
        (Path::new("missing.jsonl"), "cannot read"),
    ] {
        let error = read_jsonl(path).expect_err("this file has no messages");
        let error = format!("{error:#}");
        assert!(
            error.contains(part) && error.contains(&path.display().to_string()),
            "the error should name {path:?} and say `{part}`, but is: {error}"
        );
    }
}

#[track_caller]
fn assert_parsed(
    rule: &str,
    bytes: impl AsRef<[u8]>,
    messages: &[ChatMessage],
    torn: Option<&[u8]>,
) {
    assert_contents(rule, parse_jsonl(bytes.as_ref()), messages, torn);
}

#[track_caller]
fn assert_contents(
    rule: &str,
    contents: anyhow::Result<JsonlContents>,
    messages: &[ChatMessage],
    torn: Option<&[u8]>,
) {
    match contents {
        Ok(contents) => {
            assert_messages(rule, &contents.messages, messages);
            assert_eq!(contents.torn.as_deref(), torn, "{rule}");
        }
        Err(error) => panic!("{rule}; but there was an error: {error:#}"),
    }
}

/// Fails unless reading `text` gives an error that names this line.
#[track_caller]
fn assert_damaged(rule: &str, text: impl AsRef<[u8]>, line: &str) {
    match parse_jsonl(text.as_ref()) {
        Ok(contents) => panic!(
            "{rule}; reading this gave {contents:?}:\n{}",
            String::from_utf8_lossy(text.as_ref())
        ),
        Err(error) => assert!(
            format!("{error:#}").contains(line),
            "{rule}; the error should say `{line}`, but is: {error:#}"
        ),
    }
}
