//! Section 20.3: Append JSON Lines

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use claw_code::chat::*;
use claw_code::session::*;

use super::support::*;

#[test]
fn test_ch20_append_writes_one_line_per_message() {
    let file = TalkFile::new("");
    let mut jsonl = file.open();
    append(&mut jsonl, &talk(2));
    append(&mut jsonl, &[]);
    append(&mut jsonl, &[user("next")]);
    jsonl.sync().expect("the file can be synced");
    assert_eq!(
        file.text(),
        json_lines(&talk(2)) + &json_line(&user("next")),
        "each message is one line after those that are there"
    );
}

#[test]
fn test_ch20_open_creates_only_the_file() {
    let folder = folder();
    let path = folder.path().join("new.jsonl");
    drop(open_jsonl(&path));
    assert_eq!(
        file_names(folder.path()),
        ["new.jsonl"],
        "the file exists, and no other file does"
    );
    assert_eq!(read(&path), "", "a new file is empty");
}

#[test]
fn test_ch20_file_that_cannot_be_opened_is_named() {
    let folder = folder();
    let path = folder.path().join("talk.jsonl");
    fs::create_dir(&path).expect("a folder can be created");
    let error = JsonlFile::open(&path).expect_err("a folder is not a file");
    let error = format!("{error:#}");
    assert!(
        error.contains("talk.jsonl"),
        "every error should name the file, but this one is: {error}"
    );
}

#[test]
fn test_ch20_reopened_file_is_continued() {
    let file = TalkFile::new("");
    append(&mut file.open(), &talk(5)[..3]);
    append(&mut file.open(), &talk(5)[3..]);
    assert_eq!(
        file.text(),
        json_lines(&talk(5)),
        "new lines come after those of the process before"
    );
}

#[test]
fn test_ch20_failed_append_writes_nothing() {
    let file = TalkFile::new("");
    let mut jsonl = file.open();
    append(&mut jsonl, &talk(1));
    let appended = jsonl.append(&[user("fine"), unwritable()]);
    assert!(
        appended.is_err(),
        "JSON cannot represent an infinite duration, so this is an error"
    );
    assert_eq!(
        file.text(),
        json_lines(&talk(1)),
        "after an error none of the messages is in the file, not even the good one"
    );
    append(&mut jsonl, &[user("next")]);
    assert_eq!(file.text().lines().count(), 2, "the next append works");
}

#[test]
fn test_ch20_append_rejects_messages_that_cannot_be_read() {
    let file = TalkFile::new("");
    let mut jsonl = file.open();
    append(&mut jsonl, &[nested_arguments(50)]);
    let before = file.text();
    for message in unreadable() {
        let appended = jsonl.append(&[user("fine"), message]);
        let appended = appended.map_err(|error| format!("{error:#}"));
        assert!(
            appended.is_err(),
            "this message can be written as JSON but not read again, which would make the whole \
             file unreadable, so it is an error"
        );
        assert!(
            appended
                .as_ref()
                .is_err_and(|error| error.contains("could not be read again")),
            "`unreadable` makes the error, which says `could not be read again`; it gave \
             {appended:?}"
        );
        assert_eq!(
            file.text(),
            before,
            "after an error none of the messages is in the file, not even the good one"
        );
    }
    append(&mut jsonl, &[user("next")]);
    let contents = parse_jsonl(file.text().as_bytes()).expect("all lines are messages");
    assert_eq!(
        (contents.messages, contents.torn),
        (vec![nested_arguments(50), user("next")], None),
        "nested arguments that can be read are written, and the next append works"
    );
}

#[test]
fn test_ch20_interrupted_write_leaves_no_partial_line() {
    if let Some(path) = child_argument() {
        return append_to_a_full_disk(&path);
    }
    let messages = talk(3);
    let first = json_lines(&messages[..1]);
    for (end, content) in [
        ("with its line end", first.clone()),
        ("without its line end", first.trim_end().to_string()),
        ("and a torn one", format!("{first}{{\"role\":\"us")),
    ] {
        let file = TalkFile::new(&content);
        fill_the_disk(&file, end);
        assert_eq!(
            file.text(),
            json_lines(&messages),
            "the file began with a line {end}; a write that fails in the middle leaves no part of \
             its line and removes no other line; what is appended after it is on a line of its own"
        );
    }
}

/// Appends to the file in another process, on a disk that is soon full.
fn fill_the_disk(file: &TalkFile, end: &str) {
    // Files cannot grow beyond some KB there, which is how a full disk looks to a writer.
    let small_disk = ["sh", "-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\""];
    let test = "s03_append_lines::test_ch20_interrupted_write_leaves_no_partial_line";
    if let Err(output) = run(child(test, &file.path, &small_disk)) {
        panic!("on a full disk, with a line {end}: {output}");
    }
}

/// The child process: the second of three appended texts does not fit.
fn append_to_a_full_disk(path: &Path) {
    let messages = talk(3);
    let mut jsonl = open_jsonl(path);
    append(&mut jsonl, &messages[1..2]);
    let long = user(&"long ".repeat(10_000));
    let appended = jsonl.append(&[user("fine"), long]);
    let error = appended.expect_err("a message that was not written has to be an error");
    assert!(
        format!("{error:#}").contains("talk.jsonl"),
        "the error names the file: {error:#}"
    );
    let appended = jsonl.append(&messages[2..]);
    assert!(
        appended.is_ok(),
        "the write before this one has failed in the middle, since the disk is full: cut the file \
         back to `length`, and open it with `append`; this append gave {appended:?}"
    );
}

