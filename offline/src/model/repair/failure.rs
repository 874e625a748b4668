//! Reading what failing tests print, and the lines of code that it names.

use std::fmt;

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) path: String,
    /// From 1.
    pub(crate) line: usize,
}

/// What a test expects of a function of two numbers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Case {
    pub(crate) function: String,
    pub(crate) arguments: (i64, i64),
    pub(crate) expected: i64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.path, self.line)
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (left, right) = self.arguments;
        write!(
            f,
            "{}({left}, {right}) should be {}",
            self.function, self.expected
        )
    }
}

/// What stands before and between a failing line's path and number, by who prints it.
const PLACES: &[(&str, &str)] = &[
    // thread 'tests::adds' panicked at src/lib.rs:10:9:
    ("panicked at ", ":"),
    // File "test_sums.py", line 4, in test_adds
    ("File \"", "\", line "),
];

/// What is only printed when something failed.
const FAILED: &[&str] = &[
    "panicked at ",
    "test result: FAILED",
    "error: could not compile",
    "error: test failed",
    "Traceback (most recent call last)",
    "command not found",
];

/// Whether the output is that of a command that failed.
pub(crate) fn has_failed(output: &str) -> bool {
    super::is_error(output)
        || FAILED.iter().any(|sign| output.contains(sign))
        || !places(output).is_empty()
        || exit_code(output).is_some_and(|code| code != 0)
}

/// The number after `exit code` or `exit status`, where the last one says it.
fn exit_code(output: &str) -> Option<i64> {
    let lower = output.to_lowercase();
    let signs = ["exit code", "exit status", "exited with"];
    let (at, sign) = signs
        .iter()
        .filter_map(|sign| Some((lower.rfind(sign)?, sign)))
        .max()?;
    let after = lower[at + sign.len()..].trim_start_matches([':', '=', ' ']);
    leading_number(after).map(|(code, _)| code)
}

/// The lines that the output blames, in its order.
pub(crate) fn places(output: &str) -> Vec<Place> {
    output.lines().filter_map(place).collect()
}

fn place(line: &str) -> Option<Place> {
    let named = PLACES.iter().find_map(|(before, between)| {
        let (_, after) = line.split_once(before)?;
        after.split_once(between)
    });
    let (path, rest) = match named {
        Some(named) => named,
        // sums.sh:4: add(2, 3): expected 5, got -1
        None if line.contains("expected") => line.trim().split_once(':')?,
        None => return None,
    };
    let (line, _) = leading_number(rest)?;
    let is_ours = !path.is_empty() && !path.starts_with('/') && !path.contains(' ');
    is_ours.then_some(Place {
        path: path.into(),
        line: usize::try_from(line).ok()?,
    })
}

/// The case on a line of code, such as `assert_eq!(add(2, 3), 5);`, `assert add(2, 3) == 5`
/// or `add(2, 3): expected 5`: a call with two numbers, and the first number after it.
pub(crate) fn case(line: &str) -> Option<Case> {
    let mut openings = line.match_indices('(').map(|(at, _)| at);
    openings.find_map(|at| {
        let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
        let name = line[..at].trim_end_matches(is_name);
        let function = &line[name.len()..at];
        let (left, rest) = leading_number(&line[at + 1..])?;
        let (right, rest) = leading_number(rest.strip_prefix(',')?)?;
        let rest = rest.strip_prefix(')')?;
        let number = rest.find(|letter: char| letter.is_ascii_digit() || letter == '-')?;
        let (expected, _) = leading_number(&rest[number..])?;
        (!function.is_empty()).then(|| Case {
            function: function.into(),
            arguments: (left, right),
            expected,
        })
    })
}

/// The whole number that a text begins with, and what follows it.
fn leading_number(text: &str) -> Option<(i64, &str)> {
    let text = text.trim_start();
    let digits = text.strip_prefix('-').unwrap_or(text);
    let end = digits
        .find(|it: char| !it.is_ascii_digit())
        .unwrap_or(digits.len());
    let (number, rest) = text.split_at(text.len() - digits.len() + end);
    Some((number.parse().ok()?, rest))
}
