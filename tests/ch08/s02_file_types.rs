//! Section 8.2: Types, and what was meant

use claw_code::tools::search::*;

#[test]
fn test_ch8_type_by_name() {
    for (name, path, is_one) in [
        ("rust", "src/main.rs", true),
        ("rust", "Cargo.toml", false),
        ("py", "tool.py", true),
        ("make", "Makefile", true),
    ] {
        let types = of_type(name).unwrap_or_else(|message| panic!("`{name}` is known: {message}"));
        assert_eq!(
            !types.matched(path, false).is_ignore(),
            is_one,
            "whether {path} is of the type {name}"
        );
    }
}

#[test]
fn test_ch8_unknown_type() {
    for (name, meant) in [
        ("rs", "there is `rust`"),
        ("tsx", "`ts`, `typescript`"),
        ("*.yml", "there is `yaml`"),
        (".py", "there is `py`, `python`"),
        ("javascript", "there is `js`"),
        ("C++", "there is `cpp`"),
        ("Rust", "there is `rust`"),
        ("kotl", "there is `kotlin`"),
        ("pyhton", "there is `python`"),
    ] {
        let message = of_type(name).expect_err("there is no such type");
        assert!(
            message.contains(&format!("no type {name:?}")) && message.contains(meant),
            "whoever writes {name:?} means one that exists; the message should say that {meant}, and says: {message}"
        );
    }
    let message = of_type("klingon").expect_err("there is no such type");
    assert!(
        !message.contains("there is `") && message.contains("glob"),
        "where nothing is alike, nothing is suggested but the way round; the message says: {message}"
    );
    assert!(of_type("").is_err(), "no type has no name");
}

#[test]
fn test_ch8_suggestions() {
    let mut builder = ignore::types::TypesBuilder::new();
    for (name, glob) in [
        ("elm", "*.elm"),
        ("elixir", "*.ex"),
        ("elan", "*.eln"),
        ("elba", "*.elb"),
        ("web", "*.html"),
        ("site", "*.html"),
        ("txt", "*.txt"),
        ("py", "*.py"),
    ] {
        builder.add(name, glob).expect("a new type");
    }
    let known = builder.definitions();
    for (name, names) in [
        ("html", vec!["site", "web"]),
        ("ex", vec!["elixir"]),
        ("el", vec!["elan", "elba", "elixir"]),
        ("elx", vec!["elm"]),
        ("ellba", vec!["elba"]),
        ("text", vec!["txt"]),
        ("e", vec![]),
        ("E", vec![]),
        ("eblaxx", vec![]),
        ("tetx", vec!["txt"]),
        ("zz", vec![]),
        ("", vec![]),
    ] {
        assert_eq!(
            alike(name, &known),
            names,
            "what {name:?} may mean: by the ends of files, else by how names begin (of two letters or more), else the nearest; sorted, at most {MAX_SUGGESTIONS}"
        );
    }
}

#[test]
fn test_ch8_distance() {
    for (a, b, far) in [
        ("rust", "rust", 0),
        ("rust", "rst", 1),
        ("rst", "rust", 1),
        ("rust", "rest", 1),
        ("pyhton", "python", 1),
        ("ab", "ba", 1),
        ("abc", "cab", 2),
        ("sturct", "struct", 1),
        ("", "", 0),
        ("", "abc", 3),
        ("abc", "", 3),
        ("größe", "grösse", 2),
        ("kitten", "sitting", 3),
    ] {
        assert_eq!(
            distance(a, b),
            far,
            "slips from {a:?} to {b:?}: a letter put in, taken out or replaced, or two neighbours that changed places"
        );
    }
}
