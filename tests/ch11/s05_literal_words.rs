//! Section 11.5: Words

use claw_code::safety::*;

use super::support::*;

/// The text of the first argument of `echo`.
#[track_caller]
fn assert_word(word: &str, expected: Option<&str>) {
    let source = format!("echo {word}");
    let tree = tree(&source);
    let node = first(&tree, "command").named_child(1).expect("an argument");
    let text = literal(node, &source);
    assert_eq!(
        text.as_deref(),
        expected,
        "the text of {word} ({})",
        node.kind()
    );
}

#[test]
fn test_ch11_plain_word_is_its_text() {
    for word in ["a", "src/main.rs", "-n", "12", "--a=b", "a#b", "a:b"] {
        assert_word(word, Some(word));
    }
}

#[test]
fn test_ch11_single_quotes_are_removed() {
    assert_word("'a b'", Some("a b"));
    assert_word("'$(rm x) \\ `y`'", Some("$(rm x) \\ `y`"));
    assert_word("''", Some(""));
    assert_word("'\"a\"'", Some("\"a\""));
}

#[test]
fn test_ch11_double_quotes_are_removed() {
    assert_word("\"a b\"", Some("a b"));
    assert_word("\"it's *\"", Some("it's *"));
    assert_word("\"'a'\"", Some("'a'"));
    assert_word("\"a\nb\"", Some("a\nb"));
    assert_word("\"\"", Some(""));
}

#[test]
fn test_ch11_parts_of_a_word_are_joined() {
    assert_word("a\"b c\"'d'", Some("ab cd"));
    assert_word("--x='y z'", Some("--x=y z"));
}

#[test]
fn test_ch11_text_that_the_shell_computes_is_not_known() {
    for word in [
        "$HOME", "\"$x\"", "a$x", "`pwd`", "$(pwd)", "${x}", "$((1))", "$'a'", "a$",
    ] {
        assert_word(word, None);
    }
    assert_word("\"a\\\"b\"", None);
}

#[test]
fn test_ch11_text_that_the_shell_replaces_is_not_known() {
    for word in [
        "*.rs", "a?", "[ab]", "{a,b}", "~/x", "~", "a\\b", "\\a", "a=~/x", "!x",
    ] {
        assert_word(word, None);
    }
}

#[test]
fn test_ch11_tilde_inside_a_word_is_a_letter() {
    assert_word("HEAD~1", Some("HEAD~1"));
}

#[test]
fn test_ch11_words_of_find_are_known() {
    assert_word("{}", Some("{}"));
    assert_word("\\;", Some(";"));
}
