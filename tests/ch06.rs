//! Chapter 6, File Tools.
//!
//! Files are real ones, in a folder of their own for each test.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, SystemTime};

use claw_code::engine::Events;
use claw_code::tools::*;
use claw_code::types::*;
use serde_json::{Value, json};
use tempfile::TempDir;

// 6.1 Where a file may go

#[test]
fn test_ch6_place_of_what_is_there() {
    let folder = folder(&[("src/main.rs", "")]);
    let root = real(&folder);
    for (path, place) in [
        ("src/main.rs", root.join("src/main.rs")),
        ("./src/../src/main.rs", root.join("src/main.rs")),
        ("src", root.join("src")),
        (".", root.clone()),
    ] {
        for (of, found) in [
            ("destination", destination(&root, path)),
            ("existing", existing(&root, path)),
        ] {
            assert_eq!(found, Ok(place.clone()), "{of}: `{path}` is there");
        }
    }
}

#[test]
fn test_ch6_place_of_new_files() {
    let folder = folder(&[("src/main.rs", "")]);
    let root = real(&folder);
    for (path, place) in [
        ("new.txt", "new.txt"),
        ("./new.txt", "new.txt"),
        ("src/new.rs", "src/new.rs"),
        ("a/b/c/new.rs", "a/b/c/new.rs"),
        ("src/../new.txt", "new.txt"),
        ("src/deep/er/new.rs", "src/deep/er/new.rs"),
    ] {
        assert_eq!(
            destination(&root, path),
            Ok(root.join(place)),
            "`{path}` is not there yet, and this is where it goes"
        );
    }
    assert_eq!(names(&root), ["src"], "asking for a place makes nothing");
    if link("src", &root.join("near")) {
        assert_eq!(
            destination(&root, "near/deep/new.rs"),
            Ok(root.join("src/deep/new.rs")),
            "a link to a folder inside is followed, and the place is free of links"
        );
    }
}

#[test]
fn test_ch6_place_refuses_what_leads_out() {
    let folder = folder(&[("root/src/main.rs", ""), ("outside/secret.txt", "")]);
    let root = folder.path().join("root");
    for path in ["../new.txt", "src/../../new.txt", "no/../../new.txt"] {
        says(
            &destination(&root, path),
            path,
            &[path, "leads out of the root folder"],
        );
    }
    says(&destination(&root, "/new.txt"), "/new.txt", &["absolute"]);
    if !link("../outside", &root.join("away")) {
        return; // This system does not let us make links.
    }
    for path in [
        "away/new.txt",
        "away/deep/er/new.txt",
        "src/../away/new.txt",
    ] {
        says(
            &destination(&root, path),
            path,
            &["away", "leads out of the root folder"],
        );
    }
}

#[test]
fn test_ch6_place_refuses_links_to_nothing() {
    let folder = folder(&[("root/src/main.rs", "")]);
    let root = folder.path().join("root");
    if !link("../gone.txt", &root.join("out")) || !link("gone", &root.join("src/in")) {
        return; // This system does not let us make links.
    }
    for (path, named) in [
        ("out", "`out`"),
        ("src/in", "`src/in`"),
        ("src/in/new.txt", "`src/in`"),
    ] {
        for (of, place) in [
            ("destination", destination(&root, path)),
            ("existing", existing(&root, path)),
        ] {
            let what = format!("{of} of {path}, a link to nothing on the way");
            says(&place, &what, &[named, "a link that leads to nothing"]);
        }
    }
    assert!(link("round", &root.join("round")), "a link to itself");
    says(&destination(&root, "round"), "round", &["cannot be opened"]);
}

#[test]
fn test_ch6_place_bad_paths() {
    let folder = folder(&[("Cargo.toml", "")]);
    let root = real(&folder);
    for (path, words) in [
        ("new/", "names a folder"),
        ("new/.", "names a folder"),
        ("new/../other.txt", "has no `..` in it"),
        ("Cargo.toml/new", "cannot be opened"),
        ("a\0b", "cannot be opened"),
    ] {
        says(&destination(&root, path), path, &[path, words]);
    }
    says(
        &existing(&root, "src/no.rs"),
        "src/no.rs",
        &["there is no `src/no.rs`"],
    );
    let gone = root.join("gone");
    says(
        &destination(&gone, "new.txt"),
        "new.txt",
        &["the root folder cannot be opened"],
    );
}

// 6.2 What is no file

#[test]
fn test_ch6_load_gives_the_bytes() {
    let folder = folder(&[]);
    let place = folder.path().join("a.bin");
    for bytes in [&b""[..], b"two\r\nlines", &[0, 0xff, 0xfe, b'\n']] {
        fs::write(&place, bytes).expect("a file");
        assert_eq!(
            load_file(&place, "a.bin").expect("it can be read"),
            bytes,
            "the bytes come as they are; what they mean is for others to say"
        );
    }
    match load_file(&folder.path().join("gone"), "gone") {
        Err(FileError::Failed(error)) => assert!(
            error.to_string().contains("`gone`"),
            "the error names the path as the model knows it; it says: {error:#}"
        ),
        other => panic!("what can't be opened has Failed; it came to {other:?}"),
    }
}

#[test]
fn test_ch6_load_refuses_folders() {
    let folder = folder(&[("src/main.rs", "")]);
    let message = refused(load_file(&folder.path().join("src"), "src"), "a folder");
    contains(&message, &["`src` is a folder", "`list`"]);
}

#[test]
fn test_ch6_load_never_waits() {
    let folder = folder(&[("plain", "")]);
    load_file(&folder.path().join("plain"), "plain").expect("a file is loaded");
    let mut special: Vec<(PathBuf, &str)> = Vec::new();
    #[cfg(unix)]
    {
        let socket = folder.path().join("socket");
        if std::os::unix::net::UnixListener::bind(&socket).is_ok() {
            special.push((socket, "a socket"));
        }
        special.push(("/dev/zero".into(), "a device"));
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        if made.is_ok_and(|status| status.success()) {
            special.push((pipe, "a pipe"));
        }
    }
    for (place, kind) in special {
        let (sender, answer) = mpsc::channel();
        std::thread::spawn(move || sender.send(load_file(&place, "odd")));
        let loaded = answer.recv_timeout(Duration::from_secs(5));
        let loaded = loaded.unwrap_or_else(|_| {
            panic!("after 5 seconds {kind} has not been refused: opening or reading it waits for somebody. Look at its type first")
        });
        contains(&refused(loaded, kind), &["`odd`", kind]);
    }
}

#[test]
fn test_ch6_load_knows_a_limit() {
    assert_eq!(
        MAX_FILE_BYTES,
        10 * 1024 * 1024,
        "the limit is given; leave it"
    );
    let folder = folder(&[]);
    let place = folder.path().join("big.log");
    let file = fs::File::create(&place).expect("a file");
    file.set_len(MAX_FILE_BYTES as u64).expect("a large file");
    let bytes = load_file(&place, "big.log");
    assert_eq!(
        bytes.map(|bytes| bytes.len()).ok(),
        Some(MAX_FILE_BYTES),
        "a file of just {MAX_FILE_BYTES} bytes is loaded"
    );
    file.set_len(MAX_FILE_BYTES as u64 + 1)
        .expect("a larger file");
    let message = refused(load_file(&place, "big.log"), "a file of one byte more");
    contains(&message, &["`big.log`", "10485761 bytes", "`grep`"]);
}

// 6.3 What a model does not see

