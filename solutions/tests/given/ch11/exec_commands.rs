//! Commands inside of find

use claw_code::safety::*;

use super::support::*;

/// Checks what remains of a command, and what its options run.
#[track_caller]
fn assert_split(command: &str, rest: &str, inner: &[&str]) {
    let inner: Vec<_> = inner.iter().map(|command| words(command)).collect();
    let split = exec_commands(&words(command));
    assert_eq!(
        split,
        Some((words(rest), inner)),
        "the parts of `{command}`"
    );
}

#[test]
fn command_of_an_option_is_cut_out() {
    assert_split("find . -exec wc -l {} ;", "find .", &["wc -l {}"]);
    assert_split("find . -execdir rm {} +", "find .", &["rm {}"]);
    assert_split("find . -exec uniq {} -c + ;", "find .", &["uniq {} -c +"]);
    assert_split(
        "find . -type f -exec wc {} ; -print",
        "find . -type f -print",
        &["wc {}"],
    );
}

#[test]
fn several_options_have_several_commands() {
    assert_split(
        "find . -exec sort + -o x ; -print",
        "find . -print",
        &["sort + -o x"],
    );
    assert_split(
        "find . -exec wc {} + -exec rm {} ;",
        "find .",
        &["wc {}", "rm {}"],
    );
}

#[test]
fn command_of_an_option_must_end() {
    for command in [
        "find . -exec rm {}",
        "find . -exec",
        "find . -exec rm {} ?",
        "find . -exec a +",
    ] {
        let split = exec_commands(&words(command));
        assert_eq!(split, None, "`{command}` has no `;` or `+`");
    }
}

#[test]
fn other_options_stay() {
    assert_split("find . -ok rm {} ;", "find . -ok rm {} ;", &[]);
    assert_split("find ? -delete", "find ? -delete", &[]);
}

#[test]
fn other_programs_have_no_such_options() {
    assert_split("grep -exec a ;", "grep -exec a ;", &[]);
    assert_split("", "", &[]);
    assert_split("? -exec a ;", "? -exec a ;", &[]);
}
