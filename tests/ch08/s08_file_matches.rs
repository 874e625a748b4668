//! Section 8.8: Matches in one file

use std::io::ErrorKind;

use claw_code::tools::search::*;
use claw_code::tools::*;
use grep_regex::RegexMatcherBuilder;
use tokio_util::sync::CancellationToken;

use super::support::*;

#[test]
fn test_ch8_matching_line_is_one_match() {
    for (rule, text, pattern, expected) in [
        (
            "a line counts once, however often it matches",
            "a x\nb\nc x x\n",
            "x",
            &["1:a x", "3:c x x"] as &[&str],
        ),
        (
            "the last line may lack its line ending",
            "a\nx",
            "x",
            &["2:x"],
        ),
        ("a line may end in \\r\\n", "a\r\nx;\r\n", "x;$", &["2:x;"]),
        ("an empty file has no matches", "", "x", &[]),
    ] {
        let expected = FileMatches {
            count: expected.len(),
            lines: expected.iter().map(|text| match_line(text)).collect(),
            is_binary: false,
        };
        let found = search_text(text, pattern, &OutputOptions::default());
        assert_eq!(found, expected, "{rule}: {pattern} in {text:?}");
    }
}

#[test]
fn test_ch8_context_lines_are_marked() {
    let text = "1\n2\nx\n4\n5\n6\n7\n8\nx\nx\n11\n";
    for (before, after, expected) in [
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
        let options = OutputOptions {
            before,
            after,
            ..OutputOptions::default()
        };
        let found = search_text(text, "x", &options);
        let texts: Vec<&str> = found.lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(
            texts, expected,
            "with {before} lines before and {after} after each match: `:` marks a match, `-` a context line, and `--` separates groups that are not adjacent"
        );
        assert_eq!(found.count, 3, "context lines are not matches");
        for line in &found.lines {
            assert_eq!(
                line.is_match,
                line.text.contains(':'),
                "only matching lines have `is_match`: {line:?}"
            );
        }
    }
}

#[test]
fn test_ch8_count_and_files_store_no_lines() {
    for (rule, mode, expected) in [
        ("`count` counts all matches", OutputMode::Count, 3),
        ("`files` stops at the first match", OutputMode::Files, 1),
    ] {
        let options = OutputOptions {
            mode,
            before: 1,
            after: 1,
            ..OutputOptions::default()
        };
        assert_eq!(
            search_text("x\nx\nb\nx\n", "x", &options),
            matches_without_lines(expected),
            "{rule} and stores no lines"
        );
    }
}

#[test]
fn test_ch8_searcher_stores_lines_only_where_they_are_needed() {
    let folder = TempFolder::with_files(&[("f", "x\nx\nb\nc\nx\n")]);
    let path = folder.canonical().join("f");
    let options = OutputOptions {
        after: 1,
        ..OutputOptions::default()
    };
    with_searcher("x", &options, |searcher, _| {
        let found = searcher.search(&path, false);
        assert_eq!(
            found.expect("the file can be read"),
            matches_without_lines(3),
            "without `needs_lines`, matches count and no lines are stored"
        );
        let found = searcher.search(&path, true);
        assert_eq!(
            found.expect("the file can be read").lines.len(),
            5,
            "the same searcher can search another file with its lines"
        );
    });
    let options = OutputOptions {
        mode: OutputMode::Files,
        ..OutputOptions::default()
    };
    let found = with_searcher("x", &options, |searcher, _| searcher.search(&path, false));
    assert_eq!(
        found.expect("the file can be read"),
        matches_without_lines(1),
        "`files` stops at the first match, even where no lines are needed"
    );
}

#[test]
fn test_ch8_long_lines_are_excerpts() {
    let (long, rest) = ("a".repeat(9000), "b".repeat(9000));
    let options = OutputOptions {
        before: 1,
        ..OutputOptions::default()
    };
    let found = search_text(&format!("short\n{long}NEEDLE{rest}\n"), "NEEDLE", &options);
    assert_eq!(found.lines.len(), 2, "the context line and the match");
    let text = &found.lines[1].text;
    assert!(
        text.starts_with("2:…") && text.contains("NEEDLE") && text.len() < 2 * MAX_LINE,
        "a long line should be an excerpt around its match: {text}"
    );
    let shortest = format!("{}NEEDLE\n", "a".repeat(MAX_LINE - 5));
    let found = search_text(&shortest, "NEEDLE", &options);
    let text = &found.lines[0].text;
    assert!(
        text.starts_with("1:…") && text.contains("NEEDLE"),
        "a line of {} characters should be an excerpt around its match too: {text}",
        MAX_LINE + 1
    );
    let needle = "x".repeat(MAX_LINE * 3 / 4);
    let found = search_text(&format!("{long}{needle}{rest}\n"), "x+", &options);
    let text = &found.lines[0].text;
    assert!(
        text.contains("ax"),
        "the excerpt should show where the match begins, even if the match is long: {text}"
    );
    let found = search_text(&format!("{long}\nNEEDLE\n"), "NEEDLE", &options);
    let text = &found.lines[0].text;
    assert!(
        text.starts_with("1-aaa") && text.len() < 2 * MAX_LINE,
        "a long context line should be an excerpt too; it has {} bytes",
        text.len()
    );
}