#[test]
fn test_ch6_text_is_plain() {
    for (bytes, plain) in [
        ("", ""),
        ("one\ntwo\n", "one\ntwo\n"),
        ("one\r\ntwo\r\n", "one\ntwo\n"),
        ("one\r\ntwo\nthree", "one\ntwo\nthree"),
        ("\u{feff}one\r\n", "one\n"),
        ("a\rb\u{feff}c\n", "a\rb\u{feff}c\n"),
    ] {
        let text = decoded(bytes);
        assert_eq!(
            text.plain(),
            plain,
            "{bytes:?}: a model sees line ends as \\n and no byte order mark in front"
        );
        assert_eq!(
            text.encode(),
            bytes.as_bytes(),
            "{bytes:?}: unchanged, it is written as it was read"
        );
    }
}

#[test]
fn test_ch6_text_or_not() {
    let late = [&[b'x'; 9_999][..], b"\0"].concat();
    for (bytes, words) in [
        (&b"\x7fELF\x02\0\0"[..], ["binary", "offset 5"]),
        (b"\xff\xfeh\0i\0", ["UTF-16", "iconv"]),
        (b"\xfe\xff\0h\0i", ["UTF-16", "iconv"]),
        (b"ok\n\ncaf\xe9\n", ["0xE9", "line 3"]),
        (b"cut off: \xe2\x82", ["0xE2", "offset 9"]),
        (b"\x80", ["not UTF-8", "line 1"]),
        (&late[..], ["binary", "offset 9999"]),
    ] {
        let Err(message) = Text::decode(bytes, "a.dat") else {
            let start = bytes.len().min(40);
            panic!(
                "{} bytes that begin {:?} are no UTF-8 text, and were taken for one",
                bytes.len(),
                String::from_utf8_lossy(&bytes[..start])
            );
        };
        contains(&message, &["`a.dat`", words[0], words[1]]);
    }
}

#[test]
fn test_ch6_text_replace_touches_nothing_else() {
    for (bytes, wanted, new, after) in [
        ("one\ntwo\n", "two", "2", "one\n2\n"),
        ("one\r\ntwo\r\n", "two", "2\n2", "one\r\n2\r\n2\r\n"),
        ("one\r\ntwo\r\n", "one\ntwo", "1", "1\r\n"),
        (
            "\u{feff}one\r\ntwo",
            "two",
            "2\r\n3",
            "\u{feff}one\r\n2\r\n3",
        ),
        ("a\r\nb\nc\r\nd\n", "c", "x", "a\r\nb\nx\r\nd\n"),
        ("a\nb\r\nc\nd\n", "c", "x\ny", "a\nb\r\nx\ny\nd\n"),
        ("é\r\nü\r\n", "ü", "漢", "é\r\n漢\r\n"),
        ("a\r\nb\r\n", "a\n", "", "b\r\n"),
    ] {
        let mut text = decoded(bytes);
        let at = text.plain().find(wanted).expect("the case is right");
        let range = at..at + wanted.len();
        text.replace(std::slice::from_ref(&range), new);
        assert_eq!(
            String::from_utf8_lossy(&text.encode()),
            after,
            "{bytes:?} with {new:?} for {wanted:?}: new lines end as most do, and all else is as it was"
        );
        assert_eq!(
            text,
            decoded(after),
            "afterwards the text is the one that its bytes would be decoded to"
        );
    }
    let mut text = decoded("x\r\nx\r\nx");
    text.replace(&[0..1, 2..3, 4..5], "yy");
    assert_eq!(
        text.encode(),
        b"yy\r\nyy\r\nyy",
        "several ranges are those of the text before any was replaced"
    );
    let mut text = decoded("same");
    text.replace(&[], "new");
    assert_eq!(text.encode(), b"same", "no range, no change");
}

#[test]
fn test_ch6_text_rewrite_keeps_the_shape() {
    for (bytes, content, after) in [
        ("old\n", "new\nlines\n", "new\nlines\n"),
        ("old\n", "new", "new\n"),
        ("old", "new", "new"),
        ("old", "new\n", "new\n"),
        ("a\r\nb\r\n", "x\ny", "x\r\ny\r\n"),
        ("a\r\nb\r\n", "x\r\ny\n", "x\r\ny\r\n"),
        ("a\r\nb\nc\n", "x\ny\n", "x\ny\n"),
        ("a\nb\n", "x\r\ny\r\n", "x\r\ny\r\n"),
        ("\u{feff}old\n", "new\n", "\u{feff}new\n"),
        ("\u{feff}old\n", "\u{feff}new\n", "\u{feff}new\n"),
        ("old\n", "", ""),
        ("", "new", "new"),
    ] {
        let mut text = decoded(bytes);
        text.rewrite(content);
        assert_eq!(
            String::from_utf8_lossy(&text.encode()),
            after,
            "{content:?} over {bytes:?}: one byte order mark and the final line end stay, and so do the line ends where most were \\r\\n"
        );
        assert_eq!(text, decoded(after), "and the plain text goes with it");
    }
}

// 6.4 What was read

#[test]
fn test_ch6_fingerprints() {
    let print = Fingerprint::of(b"let x = 1;");
    assert_eq!(
        print,
        Fingerprint::of(b"let x = 1;"),
        "same bytes, same print"
    );
    for other in [
        &b"let x = 2;"[..],
        b"",
        b"let x = 1; ",
        b"let  x= 1;",
        b"1 = x tel;",
    ] {
        assert_ne!(
            print,
            Fingerprint::of(other),
            "other bytes have another print, even if there are as many: {:?}",
            String::from_utf8_lossy(other)
        );
    }
}

#[test]
fn test_ch6_workspace_knows_what_was_read() {
    let workspace = Workspace::new("/somewhere");
    assert_eq!(workspace.root(), Path::new("/somewhere"));
    let (a, b) = (Path::new("/somewhere/a.txt"), Path::new("/somewhere/b.txt"));
    let unread = workspace.check(a, "a.txt", b"one");
    says(&unread, "a.txt", &["`a.txt`", "read it first"]);
    let copy = workspace.clone();
    copy.saw(a, b"one");
    assert_eq!(
        workspace.check(a, "a.txt", b"one"),
        Ok(()),
        "a copy of the workspace has seen it, and copies share what they know"
    );
    says(
        &workspace.check(a, "a.txt", b"two"),
        "a.txt",
        &["`a.txt`", "changed", "read it again"],
    );
    says(
        &workspace.check(b, "b.txt", b"one"),
        "b.txt",
        &["`b.txt`", "read it first"],
    );
    workspace.saw(a, b"two");
    assert_eq!(
        workspace.check(a, "a.txt", b"two"),
        Ok(()),
        "what was seen last counts"
    );
}

#[test]
fn test_ch6_one_turn_at_a_time() {
    let workspace = Workspace::new(".");
    let turn = workspace.turn();
    let copy = workspace.clone();
    let (sender, answer) = mpsc::channel();
    std::thread::spawn(move || {
        let _turn = copy.turn();
        let _ = sender.send(());
    });
    assert!(
        answer.recv_timeout(Duration::from_millis(20)).is_err(),
        "while one has the turn, another, even by a copy of the workspace, waits"
    );
    drop(turn);
    assert!(
        answer.recv_timeout(Duration::from_secs(5)).is_ok(),
        "once the turn is given back, the other gets it"
    );
}

// 6.5 Pictures

#[test]
fn test_ch6_media_types() {
    for (bytes, media_type_of_it) in [
        (PNG, Some("image/png")),
        (b"\xff\xd8\xff\xe0....JFIF", Some("image/jpeg")),
        (b"GIF89a..", Some("image/gif")),
        (b"GIF87a..", Some("image/gif")),
        (b"RIFF\x24\0\0\0WEBPVP8 ", Some("image/webp")),
        (b"RIFF\x24\0\0\0WAVEfmt ", None),
        (b"GIF is a format", None),
        (b"<svg/>", None),
        (b"%PDF-1.7", None),
        (b"\x89PNG", None),
        (b"", None),
    ] {
        assert_eq!(
            media_type(bytes),
            media_type_of_it,
            "by its first bytes, {:?}",
            String::from_utf8_lossy(bytes)
        );
    }
}

