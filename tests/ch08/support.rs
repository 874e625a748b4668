//! Helpers for the tests of chapter 8, Search Tools.
//!
//! The folders are small and real. The reference's own tests compare a larger one with
//! ripgrep.

use claw_code::tools::search::*;
use claw_code::tools::*;
use claw_code::types::*;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

pub use crate::support::TempFolder;

/// A small project: sources, hidden, ignored and binary files.
pub fn project() -> TempFolder {
    TempFolder::with_files(&[
        (".git/HEAD", "fn git\n"),
        (".gitignore", "target\n"),
        (".env", "KEY=1\n"),
        ("Cargo.toml", "[package]\nname = \"claw\"\n"),
        ("README.md", "# claw\n"),
        ("picture.png", "x\0\n"),
        ("src/bin/tool.rs", "fn main() {}\n"),
        ("src/lib.rs", "fn one() {}\nfn two() {}\n"),
        ("src/main.rs", "use x;\n\nfn main() {\n    run(1);\n}\n"),
        ("target/main.o", "out\n"),
    ])
}

/// Sixty files in twelve folders. Each file has two lines with an `x`.
pub fn sixty_files() -> TempFolder {
    let folder = TempFolder::new();
    for n in 0..60 {
        folder.write(&format!("{}/{}/{n:02}.txt", n % 4, n % 3), "x\ny\nx\n");
    }
    folder
}

/// The result of a call that passes all steps of chapter 3.
pub async fn call_tool(tool: &dyn Tool, args: &Value) -> ToolResult {
    validate_and_call(tool, args).await
}

/// Fails unless the result is an error whose message contains `part`.
#[track_caller]
pub fn assert_error(rule: &str, args: &Value, result: &ToolResult, part: &str) {
    assert!(
        result.is_error && result.content.starts_with("error: ") && result.content.contains(part),
        "{rule}: the arguments {args} should give an error that contains {part:?}, and gave {:?}",
        result.content
    );
}

/// The first line of a match.
pub fn match_line(text: &str) -> OutputLine {
    OutputLine {
        text: text.to_string(),
        is_match: true,
    }
}

pub fn matches_without_lines(count: usize) -> FileMatches {
    FileMatches {
        count,
        ..FileMatches::default()
    }
}

/// A matcher that does not depend on section 8.1.
#[track_caller]
pub fn matcher(pattern: &str) -> RegexMatcher {
    let mut builder = RegexMatcherBuilder::new();
    builder.multi_line(true).crlf(true);
    builder.build(pattern).expect("a valid pattern")
}

/// Runs `test` with a searcher for `pattern`, and with the token that cancels its search.
#[track_caller]
pub fn with_searcher<T>(
    pattern: &str,
    options: &OutputOptions,
    test: impl FnOnce(&mut FileSearcher, &CancellationToken) -> T,
) -> T {
    let (matcher, query, stop) = (matcher(pattern), Query::default(), CancellationToken::new());
    let mut searcher = FileSearcher::new(&matcher, &query, options, &stop);
    test(&mut searcher, &stop)
}

/// The matches of `pattern` in a file with this text.
#[track_caller]
pub fn search_text(text: &str, pattern: &str, options: &OutputOptions) -> FileMatches {
    let folder = TempFolder::with_files(&[("f", text)]);
    let found = with_searcher(pattern, options, |searcher, _| {
        searcher.search(&folder.canonical().join("f"), true)
    });
    found.expect("the file can be searched")
}
