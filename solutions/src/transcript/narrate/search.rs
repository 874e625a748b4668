//! The sentences of `glob` and `grep`.

use serde_json::Value;

use super::{MAX_ARGUMENT, Narrator, argument, count, plain};

/// The narrator of `glob`.
pub struct GlobNarrator;

impl Narrator for GlobNarrator {
    fn aim(&self, args: &Value) -> String {
        format!("look for {}", pattern(args))
    }

    /// `Looked for *.rs: 8 files`, with those that are not shown;
    /// `Looked for *.zip: no files`.
    fn deed(&self, args: &Value, text: &str) -> Option<String> {
        let files = match Found::of_files(text).files {
            0 => "no files".to_string(),
            files => count(files, "file", "files"),
        };
        Some(format!("Looked for {}: {files}", pattern(args)))
    }
}

/// The narrator of `grep`.
pub struct GrepNarrator;

impl Narrator for GrepNarrator {
    fn aim(&self, args: &Value) -> String {
        format!("search for {}", pattern(args))
    }

    /// `Searched for todo: 8 results in 3 files`, with those that are not shown. Where the
    /// call asked for files, or the counts of some are not shown: `Searched for todo: 3
    /// files`. `Searched for todo: no results`.
    fn deed(&self, args: &Value, text: &str) -> Option<String> {
        let found = match args["output_mode"].as_str() {
            Some("files") => Found::of_files(text),
            Some("count") => Found::of_counts(text),
            _ => Found::of_lines(text),
        };
        let files = count(found.files, "file", "files");
        let what = match found {
            Found { files: 0, .. } => "no results".to_string(),
            Found { results: None, .. } => files,
            Found {
                results: Some(results),
                ..
            } => format!("{} in {files}", count(results, "result", "results")),
        };
        Some(format!("Searched for {}: {what}", pattern(args)))
    }
}

/// The pattern of a call.
fn pattern(args: &Value) -> String {
    argument(args, "pattern").map_or_else(
        || "a pattern".to_string(),
        |pattern| plain(pattern, MAX_ARGUMENT),
    )
}

/// How much a search has found.
#[derive(Debug, Default, PartialEq)]
pub struct Found {
    /// In how many files.
    pub files: usize,
    /// How many results, where that can be told.
    pub results: Option<usize>,
}

impl Found {
    /// Of a text with a path in each line.
    pub fn of_files(text: &str) -> Self {
        let (rows, all) = read(text);
        Self {
            files: all.get(1).copied().unwrap_or(rows.len()),
            results: None,
        }
    }

    /// Of a text with a path, a colon and a number in each line.
    pub fn of_counts(text: &str) -> Self {
        let (rows, all) = read(text);
        let numbers = rows
            .iter()
            .map(|row| row.rsplit_once(':')?.1.parse::<usize>().ok());
        Self {
            files: all.get(1).copied().unwrap_or(rows.len()),
            results: match all.as_slice() {
                [] => numbers.sum(),
                _ => None,
            },
        }
    }

    /// Of a text with groups of lines: a path and below it lines that match, each with its
    /// number and a colon, among others. An empty line stands between two groups.
    pub fn of_lines(text: &str) -> Self {
        let (rows, all) = read(text);
        if let [_, results, files] = all.as_slice() {
            return Self {
                files: *files,
                results: Some(*results),
            };
        }
        let groups = rows.split(|row| row.is_empty());
        let groups = groups.filter(|group| !group.is_empty());
        let results = groups.clone().flat_map(|group| &group[1..]);
        Self {
            files: groups.count(),
            results: Some(results.filter(|row| is_match(row)).count()),
        }
    }
}

/// Whether a row is a number, a colon and a line.
fn is_match(row: &str) -> bool {
    let number = row.split_once(':').map(|(number, _)| number);
    number.is_some_and(|number| number.parse::<u64>().is_ok())
}

/// The rows of a search's text, without what is said about them; and the numbers in the
/// remark that not all is shown: how many are, of how many, and, for lines, in how many
/// files. There are none if all is shown.
fn read(text: &str) -> (Vec<&str>, Vec<usize>) {
    let mut rows: Vec<&str> = text.lines().collect();
    let mut all = Vec::new();
    if NOTHING.iter().any(|nothing| text.starts_with(nothing)) {
        return (Vec::new(), all);
    }
    while let Some(remark) = rows.pop_if(|row| row.starts_with('[') && row.ends_with(']')) {
        if remark.contains(" are shown") {
            let numbers = remark.split(|letter: char| !letter.is_ascii_digit());
            all = numbers.filter_map(|number| number.parse().ok()).collect();
        } else if !remark.contains(" could not be read, such as ") {
            rows.push(remark);
            break;
        }
    }
    (rows, all)
}

/// How a text begins that has no rows.
const NOTHING: [&str; 3] = [
    "there are no files ",
    "no file was searched: ",
    "nothing matches; ",
];
