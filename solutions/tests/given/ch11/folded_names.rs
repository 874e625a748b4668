//! Names that mean the same

use claw_code::safety::*;

#[test]
fn case_does_not_count() {
    assert_eq!(folded(".GIT"), ".git", "a file system may ignore case");
    assert_eq!(folded("ÉTÉ"), "été", "also of letters outside ASCII");
}

#[test]
fn invisible_characters_do_not_count() {
    for character in "\u{200b}\u{200f}\u{202a}\u{202e}\u{2060}\u{206f}\u{feff}".chars() {
        for name in [format!(".g{character}it"), format!(".git.{character}")] {
            let folded = folded(&name);
            assert_eq!(folded, ".git", "{character:?} in {name:?} is invisible");
        }
    }
}

#[test]
fn dots_and_spaces_at_the_end_do_not_count() {
    assert_eq!(folded(".git. ."), ".git", "Windows removes them");
    assert_eq!(folded(".."), "..", "nothing else would be left");
}

#[test]
fn other_names_stay() {
    for name in ["main.rs", "a b", "é", ".gitignore"] {
        assert_eq!(folded(name), name, "nothing to fold");
    }
}
