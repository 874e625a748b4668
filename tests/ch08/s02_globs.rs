//! Section 8.2: Glob filters

use std::path::Path;

use claw_code::tools::search::*;

#[test]
fn test_ch8_glob_matches_files() {
    for (rule, glob, included, excluded) in [
        (
            "a glob without `/` matches names at any depth",
            "*.rs",
            &["main.rs", "src/deep/main.rs"] as &[&str],
            &["main.rsx"] as &[&str],
        ),
        (
            "a glob with `/` matches paths relative to the folder",
            "src/*.rs",
            &["src/main.rs"],
            &["src/deep/main.rs"],
        ),
        (
            "`**` matches any number of folders",
            "src/**/*.rs",
            &["src/main.rs", "src/deep/main.rs"],
            &["lib/src/main.rs"],
        ),
        (
            "a leading `/` is the folder itself",
            "/main.rs",
            &["main.rs"],
            &["src/main.rs"],
        ),
        (
            "a leading `./` is ignored",
            "./src/*.rs",
            &["src/main.rs"],
            &[],
        ),
        (
            "a leading `./` is ignored after `!`",
            "!./src/*.rs",
            &[],
            &["src/main.rs"],
        ),
        ("`**` matches every file", "**", &["src/main.rs"], &[]),
        (
            "`..` inside a name is allowed",
            "v1../v..2.md",
            &["v1../v..2.md"],
            &[],
        ),
        (
            "braces list alternatives",
            "*.{rs,toml}",
            &["Cargo.toml"],
            &[],
        ),
        (
            "`[…]` and `?` match one character",
            "[a-c]?.rs",
            &["b1.rs"],
            &[],
        ),
        ("`!` inverts the glob", "!*.rs", &["main.c"], &["main.rs"]),
        (
            "a leading `#` is not a comment",
            "#*#",
            &["#main.rs#"],
            &["main.rs"],
        ),
        (
            "a leading `#` after `!` is not a comment",
            "!#*#",
            &[],
            &["#main.rs#"],
        ),
        (
            "a `!` after `./` is part of the name",
            "./!*",
            &["!main.rs"],
            &["main.rs"],
        ),
        (
            "a space is part of the name",
            " a.rs",
            &[" a.rs"],
            &["a.rs"],
        ),
        ("case matters", "Main.rs", &[], &["main.rs"]),
    ] {
        for (paths, expected) in [(included, true), (excluded, false)] {
            for path in paths {
                assert_eq!(
                    includes(&filter(glob), path),
                    expected,
                    "{rule}: whether the glob `{glob}` includes the file {path}"
                );
            }
        }
    }
}

#[test]
fn test_ch8_glob_excludes_only_folders_that_an_inverted_glob_matches() {
    for (glob, path, expected) in [
        ("*.rs", "src", true),
        ("src/*.rs", "lib", true),
        ("!target", "target", false),
        ("!target/", "src/target", false),
        ("!*.rs", "src", true),
    ] {
        assert_eq!(
            filter(glob).includes(&Path::new("/folder").join(path), true),
            expected,
            "whether the glob `{glob}` includes the folder {path}: files in it may match, unless a glob with `!` matches the folder itself"
        );
    }
}

#[test]
fn test_ch8_file_must_match_glob_and_type() {
    let both = FileFilter::new(Path::new("/folder"), Some("src/*"), Some("rust"));
    let both = both.expect("a valid filter");
    for (path, expected) in [
        ("src/main.rs", true),
        ("src/main.c", false),
        ("main.rs", false),
    ] {
        assert_eq!(
            includes(&both, path),
            expected,
            "whether the glob `src/*` and the type rust include the file {path}"
        );
    }
    assert!(
        both.includes(Path::new("/folder/src"), true),
        "a type applies to files, not to folders"
    );
}

#[test]
fn test_ch8_useless_glob_is_an_error() {
    for (mistake, glob, part) in [
        ("empty", "", "empty"),
        ("empty after `!`", "!", "empty"),
        ("empty after `./`", "./", "empty"),
        ("spaces", "  ", "empty"),
        ("`..` in front", "../*.rs", "`path`"),
        ("`..` inside", "src/../*.rs", "`path`"),
        ("`..` at the end", "src/..", "`path`"),
        ("`..` after `!`", "!../x", "`path`"),
        ("unclosed braces", "*.{rs,toml", "the glob is invalid: "),
        ("unclosed class", "[ab", "unclosed"),
        ("escape at the end", "a\\", "dangling"),
    ] {
        let message = glob_error(glob);
        assert!(
            message.contains(part),
            "{mistake}: the message about the glob {glob:?} should contain {part:?}; it is: {message}"
        );
    }
}

#[test]
fn test_ch8_glob_error_explains_escapes() {
    let message = glob_error("*.{rs");
    assert!(
        message.contains("*.{rs") && message.contains('\\'),
        "the message should repeat the glob and explain how to escape a special character; it is: {message}"
    );
}

#[track_caller]
fn filter(glob: &str) -> FileFilter {
    FileFilter::new(Path::new("/folder"), Some(glob), None)
        .unwrap_or_else(|message| panic!("`{glob}` is a valid glob, but: {message}"))
}

fn includes(filter: &FileFilter, file: &str) -> bool {
    filter.includes(&Path::new("/folder").join(file), false)
}

#[track_caller]
fn glob_error(glob: &str) -> String {
    match parse_glob(Path::new("/folder"), glob) {
        Err(message) => message,
        Ok(_) => panic!("the glob {glob:?} matches nothing or everything, and should be an error"),
    }
}