#[test]
fn test_ch8_lines_after_the_limit_are_not_stored() {
    let options = OutputOptions {
        limit: 5,
        ..OutputOptions::default()
    };
    let found = search_text(&"x\n".repeat(10_000), "x", &options);
    assert!(
        found.count == 10_000 && (5..=6).contains(&found.lines.len()),
        "all 10000 matches should count, and the lines of the first 5 should be stored, with at most one line more: {} matches, {} lines",
        found.count,
        found.lines.len()
    );
}

#[test]
fn test_ch8_context_of_a_match_without_room_is_not_stored() {
    for (limit, expected) in [
        (1, vec!["1:x", "2-2"]),
        (2, vec!["1:x", "2-2", "--", "4-4", "5:x", "6-6"]),
    ] {
        let options = OutputOptions {
            before: 1,
            after: 1,
            limit,
            ..OutputOptions::default()
        };
        let found = search_text("x\n2\n3\n4\nx\n6\n7\n8\nx\n", "x", &options);
        let texts: Vec<&str> = found.lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(
            (found.count, texts),
            (3, expected),
            "with a limit of {limit}: all 3 matches count, but neither the separator nor the lines before the next match are stored"
        );
    }
}

#[test]
fn test_ch8_stored_lines_have_a_size_limit() {
    let options = OutputOptions {
        limit: usize::MAX,
        after: 2,
        ..OutputOptions::default()
    };
    let text = format!("{}\n", "x".repeat(300)).repeat(1000);
    let found = search_text(&text, "x", &options);
    let bytes: usize = found.lines.iter().map(|line| line.text.len()).sum();
    assert!(
        found.count == 1000 && (RESULT_LIMIT / 2..2 * RESULT_LIMIT).contains(&bytes),
        "all 1000 matches should count, and the stored lines should about fill a result of {RESULT_LIMIT} bytes: {} matches, {bytes} bytes",
        found.count
    );
}

#[test]
fn test_ch8_context_leaves_room_for_the_first_match() {
    let options = OutputOptions {
        before: 5000,
        ..OutputOptions::default()
    };
    let text = format!("{}x\n", "a line of the context\n".repeat(5000));
    let found = search_text(&text, "x$", &options);
    let [first, .., nearest, last] = &found.lines[..] else {
        panic!("the match and the context nearest to it: {:?}", found.lines);
    };
    assert_eq!(
        (last, nearest.text.as_str(), first.text.as_str()),
        (
            &match_line("5001:x"),
            "5000-a line of the context",
            CONTEXT_LEFT_OUT
        ),
        "the match is the last line, the nearest context comes before it, and a note replaces the rest"
    );
    let bytes: usize = found.lines.iter().map(|line| line.text.len() + 1).sum();
    assert!(
        (RESULT_LIMIT / 8..RESULT_LIMIT / 4 * 3 + 100).contains(&bytes),
        "the context before the first match takes at most three quarters of a result: {bytes} bytes"
    );
}

#[test]
fn test_ch8_multiline_match_is_one_match() {
    let found = search_across_lines("a\nb\nc\nd\nx\n", "b\nc|x");
    assert_eq!(found.count, 2, "a match of two lines is one match");
    let second_line = OutputLine {
        text: "3:c".to_string(),
        is_match: false,
    };
    assert_eq!(
        found.lines,
        [match_line("2:b"), second_line, match_line("5:x")],
        "each line of a match has its number, and only the first has `is_match`"
    );
}

#[test]
fn test_ch8_lines_of_one_long_match_have_a_size_limit() {
    let text = format!("a\n{}z\n", "b\n".repeat(5 * RESULT_LIMIT));
    let found = search_across_lines(&text, "a[^z]*z");
    let bytes: usize = found.lines.iter().map(|line| line.text.len()).sum();
    assert!(
        found.count == 1 && bytes < 2 * RESULT_LIMIT,
        "one match of many lines should not be stored as a whole: {} matches, {bytes} bytes",
        found.count
    );
}

