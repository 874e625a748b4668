//! Section 9.7: The nearest name

use claw_code::tools::*;

use super::support::*;

#[test]
fn test_ch9_names_are_folded() {
    for (name, expected) in [
        ("read", "read"),
        ("Read", "read"),
        ("multi_edit", "multiedit"),
        ("MultiEdit", "multiedit"),
        ("multi-edit ", "multiedit"),
        ("functions.Multi Edit", "multiedit"),
        ("default_api:read", "read"),
        ("tools/read", "read"),
        ("mcp__git__log2", "mcpgitlog2"),
        ("GRÖSSE", "grösse"),
        ("read.", ""),
        ("", ""),
    ] {
        assert_eq!(
            folded(name),
            expected,
            "{name:?}, folded: letters and digits behind the last `.`, `:` or `/`, in lower case"
        );
    }
}

#[test]
fn test_ch9_slips_are_counted() {
    for (one, other, expected) in [
        ("read", "read", Some(0)),
        ("lst", "list", Some(1)),
        ("lisst", "list", Some(1)),
        ("lost", "list", Some(1)),
        ("edti", "edit", Some(1)),
        ("multiedt", "multiedit", Some(1)),
        ("mlutiedt", "multiedit", Some(2)),
        // More than a third of the longer one: another word.
        ("rd", "read", None),
        ("bush", "grep", None),
        ("cat", "bash", None),
        ("ls", "list", None),
        ("a", "b", None),
        ("", "", Some(0)),
        ("größe", "grösse", Some(2)),
    ] {
        assert_eq!(slips(one, other), expected, "from {one:?} to {other:?}");
        assert_eq!(
            slips(other, one),
            expected,
            "from {other:?} to {one:?} are as many as back"
        );
    }
    let endless = "read".repeat(250_000);
    assert_eq!(
        slips(&endless, "read"),
        None,
        "a million letters are not four; the lengths alone say so"
    );
}

#[test]
fn test_ch9_the_nearest_name() {
    for (name, expected) in [
        ("Read", Some("read")),
        ("READ", Some("read")),
        ("multi-edit", Some("multi_edit")),
        ("MultiEdit", Some("multi_edit")),
        ("functions.grep", Some("grep")),
        ("lst", Some("list")),
        ("gerp", Some("grep")),
        ("globb", Some("glob")),
        ("wirte", Some("write")),
        ("read_fil", None),
        ("deploy", None),
        ("", None),
        ("!?", None),
    ] {
        assert_eq!(nearest(name, &STANDARD), expected, "what {name:?} may mean");
    }
    assert_eq!(nearest("read", &[]), None, "without tools, nothing is near");
}

#[test]
fn test_ch9_aliases_are_understood() {
    for (name, expected) in [
        ("shell", Some("bash")),
        ("run", Some("bash")),
        ("Run_Command", Some("bash")),
        ("cat", Some("read")),
        ("open", Some("read")),
        ("ReadFile", Some("read")),
        ("ls", Some("list")),
        ("rg", Some("grep")),
        ("str_replace", Some("edit")),
        ("functions.create_file", Some("write")),
        ("find", Some("glob")),
    ] {
        assert_eq!(
            nearest(name, &STANDARD),
            expected,
            "what {name:?} is elsewhere"
        );
    }
    assert_eq!(
        nearest("shell", &["read", "write"]),
        None,
        "a tool that is not there is no suggestion"
    );
    assert_eq!(
        nearest("shell", &["bash", "shelf"]),
        Some("bash"),
        "an alias is a word that was meant, a slip only looks like one"
    );
    assert_eq!(
        nearest("Shell", &["bash", "shell"]),
        Some("shell"),
        "but a tool that has the very name is nearer than any alias"
    );
    assert_eq!(
        nearest("shell", &["read", "shelf"]),
        Some("shelf"),
        "where the alias's tool is missing, slips count"
    );
}

#[test]
fn test_ch9_the_nearest_does_not_depend_on_the_order() {
    for known in [["lint", "list"], ["list", "lint"]] {
        assert_eq!(
            nearest("lixt", &known),
            Some("lint"),
            "both are one slip away; the first by name is taken, in whatever order they are known: {known:?}"
        );
    }
    for known in [["read_file", "read"], ["read", "read_file"]] {
        assert_eq!(
            nearest("readfile", &known),
            Some("read_file"),
            "equal once folded comes before everything else, in {known:?}"
        );
        assert_eq!(nearest("reed", &known), Some("read"), "in {known:?}");
    }
}
