//! The line numbers that tools put before the lines of a file.

/// A file as it is on disk, from a tool's output with a number and a tab before each line.
/// Other lines are notes of the tool. Output without any numbers is the file itself.
pub(super) fn without_line_numbers(output: &str) -> String {
    let numbered = output.lines().filter_map(|line| {
        let (number, text) = line.split_once('\t')?;
        number.trim().parse::<usize>().ok()?;
        Some(text)
    });
    let lines: Vec<&str> = numbered.collect();
    match lines.is_empty() {
        true => output.into(),
        false => lines.join("\n"),
    }
}
