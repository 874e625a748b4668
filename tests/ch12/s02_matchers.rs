//! Section 12.2: Matchers

use claw_code::hooks::*;

/// Whether a matcher matches a subject.
#[track_caller]
fn matches(matcher: &str, subject: &str) -> bool {
    let parsed = Matcher::parse(matcher);
    let parsed = parsed.unwrap_or_else(|error| panic!("`{matcher}` is valid: {error:#}"));
    parsed.matches(subject)
}

#[test]
fn test_ch12_empty_matcher_and_star_match_everything() {
    for matcher in ["", " ", "*"] {
        assert!(
            matches(matcher, "Bash"),
            "`{matcher}` matches every subject"
        );
    }
}

#[test]
fn test_ch12_name_matches_only_itself() {
    let cases = [
        ("Edit", "MultiEdit"),
        ("Edit", "Edi"),
        ("Edit", "edit"),
        ("mcp__memory", "mcp__memory__read"),
        ("my-tool2", "not-my-tool2"),
        ("café", "my-café"),
    ];
    for (name, subject) in cases {
        assert!(matches(name, name), "`{name}` matches itself");
        assert!(!matches(name, subject), "`{subject}` is another name");
    }
}

#[test]
fn test_ch12_list_matches_each_of_its_names() {
    for matcher in ["Edit|Write", "Edit, Write", " Edit | Write "] {
        assert!(matches(matcher, "Edit"), "the first of `{matcher}`");
        assert!(matches(matcher, "Write"), "the second of `{matcher}`");
        assert!(!matches(matcher, "Bash"), "not in `{matcher}`");
    }
}

#[test]
fn test_ch12_own_name_matches_the_published_one() {
    assert!(matches("bash|edit", "Edit"), "`edit` is the tool `Edit`");
    assert!(matches("bash", "Bash"), "a tool's own name matches alone");
    assert!(matches("bash, list", "LS"), "`list` is the tool `LS`");
    assert!(matches("code-reviewer", "code-reviewer"), "no tool's name");
}

#[test]
fn test_ch12_other_characters_make_a_pattern() {
    let cases = [
        ("^Notebook", "NotebookEdit", true),
        ("^Notebook", "MyNotebook", false),
        ("mcp__memory__.*", "mcp__memory__read", true),
        ("mcp__memory__.*", "mcp__files__read", false),
        ("Multi.dit", "MultiEdit", true),
        ("edit.*", "MultiEdit", false),
    ];
    for (matcher, subject, expected) in cases {
        assert_eq!(
            matches(matcher, subject),
            expected,
            "`{matcher}` and {subject}"
        );
    }
}

#[test]
fn test_ch12_pattern_is_found_anywhere() {
    assert!(
        matches("Edit.*", "MultiEdit"),
        "a pattern need not match from the start"
    );
    assert!(!matches("^Edit$", "MultiEdit"), "unless it says so");
}

#[test]
fn test_ch12_invalid_pattern_is_an_error_that_names_it() {
    for matcher in ["Edit(", "^(?!Bash)"] {
        let error = Matcher::parse(matcher).expect_err("no regular expression");
        assert!(
            format!("{error:#}").contains(matcher),
            "the error names `{matcher}`: {error:#}"
        );
    }
}
