//! The narrators of `glob` and `grep`.

use serde_json::Value;

use super::{MAX_ARGUMENT, Narrator, argument, count, one_line};

/// Describes calls of `glob`.
pub struct GlobNarrator;

impl Narrator for GlobNarrator {
    fn action(&self, args: &Value) -> String {
        format!("look for {}", pattern(args))
    }

    /// `Looked for *.rs: 8 files`, which includes the files that are not shown, or
    /// `Looked for *.zip: no files`.
    fn outcome(&self, args: &Value, text: &str) -> Option<String> {
        let files = match SearchCounts::from_files(text).files {
            0 => "no files".to_string(),
            files => count(files, "file", "files"),
        };
        Some(format!("Looked for {}: {files}", pattern(args)))
    }
}

/// Describes calls of `grep`.
pub struct GrepNarrator;

impl Narrator for GrepNarrator {
    fn action(&self, args: &Value) -> String {
        format!("search for {}", pattern(args))
    }

    /// `Searched for todo: 8 results in 3 files`, which includes those that are not shown, or
    /// `Searched for todo: no results`. If the call asked for files, some counts are not
    /// shown, or a result may have several lines (`multiline`), `Searched for todo: 3 files`.
    fn outcome(&self, args: &Value, text: &str) -> Option<String> {
        let counts = match args["output_mode"].as_str() {
            Some("files") => SearchCounts::from_files(text),
            Some("count") => SearchCounts::from_counts(text),
            _ if args["multiline"] == true => SearchCounts {
                results: None,
                ..SearchCounts::from_lines(text)
            },
            _ => SearchCounts::from_lines(text),
        };
        let files = count(counts.files, "file", "files");
        let total = match (counts.files, counts.results) {
            (0, _) => "no results".to_string(),
            (_, None) => files,
            (_, Some(results)) => format!("{} in {files}", count(results, "result", "results")),
        };
        Some(format!("Searched for {}: {total}", pattern(args)))
    }
}

/// The pattern in a call's arguments, on [one line](one_line), or `a pattern`.
fn pattern(args: &Value) -> String {
    argument(args, "pattern").map_or_else(
        || "a pattern".to_string(),
        |pattern| one_line(pattern, MAX_ARGUMENT),
    )
}

/// How much a search found, which includes what its result does not show.
#[derive(Debug, Default, PartialEq)]
pub struct SearchCounts {
    /// The number of files with results.
    pub files: usize,
    /// The number of results, if it is known.
    pub results: Option<usize>,
}

impl SearchCounts {
    /// Counts a text with one path per line.
    pub fn from_files(text: &str) -> Self {
        let (rows, totals) = split_remarks(text);
        Self {
            files: totals.get(1).copied().unwrap_or(rows.len()),
            results: None,
        }
    }

    /// Counts a text with a path, a colon and a number of results per line. The number of
    /// results is unknown if the text does not show all files.
    pub fn from_counts(text: &str) -> Self {
        let (rows, totals) = split_remarks(text);
        let number = |row: &&str| row.rsplit_once(':')?.1.parse::<usize>().ok();
        let mut numbers = rows.iter().map(number);
        Self {
            files: totals.get(1).copied().unwrap_or(rows.len()),
            results: match totals.as_slice() {
                [] => numbers.try_fold(0, |sum: usize, number| sum.checked_add(number?)),
                _ => None,
            },
        }
    }

    /// Counts a text with one group of lines per file and an empty line between two groups.
    /// A group starts with the path. A line that matches follows as its number, a colon and
    /// its text; other lines of the group have no colon after the number.
    pub fn from_lines(text: &str) -> Self {
        let (rows, totals) = split_remarks(text);
        if let [_, results, files] = totals.as_slice() {
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

/// Whether a row starts with a number and a colon.
fn is_match(row: &str) -> bool {
    let number = row.split_once(':').map(|(number, _)| number);
    number.is_some_and(|number| number.parse::<u64>().is_ok())
}

/// Splits the remarks off a search's text. Returns the rows before them, and the numbers in
/// the remark that not all results are shown: how many are shown, how many there are and, in
/// a search for lines, in how many files. Without that remark there are no numbers.
fn split_remarks(text: &str) -> (Vec<&str>, Vec<usize>) {
    let mut rows: Vec<&str> = text.lines().collect();
    let mut totals = Vec::new();
    if NO_RESULTS.iter().any(|start| text.starts_with(start)) {
        return (Vec::new(), totals);
    }
    while let Some(remark) = rows.pop_if(|row| row.starts_with('[') && row.ends_with(']')) {
        if remark.contains(" are shown") {
            let numbers = remark.split(|letter: char| !letter.is_ascii_digit());
            totals = numbers.filter_map(|number| number.parse().ok()).collect();
        } else if !remark.contains(" could not be read, such as ") {
            rows.push(remark);
            break;
        }
    }
    (rows, totals)
}

/// How the text of a search without results starts.
const NO_RESULTS: [&str; 3] = [
    "there are no files ",
    "no file was searched: ",
    "nothing matches; ",
];