#[tokio::test]
async fn test_ch6_attachments_are_collected() {
    assert!(
        !attach(image("image/png")),
        "where nobody collects, attach says so"
    );
    let collector = Attachments::new();
    let inner = Attachments::new();
    let taken = collector
        .during(async {
            assert!(attach(image("image/png")), "here somebody collects");
            tokio::task::yield_now().await;
            inner.during(async { attach(image("image/gif")) }).await;
            attach(image("image/webp"))
        })
        .await;
    assert!(taken, "`during` returns what the work returns");
    assert_eq!(
        kinds(&collector.clone().take()),
        ["image/png", "image/webp"],
        "what was attached comes in order, and a copy collects into the same place"
    );
    assert_eq!(
        kinds(&inner.take()),
        ["image/gif"],
        "the nearest collector gets it"
    );
    assert_eq!(collector.take(), [], "what was taken is gone");
    assert!(
        !attach(image("image/png")),
        "the work is over, and so is the collecting"
    );
}

#[tokio::test]
async fn test_ch6_attachments_know_their_call() {
    let collector = Attachments::new();
    let one = |id: &str| Events::nowhere().reporter(id);
    collector
        .during(async {
            let calls = [one("call_1"), one("call_2")];
            for call in calls {
                call.during(async { attach(image("image/png")) }).await;
            }
            attach(image("image/png"))
        })
        .await;
    let ids: Vec<Option<String>> = collector.take().into_iter().map(|it| it.call_id).collect();
    assert_eq!(
        ids,
        [Some("call_1".into()), Some("call_2".into()), None],
        "the reporter of the running call knows its id; outside of a loop there is none"
    );
}

// 6.6 A page of lines

#[test]
fn test_ch6_page_numbers_the_lines() {
    for (text, shown) in [
        ("one\n", "1\tone"),
        ("one\n\n  three\n", "1\tone\n2\t\n3\t  three"),
        ("\n", "1\t"),
        ("a\n1\tb\n", "1\ta\n2\t1\tb"),
    ] {
        assert_eq!(
            page(text, 1, usize::MAX),
            Ok(ToolResult::text(shown)),
            "{text:?}: number, tab, line, and no line end behind the last"
        );
    }
    let ten = page(&"x\n".repeat(10), 1, usize::MAX).expect("ten lines");
    assert!(
        ten.content.starts_with(" 1\tx\n 2\tx") && ten.content.ends_with("\n10\tx"),
        "numbers are as wide as the last one; the content is {:?}",
        ten.content
    );
    let empty = page("", 1, usize::MAX).expect("no error");
    assert!(
        empty.content.contains("empty") && !empty.is_truncated,
        "an empty file is called so in words; the content is {:?}",
        empty.content
    );
}

#[test]
fn test_ch6_page_by_offset_and_limit() {
    let text: String = (1..=20).map(|number| format!("line {number}\n")).collect();
    for (offset, limit, lines, note) in [
        (
            5,
            5,
            5..=9,
            Some("[lines 5 to 9 of 20; go on with offset 10]"),
        ),
        (
            1,
            3,
            1..=3,
            Some("[lines 1 to 3 of 20; go on with offset 4]"),
        ),
        (20, 1, 20..=20, Some("[lines 20 to 20 of 20]")),
        (19, 50, 19..=20, Some("[lines 19 to 20 of 20]")),
        (1, 20, 1..=20, None),
    ] {
        let rows = lines.map(|number| format!("{number:>2}\tline {number}"));
        let rows: Vec<String> = rows.chain(note.map(str::to_string)).collect();
        let shown = page(&text, offset, limit).expect("lines are there");
        assert_eq!(
            shown.content,
            rows.join("\n"),
            "offset {offset}, limit {limit}: the lines, and a note if any are missing"
        );
        assert!(
            !shown.is_truncated,
            "who asks for {limit} lines gets them; nothing was cut off"
        );
    }
    says(&page(&text, 21, 1), "offset 21 of 20", &["21", "20 lines"]);
}

#[test]
fn test_ch6_page_notes_a_missing_line_end() {
    let whole = page("one\ntwo", 1, usize::MAX).expect("two lines");
    assert_eq!(
        whole.content,
        "1\tone\n2\ttwo\n[no line end behind the last line]"
    );
    let first = page("one\ntwo", 1, 1).expect("one line");
    assert_eq!(
        first.content, "1\tone\n[lines 1 to 1 of 2; go on with offset 2]",
        "the note about the last line comes with the last line"
    );
}

#[test]
fn test_ch6_page_cuts_long_lines() {
    let fits = "ä".repeat(MAX_LINE_CHARS);
    let shown = page(&format!("{fits}\n"), 1, usize::MAX).expect("a line");
    assert_eq!(
        shown,
        ToolResult::text(format!("1\t{fits}")),
        "{MAX_LINE_CHARS} characters are shown, however many bytes they take"
    );
    let shown = page(&format!("{fits}äöü\nnext\n"), 1, usize::MAX).expect("lines");
    assert_eq!(
        shown.content,
        format!("1\t{fits}[3 more characters]\n2\tnext"),
        "of a longer line it is said how much is missing"
    );
    assert!(shown.is_truncated, "a line that was cut marks the result");
}

#[test]
fn test_ch6_page_holds_what_fits() {
    let text: String = (1..=5000)
        .map(|number| format!("line {number}\n"))
        .collect();
    let mut offset = 1;
    let mut seen = 0;
    loop {
        let shown = page(&text, offset, usize::MAX).expect("lines are there");
        assert!(
            shown.content.len() <= RESULT_LIMIT,
            "a page fits into a result, its notes included; this one has {} bytes",
            shown.content.len()
        );
        let rows = shown.content.lines().filter(|line| !line.starts_with('['));
        let rows: Vec<&str> = rows.collect();
        let first = format!("{offset:>4}\tline {offset}");
        assert_eq!(rows[0], first, "a page begins with the line asked for");
        seen += rows.len();
        let next = seen + 1;
        assert_eq!(
            shown.is_truncated,
            seen < 5000,
            "a page that could not hold all lines is marked as truncated"
        );
        if seen >= 5000 {
            break;
        }
        assert!(
            shown.content.len() > RESULT_LIMIT / 2,
            "a page is filled; this one has {} bytes",
            shown.content.len()
        );
        let note = format!("go on with offset {next}]");
        assert!(
            shown.content.ends_with(&note),
            "the last line says {note:?}; it is {:?}",
            shown.content.lines().last()
        );
        offset = next;
    }
    assert_eq!(seen, 5000, "page after page, every line is shown once");
}

// 6.7 The tool read

#[test]
fn test_ch6_read_definition() {
    let tool = ReadTool::new(&Workspace::new("."));
    let definition = tool.definition();
    assert_eq!(definition.name, "read");
    let known = &definition.parameters["properties"];
    assert_eq!(known["path"]["type"], "string");
    for name in ["offset", "limit"] {
        assert_eq!(known[name]["type"], "integer", "`{name}` is a whole number");
        for (value, fits) in [(json!(0), false), (json!(-1), false), (json!(1), true)] {
            let args = json!({ "path": "a", name: value });
            assert_eq!(
                validate(definition, &args) == ValidationResult::Ok,
                fits,
                "lines are counted from 1: {args}"
            );
        }
    }
    assert_eq!(definition.parameters["required"], json!(["path"]));
    assert!(tool.is_read_only(), "reading changes nothing");
    assert!(
        tool.is_concurrent_safe(),
        "two readings do not disturb each other"
    );
}

