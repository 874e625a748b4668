//! Section 8.5: The search result

use claw_code::tools::search::*;
use claw_code::tools::*;
use claw_code::types::*;

use super::support::*;

#[test]
fn test_ch8_result_shows_lines_by_file() {
    let mut found = TopK::new(10);
    put(&mut found, "src/b.rs", &["3:fn b", "4-{", "--", "9:fn c"]);
    put(&mut found, "src/a.rs", &["1:fn a"]);
    let result = render_result(&found, OutputMode::Content, "nothing");
    assert_eq!(
        result.content, "src/a.rs\n1:fn a\n\nsrc/b.rs\n3:fn b\n4-{\n--\n9:fn c",
        "each file's path, its lines below it, and an empty line between files"
    );
    assert!(!result.is_truncated, "the result is complete");
}

#[test]
fn test_ch8_result_shows_files_or_counts() {
    let found = files_without_lines(10, &[("src/a.rs", 2), ("b", 11)]);
    assert_eq!(
        render_result(&found, OutputMode::Files, "nothing"),
        ToolResult::text("b\nsrc/a.rs"),
        "with `files`, one path per line"
    );
    assert_eq!(
        render_result(&found, OutputMode::Count, "nothing"),
        ToolResult::text("b:11\nsrc/a.rs:2"),
        "with `count`, one path per line and its number of matches"
    );
}

#[test]
fn test_ch8_result_without_matches_says_so() {
    assert_eq!(
        render_result(&TopK::new(10), OutputMode::Files, "nothing at all"),
        ToolResult::text("nothing at all"),
        "the text for no matches replaces the lines"
    );
}

#[test]
fn test_ch8_result_shows_a_path_on_one_line() {
    let without_lines = files_without_lines(10, &[("two\nlines", 1)]);
    let mut with_lines = TopK::new(10);
    put(&mut with_lines, "two\nlines", &["1:x"]);
    for (found, mode, start) in [
        (&without_lines, OutputMode::Files, "two\\nlines"),
        (&without_lines, OutputMode::Count, "two\\nlines:1"),
        (&with_lines, OutputMode::Content, "two\\nlines\n1:x"),
    ] {
        let text = render_result(found, mode, "nothing").content;
        assert!(
            text.starts_with(start),
            "in the mode {mode:?}, a line break in a path is escaped, as in chapter 3: {text:?}"
        );
    }
}

#[test]
fn test_ch8_result_is_cut_after_the_last_match() {
    let mut found = TopK::new(3);
    put(&mut found, "a", &["1:x", "2-", "--", "6-", "7:x", "8-"]);
    put(&mut found, "b", &["1-", "2:x", "3-", "--", "9-", "10:x"]);
    found.totals.files = 5;
    found.totals.matches = 40;
    let result = render_result(&found, OutputMode::Content, "nothing");
    let (lines, footer) = result.content.split_once("\n\n[").unwrap_or_else(|| {
        panic!(
            "a result that is cut should end with a note in brackets: {}",
            result.content
        )
    });
    assert_eq!(
        lines, "a\n1:x\n2-\n--\n6-\n7:x\n8-\n\nb\n1-\n2:x",
        "the third match should be the last line: context lines of a match that is left out are useless"
    );
    assert!(
        footer.contains("3 of 40 matches") && footer.contains("5 files"),
        "the footer should say how many matches and files there are; it is: {footer}"
    );
    assert!(result.is_truncated, "the result is marked as truncated");
}

#[test]
fn test_ch8_result_at_the_limit_is_complete() {
    let mut found = TopK::new(2);
    put(&mut found, "a", &["1:x", "2:x", "3-"]);
    assert_eq!(
        render_result(&found, OutputMode::Content, "nothing"),
        ToolResult::text("a\n1:x\n2:x\n3-"),
        "with exactly as many matches as the limit, nothing is left out, not even the context lines of the last match"
    );
    found.totals.matches = 9;
    assert!(
        render_result(&found, OutputMode::Content, "nothing").is_truncated,
        "2 of 9 matches are shown: matches in files that were not kept are left out too"
    );
}

#[test]
fn test_ch8_limit_counts_files_where_no_lines_are_shown() {
    let mut found = files_without_lines(1, &[("a", 4), ("b", 4)]);
    found.totals.files = 7;
    found.totals.matches = 28;
    for (mode, start) in [(OutputMode::Files, "a\n["), (OutputMode::Count, "a:4\n[")] {
        let result = render_result(&found, mode, "nothing");
        assert!(
            result.content.starts_with(start)
                && result.content.contains("1 of 7 files")
                && result.is_truncated,
            "in the mode {mode:?}, the limit and the footer count files: {}",
            result.content
        );
    }
}

#[test]
fn test_ch8_result_has_room_for_the_footer() {
    // The lines are short, so that no footer fits into the gap after the last one by chance.
    let mut found = TopK::new(usize::MAX);
    put(
        &mut found,
        "a",
        &vec!["1:ä"; RESULT_LIMIT / "1:ä\n".len() + 1],
    );
    let result = render_result(&found, OutputMode::Content, "nothing");
    assert!(
        result.content.len() <= RESULT_LIMIT,
        "lines and footer together should fit into {RESULT_LIMIT} bytes; the result has {}",
        result.content.len()
    );
}

#[test]
fn test_ch8_list_of_files_has_room_for_the_footer() {
    let paths: Vec<String> = (0..RESULT_LIMIT / 10).map(|n| format!("{n:09}")).collect();
    let files: Vec<(&str, usize)> = paths.iter().map(|path| (path.as_str(), 1)).collect();
    let found = files_without_lines(usize::MAX, &files);
    for mode in [OutputMode::Files, OutputMode::Count] {
        let result = render_result(&found, mode, "nothing");
        assert!(
            result.is_truncated && result.content.len() <= RESULT_LIMIT,
            "in the mode {mode:?}, the lines leave room for the footer too; the result has {} bytes",
            result.content.len()
        );
    }
}

