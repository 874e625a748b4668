//! The rows that show a tool call and its result.

use crate::support::Workspace;

#[test]
fn a_row_is_one_short_line_without_control_characters() {
    let long = "long ".repeat(100);
    let command = format!("run echo one\necho {long}\t\u{1b}[31mred");
    let text = Workspace::new().ask(&command);
    let rows = text.lines().filter(|line| line.starts_with(['●', ' ']));
    let rows: Vec<&str> = rows.collect();
    assert_eq!(rows.len(), 2, "a call and its result: {text}");
    for row in rows {
        assert!(row.chars().count() < 200, "{row:?}");
        assert!(!row.contains('\u{1b}'), "{row:?}");
    }
}

#[test]
fn a_failed_command_shows_its_exit_code_and_its_last_lines() {
    let long = "x".repeat(300);
    let command = format!("run printf 'one\\ntwo\\nthree\\n{long}\\nfour\\n'; exit 3");
    let text = Workspace::new().ask(&command);
    let mut rows = text.lines().skip_while(|row| !row.starts_with("  └"));
    let mut next = || rows.next().unwrap_or_default();
    assert_eq!(next(), "  └ [exit code 3] … 5 lines before it", "{text}");
    assert_eq!(next(), "    three");
    let cut = next();
    assert!(cut.starts_with("    xxx") && cut.ends_with('…'), "{cut:?}");
    assert!(cut.chars().count() <= 120, "{cut:?}");
    assert_eq!(next(), "    four");
    assert!(!next().starts_with(' '), "three lines are enough: {text}");
}

#[test]
fn a_successful_command_shows_one_row() {
    let text = Workspace::new().ask("run printf 'one\\ntwo\\n'");
    assert!(text.contains("  └ one … 1 more line\n"), "{text}");
    assert!(!text.contains("    two"), "{text}");
}