#[tokio::test]
async fn test_ch6_read_files() {
    let folder = folder(&[("src/a.rs", "fn a() {}\r\n\r\nfn b() {}\r\n"), ("none", "")]);
    let tools = ToolSet::new().with(ReadTool::new(&Workspace::new(folder.path())));
    for (args, content) in [
        (
            json!({ "path": "src/a.rs" }),
            "1\tfn a() {}\n2\t\n3\tfn b() {}",
        ),
        (
            json!({ "path": "src/a.rs", "offset": 3 }),
            "3\tfn b() {}\n[lines 3 to 3 of 3]",
        ),
        (
            json!({ "path": "src/a.rs", "offset": 2.0, "limit": 1.0 }),
            "2\t\n[lines 2 to 2 of 3; go on with offset 3]",
        ),
    ] {
        assert_eq!(
            run_tool(&tools, "read", args.clone()).await,
            content,
            "read with {args}"
        );
    }
    let none = run_tool(&tools, "read", json!({ "path": "none" })).await;
    assert!(
        none.contains("empty") && !none.starts_with("error: "),
        "an empty file is no error; the content is {none:?}"
    );
}

#[tokio::test]
async fn test_ch6_read_bad_paths() {
    let folder = folder(&[("a.txt", "one\n"), ("src/a.rs", "")]);
    fs::write(folder.path().join("a.out"), b"\x7fELF\0").expect("a file");
    let made = link("gone", &folder.path().join("dangling"));
    let tools = ToolSet::new().with(ReadTool::new(&Workspace::new(folder.path())));
    for (path, words) in [
        ("b.txt", "there is no `b.txt`"),
        ("src", "`src` is a folder"),
        ("a.out", "binary"),
        ("../a.txt", "leads out"),
        ("dangling", if made { "leads to nothing" } else { "" }),
    ] {
        let content = run_tool(&tools, "read", json!({ "path": path })).await;
        assert!(
            content.starts_with("error: ") && content.contains(words),
            "read `{path}` is an error that says {words:?}; the content is {content:?}"
        );
    }
    let behind = run_tool(&tools, "read", json!({ "path": "a.txt", "offset": 9 })).await;
    assert!(
        behind.starts_with("error: ") && behind.contains('9'),
        "an offset behind the end is an error; the content is {behind:?}"
    );
}

#[test]
fn test_ch6_read_is_remembered() {
    let folder = folder(&[("a.txt", "one\r\ntwo\r\n"), ("b.txt", "")]);
    let place = real(&folder).join("a.txt");
    let workspace = Workspace::new(folder.path());
    let behind = read_file(&workspace, "a.txt", 9, 1);
    refused(behind, "an offset behind the end");
    assert!(
        workspace.check(&place, "a.txt", b"one\r\ntwo\r\n").is_err(),
        "who was shown nothing knows nothing"
    );
    read_file(&workspace, "./a.txt", 2, 1).expect("it can be read");
    assert_eq!(
        workspace.check(&place, "a.txt", b"one\r\ntwo\r\n"),
        Ok(()),
        "what counts are the bytes on the disk, by whatever path and however little was shown"
    );
}

#[tokio::test]
async fn test_ch6_read_images() {
    let folder = folder(&[]);
    fs::write(folder.path().join("logo.txt"), PNG).expect("a file");
    let huge = [PNG, &vec![1; MAX_IMAGE_BYTES]].concat();
    fs::write(folder.path().join("huge.png"), huge).expect("a file");
    let tools = ToolSet::new().with(ReadTool::new(&Workspace::new(folder.path())));
    let alone = run_tool(&tools, "read", json!({ "path": "logo.txt" })).await;
    assert!(
        alone.contains("image/png") && alone.contains("carries text only"),
        "where nobody collects attachments, the model is told that it won't see the image; the content is {alone:?}"
    );
    let collector = Attachments::new();
    let reading = run_tool(&tools, "read", json!({ "path": "logo.txt" }));
    let content = collector.during(reading).await;
    assert!(
        content.contains("image/png") && content.contains("attached"),
        "the text says what was attached; the content is {content:?}"
    );
    let attached = collector.take();
    assert_eq!(
        attached.first().map(|it| &it.attachment),
        Some(&Attachment {
            media_type: "image/png".to_string(),
            data: PNG.to_vec()
        }),
        "the image's bytes are attached as they are"
    );
    let reading = run_tool(&tools, "read", json!({ "path": "huge.png" }));
    let content = collector.during(reading).await;
    assert!(
        content.starts_with("error: ") && content.contains("`huge.png` is an image"),
        "an image of more than {MAX_IMAGE_BYTES} bytes is refused; the content is {content:?}"
    );
    assert_eq!(collector.take(), [], "and not attached");
}

// 6.8 In one step

#[test]
fn test_ch6_replace_makes_new_files() {
    let folder = folder(&[]);
    let place = folder.path().join("a.txt");
    replace_file(&place, "a.txt", b"new", None).expect("it can be written");
    assert_eq!(read(&place), "new");
    #[cfg(unix)]
    {
        let other = folder.path().join("other");
        fs::write(&other, "").expect("a file");
        assert_eq!(
            mode(&place),
            mode(&other),
            "a new file has the permissions of any new file, not those of a temporary one"
        );
        fs::remove_file(other).expect("it was there");
    }
    assert_eq!(names(folder.path()), ["a.txt"], "nothing else is left");
    let again = replace_file(&place, "a.txt", b"newer", None);
    contains(
        &refused(again, "a file that must not be there"),
        &["`a.txt`", "read it first"],
    );
    assert_eq!(read(&place), "new", "what came to be meanwhile stays");
    assert_eq!(names(folder.path()), ["a.txt"], "and nothing else is left");
}

#[test]
fn test_ch6_replace_is_one_step() {
    let folder = folder(&[]);
    let place = folder.path().join("a.txt");
    replace_file(&place, "a.txt", b"the old content", None).expect("it can be written");
    let mut reader = fs::File::open(&place).expect("it is there");
    let old = Some(Fingerprint::of(b"the old content"));
    replace_file(&place, "a.txt", b"new", old).expect("it can be written");
    let mut seen = String::new();
    std::io::Read::read_to_string(&mut reader, &mut seen).expect("it is open");
    assert_eq!(
        seen, "the old content",
        "who had the old file open goes on reading it, whole: the new content is another file, renamed to this one's name"
    );
    assert_eq!(
        read(&place),
        "new",
        "who opens it now reads the new content"
    );
    assert_eq!(names(folder.path()), ["a.txt"], "nothing else is left");
    // On most Linux machines this is another file system than that of temporary files.
    if let Ok(elsewhere) = tempfile::tempdir_in("/dev/shm") {
        let place = elsewhere.path().join("a.txt");
        let written = replace_file(&place, "a.txt", b"new", None);
        assert!(
            written.is_ok(),
            "a file can be renamed within its folder and not from one file system to another, so the temporary one is made beside it; it came to {written:?}"
        );
    }
}

