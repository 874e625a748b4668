//! Section 10.2: Possible commands

use claw_code::permission::*;

use super::support::words;

/// Checks the commands that a text may run.
fn assert_commands(text: &str, expected: &[&str]) {
    let expected: Vec<_> = expected.iter().map(|command| words(command)).collect();
    assert_eq!(
        possible_commands(text),
        expected,
        "the possible commands of {text:?}"
    );
}

#[test]
fn test_ch10_words_end_at_any_whitespace() {
    assert_commands("rm -rf target", &["rm -rf target"]);
    assert_commands("rm\t-rf  target ", &["rm -rf target"]);
}

#[test]
fn test_ch10_commands_end_at_control_operators() {
    assert_commands("cd x; rm y", &["cd x", "rm y"]);
    assert_commands("cd x && rm y || exit", &["cd x", "rm y", "exit"]);
    assert_commands("ls | xargs rm & wait", &["ls", "xargs rm", "wait"]);
    assert_commands("cd x\nrm y\r\nls", &["cd x", "rm y", "ls"]);
}

#[test]
fn test_ch10_commands_begin_in_substitutions_and_groups() {
    assert_commands("echo $(rm x)", &["echo", "rm x"]);
    assert_commands("echo `rm x`", &["echo", "rm x"]);
    assert_commands("(rm x)", &["rm x"]);
    assert_commands("{ rm x; }", &["rm x"]);
    assert_commands("diff <(rm x) y", &["diff", "rm x", "y"]);
}

#[test]
fn test_ch10_command_ends_at_every_character_of_the_list() {
    for c in ";&|<>()$`{}\n\r".chars() {
        assert_commands(&format!("ls {c} rm x"), &["ls", "rm x"]);
    }
}

#[test]
fn test_ch10_quotes_and_backslashes_hide_nothing() {
    assert_commands(r"r\m x", &["rm x"]);
    assert_commands("'rm' x", &["rm x"]);
    assert_commands(r#"r"m" x"#, &["rm x"]);
    assert_commands("sh -c 'rm x'", &["sh -c rm x"]);
    assert_commands("ls a#b; rm x", &["ls a#b", "rm x"]);
}

#[test]
fn test_ch10_backslash_may_join_lines() {
    assert_eq!(
        possible_commands("r\\\nm x").first(),
        Some(&words("rm x")),
        "a backslash before a `\\n` is removed together with it"
    );
}

#[test]
fn test_ch10_joined_lines_count_as_two_lines_too() {
    // In a comment and after another backslash, a backslash joins nothing: `rm` runs.
    assert_commands(
        "echo a # b\\\nrm x",
        &["echo a # brm x", "echo a # b", "rm x"],
    );
    assert_commands("echo a\\\\\nrm x", &["echo arm x", "echo a", "rm x"]);
    assert_commands("echo a\\\"\nrm x", &["echo a", "rm x"]);
}

#[test]
fn test_ch10_separator_of_words_can_be_a_variable() {
    assert_commands("rm$IFS-rf", &["rm", "IFS-rf"]);
}

#[test]
fn test_ch10_text_without_words_has_no_command() {
    assert_commands("", &[]);
    assert_commands(" ; && ", &[]);
}
