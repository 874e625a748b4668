//! Section 11.2: Names that mean the same

use claw_code::safety::*;

#[test]
fn test_ch11_case_does_not_count() {
    assert_eq!(folded(".GIT"), ".git", "a file system may ignore case");
    assert_eq!(folded("Straße"), "straße", "also of letters outside ASCII");
}

#[test]
fn test_ch11_invisible_characters_do_not_count() {
    for name in [
        ".g\u{200c}it",
        "\u{feff}.git",
        ".git\u{202e}",
        ".gi\u{2060}t",
    ] {
        assert_eq!(
            folded(name),
            ".git",
            "some file systems ignore the invisible character of {name:?}"
        );
    }
}

#[test]
fn test_ch11_dots_and_spaces_at_the_end_do_not_count() {
    assert_eq!(folded(".git. ."), ".git", "Windows removes them");
    assert_eq!(folded(".."), "..", "nothing else would be left");
}

#[test]
fn test_ch11_other_names_stay() {
    for name in ["main.rs", "a b", "é", ".gitignore"] {
        assert_eq!(folded(name), name, "nothing to fold");
    }
}