#[test]
fn test_ch6_replace_looks_again() {
    let folder = folder(&[("a.txt", "theirs")]);
    let place = folder.path().join("a.txt");
    let gone = folder.path().join("no/such/folder/a.txt");
    assert!(
        matches!(
            replace_file(&gone, "a.txt", b"", None),
            Err(FileError::Failed(_))
        ),
        "a folder that is not there is a failure"
    );
    let stale = Some(Fingerprint::of(b"as was read"));
    let message = refused(
        replace_file(&place, "a.txt", b"mine", stale),
        "a stale write",
    );
    contains(&message, &["`a.txt`", "changed", "read it again"]);
    assert_eq!(read(&place), "theirs", "somebody else's work stays");
    assert_eq!(
        names(folder.path()),
        ["a.txt"],
        "after a refusal no temporary file is left"
    );
}

#[cfg(unix)]
#[test]
fn test_ch6_replace_keeps_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder(&[]);
    let place = folder.path().join("run.sh");
    replace_file(&place, "run.sh", b"old", None).expect("it can be written");
    let old = || Some(Fingerprint::of(b"old"));
    for wanted in [0o755, 0o600, 0o666] {
        fs::write(&place, "old").expect("a file");
        fs::set_permissions(&place, PermissionsExt::from_mode(wanted)).expect("it is ours");
        replace_file(&place, "run.sh", b"new", old()).expect("it can be written");
        assert_eq!(
            mode(&place),
            wanted,
            "the permissions stay, octal {wanted:o}; they are {:o}",
            mode(&place)
        );
    }
    fs::write(&place, "old").expect("a file");
    fs::set_permissions(&place, PermissionsExt::from_mode(0o444)).expect("it is ours");
    let message = refused(
        replace_file(&place, "run.sh", b"new", old()),
        "a protected file",
    );
    contains(&message, &["`run.sh`", "write-protected"]);
    assert_eq!(read(&place), "old", "a rename would not ask; the tool does");
    assert_eq!(names(folder.path()), ["run.sh"], "nothing else is left");
}

#[test]
fn test_ch6_abandoned_files_are_cleared_away() {
    let folder = folder(&[
        (".claw-old.tmp", ""),
        (".claw-young.tmp", ""),
        (".claw-hour.tmp", ""),
        (".claw-old.txt", ""),
        ("old.tmp", ""),
        (".claw-dir.tmp/file", ""),
    ]);
    let now = SystemTime::now();
    let long_ago = now - ABANDONED - Duration::from_secs(60);
    for name in [".claw-old.tmp", ".claw-old.txt", "old.tmp"] {
        let file = fs::File::options()
            .append(true)
            .open(folder.path().join(name));
        let file = file.expect("it is there");
        file.set_modified(long_ago).expect("times can be set");
    }
    let hour = fs::File::options()
        .append(true)
        .open(folder.path().join(".claw-hour.tmp"));
    let nearly = now - ABANDONED + Duration::from_secs(60);
    hour.expect("it is there")
        .set_modified(nearly)
        .expect("times can be set");
    clear_abandoned(folder.path(), now);
    assert_eq!(
        names(folder.path()),
        [
            ".claw-dir.tmp",
            ".claw-hour.tmp",
            ".claw-old.txt",
            ".claw-young.tmp",
            "old.tmp"
        ],
        "what a killed program left goes; a file of less than an hour, which somebody may be writing, other files and folders stay"
    );
    let young = now + ABANDONED + Duration::from_secs(60);
    clear_abandoned(folder.path(), young);
    assert_eq!(
        names(folder.path()),
        [".claw-dir.tmp", ".claw-old.txt", "old.tmp"],
        "in time, the young ones are old"
    );
    fs::write(folder.path().join(".claw-left.tmp"), "").expect("a file");
    let file = fs::File::options()
        .append(true)
        .open(folder.path().join(".claw-left.tmp"));
    file.expect("it is there")
        .set_modified(long_ago)
        .expect("times can be set");
    replace_file(&folder.path().join("new"), "new", b"", None).expect("it can be written");
    assert_eq!(
        names(folder.path()),
        [".claw-dir.tmp", ".claw-old.txt", "new", "old.tmp"],
        "a write clears its folder"
    );
    clear_abandoned(&folder.path().join("gone"), now);
}

// 6.9 The tool write

#[test]
fn test_ch6_write_new_files() {
    let folder = folder(&[]);
    let workspace = Workspace::new(folder.path());
    for (path, content, says) in [
        ("a.txt", "one\ntwo\n", "created `a.txt` (2 lines, 8 bytes)"),
        (
            "src/deep/er/b.rs",
            "x",
            "created `src/deep/er/b.rs` (1 line, 1 bytes)",
        ),
        ("c.txt", "a\r\nb", "created `c.txt` (2 lines, 4 bytes)"),
        ("d.txt", "", "created `d.txt` (0 lines, 0 bytes)"),
    ] {
        let result = write_file(&workspace, path, content).expect("it can be written");
        assert_eq!(result, ToolResult::text(says), "write `{path}`");
        assert_eq!(
            read(&folder.path().join(path)),
            content,
            "a new file holds what was asked for, byte for byte, in folders that were missing"
        );
        let place = real(&folder).join(path);
        assert_eq!(
            workspace.check(&place, path, content.as_bytes()),
            Ok(()),
            "who has written `{path}` knows it, and need not read it"
        );
    }
}

#[test]
fn test_ch6_write_needs_a_look_first() {
    let folder = folder(&[("a.txt", "theirs\n")]);
    let place = folder.path().join("a.txt");
    let workspace = Workspace::new(folder.path());
    let message = refused(write_file(&workspace, "a.txt", "mine\n"), "an unread file");
    contains(&message, &["`a.txt`", "read it first"]);
    assert_eq!(read(&place), "theirs\n");
    read_file(&workspace, "a.txt", 1, 1).expect("it can be read");
    fs::write(&place, "others\n").expect("a file");
    let message = refused(write_file(&workspace, "a.txt", "mine\n"), "a stale write");
    contains(&message, &["`a.txt`", "changed", "read it again"]);
    assert_eq!(read(&place), "others\n", "somebody else's work stays");
    read_file(&workspace, "a.txt", 1, 1).expect("it can be read");
    let result = write_file(&workspace, "a.txt", "mine\n").expect("now it was read");
    assert_eq!(result.content, "wrote `a.txt` (1 line, 5 bytes)");
    write_file(&workspace, "a.txt", "mine again\n").expect("its own work it knows");
    assert_eq!(read(&place), "mine again\n");
}

#[tokio::test]
async fn test_ch6_write_takes_its_turn() {
    let folder = folder(&[("a.txt", "theirs\n")]);
    let workspace = Workspace::new(folder.path());
    let place = real(&folder).join("a.txt");
    let early = write_file(&workspace, "a.txt", "mine\n");
    refused(early, "an unread file");
    let (taken, is_taken) = mpsc::channel();
    let (awaited, is_awaited) = mpsc::channel();
    let other = workspace.clone();
    // Somebody has the turn until the tool is seen to wait for it.
    let other = std::thread::spawn(move || {
        let _turn = other.turn();
        taken.send(()).expect("the test waits for it");
        let seen = is_awaited.recv_timeout(Duration::from_secs(2));
        // Who has looked at the file before its turn does not know this.
        other.saw(&place, b"theirs\n");
        seen.is_ok()
    });
    is_taken.recv().expect("the turn is free");
    let tools = ToolSet::new().with(WriteTool::new(&workspace));
    let args = json!({ "path": "a.txt", "content": "mine\n" });
    let mut work = std::pin::pin!(run_tool(&tools, "write", args));
    // What does not wait for its turn is refused at once: the file was not read.
    let early = tokio::time::timeout(Duration::from_millis(20), &mut work).await;
    let _ = awaited.send(());
    assert!(
        other.join().expect("it does not panic"),
        "while the tool waits for its turn, the thread that it was called on must be free for others: let it work on another, as `list` does"
    );
    let answer = match early {
        Ok(answer) => answer,
        Err(_) => work.await,
    };
    assert_eq!(
        answer, "wrote `a.txt` (1 line, 5 bytes)",
        "what was read and written while somebody else had the turn is known when the turn comes: take it before you look at the file, and keep it to the end"
    );
}

