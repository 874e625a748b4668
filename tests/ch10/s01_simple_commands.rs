//! Section 10.1: Simple commands

use claw_code::permission::*;

use super::support::words;

#[test]
fn test_ch10_simple_command_has_its_words() {
    for (command, expected) in [
        ("git status", "git status"),
        ("  cargo   test --release ", "cargo test --release"),
        ("ls -lA src/Main.rs", "ls -lA src/Main.rs"),
        (
            "cargo add serde@1 --features=derive",
            "cargo add serde@1 --features=derive",
        ),
        ("true", "true"),
    ] {
        assert_eq!(
            simple_words(command),
            Some(words(expected)),
            "the words of `{command}`"
        );
    }
}

#[test]
fn test_ch10_quotes_keep_a_word_together() {
    for command in [
        "git commit -m 'fix the test'",
        r#"git commit -m "fix the test""#,
    ] {
        let expected = ["git", "commit", "-m", "fix the test"].map(String::from);
        assert_eq!(
            simple_words(command),
            Some(expected.to_vec()),
            "quotes join words and are removed: {command}"
        );
    }
}

#[test]
fn test_ch10_command_with_shell_syntax_is_not_simple() {
    for (reason, command) in [
        ("two commands", "git status; rm -rf ."),
        ("a command in the background", "git status & rm -rf ."),
        ("a pipeline", "git log | sh"),
        ("a file is written", "git log > ~/.bashrc"),
        ("a substitution", "git status $(rm -rf .)"),
        ("a substitution with backquotes", "git status `rm -rf .`"),
        (
            "a substitution in double quotes",
            r#"git status "$(rm -rf .)""#,
        ),
        ("a variable", "rm $HOME"),
        ("a second line", "git status\nrm -rf ."),
        ("file names", "rm *.rs"),
        ("braces", "rm {a,b}"),
        ("a home folder", "rm ~/notes"),
        ("an escape", r"git status \; rm"),
        ("a comment", "git status # rm"),
    ] {
        assert_eq!(
            simple_words(command),
            None,
            "`{command}` has {reason}, so it may do more than run one program"
        );
    }
}

#[test]
fn test_ch10_every_character_of_shell_syntax_counts() {
    for c in ";&|<>()$`\\*?[]{}~#!\n\r".chars() {
        for command in [format!("git status {c} a"), format!("git status{c}")] {
            assert_eq!(
                simple_words(&command),
                None,
                "{c:?} in {command:?} means something to the shell"
            );
        }
    }
}

#[test]
fn test_ch10_shell_syntax_in_quotes_counts_too() {
    assert_eq!(
        simple_words("git commit -m 'fix; test'"),
        None,
        "a question too many is better than a command too many"
    );
}

#[test]
fn test_ch10_unclosed_quote_is_not_simple() {
    assert_eq!(
        simple_words("git commit -m 'fix"),
        None,
        "the shell would wait for the end"
    );
}

#[test]
fn test_ch10_assignment_in_front_is_not_simple() {
    for command in [
        "GIT_PAGER=rm git log",
        "path=/tmp git log",
        "  GIT_PAGER=rm git log",
        "GIT_PAGER+=rm git log",
    ] {
        assert_eq!(
            simple_words(command),
            None,
            "the first word sets a variable, which changes what runs: {command}"
        );
    }
    assert!(
        simple_words("git log --format=oneline").is_some(),
        "a `=` in a later word is part of an argument"
    );
}

#[test]
fn test_ch10_command_without_words_is_not_simple() {
    for command in ["", "   "] {
        assert_eq!(simple_words(command), None, "{command:?} runs nothing");
    }
}