#[test]
fn test_ch20_torn_line_is_moved() {
    let file = TalkFile::new(&json_lines(&talk(2)));
    for torn in ["{\"role\":\"us", "{\"role\":\"assis"] {
        let complete = file.text();
        file.write(&format!("{complete}{torn}"));
        let mut jsonl = file.open();
        assert_eq!(file.text(), complete, "opening removes the torn line");
        append(&mut jsonl, &[user("next")]);
        assert_eq!(
            file.text(),
            complete + &json_line(&user("next")),
            "the next message is on a line of its own"
        );
    }
    assert_eq!(
        fs::read_to_string(file.torn_path()).unwrap_or_default(),
        "{\"role\":\"us\n{\"role\":\"assis\n",
        "each torn line was moved to the end of talk.jsonl.torn, so nothing is lost"
    );
    let only_torn = TalkFile::new("{\"role\":\"us");
    only_torn.open();
    assert_eq!(
        only_torn.text(),
        "",
        "opening removes a torn line even if it is the only line of the file"
    );
}

#[test]
fn test_ch20_torn_line_stays_if_it_cannot_be_saved() {
    let text = json_lines(&talk(2)) + "{\"role\":\"us";
    let file = TalkFile::new(&text);
    fs::create_dir(file.torn_path()).expect("a folder can be created");
    assert!(
        JsonlFile::open(&file.path).is_err(),
        "talk.jsonl.torn is a folder here, so the torn line cannot be saved: `open` must fail"
    );
    assert_eq!(
        file.text(),
        text,
        "a torn line that was not saved must stay: save it first, then cut it off"
    );
}

#[test]
fn test_ch20_missing_line_end_is_added() {
    let file = TalkFile::new(json_lines(&talk(2)).trim_end());
    append(&mut file.open(), &[user("next")]);
    assert_eq!(
        file.text(),
        json_lines(&talk(2)) + &json_line(&user("next")),
        "a last message that lacks only its line end stays and gets one"
    );
    assert_eq!(
        file_names(file.folder.path()),
        ["talk.jsonl"],
        "no line was torn, so there is no other file"
    );
}

#[test]
fn test_ch20_damaged_file_is_not_opened() {
    let text = format!("oh\n{}{{\"ro", json_lines(&talk(1)));
    let file = TalkFile::new(&text);
    let error = JsonlFile::open(&file.path).expect_err("line 1 is damaged");
    let error = format!("{error:#}");
    assert!(
        error.contains("line 1") && error.contains("talk.jsonl"),
        "the error should name the file and the line, but is: {error}"
    );
    assert_eq!(file.text(), text, "a damaged file stays as it is");
}

#[test]
fn test_ch20_only_one_process_appends() {
    if let Some(path) = child_argument() {
        return hold_open(&path);
    }
    let file = TalkFile::new("");
    append(&mut file.open(), &talk(1));
    let mut other = open_in_another_process(&file.path);
    // Half of a line that the other process is writing.
    file.write("{\"ro");
    let second = JsonlFile::open(&file.path).map_err(|error| error.to_string());
    assert!(
        second.as_ref().is_err_and(|error| error.contains("in use")),
        "while another process has the file open, `open` is an error that says `in use`; it \
         gave {second:?}"
    );
    assert_eq!(
        file.text(),
        "{\"ro",
        "`open` must not change the file without the lock: lock first, then read"
    );
    other.kill().expect("the child runs");
    other.wait().expect("the child ends");
    file.open();
}

/// Starts a child process and waits until it has opened the file.
fn open_in_another_process(path: &Path) -> Child {
    let test = "s03_append_lines::test_ch20_only_one_process_appends";
    let mut command = child(test, path, &[]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = command.spawn().expect("a child process can be started");
    let output = BufReader::new(process.stdout.take().expect("piped"));
    let mut lines = output.lines().map_while(Result::ok);
    assert!(
        lines.any(|line| line == "open"),
        "the other process should open the file"
    );
    process
}

/// The child process: it has the file open until it is killed.
fn hold_open(path: &Path) {
    let _jsonl = open_jsonl(path);
    println!("\nopen");
    let _ = std::io::stdin().read(&mut [0]);
}

/// A file of messages in a folder of its own.
struct TalkFile {
    folder: tempfile::TempDir,
    path: PathBuf,
}

impl TalkFile {
    fn new(text: &str) -> Self {
        let folder = folder();
        let path = folder.path().join("talk.jsonl");
        fs::write(&path, text).expect("can be written");
        Self { folder, path }
    }

    fn write(&self, text: &str) {
        fs::write(&self.path, text).expect("can be written");
    }

    fn text(&self) -> String {
        read(&self.path)
    }

    fn torn_path(&self) -> PathBuf {
        self.path.with_extension("jsonl.torn")
    }

    #[track_caller]
    fn open(&self) -> JsonlFile {
        open_jsonl(&self.path)
    }
}

#[track_caller]
fn open_jsonl(path: &Path) -> JsonlFile {
    match JsonlFile::open(path) {
        Ok(file) => file,
        Err(error) => panic!("the file should open, but: {error:#}"),
    }
}

#[track_caller]
fn append(file: &mut JsonlFile, messages: &[ChatMessage]) {
    if let Err(error) = file.append(messages) {
        panic!("the messages should be appended, but: {error:#}");
    }
}