#[test]
fn test_ch6_write_keeps_the_shape() {
    let folder = folder(&[]);
    let workspace = Workspace::new(folder.path());
    let old = "\u{feff}old\r\nlines\r\n";
    write_file(&workspace, "a.txt", old).expect("it can be written");
    let result = write_file(&workspace, "a.txt", "new\nlines").expect("it was read");
    assert_eq!(
        read(&folder.path().join("a.txt")),
        "\u{feff}new\r\nlines\r\n",
        "byte order mark, line ends and final line end stay as they were"
    );
    assert_eq!(
        result.content, "wrote `a.txt` (2 lines, 15 bytes)",
        "the bytes are those on the disk"
    );
    write_file(&workspace, "a.txt", "again\n").expect("what is on the disk is what it knows");
}

#[test]
fn test_ch6_write_follows_links() {
    let folder = folder(&[("root/sub/a", ""), ("outside.txt", "theirs\n")]);
    let root = folder.path().join("root");
    let workspace = Workspace::new(&root);
    write_file(&workspace, "real.txt", "old\n").expect("it can be written");
    if !link("real.txt", &root.join("link.txt"))
        || !link("gone.txt", &root.join("dangling"))
        || !link("../outside.txt", &root.join("out"))
    {
        return; // This system does not let us make links.
    }
    write_file(&workspace, "link.txt", "new\n").expect("it is known by its other name");
    assert_eq!(
        read(&root.join("real.txt")),
        "new\n",
        "what the link leads to is written"
    );
    assert!(
        root.join("link.txt").is_symlink(),
        "the link is still a link"
    );
    write_file(&workspace, "real.txt", "newer\n").expect("the same file by its own name");
    for (path, words) in [("dangling", "leads to nothing"), ("out", "leads out")] {
        let message = refused(write_file(&workspace, path, "x"), path);
        contains(&message, &[path, words]);
    }
    assert_eq!(
        names(&root),
        ["dangling", "link.txt", "out", "real.txt", "sub"]
    );
    assert_eq!(read(&folder.path().join("outside.txt")), "theirs\n");
}

#[test]
fn test_ch6_write_knows_a_limit() {
    let folder = folder(&[]);
    let workspace = Workspace::new(folder.path());
    let huge = "x".repeat(MAX_FILE_BYTES + 1);
    let message = refused(write_file(&workspace, "new/a.txt", &huge), "too much");
    contains(&message, &["`new/a.txt`", "10485761 bytes"]);
    assert!(
        names(folder.path()).is_empty(),
        "what could not be read afterwards is not written, and no folder is made for it"
    );
}

#[tokio::test]
async fn test_ch6_write_bad_paths() {
    let folder = folder(&[("src/a.rs", ""), ("a.txt", "text\n")]);
    fs::write(folder.path().join("a.out"), b"\x7fELF\0").expect("a file");
    let tools = ToolSet::new().with(WriteTool::new(&Workspace::new(folder.path())));
    for (path, content, words) in [
        ("src", "x", "`src` is a folder"),
        (".", "x", "is a folder"),
        ("new/", "x", "names a folder"),
        ("a.out", "x", "binary"),
        ("a.txt/b", "x", "cannot be opened"),
        ("../b.txt", "x", "leads out"),
    ] {
        let args = json!({ "path": path, "content": content });
        let answer = run_tool(&tools, "write", args).await;
        assert!(
            answer.starts_with("error: ") && answer.contains(words),
            "write `{path}` is an error that says {words:?}; the content is {answer:?}"
        );
    }
    assert_eq!(
        names(folder.path()),
        ["a.out", "a.txt", "src"],
        "nothing was made"
    );
    let args = json!({ "path": "b.txt", "content": "new\n" });
    assert_eq!(
        run_tool(&tools, "write", args).await,
        "created `b.txt` (1 line, 4 bytes)",
        "and what is right is done"
    );
}

// 6.10 Exactly once

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

// 6.11 Near misses

#[test]
fn test_ch6_miss_read_another_way() {
    let text = "fn a() {\n\tsay(\"hi\");\n}\nlast";
    for (wanted, words) in [
        (
            " 9\tfn a() {\n10\t\tsay(\"hi\");",
            ["without the line numbers", "line 1"],
        ),
        ("2\t\tsay(\"hi\");", ["without the line numbers", "line 2"]),
        ("{\\n\\tsay(\\\"hi\\\");", ["unescaped", "line 1"]),
        ("}\nlast\n", ["without the line end", "line 3"]),
    ] {
        contains(&explain_miss(text, wanted), &words);
    }
    let message = explain_miss(text, "then\tsay(\"hi\");");
    assert!(
        !message.contains("line numbers"),
        "what stands before a tab is a line number only if it is a number; it says: {message}"
    );
}

