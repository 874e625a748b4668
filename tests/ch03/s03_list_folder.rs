//! Section 3.3: Reading a folder

#[cfg(unix)]
use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

use claw_code::tools::*;

use super::support::*;

#[test]
fn test_ch3_entries_have_marks() {
    let folder = folder_with(&["src/main.rs", "Cargo.toml", ".gitignore"]);
    assert_eq!(
        entries_of(&folder),
        [".gitignore", "Cargo.toml", "src/"],
        "a folder ends in `/`, a file has no mark, hidden files are listed, and files inside `src` are not"
    );
    #[cfg(unix)]
    if std::os::unix::net::UnixListener::bind(folder.path().join("z")).is_ok() {
        assert_eq!(
            entries_of(&folder),
            [".gitignore", "Cargo.toml", "src/", "z"],
            "`z` is a socket: neither a folder nor a link, so it has no mark"
        );
    }
}

#[test]
fn test_ch3_entries_mark_every_link() {
    let folder = folder_with(&["src/main.rs", "Cargo.toml"]);
    assert_eq!(entries_of(&folder), ["Cargo.toml", "src/"]);
    for (target, link) in [
        ("src", "link-to-folder"),
        ("Cargo.toml", "link-to-file"),
        ("nothing", "link-to-nothing"),
    ] {
        if !symlink(target, &folder.path().join(link)) {
            return; // This system does not allow links.
        }
    }
    assert_eq!(
        entries_of(&folder),
        [
            "Cargo.toml",
            "link-to-file@",
            "link-to-folder@",
            "link-to-nothing@",
            "src/"
        ],
        "a link ends in `@`, even if it leads to a folder"
    );
}

#[test]
fn test_ch3_entries_are_sorted_by_name() {
    let folder = folder_with(&["a/x", "a-b", "a.txt", "a0", "B", "ä", "c/x"]);
    assert_eq!(
        entries_of(&folder),
        ["B", "a/", "a-b", "a.txt", "a0", "c/", "ä"],
        "names are sorted by their bytes and without marks: `a` comes before `a-b`"
    );
    #[cfg(unix)]
    assert_eq!(
        entries_of(&folder_with(&["n!", "n\n"])),
        ["n\\n", "n!"],
        "the raw names are sorted, without escapes: a line feed comes before `!`"
    );
    #[cfg(unix)]
    {
        let folder = folder_with(&["é"]);
        let name = std::os::unix::ffi::OsStrExt::from_bytes(b"\x80");
        let name: &std::ffi::OsStr = name;
        if std::fs::write(folder.path().join(name), "").is_ok() {
            assert_eq!(
                entries_of(&folder),
                ["\u{fffd}", "é"],
                "the raw names are sorted, and only then converted to text: the byte 80 comes before `é`, which is C3 A9"
            );
        }
    }
}

#[test]
fn test_ch3_entries_escape_control_characters() {
    let folder = folder_with(&["it's a name.txt"]);
    assert_eq!(
        entries_of(&folder),
        ["it's a name.txt"],
        "other characters stay as they are"
    );
    #[cfg(unix)]
    for (name, line) in [
        (&b"two\nlines\x1b[31m"[..], "two\\nlines\\u{1b}[31m"),
        (b"\x7f\xc2\x9b31m", "\\u{7f}\\u{9b}31m"),
        (b"caf\xe9", "caf\u{fffd}"),
        (b"a\\b\"c", "a\\b\"c"),
    ] {
        let folder = folder_with(&[]);
        if std::fs::write(folder.path().join(OsStr::from_bytes(name)), "").is_ok() {
            assert_eq!(
                entries_of(&folder),
                [line],
                "only control characters are escaped, and bytes that are not UTF-8 become replacement characters"
            );
        }
    }
}

#[test]
fn test_ch3_entries_of_a_missing_folder_are_an_error() {
    let folder = folder_with(&[]);
    assert!(
        folder_entries(&folder.path().join("gone")).is_err(),
        "a folder that cannot be read is an error"
    );
}

fn entries_of(folder: &TempFolder) -> Vec<String> {
    folder_entries(folder.path()).expect("the folder can be read")
}
