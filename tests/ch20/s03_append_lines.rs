//! Section 20.3: Appending lines

use std::fs;
use std::path::Path;
use std::process::Command;

use claw_code::chat::*;
use claw_code::session::*;

use super::support::*;

#[test]
fn test_ch20_appending_lines() {
    let folder = folder();
    let path = folder.path().join("talk.jsonl");
    let messages = talk(5);
    let mut file = open_jsonl(&path);
    assert_eq!(read(&path), "", "a new file is empty");
    append_lines(&mut file, &messages[..2]);
    append_lines(&mut file, &[]);
    append_lines(&mut file, &messages[2..3]);
    file.sync().expect("can be synced");
    assert_eq!(
        read(&path),
        lines(&messages[..3]),
        "each message is one line, behind those that are there"
    );
    drop(file);
    append_lines(&mut open_jsonl(&path), &messages[3..]);
    assert_eq!(
        read(&path),
        lines(&messages),
        "a file that is opened again is continued"
    );
    assert_eq!(
        names(folder.path()),
        ["talk.jsonl"],
        "no other file is made"
    );
}

#[test]
fn test_ch20_a_message_that_cannot_be_written() {
    let folder = folder();
    let path = folder.path().join("talk.jsonl");
    let mut file = open_jsonl(&path);
    append_lines(&mut file, &talk(1));
    let both = [user("fine"), unwritable()];
    assert!(
        file.append(&both).is_err(),
        "an endless duration cannot be written as JSON"
    );
    assert_eq!(
        read(&path),
        lines(&talk(1)),
        "after an error nothing of the messages is in the file, not even the good one"
    );
    append_lines(&mut file, &[user("next")]);
    assert_eq!(read(&path).lines().count(), 2, "and it can go on");
}

#[test]
fn test_ch20_a_line_that_could_not_be_read() {
    let folder = folder();
    let path = folder.path().join("talk.jsonl");
    let mut file = open_jsonl(&path);
    append_lines(&mut file, &[deep(50)]);
    let before = read(&path);
    for message in unreadable() {
        let appended = file.append(&[user("fine"), message]);
        assert!(
            appended.is_err(),
            "JSON holds this message, but nobody can read it again: with it the whole file \
             would be lost"
        );
        assert_eq!(
            read(&path),
            before,
            "after an error nothing of the messages is in the file, not even the good one"
        );
    }
    append_lines(&mut file, &[user("next")]);
    assert_eq!(
        parse(read(&path).as_bytes()),
        (vec![deep(50), user("next")], None),
        "and it can go on; what is deep but can be read is written"
    );
}

#[test]
fn test_ch20_a_write_that_breaks_off() {
    const VARIABLE: &str = "CLAW_TEST_CH20_FULL";
    if let Some(path) = std::env::var_os(VARIABLE) {
        return append_to_a_full_disk(Path::new(&path));
    }
    let folder = folder();
    let path = folder.path().join("talk.jsonl");
    let messages = talk(3);
    fs::write(&path, lines(&messages[..1]).trim_end()).expect("can be written");
    // Files may not grow beyond some KB there, which is how a full disk looks to a writer.
    let test = std::env::current_exe().expect("this test has a file");
    let output = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\""])
        .arg(test)
        .args([
            "--exact",
            "ch20::s03_append_lines::test_ch20_a_write_that_breaks_off",
        ])
        .env(VARIABLE, &path)
        .output()
        .expect("this test can run itself");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "on a full disk: {said}");
    assert_eq!(
        read(&path),
        lines(&messages),
        "a write that breaks off leaves nothing of its line, and takes nothing of the others; \
         what is appended after it stands behind them"
    );
}

/// The child of the test above: the second of three messages has no room.
fn append_to_a_full_disk(path: &Path) {
    let messages = talk(3);
    let mut file = open_jsonl(path);
    append_lines(&mut file, &messages[1..2]);
    let long = user(&"long ".repeat(10_000));
    assert!(
        file.append(&[long]).is_err(),
        "what was not written has to be an error"
    );
    append_lines(&mut file, &messages[2..]);
}

