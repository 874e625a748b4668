//! Section 10.3: Word patterns

use claw_code::permission::Certainty::*;
use claw_code::permission::*;

use super::support::*;

/// Checks whether a pattern matches words.
fn assert_match(rule: &str, pattern: &str, text: &str, certainty: Certainty, expected: bool) {
    assert_eq!(
        words_match(&word_globs(pattern), &words(text), certainty),
        expected,
        "{rule}: `{pattern}` on `{text}`, {certainty:?}"
    );
}

#[test]
fn test_ch10_every_word_must_match() {
    for (rule, pattern, text, expected) in [
        ("equal words", "git status", "git status", true),
        ("another word", "git status", "git push", false),
        ("a word too many", "git status", "git status -s", false),
        ("a word too few", "git status", "git", false),
        ("part of a word", "git st", "git status", false),
        ("another program", "ls", "lsof", false),
    ] {
        assert_match(rule, pattern, text, Certain, expected);
    }
}

#[test]
fn test_ch10_star_in_a_word_stays_in_the_word() {
    for (rule, pattern, text, expected) in [
        ("a prefix", "cargo test-*", "cargo test-all", true),
        ("a path", "cat src/*", "cat src/a/b.rs", true),
        ("no second word", "git st*", "git status -s", false),
        ("only `*` is the rest", "git **", "git push x", false),
        ("a suffix", "cat *.rs", "cat notes.txt", false),
    ] {
        assert_match(rule, pattern, text, Certain, expected);
    }
}

#[test]
fn test_ch10_star_between_words_is_one_word() {
    assert_match("one word", "git * main", "git push main", Certain, true);
    assert_match(
        "two words",
        "git * main",
        "git push origin main",
        Certain,
        false,
    );
}

#[test]
fn test_ch10_last_star_is_the_rest() {
    for text in ["git status", "git status -s", "git status -s -b src"] {
        assert_match(
            "any number of words, also none",
            "git status *",
            text,
            Certain,
            true,
        );
    }
    assert_match("a word too few", "git status *", "git", Certain, false);
    assert_match(
        "no part of a word",
        "git st *",
        "git status",
        Certain,
        false,
    );
}

#[test]
fn test_ch10_possible_match_ignores_the_folder_of_a_program() {
    for (rule, pattern, text, certainty, expected) in [
        ("the program `rm`", "rm *", "/bin/rm -rf x", Possible, true),
        (
            "in a deeper folder",
            "rm *",
            "/usr/bin/rm x",
            Possible,
            true,
        ),
        ("in any word", "sudo rm *", "sudo /bin/rm x", Possible, true),
        ("in a relative folder", "rm *", "bin/rm x", Possible, true),
        (
            "with a `/` at the end",
            "rm docs",
            "rm a/docs/",
            Possible,
            true,
        ),
        (
            "as it was written",
            "/bin/rm *",
            "/bin/rm x",
            Possible,
            true,
        ),
        (
            "in its folder, without the `/` at the end",
            "ls /etc",
            "ls /etc/",
            Possible,
            true,
        ),
        (
            "for a glob",
            "cargo-* *",
            "/usr/bin/cargo-x y",
            Possible,
            true,
        ),
        (
            "and not that of the pattern",
            "/bin/rm *",
            "/usr/bin/rm x",
            Possible,
            false,
        ),
        ("another program", "rm *", "/bin/rmdir x", Possible, false),
        ("another program", "rm *", "/bin/term x", Possible, false),
        ("a program in any folder", "rm *", "./rm x", Certain, false),
        ("another file", "cat notes", "cat ../notes", Certain, false),
    ] {
        assert_match(rule, pattern, text, certainty, expected);
    }
}
