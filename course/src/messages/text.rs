//! Text that several messages have in common.

/// A time for people, such as `45 min`, `2 h` or `1 h 30`.
pub fn time(minutes: u32) -> String {
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours, 0) => format!("{hours} h"),
        (hours, minutes) => format!("{hours} h {minutes:02}"),
    }
}

/// A number of files, such as `1 file` or `2 files`.
pub fn files(count: usize) -> String {
    match count {
        1 => "1 file".to_string(),
        count => format!("{count} files"),
    }
}

/// The lines of `text`, indented.
pub(super) fn indented(text: &str) -> impl Iterator<Item = String> {
    text.lines().map(|line| format!("    {line}"))
}

/// The first character of a line that must not be wrapped, since its columns line up with
/// others: compiler messages and a test's own output. It is invisible.
pub const NO_WRAP: char = '\u{2060}';