#[test]
fn test_ch20_a_torn_line_is_kept() {
    let folder = folder();
    let path = folder.path().join("talk.jsonl");
    for torn in ["{\"role\":\"us", "{\"role\":\"assis"] {
        let mut text = read_or_empty(&path);
        if text.is_empty() {
            text = lines(&talk(2));
        }
        fs::write(&path, format!("{text}{torn}")).expect("can be written");
        let mut file = open_jsonl(&path);
        assert_eq!(read(&path), text, "opening cuts the torn line off");
        append_lines(&mut file, &[user("next")]);
        assert_eq!(
            read(&path),
            text + &json_line(&user("next")),
            "what is appended is a line of its own"
        );
    }
    assert_eq!(
        read_or_empty(&folder.path().join("talk.jsonl.torn")),
        "{\"role\":\"us\n{\"role\":\"assis\n",
        "what was cut off is kept in talk.jsonl.torn, a line for each: nothing is lost"
    );
}

#[test]
fn test_ch20_a_torn_line_that_cannot_be_kept() {
    let folder = folder();
    let path = folder.path().join("talk.jsonl");
    let text = lines(&talk(2)) + "{\"role\":\"us";
    fs::write(&path, &text).expect("can be written");
    fs::create_dir(folder.path().join("talk.jsonl.torn")).expect("a folder of that name");
    let opened = JsonlFile::open(&path);
    assert!(
        opened.is_err(),
        "talk.jsonl.torn is a folder here, so the torn line can't be kept: `open` must fail"
    );
    assert_eq!(
        read(&path),
        text,
        "what could not be kept must stay in the file: first keep it, then cut it off"
    );
}

#[test]
fn test_ch20_a_missing_line_end_is_added() {
    let folder = folder();
    let path = folder.path().join("talk.jsonl");
    fs::write(&path, lines(&talk(2)).trim_end()).expect("can be written");
    append_lines(&mut open_jsonl(&path), &[user("next")]);
    assert_eq!(
        read(&path),
        lines(&talk(2)) + &json_line(&user("next")),
        "a whole message without its line end is kept, and gets one"
    );
    assert_eq!(names(folder.path()), ["talk.jsonl"], "nothing was torn");
}

#[test]
fn test_ch20_a_damaged_file_is_not_continued() {
    let folder = folder();
    let path = folder.path().join("talk.jsonl");
    let text = format!("oh\n{}{{\"ro", lines(&talk(1)));
    fs::write(&path, &text).expect("can be written");
    let error = JsonlFile::open(&path).expect_err("line 1 is damaged");
    let error = format!("{error:#}");
    assert!(
        error.contains("line 1") && error.contains("talk.jsonl"),
        "the error should name the file and the line; it says: {error}"
    );
    assert_eq!(read(&path), text, "a damaged file stays as it is");
}

#[test]
fn test_ch20_one_process_appends() {
    let folder = folder();
    let path = folder.path().join("talk.jsonl");
    let first = open_jsonl(&path);
    // Half of a line that the first one is writing at this moment.
    fs::write(&path, "{\"ro").expect("can be written");
    let Err(error) = JsonlFile::open(&path) else {
        panic!("the second `open` must be an error, as long as the first one's file lives");
    };
    assert!(
        error.to_string().contains("in use"),
        "a second writer is refused as long as the first one lives; it got: {error:#}"
    );
    assert_eq!(
        read(&path),
        "{\"ro",
        "whoever has no lock must not have changed the file: lock first, then read"
    );
    drop(first);
    open_jsonl(&path);
}

#[track_caller]
fn open_jsonl(path: &Path) -> JsonlFile {
    match JsonlFile::open(path) {
        Ok(file) => file,
        Err(error) => panic!("it can be opened, but it gave: {error:#}"),
    }
}

#[track_caller]
fn append_lines(file: &mut JsonlFile, messages: &[ChatMessage]) {
    if let Err(error) = file.append(messages) {
        panic!("they can be appended, but it gave: {error:#}");
    }
}

fn read_or_empty(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}
