//! Section 8.6: An answer

use claw_code::tools::search::page;
use claw_code::tools::search::*;
use claw_code::tools::*;
use claw_code::types::*;

use super::support::*;

#[test]
fn test_ch8_page_shows_lines() {
    let mut kept = Kept::new(10);
    put(&mut kept, "src/b.rs", &["3:fn b", "4-{", "--", "9:fn c"]);
    put(&mut kept, "src/a.rs", &["1:fn a"]);
    let result = page(&kept, Mode::Content, "nothing");
    assert_eq!(
        result.content, "src/a.rs\n1:fn a\n\nsrc/b.rs\n3:fn b\n4-{\n--\n9:fn c",
        "each file's path, its lines below it, an empty line between files"
    );
    assert!(!result.is_truncated, "nothing was left out");
}

#[test]
fn test_ch8_page_shows_files_and_counts() {
    let mut kept = Kept::new(10);
    for (path, matches) in [("src/a.rs", 2), ("b", 11)] {
        kept.files.insert(path.into(), hits_without_lines(matches));
        kept.tally.files += 1;
        kept.tally.matches += matches;
    }
    assert_eq!(
        page(&kept, Mode::Files, "nothing"),
        ToolResult::text("b\nsrc/a.rs"),
        "the paths, one a line"
    );
    assert_eq!(
        page(&kept, Mode::Count, "nothing"),
        ToolResult::text("b:11\nsrc/a.rs:2"),
        "the paths and how many matches each has"
    );
    assert_eq!(
        page(&Kept::new(10), Mode::Files, "nothing at all"),
        ToolResult::text("nothing at all"),
        "an empty answer is said in words"
    );
    let mut odd = Kept::new(10);
    odd.files.insert("two\nlines".into(), hits_without_lines(1));
    odd.tally.files = 1;
    assert_eq!(
        page(&odd, Mode::Files, "nothing").content,
        "two\\nlines",
        "a path stays on one line, as in chapter 3"
    );
}

#[test]
fn test_ch8_page_is_cut_at_the_limit() {
    let mut kept = Kept::new(3);
    put(&mut kept, "a", &["1:x", "2-", "--", "6-", "7:x", "8-"]);
    put(&mut kept, "b", &["1-", "2:x", "3-", "--", "9-", "10:x"]);
    kept.tally.files = 5;
    kept.tally.matches = 40;
    let result = page(&kept, Mode::Content, "nothing");
    let (rows, remark) = result.content.split_once("\n\n[").unwrap_or_else(|| {
        panic!(
            "an answer that is cut says so in brackets at its end: {}",
            result.content
        )
    });
    assert_eq!(
        rows, "a\n1:x\n2-\n--\n6-\n7:x\n8-\n\nb\n1-\n2:x",
        "three matches are shown, and the last line is the third: what stood around the next one is of no use"
    );
    assert!(
        remark.contains("3 of 40 matches") && remark.contains("5 files"),
        "it says how many there are: {remark}"
    );
    assert!(result.is_truncated, "and is marked");

    let mut kept = Kept::new(2);
    put(&mut kept, "a", &["1:x", "2:x", "3-"]);
    let whole = page(&kept, Mode::Content, "nothing");
    assert_eq!(
        whole,
        ToolResult::text("a\n1:x\n2:x\n3-"),
        "just as many as there may be: nothing is left out, not even the lines around the last"
    );

    let mut kept = Kept::new(1);
    for path in ["a", "b"] {
        kept.files.insert(path.into(), hits_without_lines(4));
    }
    kept.tally.files = 7;
    kept.tally.matches = 28;
    for (mode, row) in [(Mode::Files, "a\n["), (Mode::Count, "a:4\n[")] {
        let result = page(&kept, mode, "nothing");
        assert!(
            result.content.starts_with(row)
                && result.content.contains("1 of 7 files")
                && result.is_truncated,
            "where files are shown, files are counted: {}",
            result.content
        );
    }
}

#[test]
fn test_ch8_page_fits_a_result() {
    // Short lines leave no gap at the end in which the remark would happen to fit.
    let short = "1:ä\n".len();
    let mut kept = Kept::new(usize::MAX);
    put(&mut kept, "a", &vec!["1:ä"; RESULT_LIMIT / short + 1]);
    let result = page(&kept, Mode::Content, "nothing");
    assert!(
        result.content.len() <= RESULT_LIMIT,
        "the remark needs room behind the lines, and the answer has {} bytes",
        result.content.len()
    );
    let mut kept = Kept::new(usize::MAX);
    let line = format!("1:{}", "ä".repeat(200));
    let lines: Vec<&str> = (0..200).map(|_| line.as_str()).collect();
    put(&mut kept, "a", &lines);
    let result = page(&kept, Mode::Content, "nothing");
    assert!(
        result.content.len() <= RESULT_LIMIT && result.content.len() > RESULT_LIMIT - REMARK - 500,
        "the answer fills a result and is no longer, so that chapter 3 need not cut it in the middle; it has {} bytes",
        result.content.len()
    );
    let shown = result.content.matches("1:ä").count();
    assert!(
        result.is_truncated && result.content.contains(&format!("{shown} of 200 matches")),
        "it counts the lines that are really there, {shown}: …{}",
        result.content.lines().last().unwrap_or_default()
    );
    assert!(
        result
            .content
            .lines()
            .all(|row| row.len() == line.len() || !row.starts_with("1:")),
        "lines are shown whole"
    );
}

#[test]
fn test_ch8_page_says_what_could_not_be_read() {
    let mut kept = Kept::new(5);
    kept.tally.unread = 1;
    kept.tally.reason = Some("secret: Permission denied".to_string());
    let result = page(&kept, Mode::Files, "nothing");
    assert!(
        result.content.starts_with("nothing\n")
            && result.content.contains("secret: Permission denied"),
        "the model must know that the answer may not be the whole truth: {}",
        result.content
    );
}

/// Puts a file into the answer; a line with a `:` is a match.
fn put(kept: &mut Kept, path: &str, lines: &[&str]) {
    let lines: Vec<Line> = lines
        .iter()
        .map(|text| Line {
            text: text.to_string(),
            is_match: text.contains(':'),
        })
        .collect();
    let matches = lines.iter().filter(|line| line.is_match).count();
    kept.files.insert(
        path.into(),
        Hits {
            matches,
            lines,
            is_binary: false,
        },
    );
    kept.tally.files += 1;
    kept.tally.matches += matches;
}
