//! The forms of an option

use claw_code::safety::*;

/// A usage with these options and no operands.
fn usage(options: &'static str) -> Usage {
    Usage::parse(CommandClass::ReadOnly, "program", options)
}

/// Checks whether an option is listed, and whether the next word is its value.
#[track_caller]
fn assert_option(options: &'static str, word: &str, expected: Option<bool>) {
    let takes_value = usage(options).option(word);
    assert_eq!(
        takes_value, expected,
        "`{word}` with the options `{options}`"
    );
}

#[test]
fn letters_may_be_combined() {
    assert_option("-[qv]", "-q", Some(false));
    assert_option("-[qv]", "-vq", Some(false));
    assert_option("-[0123456789]", "-20", Some(false));
}

#[test]
fn every_letter_must_be_listed() {
    for word in ["-x", "-qx", "-", "--q", "-q]", "-[q", "q", "éq"] {
        assert_option("-[qv]", word, None);
    }
}

#[test]
fn letter_with_a_value() {
    assert_option("-n:", "-n", Some(true));
    assert_option("-n:", "-n5", Some(false));
    assert_option("-n:", "-m5", None);
}

#[test]
fn name_with_a_value() {
    assert_option("--lines:", "--lines", Some(true));
    assert_option("--lines:", "--lines=5", Some(false));
    assert_option("--lines:", "--lines5", None);
}

#[test]
fn name_that_may_have_a_value() {
    assert_option("--color=", "--color", Some(false));
    assert_option("--color=", "--color=always", Some(false));
    assert_option("--color=", "--colors", None);
}

#[test]
fn exact_option() {
    assert_option("-print --all", "-print", Some(false));
    assert_option("-print --all", "--all", Some(false));
    assert_option("-print --all", "-printf", None);
    assert_option("--all", "--all=x", None);
}

#[test]
fn word_with_a_value_in_the_next_word() {
    assert_option("-name:", "-name", Some(true));
    assert_option("-name:", "-namex", None);
}

#[test]
fn abbreviation_is_not_listed() {
    assert_option("--output=", "--outp", None);
    assert_option("--output=", "--outp=x", None);
}

#[test]
fn suspected_option_may_be_abbreviated() {
    assert!(has_word("--force", "--force"), "itself");
    assert!(has_word("--force", "--forc"), "an abbreviation");
    assert!(has_word("--force", "--force-with-lease"), "a longer name");
    assert!(!has_word("--force", "--fast"), "another option");
    assert!(!has_word("--force", "--"), "`--` ends the options");
    assert!(!has_word("--force", "force"), "no option");
}

#[test]
fn suspected_letter_may_be_among_others() {
    assert!(has_word("-f", "-f"), "itself");
    assert!(has_word("-f", "-uf"), "among other letters");
    assert!(!has_word("-f", "-u"), "another letter");
    assert!(!has_word("-f", "--force"), "a long option");
    assert!(!has_word("-f", "f"), "no option");
}

#[test]
fn other_suspected_words_mean_only_themselves() {
    assert!(has_word("push", "push"), "itself");
    assert!(!has_word("push", "pushed"), "another word");
    assert!(has_word("--", "--"), "itself");
    assert!(!has_word("--", "--x"), "an option");
    assert!(has_word("-delete", "-delete"), "itself");
    assert!(!has_word("-delete", "-d"), "another option");
}
