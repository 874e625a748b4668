//! Section 8.9: Lines in a file

use std::io::ErrorKind;

use claw_code::tools::search::*;
use claw_code::tools::*;
use grep_regex::RegexMatcherBuilder;
use tokio_util::sync::CancellationToken;

use super::support::*;

#[test]
fn test_ch8_file_lines() {
    let found = found("a x\nb\nc x x\n", "x", &Shape::default());
    assert_eq!(
        found,
        Hits {
            matches: 2,
            lines: vec![line("1:a x"), line("3:c x x")],
            is_binary: false
        },
        "a line that matches is one match, however often the pattern is in it"
    );
    assert_eq!(
        self::found("a\nx", "x", &Shape::default()).lines,
        [line("2:x")],
        "the last line may lack its end"
    );
    assert_eq!(
        self::found("a\r\nx;\r\n", "x;$", &Shape::default()).lines,
        [line("2:x;")],
        "a line may end in \\r\\n"
    );
    assert_eq!(self::found("", "x", &Shape::default()), Hits::default());
}

#[test]
fn test_ch8_file_lines_around() {
    let text = "1\n2\nx\n4\n5\n6\n7\n8\nx\nx\n11\n";
    for (before, after, lines) in [
        (1, 0, vec!["2-2", "3:x", "--", "8-8", "9:x", "10:x"]),
        (0, 1, vec!["3:x", "4-4", "--", "9:x", "10:x", "11-11"]),
        (
            2,
            3,
            vec![
                "1-1", "2-2", "3:x", "4-4", "5-5", "6-6", "7-7", "8-8", "9:x", "10:x", "11-11",
            ],
        ),
    ] {
        let shape = Shape {
            before,
            after,
            ..Shape::default()
        };
        let found = found(text, "x", &shape);
        let texts: Vec<&str> = found.lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(
            texts, lines,
            "with {before} lines before and {after} after each match; `:` marks a match, `-` a line around it, and `--` stands between groups that do not touch"
        );
        assert_eq!(found.matches, 3, "lines around a match are no matches");
        for line in &found.lines {
            assert_eq!(
                line.is_match,
                line.text.contains(':'),
                "only lines that match are marked as such: {line:?}"
            );
        }
    }
}

#[test]
fn test_ch8_file_modes() {
    let text = "x\nx\nb\nx\n";
    let shape = |mode| Shape {
        mode,
        before: 1,
        after: 1,
        ..Shape::default()
    };
    assert_eq!(
        found(text, "x", &shape(Mode::Count)),
        hits_without_lines(3),
        "for a count no lines are stored"
    );
    assert_eq!(
        found(text, "x", &shape(Mode::Files)),
        hits_without_lines(1),
        "to name a file one match is enough, and the search of it ends"
    );
    let folder = Folder::new(&[("f", text)]);
    let matcher = matcher("x");
    let (query, shape, stop) = (Query::default(), Shape::default(), CancellationToken::new());
    let mut search = Search::new(&matcher, &query, &shape, &stop);
    let path = folder.path().join("f");
    assert_eq!(
        search.file(&path, false).expect("it can be read"),
        hits_without_lines(3),
        "where nothing will be shown, matches are counted and no lines stored"
    );
    assert_eq!(
        search
            .file(&path, true)
            .expect("it can be read")
            .lines
            .len(),
        3,
        "the same search goes on to other files"
    );
}

#[test]
fn test_ch8_file_long_lines() {
    let text = format!("short\n{}NEEDLE{}\n", "a".repeat(9000), "b".repeat(9000));
    let found = found(
        &text,
        "NEEDLE",
        &Shape {
            before: 1,
            ..Shape::default()
        },
    );
    assert_eq!(found.lines.len(), 2);
    assert!(
        found.lines[1].text.starts_with("2:…")
            && found.lines[1].text.contains("NEEDLE")
            && found.lines[1].text.len() < 2 * MAX_LINE,
        "of a long line the part around the match is shown: {}",
        found.lines[1].text
    );
    let text = format!("{}\nNEEDLE\n", "a".repeat(9000));
    let shape = Shape {
        before: 1,
        ..Shape::default()
    };
    let near = &self::found(&text, "NEEDLE", &shape).lines[0].text;
    assert!(
        near.starts_with("1-aaa") && near.len() < 2 * MAX_LINE,
        "a long line near a match is cut as well; this one has {} bytes",
        near.len()
    );
}

