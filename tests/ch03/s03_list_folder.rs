//! Section 3.3: Reading a folder

use claw_code::tools::*;

use super::support::*;

#[test]
fn test_ch3_entries_are_marked() {
    let folder = Folder::new(&["src/main.rs", "Cargo.toml", ".gitignore"]);
    assert_eq!(
        entries(folder.path()).expect("the folder can be read"),
        [".gitignore", "Cargo.toml", "src/"],
        "folders end in `/`, files in nothing, hidden files are there too, and nothing below `src` is"
    );
    if link("src", &folder.path().join("link-to-folder"))
        && link("Cargo.toml", &folder.path().join("link-to-file"))
        && link("nothing", &folder.path().join("link-to-nothing"))
    {
        assert_eq!(
            entries(folder.path()).expect("the folder can be read"),
            [
                ".gitignore",
                "Cargo.toml",
                "link-to-file@",
                "link-to-folder@",
                "link-to-nothing@",
                "src/"
            ],
            "a link ends in `@`, whatever it leads to"
        );
    }
}

#[test]
fn test_ch3_entries_are_sorted_by_name() {
    let folder = Folder::new(&["a/x", "a-b", "a.txt", "a0", "B", "ä", "c/x"]);
    assert_eq!(
        entries(folder.path()).expect("the folder can be read"),
        ["B", "a/", "a-b", "a.txt", "a0", "c/", "ä"],
        "names are sorted as they are, before any mark is put behind them: `a` comes before `a-b`"
    );
}

#[test]
fn test_ch3_entries_are_one_line_each() {
    let plain = Folder::new(&["plain name.txt"]);
    assert_eq!(
        entries(plain.path()).expect("the folder can be read"),
        ["plain name.txt"]
    );
    let folder = Folder::new(&[]);
    if std::fs::write(folder.path().join("two\nlines\u{1b}[31m"), "").is_ok() {
        assert_eq!(
            entries(folder.path()).expect("the folder can be read"),
            ["two\\nlines\\u{1b}[31m"],
            "a control character in a name is written as an escape, so that no name looks like two"
        );
    }
    assert!(
        entries(&folder.path().join("gone")).is_err(),
        "a folder that cannot be read is an error"
    );
}
