//! Section 20.2: One line a message

use std::fs;

use claw_code::session::*;

use super::support::*;

#[test]
fn test_ch20_lines_are_messages() {
    let messages = talk(3);
    let text = lines(&messages);
    assert_eq!(
        parse(text.as_bytes()),
        (messages, None),
        "each line is a message, in order, and nothing is torn"
    );
    assert_eq!(
        parse(b""),
        (vec![], None),
        "an empty file holds no messages"
    );
    let odd = vec![user("two\nlines\r\nand\u{2028}\u{85}a third"), user("")];
    assert_eq!(
        parse(lines(&odd).as_bytes()),
        (odd, None),
        "line ends inside a message are written as escapes, and other signs end no line here"
    );
}

#[test]
fn test_ch20_a_torn_last_line_is_reported() {
    let whole = lines(&talk(2));
    let last = json_line(&user("Grüße, 世界"));
    for end in 1..last.len() {
        let torn = &last.as_bytes()[..end];
        let file = [whole.as_bytes(), torn].concat();
        if end == last.len() - 1 {
            break; // Only its line end is missing: the next test.
        }
        assert_eq!(
            parse(&file),
            (talk(2), Some(torn.to_vec())),
            "the last line was torn after {end} bytes, perhaps in the middle of a letter: \
             the lines before it are whole, and its bytes are in `torn`"
        );
    }
    let zeros = [whole.as_bytes(), &[0; 64]].concat();
    assert_eq!(
        parse(&zeros),
        (talk(2), Some(vec![0; 64])),
        "after the end of a machine, some file systems leave zeros: they are a torn line"
    );
}

#[test]
fn test_ch20_only_the_line_end_is_missing() {
    let text = lines(&talk(2));
    assert_eq!(
        parse(text.trim_end().as_bytes()),
        (talk(2), None),
        "the last line lacks its line end and nothing else: it is a whole message"
    );
}

#[test]
fn test_ch20_damage_is_named() {
    let [one, two] = [user("1"), user("2")].map(|message| json_line(&message));
    for (why, text, line) in [
        (
            "a last line that has its line end was written whole, so it is not torn but damaged",
            format!("{one}{{\"role\":\"us\n"),
            "line 2",
        ),
        (
            "a torn line that another was glued to",
            format!("{one}{{\"role\":\"us{two}{two}"),
            "line 2",
        ),
        (
            "no message, though JSON",
            format!("{one}{two}{{\"role\":\"king\"}}\n{one}"),
            "line 3",
        ),
        ("an empty line", format!("{one}\n{two}"), "line 2"),
        (
            "two messages on one line",
            format!("{}{two}", one.trim_end()),
            "line 1",
        ),
    ] {
        match parse_jsonl(text.as_bytes()) {
            Ok(contents) => panic!("this should be refused: {why}\n{text}\nit gave {contents:?}"),
            Err(error) => assert!(
                format!("{error:#}").contains(line),
                "{why}: the error should say where, `{line}`; it says: {error:#}"
            ),
        }
    }
}

#[test]
fn test_ch20_reading_a_file() {
    let folder = folder();
    let path = folder.path().join("talk.jsonl");
    let text = format!("{}{{\"role", lines(&talk(2)));
    fs::write(&path, &text).expect("can be written");
    let contents = read_jsonl(&path).expect("can be read");
    assert_eq!(
        (contents.messages, contents.torn),
        (talk(2), Some(b"{\"role".to_vec())),
        "reading a file gives what is in it"
    );
    assert_eq!(
        fs::read_to_string(&path).expect("still there"),
        text,
        "reading changes nothing: somebody may be writing that line at this moment"
    );
    for (text, says) in [(Some("{}\n"), "line 1"), (None, "cannot read")] {
        let _ = fs::remove_file(&path);
        if let Some(text) = text {
            fs::write(&path, text).expect("can be written");
        }
        let error = read_jsonl(&path).expect_err("there is nothing to read");
        let error = format!("{error:#}");
        assert!(
            error.contains(says) && error.contains("talk.jsonl"),
            "the error should name the file and say `{says}`; it says: {error}"
        );
    }
}