#[test]
fn test_ch8_file_is_bounded() {
    let text = "x\n".repeat(10_000);
    let shape = Shape {
        limit: 5,
        ..Shape::default()
    };
    let few = found(&text, "x", &shape);
    assert!(
        few.matches == 10_000 && (5..=6).contains(&few.lines.len()),
        "all are counted; stored are no more than can be shown, and {} are",
        few.lines.len()
    );
    let text = format!("{}\n", "x".repeat(300)).repeat(1000);
    let shape = Shape {
        limit: usize::MAX,
        after: 2,
        ..Shape::default()
    };
    let many = found(&text, "x", &shape);
    let bytes: usize = many.lines.iter().map(|line| line.text.len()).sum();
    assert!(
        many.matches == 1000 && (RESULT_LIMIT / 2..2 * RESULT_LIMIT).contains(&bytes),
        "no more bytes are stored than fill an answer of {RESULT_LIMIT}; {bytes} are"
    );
}

#[test]
fn test_ch8_file_across_lines() {
    let matcher = RegexMatcherBuilder::new()
        .multi_line(true)
        .build("b\nc|x")
        .expect("a pattern");
    let query = Query {
        multiline: true,
        ..Query::default()
    };
    let folder = Folder::new(&[("f", "a\nb\nc\nd\nx\n")]);
    let (shape, stop) = (Shape::default(), CancellationToken::new());
    let found = Search::new(&matcher, &query, &shape, &stop)
        .file(&folder.path().join("f"), true)
        .expect("it can be read");
    assert_eq!(found.matches, 2, "a match over two lines is one match");
    assert_eq!(
        found.lines,
        [
            line("2:b"),
            Line {
                text: "3:c".to_string(),
                is_match: false
            },
            line("5:x")
        ],
        "each of its lines has its number, and the match begins in the first"
    );
}

#[test]
fn test_ch8_file_binary() {
    for text in ["x\n\0\n", "\0x", "x\nx\nx\0"] {
        assert_eq!(
            found(text, "x", &Shape::default()),
            Hits {
                is_binary: true,
                ..Hits::default()
            },
            "a file with a NUL in it is not text, and what was found before does not count; the file is {text:?}"
        );
    }
}

#[test]
fn test_ch8_file_encodings() {
    let folder = Folder::new(&[]);
    let utf16 = |text: &str, little: bool| -> Vec<u8> {
        let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
        let bytes = units.map(|unit| match little {
            true => unit.to_le_bytes(),
            false => unit.to_be_bytes(),
        });
        bytes.flatten().collect()
    };
    let text = "a\ngröße x\n";
    let (shape, stop, query) = (Shape::default(), CancellationToken::new(), Query::default());
    let matcher = matcher("^größe");
    let mut search = Search::new(&matcher, &query, &shape, &stop);
    for (name, bytes) in [
        ("UTF-8", text.as_bytes().to_vec()),
        ("UTF-16, little end first", utf16(text, true)),
        ("UTF-16, big end first", utf16(text, false)),
        (
            "UTF-8 with a mark",
            [&b"\xEF\xBB\xBF"[..], "größe x\n".as_bytes()].concat(),
        ),
    ] {
        let path = folder.path().join("f");
        std::fs::write(&path, bytes).expect("a file");
        let found = search.file(&path, true).expect("it can be read");
        assert!(
            found.matches == 1 && found.lines[0].text.ends_with(":größe x"),
            "a byte order mark says how a file is encoded, and is no part of its first line; in {name} was found {found:?}"
        );
    }
}

#[test]
fn test_ch8_file_errors() {
    let folder = Folder::new(&[("f", "x\n")]);
    let (matcher, query, shape) = (matcher("x"), Query::default(), Shape::default());
    let stop = CancellationToken::new();
    let mut search = Search::new(&matcher, &query, &shape, &stop);
    let gone = search.file(&folder.path().join("gone"), true);
    assert_eq!(
        gone.map_err(|error| error.kind()),
        Err(ErrorKind::NotFound),
        "a file that cannot be opened is an error"
    );
    stop.cancel();
    assert!(
        search.file(&folder.path().join("f"), true).is_err(),
        "a search that was cancelled reads no file: what it found would not be the whole"
    );
}