#[test]
fn test_ch8_result_may_fill_its_room_exactly() {
    let room = RESULT_LIMIT - FOOTER_SIZE - "a\n1:x\n2:\n".len();
    for (rule, bytes, is_truncated) in [
        ("the last line ends with the room", room, false),
        ("the last line is one byte too long", room + 1, true),
    ] {
        let mut found = TopK::new(usize::MAX);
        put(
            &mut found,
            "a",
            &["1:x", &format!("2:{}", "x".repeat(bytes))],
        );
        let result = render_result(&found, OutputMode::Content, "nothing");
        assert_eq!(
            result.is_truncated, is_truncated,
            "{rule}, which is {RESULT_LIMIT} - {FOOTER_SIZE} bytes: is the result truncated?"
        );
    }
}

#[test]
fn test_ch8_result_ends_at_the_first_line_without_room() {
    let long = format!("3:{}", "x".repeat(RESULT_LIMIT));
    for (rule, lines, start) in [
        (
            "the last match that fits is the last line, and no later line follows",
            &["1:x", "2-", &long, "4:x"][..],
            "a\n1:x\n\n[1 of 3 matches",
        ),
        (
            "if no match fits, only the footer is left",
            &["2-", &long],
            "[0 of 1 matches",
        ),
    ] {
        let mut found = TopK::new(usize::MAX);
        put(&mut found, "a", lines);
        let result = render_result(&found, OutputMode::Content, "nothing");
        let head: String = result.content.chars().take(100).collect();
        assert!(
            result.is_truncated && head.starts_with(start),
            "{rule}: the result should start with {start:?} and be truncated; it starts with {head:?}"
        );
    }
}

#[test]
fn test_ch8_footer_says_that_context_has_no_room() {
    let context = format!("2-{}", "x".repeat(1000));
    let mut lines = vec!["1:x"];
    lines.extend(vec![context.as_str(); RESULT_LIMIT / 1000]);
    let mut found = TopK::new(usize::MAX);
    put(&mut found, "a", &lines);
    let result = render_result(&found, OutputMode::Content, "nothing");
    assert!(
        result.content.starts_with("a\n1:x\n\n[1 of 1 matches")
            && result.content.contains("ask for fewer context lines"),
        "the match is shown, and the footer tells how to see its context: {}",
        result.content
    );
    assert!(!result.is_truncated, "no match is left out");
}

#[test]
fn test_ch8_result_has_as_many_whole_lines_as_fit() {
    let line = format!("1:{}", "ä".repeat(200));
    let mut found = TopK::new(usize::MAX);
    put(&mut found, "a", &vec![line.as_str(); 200]);
    let result = render_result(&found, OutputMode::Content, "nothing");
    let text = &result.content;
    assert!(
        text.len() <= RESULT_LIMIT && text.len() > RESULT_LIMIT - FOOTER_SIZE - 500,
        "the result should use its room, and not more, so that chapter 3 need not truncate it; it has {} bytes",
        text.len()
    );
    let shown = text.matches("1:ä").count();
    assert!(
        result.is_truncated && text.contains(&format!("{shown} of 200 matches")),
        "the footer should count the {shown} lines that are shown: …{}",
        text.lines().last().unwrap_or_default()
    );
    assert!(
        text.lines()
            .all(|shown| shown.len() == line.len() || !shown.starts_with("1:")),
        "no line is cut"
    );
}

#[test]
fn test_ch8_result_reports_what_could_not_be_read() {
    let mut found = TopK::new(5);
    found.totals.unread = 1;
    found.totals.reason = Some("secret: Permission denied".to_string());
    let result = render_result(&found, OutputMode::Files, "nothing");
    assert!(
        result.content.starts_with("nothing\n")
            && result.content.contains("secret: Permission denied"),
        "the model must learn that the result may be incomplete: {}",
        result.content
    );
}

#[test]
fn test_ch8_note_about_an_unread_file_does_not_cut_the_result() {
    let mut found = TopK::new(5);
    put(&mut found, "a", &["1:x  "]);
    assert_eq!(
        render_result(&found, OutputMode::Content, "nothing"),
        ToolResult::text("a\n1:x  "),
        "only line endings are removed at the end, not the spaces of the last line"
    );
    found.totals.unread = 1;
    found.totals.reason = Some("secret: Permission denied".to_string());
    let result = render_result(&found, OutputMode::Content, "nothing");
    assert!(
        !result.is_truncated,
        "all matches are shown, so nothing is cut"
    );
    assert!(
        result.content.starts_with("a\n1:x  \n"),
        "the last line keeps its spaces: {:?}",
        result.content
    );
}

/// Adds a file with these lines to the result. A line with a `:` is a match.
fn put(found: &mut TopK, path: &str, lines: &[&str]) {
    let lines = lines.iter().map(|text| OutputLine {
        text: text.to_string(),
        is_match: text.contains(':'),
    });
    let lines: Vec<OutputLine> = lines.collect();
    let count = lines.iter().filter(|line| line.is_match).count();
    let file = FileMatches {
        count,
        lines,
        is_binary: false,
    };
    found.files.insert(path.into(), file);
    found.totals.files += 1;
    found.totals.matches += count;
}

/// A result with these files, each with a number of matches and no lines.
fn files_without_lines(limit: usize, files: &[(&str, usize)]) -> TopK {
    let mut found = TopK::new(limit);
    for (path, count) in files {
        let file = matches_without_lines(*count);
        found.files.insert(path.into(), file);
        found.totals.files += 1;
        found.totals.matches += count;
    }
    found
}
