//! File types and suggestions

use claw_code::tools::search::*;

#[test]
fn type_selects_files() {
    for (name, path, expected) in [
        ("rust", "src/main.rs", true),
        ("rust", "Cargo.toml", false),
        ("py", "tool.py", true),
        ("make", "Makefile", true),
    ] {
        let types = select_type(name).unwrap_or_else(|message| panic!("`{name}`: {message}"));
        assert_eq!(
            !types.matched(path, false).is_ignore(),
            expected,
            "whether the type {name} includes {path}"
        );
    }
}

#[test]
fn unknown_type_error_suggests_types() {
    for (rule, name, suggestion) in [
        ("an extension", "rs", "did you mean `rust`?"),
        ("types with a common glob", "tsx", "`ts` or `typescript`"),
        ("a glob", "*.yml", "did you mean `yaml`?"),
        (
            "an extension with its dot",
            ".py",
            "did you mean `py` or `python`?",
        ),
        ("an alias", "javascript", "did you mean `js`"),
        ("an alias in capitals", "C++", "did you mean `cpp`"),
        ("a name in capitals", "Rust", "did you mean `rust`?"),
        ("the beginning of a name", "kotl", "did you mean `kotlin`?"),
        ("a typo", "pyhton", "did you mean `python`?"),
        ("a type in capitals", "C", "did you mean `c`?"),
        (
            "three types",
            "ma",
            "did you mean `make` or `mako` or `man`?",
        ),
    ] {
        let message = select_type(name).expect_err("there is no such type");
        assert!(
            message.starts_with(&format!("there is no file type {name:?}; did you mean "))
                && message.contains(suggestion),
            "{rule}: the message about the type {name:?} should name it and contain {suggestion:?}; it is: {message}"
        );
        assert!(
            message.ends_with(" (a glob such as `*.{ini,cfg}` can select any group of files)"),
            "the message should offer a glob after the suggestions too; it is: {message}"
        );
    }
}

#[test]
fn unknown_type_without_a_suggestion() {
    let message = select_type("klingon").expect_err("there is no such type");
    assert!(
        !message.contains("did you mean") && message.contains("glob"),
        "no type is similar, so the message should only offer a glob; it is: {message}"
    );
    assert!(select_type("").is_err(), "an empty name is not a type");
}

#[test]
fn suggestions_follow_three_rules() {
    let known = types(&[
        ("elm", "*.elm"),
        ("elixir", "*.ex"),
        ("elan", "*.eln"),
        ("elba", "*.elb"),
        ("web", "*.html"),
        ("site", "*.html"),
        ("txt", "*.txt"),
        ("py", "*.Snake"),
        ("q", "*.quux"),
    ]);
    for (rule, name, expected) in [
        ("types with this extension", "html", vec!["site", "web"]),
        ("the type with this extension", "ex", vec!["elixir"]),
        (
            "names that begin so, sorted, at most three",
            "el",
            vec!["elan", "elba", "elixir"],
        ),
        ("one letter replaced", "elx", vec!["elm"]),
        ("one letter too many", "ellba", vec!["elba"]),
        ("two letters replaced", "elizzr", vec!["elixir"]),
        ("two pairs of letters swapped", "leixri", vec!["elixir"]),
        ("two letters swapped, one missing", "tetx", vec!["txt"]),
        ("an alias", "text", vec!["txt"]),
        ("as many typos as letters", "zz", vec![]),
        ("one letter is not the beginning of a name", "e", vec![]),
        ("one letter in capitals", "E", vec![]),
        ("one letter with a dot, which does not count", ".e", vec![]),
        ("more than two typos", "eblaxx", vec![]),
        ("not the beginning of a name", "lix", vec![]),
        ("an extension, whatever its case", "snake", vec!["py"]),
        ("one letter of two bytes", "é", vec![]),
        ("an empty name", "", vec![]),
    ] {
        assert_eq!(
            suggest_types(name, &known),
            expected,
            "{rule}: what {name:?} may mean"
        );
    }
    assert_eq!(MAX_SUGGESTIONS, 3, "the table above expects at most three");
}

/// Types with a glob each, not sorted.
fn types(types: &[(&str, &str)]) -> Vec<ignore::types::FileTypeDef> {
    let mut builder = ignore::types::TypesBuilder::new();
    for (name, glob) in types {
        builder.add(name, glob).expect("a new type");
    }
    let mut known = builder.definitions();
    known.reverse();
    known
}
