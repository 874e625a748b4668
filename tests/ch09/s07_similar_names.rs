//! Section 9.7: Similar names

use claw_code::tools::*;

use super::support::*;

#[test]
fn test_ch9_names_are_normalized() {
    for (rule, name, expected) in [
        ("a normalized name is unchanged", "read", "read"),
        ("letters are lower case", "Read", "read"),
        ("underscores are removed", "multi_edit", "multiedit"),
        ("camel case is lower case", "MultiEdit", "multiedit"),
        ("hyphens and spaces are removed", "multi-edit ", "multiedit"),
        (
            "the part after the last `.` counts",
            "functions.Multi Edit",
            "multiedit",
        ),
        (
            "the part after the last `:` counts",
            "default_api:read",
            "read",
        ),
        ("the part after the last `/` counts", "a:b/read", "read"),
        ("digits stay", "mcp__git__log2", "mcpgitlog2"),
        ("letters outside ASCII stay", "GRÖSSE", "grösse"),
        ("nothing after the last `.`", "read.", ""),
        ("an empty name", "", ""),
    ] {
        assert_eq!(normalize_name(name), expected, "{rule}: {name:?}");
    }
}

#[test]
fn test_ch9_distance_counts_typos() {
    for (rule, a, b, expected) in [
        ("equal names", "read", "read", Some(0)),
        ("equal names", "rust", "rust", Some(0)),
        ("empty names", "", "", Some(0)),
        ("a missing letter", "lst", "list", Some(1)),
        ("a missing letter", "rst", "rust", Some(1)),
        ("a missing letter", "multiedt", "multiedit", Some(1)),
        ("an extra letter", "lisst", "list", Some(1)),
        ("a wrong letter", "lost", "list", Some(1)),
        ("a wrong letter", "rust", "rest", Some(1)),
        ("a wrong letter of three bytes", "l日st", "list", Some(1)),
        ("swapped letters", "edti", "edit", Some(1)),
        ("swapped letters", "pyhton", "python", Some(1)),
        ("swapped letters", "sturct", "struct", Some(1)),
        ("two typos", "mlutiedt", "multiedit", Some(2)),
        ("three typos", "mutledti", "multiedit", Some(3)),
        (
            "a letter between swapped ones",
            "xxxxxxca",
            "xxxxxxabc",
            Some(3),
        ),
        (
            "letters, not bytes, are compared",
            "größe",
            "grösse",
            Some(2),
        ),
    ] {
        assert_distance(rule, a, b, expected);
    }
}

#[test]
fn test_ch9_too_many_typos_are_no_distance() {
    for (rule, a, b) in [
        ("two typos in three letters", "abc", "cab"),
        ("two typos in four letters", "rd", "read"),
        ("one typo in one letter", "a", "b"),
        ("one typo in two letters", "ab", "ba"),
        ("one typo in two letters, which are three bytes", "öl", "äl"),
        ("two typos in four letters", "ls", "list"),
        ("all letters differ", "bush", "grep"),
        ("three typos in four letters", "cat", "bash"),
        ("three typos in seven letters", "kitten", "sitting"),
        ("an empty name", "", "abc"),
    ] {
        assert_distance(rule, a, b, None);
    }
}

#[test]
fn test_ch9_very_long_name_is_compared_by_its_length() {
    let [long, longer] = [250_000, 500_000].map(|count| "read".repeat(count));
    assert_eq!(
        name_distance(&long, &longer),
        None,
        "the lengths alone show that a million letters are too far from two million"
    );
}

#[test]
fn test_ch9_similar_name_is_found() {
    for (rule, name, expected) in [
        ("case", "Read", Some("read")),
        ("case", "READ", Some("read")),
        ("hyphens", "multi-edit", Some("multi_edit")),
        ("camel case", "MultiEdit", Some("multi_edit")),
        ("a prefix", "functions.grep", Some("grep")),
        ("a missing letter", "lst", Some("list")),
        ("swapped letters", "gerp", Some("grep")),
        ("an extra letter", "globb", Some("glob")),
        ("two typos and camel case", "MlutiEdt", Some("multi_edit")),
        ("swapped letters", "wirte", Some("write")),
        ("too far from every name", "read_fil", None),
        ("another word", "deploy", None),
        ("an empty name", "", None),
        ("no letters", "!?", None),
    ] {
        assert_eq!(
            similar_name(name, &STANDARD),
            expected,
            "{rule}: the standard tool that is similar to {name:?}"
        );
    }
    assert_eq!(
        similar_name("read", &[]),
        None,
        "without tools, no name is similar"
    );
}

#[test]
fn test_ch9_alias_finds_its_tool() {
    for (name, expected) in [
        ("shell", "bash"),
        ("run", "bash"),
        ("Run_Command", "bash"),
        ("cat", "read"),
        ("open", "read"),
        ("ReadFile", "read"),
        ("ls", "list"),
        ("rg", "grep"),
        ("str_replace", "edit"),
        ("functions.create_file", "write"),
        ("find", "glob"),
    ] {
        assert_eq!(
            similar_name(name, &STANDARD),
            Some(expected),
            "{name:?} is another agent's name for a standard tool"
        );
    }
}

#[test]
fn test_ch9_alias_comes_after_equal_and_before_similar() {
    for (rule, name, known, expected) in [
        (
            "a tool that is not known is never suggested",
            "shell",
            ["read", "write"],
            None,
        ),
        (
            "an alias is better than a typo",
            "shell",
            ["bash", "shelf"],
            Some("bash"),
        ),
        (
            "an equal name is better than an alias",
            "Shell",
            ["bash", "shell"],
            Some("shell"),
        ),
        (
            "a typo counts if the alias's tool is not known",
            "shell",
            ["read", "shelf"],
            Some("shelf"),
        ),
    ] {
        assert_eq!(
            similar_name(name, &known),
            expected,
            "{rule}: {name:?} among {known:?}"
        );
    }
}

#[test]
fn test_ch9_similar_name_does_not_depend_on_the_order() {
    for (rule, name, [first, second], expected) in [
        ("alphabetical order", "lixt", ["lint", "lit"], "lint"),
        ("alphabetical order", "AB", ["a-b", "a_b"], "a-b"),
        (
            "alphabetical order of the names as they are written",
            "lixt",
            ["Lint", "lift"],
            "Lint",
        ),
        ("an equal name first", "AbcD", ["abc_d", "abc"], "abc_d"),
        (
            "fewer typos first",
            "abcdef",
            ["abcd", "abcdefg"],
            "abcdefg",
        ),
    ] {
        for known in [[first, second], [second, first]] {
            assert_eq!(
                similar_name(name, &known),
                Some(expected),
                "{rule}, regardless of the order of the known names: {name:?} among {known:?}"
            );
        }
    }
}

#[track_caller]
fn assert_distance(rule: &str, a: &str, b: &str, expected: Option<usize>) {
    for (a, b) in [(a, b), (b, a)] {
        assert_eq!(name_distance(a, b), expected, "{rule}: from {a:?} to {b:?}");
    }
}
