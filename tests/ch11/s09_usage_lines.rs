//! Section 11.9: Usage lines

use claw_code::safety::*;

use super::support::*;

/// Checks the operands of a command; `None` if the usage does not fit.
#[track_caller]
fn assert_operands(name: &'static str, line: &'static str, command: &str, expected: Option<&str>) {
    let usage = Usage::parse(CommandClass::ReadOnly, name, line);
    let command_words = words(command);
    let operands = usage.operands_of(&command_words);
    let operands = operands.map(|it| it.into_iter().cloned().collect::<Vec<_>>());
    assert_eq!(
        operands,
        expected.map(words),
        "the operands of `{command}` with `{name} {line}`"
    );
}

#[test]
fn test_ch11_words_that_are_no_options_are_operands() {
    assert_operands("cat", "-[n] PATH...", "cat a -n b", Some("a b"));
    assert_operands("cat", "-[n] PATH...", "cat", Some(""));
}

#[test]
fn test_ch11_command_begins_with_the_name() {
    assert_operands("git log", "TEXT...", "git log main", Some("main"));
    for command in ["git status", "git", "hub log", "git -x log", "? log", ""] {
        assert_operands("git log", "TEXT...", command, None);
    }
}

#[test]
fn test_ch11_every_option_must_be_listed() {
    assert_operands("sort", "-[rn] PATH...", "sort -rn a", Some("a"));
    for command in ["sort -o a", "sort a -o b", "sort --outp=a", "sort -ro a"] {
        assert_operands("sort", "-[rn] PATH...", command, None);
    }
}

#[test]
fn test_ch11_value_of_an_option_is_no_operand() {
    assert_operands("head", "-n: PATH...", "head -n 5 a", Some("a"));
    assert_operands("head", "-n: PATH...", "head -n5 a", Some("a"));
    assert_operands("head", "-n: PATH...", "head a -n -5", Some("a"));
}

#[test]
fn test_ch11_value_must_exist_and_be_known() {
    assert_operands("head", "-n: PATH...", "head -n", None);
    assert_operands("head", "-n: PATH...", "head -n ?", None);
}

#[test]
fn test_ch11_single_hyphen_is_an_operand() {
    assert_operands("cat", "PATH...", "cat - a", Some("- a"));
}

#[test]
fn test_ch11_two_hyphens_end_the_options() {
    assert_operands("cat", "-[n] PATH...", "cat -n -- -x -n", Some("-x -n"));
    assert_operands("cat", "PATH...", "cat -- --", Some("--"));
}

#[test]
fn test_ch11_word_that_is_not_known_may_be_an_option() {
    assert_operands("sort", "PATH...", "sort ?", None);
    assert_operands("sort", "PATH...", "sort a ?", None);
    assert_operands("sort", "PATH...", "sort -- ?", Some("?"));
}

#[test]
fn test_ch11_any_operand_need_not_be_known() {
    assert_operands("echo", "-[n] ANY...", "echo -n ? a", Some("? a"));
    assert_operands("echo", "-[n] ANY...", "echo -x ?", None);
}

#[test]
fn test_ch11_options_of_a_command_in_a_command_are_its_own() {
    let line = "-n: COMMAND...";
    assert_operands("nice", line, "nice -n 5 sort -o a", Some("sort -o a"));
    assert_operands("nice", line, "nice -x sort", None);
    let line = "TEXT COMMAND...";
    assert_operands("timeout", line, "timeout 5 sort -o a", Some("5 sort -o a"));
    let line = "COMMAND...";
    assert_operands("nice", line, "nice sort ? --", Some("sort ? --"));
}