#[test]
fn test_ch6_miss_by_white_space() {
    let text = "one\nfn a() {\n\tlet x = 1;\n\n\tlet y = 2;\n}\n";
    for (wanted, words) in [
        (
            "fn a() {\n    let x = 1;",
            [
                "white space",
                "lines 2 to 3",
                "line 3",
                r#""\tlet x = 1;""#,
                r#""    let x = 1;""#,
            ],
        ),
        (
            "let x = 1;\n  \n\tlet y = 2;",
            ["white space", "lines 3 to 5", "line 4", r#""""#, r#""  ""#],
        ),
        (
            "let  y=2;",
            [
                "white space",
                "is line 5",
                "line 5",
                r#""\tlet y = 2;""#,
                r#""let  y=2;""#,
            ],
        ),
    ] {
        contains(&explain_miss(text, wanted), &words);
    }
    contains(
        &explain_miss(text, "let x =\n1;\nlet y"),
        &["white space", "lines 3 to 5", "line 3 of the file"],
    );
    let blank = ["", "a", ""];
    assert_eq!(
        without_white_space(&["", "a b", "", "c d"], &["bc"]),
        Some(1),
        "what is wanted may begin inside of a line, and go on behind blank ones"
    );
    assert_eq!(
        without_white_space(&["", "ab", "", "cd"], &["c d"]),
        Some(3)
    );
    assert_eq!(
        without_white_space(&blank, &["  "]),
        None,
        "white space alone is like any blank line, and tells nothing"
    );
    assert_eq!(without_white_space(&blank, &["a", " ", "b"]), None);
    assert_eq!(
        without_white_space(&["a"], &["a", "b"]),
        None,
        "longer than the file"
    );
}

#[test]
fn test_ch6_miss_shows_the_closest_lines() {
    let text = "fn add(a: i32) {}\nfn main() {\n    let total = add(1, 2);\n    print(total);\n}\n";
    contains(
        &explain_miss(
            text,
            "fn main() {\n    let total = sum(1, 2);\n    print(total);",
        ),
        &[
            "closest",
            "lines 2 to 4",
            "line 3 of the file",
            r#""    let total = add(1, 2);""#,
            r#""    let total = sum(1, 2);""#,
        ],
    );
    contains(
        &explain_miss(text, "{\n    print(totals);"),
        &["lines 3 to 4", "line 3 of the file", r#""{""#],
    );
    contains(
        &explain_miss(text, "main() {\n    let total = add(1, 3);"),
        &["lines 2 to 3", "line 3 of the file", "add(1, 3)"],
    );
    contains(
        &explain_miss(text, "    print(total);\n}\n\nfn more() {}"),
        &["lines 4 to 5", "the file ends there"],
    );
    let far = explain_miss(text, "SELECT * FROM users");
    contains(&far, &["nor anything like it", "read it again"]);
    for (text, wanted) in [("", "x"), (text, "7\t"), (text, "\n\n\n")] {
        contains(&explain_miss(text, wanted), &["nor anything like it"]);
    }
}

#[test]
fn test_ch6_miss_of_equal_candidates() {
    let lines = ["}", "return x;", "a", "return x;", "b", "return x;", "b"];
    assert_eq!(
        closest(&lines, &["return x;", "c"]),
        Some(1),
        "of lines that are equally like it, the first"
    );
    assert_eq!(
        closest(&lines, &["return x;", "b"]),
        Some(3),
        "unless more of the lines around another are the same; of those, the first"
    );
    assert_eq!(
        closest(&lines, &["a", "return y;"]),
        Some(2),
        "the longest line decides"
    );
    assert_eq!(closest(&lines, &["nothing else"]), None);
    assert_eq!(
        closest(&["abd"], &["abc"]),
        Some(0),
        "half of the pairs are enough"
    );
    for (line, wanted) in [
        ("ab", "abcdefghijklmnop"),
        ("abcdefghijklmnop", "ab"),
        ("ababababab", "abcdef"),
    ] {
        assert_eq!(
            closest(&[line], &[wanted]),
            None,
            "{line:?} and {wanted:?} share too few of their pairs"
        );
    }
    assert_eq!(
        closest(&["return x;"], &["a", "b", "return x;"]),
        Some(0),
        "before the first line there is none"
    );
}

#[test]
fn test_ch6_miss_shows_a_part_of_a_long_line() {
    let text = format!("{}MIDDLE{}\n", "a".repeat(5000), "b".repeat(5000));
    let wanted = text.replace("MIDDLE", "middle");
    let message = explain_miss(&text, wanted.trim_end());
    contains(&message, &["MIDDLE", "middle", "…"]);
    assert!(
        message.len() < 1000,
        "of long lines the part that differs is shown; the message has {} bytes",
        message.len()
    );
    let a = |count| "a".repeat(count);
    for (text, shown) in [
        (a(0) + "X" + &a(400), format!("is \"X{}\"…, and", a(159))),
        (
            a(200) + "X" + &a(200),
            format!("is …\"{}X{}\"…, and", a(80), a(79)),
        ),
        (a(400) + "X" + &a(0), format!("is …\"{}X\", and", a(159))),
        (a(159) + "X", format!("is \"{}X\", and", a(159))),
    ] {
        contains(&explain_miss(&text, &text.replace('X', "Y")), &[&shown]);
    }
}

// 6.12 The tools edit and multi_edit

#[tokio::test]
async fn test_ch6_edit_a_file() {
    let folder = folder(&[("a.rs", "\u{feff}fn a() {}\r\nfn b() {}\r\nfn b() {}")]);
    let place = folder.path().join("a.rs");
    let tools = all_tools(&Workspace::new(folder.path()));
    let args = json!({ "path": "a.rs", "old_string": "a() {}\n", "new_string": "a() {\n}\n" });
    let unread = run_tool(&tools, "edit", args.clone()).await;
    assert!(
        unread.starts_with("error: ") && unread.contains("read it first"),
        "a file is read before it is edited; the content is {unread:?}"
    );
    run_tool(&tools, "read", json!({ "path": "a.rs" })).await;
    assert_eq!(
        run_tool(&tools, "edit", args).await,
        "edited `a.rs`: line 1"
    );
    assert_eq!(
        read(&place),
        "\u{feff}fn a() {\r\n}\r\nfn b() {}\r\nfn b() {}",
        "byte order mark, line ends and the missing one at the end stay"
    );
    let args = json!({ "path": "a.rs", "old_string": "b", "new_string": "c", "replace_all": true });
    assert_eq!(
        run_tool(&tools, "edit", args).await,
        "edited `a.rs`: 2 places, lines 3 and 4",
        "after an edit the file is known as it is then, and can be edited again"
    );
    let args = json!({ "path": "a.rs", "old_string": "fn c", "new_string": "fn d" });
    let twice = run_tool(&tools, "edit", args).await;
    assert!(
        twice.starts_with("error: ") && twice.contains("2 times"),
        "without `replace_all` one is meant; the content is {twice:?}"
    );
    let args = json!({ "path": "a.rs", "old_string": "fn  a", "new_string": "fn e" });
    let miss = run_tool(&tools, "edit", args).await;
    assert!(
        miss.starts_with("error: ") && miss.contains("white space"),
        "a miss is explained; the content is {miss:?}"
    );
}

#[tokio::test]
async fn test_ch6_edit_refuses_stale_files() {
    let folder = folder(&[("a.txt", "let x = 1;\n")]);
    let place = folder.path().join("a.txt");
    let tools = all_tools(&Workspace::new(folder.path()));
    run_tool(&tools, "read", json!({ "path": "a.txt" })).await;
    let about = fs::metadata(&place).expect("it is there");
    fs::write(&place, "let x = 2;\n").expect("a file");
    let file = fs::File::options()
        .append(true)
        .open(&place)
        .expect("it is there");
    let modified = about.modified().expect("times are known");
    file.set_modified(modified).expect("times can be set");
    let args = json!({ "path": "a.txt", "old_string": "let", "new_string": "var" });
    let stale = run_tool(&tools, "edit", args.clone()).await;
    assert!(
        stale.starts_with("error: ")
            && stale.contains("changed")
            && stale.contains("read it again"),
        "another content of the same size and time is another content; the answer is {stale:?}"
    );
    assert_eq!(read(&place), "let x = 2;\n", "nothing was written");
    run_tool(&tools, "read", json!({ "path": "a.txt" })).await;
    run_tool(&tools, "edit", args).await;
    assert_eq!(
        read(&place),
        "var x = 2;\n",
        "once read again, it can be edited"
    );
}

#[tokio::test]
async fn test_ch6_edit_bad_files() {
    let folder = folder(&[("src/a.rs", "")]);
    fs::write(folder.path().join("a.out"), b"\x7fELF\0").expect("a file");
    fs::write(folder.path().join("logo.png"), PNG).expect("a file");
    let tools = all_tools(&Workspace::new(folder.path()));
    for (path, words) in [
        ("gone.txt", "there is no `gone.txt`"),
        ("src", "`src` is a folder"),
        ("a.out", "binary"),
        ("logo.png", "binary"),
        ("../x", "leads out"),
    ] {
        let edits = json!([{ "old_string": "a", "new_string": "b" }]);
        for (tool, args) in [
            (
                "edit",
                json!({ "path": path, "old_string": "a", "new_string": "b" }),
            ),
            ("multi_edit", json!({ "path": path, "edits": edits })),
        ] {
            let answer = run_tool(&tools, tool, args).await;
            assert!(
                answer.starts_with("error: ") && answer.contains(words),
                "{tool} `{path}` is an error that says {words:?}; the content is {answer:?}"
            );
        }
    }
    assert_eq!(
        names(folder.path()),
        ["a.out", "logo.png", "src"],
        "nothing was made"
    );
}

#[test]
fn test_ch6_edit_keeps_within_the_limit() {
    let folder = folder(&[]);
    let workspace = Workspace::new(folder.path());
    let mine = change("x", &"y".repeat(1_000_000), true);
    let unread = edit_file(&workspace, "a.txt", |text| apply_change(text, &mine));
    refused(unread, "a file that is not there");
    let content = "x".repeat(11);
    write_file(&workspace, "a.txt", &content).expect("it can be written");
    let grown = edit_file(&workspace, "a.txt", |text| apply_change(text, &mine));
    let answer = refused(grown, "an edit that makes the file too large");
    assert!(
        answer.contains("11000000 bytes"),
        "an edit that makes the file too large is refused; the content is {answer:?}"
    );
    assert_eq!(
        read(&folder.path().join("a.txt")),
        content,
        "nothing was written"
    );
}

#[test]
fn test_ch6_multi_edit_definition() {
    let tool = MultiEditTool::new(&Workspace::new("."));
    let definition = tool.definition();
    assert_eq!(definition.name, "multi_edit");
    let edit = json!({ "old_string": "a", "new_string": "b", "replace_all": true });
    for (edits, fits) in [
        (json!([edit]), true),
        (json!([edit, { "old_string": "a", "new_string": "" }]), true),
        (json!([]), false),
        (json!([{ "old_string": "a" }]), false),
        (
            json!([{ "old_string": "a", "new_string": "b", "path": "c" }]),
            false,
        ),
        (json!([{ "old_string": "a", "new_string": 7 }]), false),
        (json!("all"), false),
    ] {
        let verdict = validate(definition, &json!({ "path": "a.txt", "edits": edits }));
        assert_eq!(
            verdict == ValidationResult::Ok,
            fits,
            "the schema of `edits` decides on {edits}; it says {verdict:?}"
        );
    }
    assert_eq!(definition.parameters["required"], json!(["path", "edits"]));
}

#[tokio::test]
async fn test_ch6_multi_edit_all_or_none() {
    let folder = folder(&[("a.txt", "one\r\ntwo\r\nthree\r\n")]);
    let place = folder.path().join("a.txt");
    let tools = all_tools(&Workspace::new(folder.path()));
    run_tool(&tools, "read", json!({ "path": "a.txt" })).await;
    let edits = json!([
        { "old_string": "one", "new_string": "1\n1" },
        { "old_string": "towo", "new_string": "2" },
        { "old_string": "three", "new_string": "3" }
    ]);
    let answer = run_tool(
        &tools,
        "multi_edit",
        json!({ "path": "a.txt", "edits": edits }),
    )
    .await;
    for words in [
        "error: ",
        "none of the 3 edits",
        "`edits[1]`",
        "not in the file",
    ] {
        assert!(
            answer.contains(words),
            "the error says which edit can't be made, and that none was: {words:?}; it is {answer:?}"
        );
    }
    assert_eq!(
        read(&place),
        "one\r\ntwo\r\nthree\r\n",
        "one of three can't be made, so none is"
    );
    let edits = json!([
        { "old_string": "one", "new_string": "1\n1" },
        { "old_string": "1\ntwo", "new_string": "2" },
        { "old_string": "e", "new_string": "E", "replace_all": true }
    ]);
    let answer = run_tool(
        &tools,
        "multi_edit",
        json!({ "path": "a.txt", "edits": edits }),
    )
    .await;
    assert_eq!(
        answer, "edited `a.txt`: line 1; line 2; 2 places, line 3",
        "each edit is made in what the ones before have left"
    );
    assert_eq!(read(&place), "1\r\n2\r\nthrEE\r\n");
}

#[test]
fn test_ch6_edits_at_once_all_land() {
    let lines: Vec<String> = (0..8).map(|number| format!("line {number};\n")).collect();
    let folder = folder(&[("a.txt", &lines.concat())]);
    let workspace = Workspace::new(folder.path());
    let unread = edit_file(&workspace, "a.txt", |_| Ok("nothing".to_string()));
    refused(unread, "a file that was not read");
    read_file(&workspace, "a.txt", 1, 9).expect("it can be read");
    std::thread::scope(|scope| {
        for number in 0..8 {
            let workspace = &workspace;
            scope.spawn(move || {
                let mine = change(
                    &format!("line {number};"),
                    &format!("done {number};"),
                    false,
                );
                edit_file(workspace, "a.txt", |text| apply_change(text, &mine))
                    .expect("edits of one workspace wait for each other");
            });
        }
    });
    assert_eq!(
        read(&folder.path().join("a.txt")),
        lines.concat().replace("line", "done"),
        "eight edits at once: each one is in the file"
    );
}

// What the tests above are made of.

/// The first bytes of a PNG, and a few more.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";

/// A folder of its own with these files in it; it is removed when it is dropped.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a new folder among the temporary files");
    for (path, content) in files {
        let place = folder.path().join(path);
        let above = place.parent().expect("it lies in the new folder");
        fs::create_dir_all(above).expect("a new folder");
        fs::write(place, content).expect("a new file");
    }
    folder
}

/// A folder's path without links: on some systems the temporary folder is behind one.
fn real(folder: &TempDir) -> PathBuf {
    folder.path().canonicalize().expect("it is there")
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().expect("it can be listed");
    let names = entries.map(|entry| entry.expect("it can be listed").file_name());
    let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into()).collect();
    names.sort();
    names
}