#[test]
fn test_ch8_each_long_line_of_a_match_is_an_excerpt_of_its_own() {
    let text = format!("x\n{}x\n", "a".repeat(5000));
    let found = search_across_lines(&text, "x\n|x$");
    assert!(
        found.lines.len() == 2 && found.lines[1].text.contains("ax"),
        "the excerpt of the second line should show its match: {:?}",
        found.lines
    );
    let found = search_across_lines(&format!("x\n{}z\n", "a".repeat(5000)), "x\na");
    assert!(
        found.lines.len() == 2 && found.lines[1].text.starts_with("2:aaa"),
        "no match lies in the second line alone, so its excerpt begins at its start: {:?}",
        found.lines
    );
}

#[test]
fn test_ch8_binary_file_has_no_matches() {
    for text in ["x\n\0\n", "\0x", "x\nx\nx\0"] {
        assert_eq!(
            search_text(text, "x", &OutputOptions::default()),
            FileMatches {
                is_binary: true,
                ..FileMatches::default()
            },
            "a file with a NUL byte is binary, and matches before the NUL do not count; the file is {text:?}"
        );
    }
}

#[test]
fn test_ch8_byte_order_mark_selects_the_encoding() {
    let text = "a\ngröße x\n";
    let folder = TempFolder::new();
    folder.write("UTF-8", text);
    folder.write("UTF-16, little-endian", utf16(text, u16::to_le_bytes));
    folder.write("UTF-16, big-endian", utf16(text, u16::to_be_bytes));
    folder.write("UTF-8 with a mark", "\u{FEFF}größe x\n");
    with_searcher("^größe", &OutputOptions::default(), |searcher, _| {
        for name in [
            "UTF-8",
            "UTF-16, little-endian",
            "UTF-16, big-endian",
            "UTF-8 with a mark",
        ] {
            let found = searcher.search(&folder.canonical().join(name), true);
            let found = found.expect("the file can be read");
            assert!(
                found.count == 1 && found.lines[0].text.ends_with(":größe x"),
                "{name}: the mark selects the encoding and is not part of the first line; found: {found:?}"
            );
        }
    });
}

#[test]
fn test_ch8_missing_file_is_an_error() {
    let folder = TempFolder::new();
    let missing = with_searcher("x", &OutputOptions::default(), |searcher, _| {
        searcher.search(&folder.canonical().join("missing"), true)
    });
    assert_eq!(
        missing.map_err(|error| error.kind()),
        Err(ErrorKind::NotFound),
        "a file that can't be opened is an error"
    );
    #[cfg(target_os = "linux")]
    {
        folder.write("f", "x\n");
        std::os::unix::fs::symlink("f", folder.path().join("link")).expect("a link");
        let linked = with_searcher("x", &OutputOptions::default(), |searcher, _| {
            searcher.search(&folder.canonical().join("link"), true)
        });
        assert!(linked.is_err(), "`open_itself` follows no link: {linked:?}");
    }
}

#[test]
fn test_ch8_cancelled_search_is_an_error() {
    let folder = TempFolder::with_files(&[("f", "x\n")]);
    let cancelled = with_searcher("x", &OutputOptions::default(), |searcher, stop| {
        stop.cancel();
        searcher.search(&folder.canonical().join("f"), true)
    });
    assert!(
        cancelled.is_err(),
        "a cancelled search should fail, since its matches would be incomplete: {cancelled:?}"
    );
}

/// The matches of `pattern`, which may span lines, in a file with this text.
#[track_caller]
fn search_across_lines(text: &str, pattern: &str) -> FileMatches {
    let mut builder = RegexMatcherBuilder::new();
    let matcher = builder.multi_line(true).build(pattern).expect("a pattern");
    let query = Query {
        multiline: true,
        ..Query::default()
    };
    let folder = TempFolder::with_files(&[("f", text)]);
    let (options, stop) = (OutputOptions::default(), CancellationToken::new());
    FileSearcher::new(&matcher, &query, &options, &stop)
        .search(&folder.canonical().join("f"), true)
        .expect("the file can be read")
}

/// The text with a byte order mark, in UTF-16.
fn utf16(text: &str, to_bytes: impl Fn(u16) -> [u8; 2]) -> Vec<u8> {
    let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
    units.flat_map(to_bytes).collect()
}