fn read(place: &Path) -> String {
    fs::read_to_string(place).expect("it is there, and text")
}

#[cfg(unix)]
fn mode(place: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    let about = place.metadata().expect("it is there");
    about.permissions().mode() & 0o7777
}

/// Makes a symbolic link, and says whether it could.
fn link(to: &str, at: &Path) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::symlink(to, at).is_ok();
    #[cfg(not(unix))]
    return false;
}

#[track_caller]
fn decoded(text: &str) -> Text {
    Text::decode(text.as_bytes(), "a.txt").expect("it is UTF-8")
}

fn change(old: &str, new: &str, replace_all: bool) -> Change {
    Change {
        old_string: old.to_string(),
        new_string: new.to_string(),
        replace_all,
    }
}

/// What is found when there is one place.
fn only(range: Range<usize>) -> Result<Vec<Range<usize>>, String> {
    Ok(std::iter::once(range).collect())
}

fn image(media_type: &str) -> Attachment {
    Attachment {
        media_type: media_type.to_string(),
        data: PNG.to_vec(),
    }
}

fn kinds(attached: &[Attached]) -> Vec<&str> {
    let kinds = attached.iter().map(|it| it.attachment.media_type.as_str());
    kinds.collect()
}

/// The message of an outcome that is an error, with these pieces in it.
#[track_caller]
fn says<T: std::fmt::Debug>(outcome: &Result<T, String>, what: &str, pieces: &[&str]) {
    match outcome {
        Err(message) => contains(message, pieces),
        Ok(value) => panic!("{what}: an error was due that says {pieces:?}; it came to {value:?}"),
    }
}

#[track_caller]
fn contains(message: &str, pieces: &[&str]) {
    for piece in pieces {
        assert!(
            message.contains(piece),
            "the message should have {piece:?} in it; it is {message:?}"
        );
    }
}

/// The words by which something was refused.
#[track_caller]
fn refused<T: std::fmt::Debug>(outcome: Result<T, FileError>, what: &str) -> String {
    match outcome {
        Err(FileError::Refused(message)) => message,
        other => panic!("{what} should be Refused, in words for the model; it came to {other:?}"),
    }
}

/// The four tools on one workspace.
fn all_tools(workspace: &Workspace) -> ToolSet {
    ToolSet::new()
        .with(MultiEditTool::new(workspace))
        .with(EditTool::new(workspace))
        .with(WriteTool::new(workspace))
        .with(ReadTool::new(workspace))
}

async fn run_tool(tools: &ToolSet, name: &str, arguments: Value) -> String {
    let call = ToolCall {
        id: "call_1".to_string(),
        name: name.to_string(),
        arguments,
    };
    execute(tools, &call).await.content
}
