//! Chapter 8, Search Tools.
//!
//! Folders are real ones, small, made for the test and removed after it. What ripgrep
//! itself finds in a larger one is compared in the reference's own tests.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use claw_code::tools::search::page;
use claw_code::tools::search::*;
use claw_code::tools::*;
use claw_code::types::*;
use grep_matcher::Matcher;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

// 8.1 A pattern

#[test]
fn test_ch8_pattern_finds() {
    for (args, text, is_found) in [
        (
            json!({ "pattern": "fn [a-z]+\\(" }),
            "pub fn main() {",
            true,
        ),
        (json!({ "pattern": "fn main" }), "FN MAIN", false),
        (
            json!({ "pattern": "fn main", "ignore_case": true }),
            "FN MAIN",
            true,
        ),
        (
            json!({ "pattern": "größe", "ignore_case": true }),
            "GRÖSSE GRÖßE",
            true,
        ),
        (json!({ "pattern": "a.c" }), "abc", true),
        (json!({ "pattern": "a.c", "literal": true }), "abc", false),
        (
            json!({ "pattern": "f(x[0]) {", "literal": true }),
            "if f(x[0]) { a }",
            true,
        ),
        (json!({ "pattern": "\\u{1F980}" }), "a 🦀 b", true),
        (json!({ "pattern": "(?-u:\\xFF)" }), "abc", false),
    ] {
        let matcher = compiled(&args);
        assert_eq!(
            matcher
                .is_match(text.as_bytes())
                .expect("it can be searched"),
            is_found,
            "whether {args} is found in {text:?}"
        );
    }
}

#[test]
fn test_ch8_pattern_knows_lines() {
    for (pattern, text, is_found) in [
        ("^b$", "a\nb\nc", true),
        ("^b$", "a\r\nb\r\nc", true),
        (";$", "let a = 1;\r\nlet b = 2\r\n", true),
        ("^a.b$", "a\nb", false),
    ] {
        let matcher = compiled(&json!({ "pattern": pattern }));
        assert_eq!(
            matcher
                .is_match(text.as_bytes())
                .expect("it can be searched"),
            is_found,
            "`{pattern}` in {text:?}: `^` and `$` are about lines, which may end in \\r\\n as well"
        );
    }
}

#[test]
fn test_ch8_pattern_across_lines() {
    let args = json!({ "pattern": "a\\nb", "multiline": true });
    let is_found = compiled(&args)
        .is_match(b"a\nb")
        .expect("it can be searched");
    assert!(is_found, "with multiline, a match may hold a line's end");
    let message = no_pattern(&json!({ "pattern": "a\\nb" }));
    assert!(
        message.contains("multiline"),
        "without it, this pattern can't match anything, and the message says what to set; it says: {message}"
    );
    let message = no_pattern(&json!({ "pattern": "a\nb", "literal": true }));
    assert!(
        message.contains("multiline"),
        "a literal line end can't be found either; the message says: {message}"
    );
}

#[test]
fn test_ch8_pattern_error_shows_the_place() {
    let message = no_pattern(&json!({ "pattern": "call(a, b" }));
    assert!(
        message.contains("\n    call(a, b\n        ^\n") && message.contains("unclosed group"),
        "the message shows the pattern as it was written and the place of the mistake; it says:\n{message}"
    );
    let message = no_pattern(&json!({ "pattern": "a)|(b" }));
    assert!(
        message.contains("unopened group"),
        "this pattern is wrong even though it would be right inside a group of its own; the message says:\n{message}"
    );
    let message = no_pattern(&json!({ "pattern": "" }));
    assert!(
        message.contains("empty") && message.contains("glob"),
        "an empty pattern would match every line; the message names the tool for names of files: {message}"
    );
    let message = no_pattern(&json!({ "pattern": "", "literal": true }));
    assert!(message.contains("empty"), "literal or not: {message}");
    let message = no_pattern(&json!({ "pattern": "a{1000}{1000}" }));
    assert!(
        message.contains("size limit"),
        "a pattern that takes too much memory is refused: {message}"
    );
}

#[test]
fn test_ch8_pattern_error_has_a_hint() {
    for (pattern, piece) in [
        ("main(", "`\\(`"),
        ("main)", "`\\(`"),
        ("a[0", "`\\[`"),
        ("[z-a]", "`\\[`"),
        ("{ a", "`{`"),
        ("struct A {", "`{`"),
        ("a{2", "`{`"),
        ("*const u8", "`*`"),
        ("foo(?=bar)", "pattern"),
        ("(a)\\1", "pattern"),
        ("C:\\users", "`\\\\`"),
        ("end\\", "`\\\\`"),
        ("\\p{Klingon}", "literal"),
        ("(?z)a", "literal"),
    ] {
        let message = no_pattern(&json!({ "pattern": pattern }));
        let last = message.lines().last().unwrap_or_default();
        assert!(
            last.contains(piece),
            "the last line of the message about `{pattern}` says what to do, with {piece} in it; the message is:\n{message}"
        );
        assert_eq!(
            last.contains("literal"),
            piece != "pattern",
            "`literal` is offered where it would help; the message is:\n{message}"
        );
    }
}

// 8.2 Types

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

// 8.3 Globs

#[test]
fn test_ch8_globs() {
    for (glob, path, fits) in [
        ("*.rs", "main.rs", true),
        ("*.rs", "src/deep/main.rs", true),
        ("*.rs", "main.rsx", false),
        ("src/*.rs", "src/main.rs", true),
        ("src/*.rs", "src/deep/main.rs", false),
        ("src/**/*.rs", "src/main.rs", true),
        ("src/**/*.rs", "src/deep/main.rs", true),
        ("src/**/*.rs", "lib/src/main.rs", false),
        ("/main.rs", "src/main.rs", false),
        ("/main.rs", "main.rs", true),
        ("./src/*.rs", "src/main.rs", true),
        ("**", "src/main.rs", true),
        ("v1..v2.md", "v1..v2.md", true),
        ("*.{rs,toml}", "Cargo.toml", true),
        ("[a-c]?.rs", "b1.rs", true),
        ("!*.rs", "main.rs", false),
        ("!*.rs", "main.c", true),
        ("!./src/*.rs", "src/main.rs", false),
        ("#*#", "#main.rs#", true),
        ("#*#", "main.rs", false),
        ("!#*#", "#main.rs#", false),
        ("Main.rs", "main.rs", false),
    ] {
        let filter = filter(glob);
        assert_eq!(
            filter.admits(&Path::new("/folder").join(path), false),
            fits,
            "whether the file {path} fits the glob `{glob}`"
        );
    }
}

#[test]
fn test_ch8_globs_and_folders() {
    for (glob, path, is_entered) in [
        ("*.rs", "src", true),
        ("src/*.rs", "lib", true),
        ("!target", "target", false),
        ("!target/", "src/target", false),
        ("!*.rs", "src", true),
    ] {
        assert_eq!(
            filter(glob).admits(&Path::new("/folder").join(path), true),
            is_entered,
            "whether the folder {path} is entered with the glob `{glob}`: files in it may fit, unless a glob with ! fits the folder"
        );
    }
    let both = Filter::new(Path::new("/folder"), Some("src/*"), Some("rust")).expect("a filter");
    for (path, fits) in [
        ("src/main.rs", true),
        ("src/main.c", false),
        ("main.rs", false),
    ] {
        assert_eq!(
            both.admits(&Path::new("/folder").join(path), false),
            fits,
            "with a glob and a type, a file has to fit both; the file is {path}"
        );
    }
    assert!(
        both.admits(Path::new("/folder/src"), true),
        "a type says nothing of folders"
    );
}

#[test]
fn test_ch8_bad_globs() {
    for (glob, says) in [
        ("", "empty"),
        ("!", "empty"),
        ("./", "empty"),
        ("  ", "empty"),
        ("../*.rs", "`path`"),
        ("src/../*.rs", "`path`"),
        ("!../x", "`path`"),
        ("*.{rs,toml", "unclosed"),
        ("[ab", "unclosed"),
        ("a\\", "dangling"),
    ] {
        let message = globs(Path::new("/folder"), glob).err().unwrap_or_else(|| {
            panic!("the glob {glob:?} fits nothing or everything, which nobody means")
        });
        assert!(
            message.contains(says),
            "the message about the glob {glob:?} says {says:?}; it says: {message}"
        );
    }
    let message = globs(Path::new("/folder"), "*.{rs")
        .err()
        .unwrap_or_default();
    assert!(
        message.contains("*.{rs") && message.contains('\\'),
        "the message repeats the glob, and says how a special character is meant as itself: {message}"
    );
}

// 8.4 The walk

#[test]
fn test_ch8_walk_leaves_out() {
    let folder = Folder::new(&[
        (".git/config", ""),
        ("src/.git/config", ""),
        (".gitignore", "made/\n*.tmp\n!keep.tmp\n"),
        (".ignore", "by-ignore\n"),
        (".rgignore", "by-rgignore\n"),
        ("src/main.rs", ""),
        ("src/.hidden", ""),
        (".config/x", ""),
        ("made/out", ""),
        ("a.tmp", ""),
        ("keep.tmp", ""),
        ("src/.gitignore", "local\n"),
        ("src/local", ""),
        ("local", ""),
        ("by-ignore", ""),
        ("by-rgignore", ""),
    ]);
    let plain = ["keep.tmp", "local", "src/main.rs"];
    assert_eq!(
        walked(&folder, Scope::default()),
        plain,
        "without what is hidden, and without what .gitignore, .ignore and .rgignore name"
    );
    let hidden = Scope {
        hidden: true,
        ..Scope::default()
    };
    assert_eq!(
        walked(&folder, hidden),
        [
            ".config/x",
            ".gitignore",
            ".ignore",
            ".rgignore",
            "keep.tmp",
            "local",
            "src/.gitignore",
            "src/.hidden",
            "src/main.rs"
        ],
        "hidden files as well, but never what is in .git"
    );
    let ignored = Scope {
        ignored: true,
        ..Scope::default()
    };
    assert_eq!(
        walked(&folder, ignored),
        [
            "a.tmp",
            "by-ignore",
            "by-rgignore",
            "keep.tmp",
            "local",
            "made/out",
            "src/local",
            "src/main.rs"
        ],
        "ignored files as well, and still no hidden ones"
    );
    let all = Scope {
        ignored: true,
        hidden: true,
        ..Scope::default()
    };
    assert_eq!(
        walked(&folder, all).len(),
        14,
        "everything but what is in .git"
    );
}

#[test]
fn test_ch8_walk_filters_narrow() {
    let folder = Folder::new(&[
        (".git/HEAD", ""),
        (".gitignore", "target\n"),
        ("target/debug/out.rs", ""),
        (".hidden.rs", ""),
        ("src/main.rs", ""),
        ("src/note.md", ""),
    ]);
    for glob in ["**/*", "*", "*.rs", "**/*.rs"] {
        let found = walked(
            &folder,
            Scope {
                glob: Some(glob.into()),
                ..Scope::default()
            },
        );
        let expected: &[&str] = match glob.contains(".rs") {
            true => &["src/main.rs"],
            false => &["src/main.rs", "src/note.md"],
        };
        assert_eq!(
            found, expected,
            "the glob `{glob}` brings nothing back that is hidden or ignored"
        );
    }
    let by_type = Scope {
        file_type: Some("rust".into()),
        ..Scope::default()
    };
    assert_eq!(
        walked(&folder, by_type),
        ["src/main.rs"],
        "a type brings nothing back either"
    );
    let hidden = Scope {
        glob: Some("*.rs".into()),
        hidden: true,
        ..Scope::default()
    };
    assert_eq!(walked(&folder, hidden), [".hidden.rs", "src/main.rs"]);
}

#[test]
fn test_ch8_walk_from_a_place() {
    let folder = Folder::new(&[
        ("src/a/x.rs", ""),
        ("src/b.rs", ""),
        ("x.rs", ""),
        (".env", ""),
    ]);
    let at = |path: &str, glob: Option<&str>| {
        let glob = glob.map(str::to_string);
        walked(
            &folder,
            Scope {
                path: path.into(),
                glob,
                ..Scope::default()
            },
        )
    };
    assert_eq!(
        at("src", None),
        ["src/a/x.rs", "src/b.rs"],
        "paths are relative to the root folder, wherever the walk began"
    );
    assert_eq!(
        at("src", Some("a/*.rs")),
        ["src/a/x.rs"],
        "globs are seen from the folder that is searched"
    );
    assert_eq!(at("x.rs", None), ["x.rs"], "a single file is itself");
    assert_eq!(
        at(".env", Some("*.md")),
        [".env"],
        "a single file that is named outright is searched, whatever the glob"
    );
    for (path, says) in [
        ("nothing", "there is no `nothing`"),
        ("..", "leads out"),
        ("/", "absolute"),
    ] {
        let scope = Scope {
            path: path.into(),
            ..Scope::default()
        };
        let message = Tree::open(folder.path(), &scope)
            .err()
            .expect("there is nothing to search");
        assert!(
            message.contains(says),
            "`{path}` is refused as in chapter 3; the message says: {message}"
        );
    }
    let scope = Scope {
        glob: Some("{".into()),
        ..Scope::default()
    };
    assert!(
        Tree::open(folder.path(), &scope).is_err(),
        "a bad glob is an error before anything is searched"
    );
    let scope = Scope {
        path: "src".into(),
        ..Scope::default()
    };
    let tree = Tree::open(folder.path(), &scope).expect("a folder");
    std::fs::remove_dir_all(folder.path().join("src")).expect("it can be removed");
    let reasons = Mutex::new(Vec::new());
    tree.visit(&CancellationToken::new(), || {
        |file| match file {
            Ok(path) => panic!("{path:?} is gone"),
            Err(reason) => reasons.lock().expect("no panic").push(reason),
        }
    });
    let reasons = reasons.into_inner().expect("no panic");
    assert!(
        reasons.len() == 1 && reasons[0].starts_with("src: "),
        "what cannot be read is told to the visitor, with its path as it is shown: {reasons:?}"
    );
}

#[test]
fn test_ch8_walk_does_not_follow_links() {
    let folder = Folder::new(&[("root/src/a.rs", ""), ("outside/secret.rs", "")]);
    let root = folder.path().join("root");
    assert_eq!(
        visited(&Tree::open(&root, &Scope::default()).expect("a folder")),
        ["src/a.rs"]
    );
    if !(link("../outside", &root.join("away"))
        && link("src", &root.join("near"))
        && link(".", &root.join("round"))
        && link("../outside/secret.rs", &root.join("file.rs")))
    {
        return; // This system does not let us make links.
    }
    assert_eq!(
        visited(&Tree::open(&root, &Scope::default()).expect("a folder")),
        ["src/a.rs"],
        "no link is followed, wherever it leads: not out, and not in circles"
    );
    let near = Scope {
        path: "near".into(),
        ..Scope::default()
    };
    assert_eq!(
        visited(&Tree::open(&root, &near).expect("a link that stays inside")),
        ["src/a.rs"],
        "a link that is named as `path` is, if it stays inside; paths are free of links"
    );
    let linked = folder.path().join("linked");
    if link("root", &linked) {
        assert_eq!(
            visited(&Tree::open(&linked, &Scope::default()).expect("a folder by a link")),
            ["src/a.rs"],
            "the root folder may be a link itself: paths are relative to where it leads"
        );
    }
}

#[test]
fn test_ch8_walk_stops() {
    let names: Vec<String> = (0..200)
        .map(|number| format!("{}/{number}", number % 10))
        .collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
    let folder = Folder::new(&files);
    let tree = Tree::open(folder.path(), &Scope::default()).expect("a folder");
    let (threads, visits) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let count = |stop: &CancellationToken| {
        threads.store(0, Ordering::SeqCst);
        visits.store(0, Ordering::SeqCst);
        tree.visit(stop, || {
            threads.fetch_add(1, Ordering::SeqCst);
            |_| {
                visits.fetch_add(1, Ordering::SeqCst);
                stop.cancel();
            }
        });
        visits.load(Ordering::SeqCst)
    };
    let stop = CancellationToken::new();
    let visits = count(&stop);
    assert!(
        visits >= 1 && visits <= threads.load(Ordering::SeqCst),
        "the first visit cancels; each thread finishes what it is at and takes up no other file, and of 200 files {visits} were visited by {threads:?} threads"
    );
    assert_eq!(
        count(&stop),
        0,
        "what is cancelled before it begins visits nothing"
    );
}

#[test]
fn test_ch8_walk_uses_all_threads() {
    let folder = Folder::new(&[("a/1", ""), ("b/2", ""), ("c/3", "")]);
    let tree = Tree::open(folder.path(), &Scope::default()).expect("a folder");
    let makers = AtomicUsize::new(0);
    let visits = Mutex::new(Vec::new());
    tree.visit(&CancellationToken::new(), || {
        makers.fetch_add(1, Ordering::SeqCst);
        |file| {
            let path = file.expect("it can be read").to_path_buf();
            visits.lock().expect("no panic").push(path);
        }
    });
    let visits = visits.into_inner().expect("no panic");
    assert_eq!(visits.len(), 3, "each file is visited once: {visits:?}");
    assert!(
        visits.iter().all(|path| path.is_absolute()),
        "visitors get absolute paths, which can be opened: {visits:?}"
    );
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    assert!(
        cores == 1 || makers.load(Ordering::SeqCst) > 1,
        "each thread has a visitor of its own, and this machine has {cores} cores; {makers:?} was made"
    );
}

// 8.5 Order out of disorder

#[test]
fn test_ch8_kept_in_path_order() {
    let mut kept = Kept::new(100);
    for path in ["b", "a-b", "a/z", "a", "B", "a/b/c", "ä", "a0"] {
        kept.add(Path::new(path), hits(1));
    }
    assert_eq!(
        paths(&kept),
        ["B", "a", "a/b/c", "a/z", "a-b", "a0", "b", "ä"],
        "name by name along the path, each compared as it is"
    );
}

#[test]
fn test_ch8_kept_whatever_the_order() {
    let files: Vec<(String, usize)> = (0..6).map(|n| (format!("f{n}"), 1 + n % 3)).collect();
    let mut orders = vec![Vec::new()];
    for _ in 0..files.len() {
        orders = orders
            .into_iter()
            .flat_map(|order: Vec<usize>| {
                let rest = (0..files.len())
                    .filter(|n| !order.contains(n))
                    .collect::<Vec<_>>();
                rest.into_iter()
                    .map(move |n| [order.clone(), vec![n]].concat())
            })
            .collect();
    }
    for limit in [1, 3, 4, 7, 100] {
        let expected = match limit {
            1 => vec!["f0"],
            3 => vec!["f0", "f1"],
            4 => vec!["f0", "f1", "f2"],
            7 => vec!["f0", "f1", "f2", "f3"],
            _ => vec!["f0", "f1", "f2", "f3", "f4", "f5"],
        };
        for order in &orders {
            let mut kept = Kept::new(limit);
            for n in order {
                let (path, matches) = &files[*n];
                kept.add(Path::new(path), hits(*matches));
            }
            let came: Vec<&str> = order.iter().map(|n| files[*n].0.as_str()).collect();
            assert_eq!(
                paths(&kept),
                expected,
                "files with 1, 2, 3, 1, 2, 3 matches, room for {limit}: the first files that fill it are kept, and they came as {came:?}"
            );
            assert_eq!(
                (kept.tally.files, kept.tally.matches, kept.tally.searched),
                (6, 12, 6),
                "all are counted, kept or not; they came as {came:?}"
            );
        }
    }
}

#[test]
fn test_ch8_kept_is_bounded() {
    let mut kept = Kept::new(usize::MAX);
    let long = "x".repeat(1000);
    let mut most = 0;
    for number in (0..500).rev() {
        let line = Line {
            text: long.clone(),
            is_match: true,
        };
        let found = Hits {
            matches: 1,
            lines: vec![line],
            is_binary: false,
        };
        kept.add(Path::new(&format!("{number:03}")), found);
        most = most.max(kept.files.len());
    }
    assert!(
        most <= RESULT_LIMIT / 1000 + 1,
        "no more lines are kept than an answer of {RESULT_LIMIT} bytes can have; of files with 1000 bytes each, {most} were kept at a time"
    );
    assert_eq!(kept.files.len(), most, "and they fill it");
    assert_eq!(paths(&kept)[0], "000", "those that are kept are the first");
    assert_eq!(kept.tally.matches, 500, "all are counted");
    let mut kept = Kept::new(usize::MAX);
    for path in ["c", "b", "a"] {
        let line = Line {
            text: "x".repeat(RESULT_LIMIT * 5 / 8),
            is_match: true,
        };
        let found = Hits {
            matches: 1,
            lines: vec![line],
            is_binary: false,
        };
        kept.add(Path::new(path), found);
    }
    assert_eq!(
        paths(&kept),
        ["a", "b"],
        "two files of five eighths fill an answer; the second is kept, since the answer has room for a part of it"
    );
}

#[test]
fn test_ch8_kept_wants() {
    let mut kept = Kept::new(3);
    assert!(kept.wants(Path::new("z")), "an empty answer wants anything");
    kept.add(Path::new("m"), hits(2));
    assert!(kept.wants(Path::new("z")), "one with room left does");
    kept.add(Path::new("n"), hits(2));
    assert!(
        !kept.wants(Path::new("z")),
        "what comes behind a full answer is not wanted"
    );
    assert!(
        !kept.wants(Path::new("n/a")),
        "nor what is below its last path"
    );
    assert!(
        kept.wants(Path::new("a")),
        "what comes before its end still is"
    );
    let mut kept = Kept::new(1);
    kept.add(Path::new("a/z"), hits(1));
    assert!(
        !kept.wants(Path::new("a-b")),
        "paths are compared name by name: `a-b` comes behind `a/z`"
    );
}

#[test]
fn test_ch8_kept_counts() {
    let mut kept = Kept::new(1);
    kept.add(Path::new("none"), Hits::default());
    kept.add(
        Path::new("picture"),
        Hits {
            is_binary: true,
            ..Hits::default()
        },
    );
    assert!(kept.files.is_empty(), "a file without a match is not kept");
    for reason in ["b: locked", "c: locked", "a: gone"] {
        kept.add_unread(reason.to_string());
    }
    let tally = Tally {
        searched: 2,
        binary: 1,
        unread: 3,
        reason: Some("a: gone".to_string()),
        ..Tally::default()
    };
    assert_eq!(
        kept.tally, tally,
        "everything is counted, and of the reasons the first by text is kept, whichever came first"
    );
}

// 8.6 An answer

#[test]
fn test_ch8_page_shows_lines() {
    let mut kept = Kept::new(10);
    put(&mut kept, "src/b.rs", &["3:fn b", "4-{", "--", "9:fn c"]);
    put(&mut kept, "src/a.rs", &["1:fn a"]);
    let result = page(&kept, Mode::Content, "nothing");
    assert_eq!(
        result.content, "src/a.rs\n1:fn a\n\nsrc/b.rs\n3:fn b\n4-{\n--\n9:fn c",
        "each file's path, its lines below it, an empty line between files"
    );
    assert!(!result.is_truncated, "nothing was left out");
}

#[test]
fn test_ch8_page_shows_files_and_counts() {
    let mut kept = Kept::new(10);
    for (path, matches) in [("src/a.rs", 2), ("b", 11)] {
        kept.files.insert(path.into(), hits_without_lines(matches));
        kept.tally.files += 1;
        kept.tally.matches += matches;
    }
    assert_eq!(
        page(&kept, Mode::Files, "nothing"),
        ToolResult::text("b\nsrc/a.rs"),
        "the paths, one a line"
    );
    assert_eq!(
        page(&kept, Mode::Count, "nothing"),
        ToolResult::text("b:11\nsrc/a.rs:2"),
        "the paths and how many matches each has"
    );
    assert_eq!(
        page(&Kept::new(10), Mode::Files, "nothing at all"),
        ToolResult::text("nothing at all"),
        "an empty answer is said in words"
    );
    let mut odd = Kept::new(10);
    odd.files.insert("two\nlines".into(), hits_without_lines(1));
    odd.tally.files = 1;
    assert_eq!(
        page(&odd, Mode::Files, "nothing").content,
        "two\\nlines",
        "a path stays on one line, as in chapter 3"
    );
}

#[test]
fn test_ch8_page_is_cut_at_the_limit() {
    let mut kept = Kept::new(3);
    put(&mut kept, "a", &["1:x", "2-", "--", "6-", "7:x", "8-"]);
    put(&mut kept, "b", &["1-", "2:x", "3-", "--", "9-", "10:x"]);
    kept.tally.files = 5;
    kept.tally.matches = 40;
    let result = page(&kept, Mode::Content, "nothing");
    let (rows, remark) = result.content.split_once("\n\n[").unwrap_or_else(|| {
        panic!(
            "an answer that is cut says so in brackets at its end: {}",
            result.content
        )
    });
    assert_eq!(
        rows, "a\n1:x\n2-\n--\n6-\n7:x\n8-\n\nb\n1-\n2:x",
        "three matches are shown, and the last line is the third: what stood around the next one is of no use"
    );
    assert!(
        remark.contains("3 of 40 matches") && remark.contains("5 files"),
        "it says how many there are: {remark}"
    );
    assert!(result.is_truncated, "and is marked");

    let mut kept = Kept::new(2);
    put(&mut kept, "a", &["1:x", "2:x", "3-"]);
    let whole = page(&kept, Mode::Content, "nothing");
    assert_eq!(
        whole,
        ToolResult::text("a\n1:x\n2:x\n3-"),
        "just as many as there may be: nothing is left out, not even the lines around the last"
    );

    let mut kept = Kept::new(1);
    for path in ["a", "b"] {
        kept.files.insert(path.into(), hits_without_lines(4));
    }
    kept.tally.files = 7;
    kept.tally.matches = 28;
    for (mode, row) in [(Mode::Files, "a\n["), (Mode::Count, "a:4\n[")] {
        let result = page(&kept, mode, "nothing");
        assert!(
            result.content.starts_with(row)
                && result.content.contains("1 of 7 files")
                && result.is_truncated,
            "where files are shown, files are counted: {}",
            result.content
        );
    }
}

#[test]
fn test_ch8_page_fits_a_result() {
    // Short lines leave no gap at the end in which the remark would happen to fit.
    let short = "1:ä\n".len();
    let mut kept = Kept::new(usize::MAX);
    put(&mut kept, "a", &vec!["1:ä"; RESULT_LIMIT / short + 1]);
    let result = page(&kept, Mode::Content, "nothing");
    assert!(
        result.content.len() <= RESULT_LIMIT,
        "the remark needs room behind the lines, and the answer has {} bytes",
        result.content.len()
    );
    let mut kept = Kept::new(usize::MAX);
    let line = format!("1:{}", "ä".repeat(200));
    let lines: Vec<&str> = (0..200).map(|_| line.as_str()).collect();
    put(&mut kept, "a", &lines);
    let result = page(&kept, Mode::Content, "nothing");
    assert!(
        result.content.len() <= RESULT_LIMIT && result.content.len() > RESULT_LIMIT - REMARK - 500,
        "the answer fills a result and is no longer, so that chapter 3 need not cut it in the middle; it has {} bytes",
        result.content.len()
    );
    let shown = result.content.matches("1:ä").count();
    assert!(
        result.is_truncated && result.content.contains(&format!("{shown} of 200 matches")),
        "it counts the lines that are really there, {shown}: …{}",
        result.content.lines().last().unwrap_or_default()
    );
    assert!(
        result
            .content
            .lines()
            .all(|row| row.len() == line.len() || !row.starts_with("1:")),
        "lines are shown whole"
    );
}

#[test]
fn test_ch8_page_says_what_could_not_be_read() {
    let mut kept = Kept::new(5);
    kept.tally.unread = 1;
    kept.tally.reason = Some("secret: Permission denied".to_string());
    let result = page(&kept, Mode::Files, "nothing");
    assert!(
        result.content.starts_with("nothing\n")
            && result.content.contains("secret: Permission denied"),
        "the model must know that the answer may not be the whole truth: {}",
        result.content
    );
}

// 8.7 The tool glob

#[test]
fn test_ch8_glob_definition() {
    let tool = GlobTool::new("/");
    let definition = tool.definition();
    assert_eq!(definition.name, "glob");
    assert_eq!(
        definition.parameters["required"],
        json!(["pattern"]),
        "only the pattern is required"
    );
    described(
        definition,
        &["hidden", "ignored", "limit", "path", "pattern"],
    );
    assert!(
        tool.is_read_only() && tool.is_concurrent_safe(),
        "a search changes nothing"
    );
    assert_eq!(
        tool.summary(&json!({ "pattern": "*.rs", "path": "." })),
        "[glob: *.rs]",
        "people see the pattern"
    );
}

#[tokio::test]
async fn test_ch8_glob_finds_files() {
    let folder = project();
    for (args, listing) in [
        (
            json!({ "pattern": "*.rs" }),
            "src/bin/tool.rs\nsrc/lib.rs\nsrc/main.rs",
        ),
        (json!({ "pattern": "src/*.rs" }), "src/lib.rs\nsrc/main.rs"),
        (
            json!({ "pattern": "*.rs", "path": "src/bin" }),
            "src/bin/tool.rs",
        ),
        (json!({ "pattern": "*.{toml,md}" }), "Cargo.toml\nREADME.md"),
        (
            json!({ "pattern": "*.o", "ignored": true }),
            "target/main.o",
        ),
        (json!({ "pattern": ".env", "hidden": true }), ".env"),
    ] {
        assert_eq!(
            called(&GlobTool::new(folder.path()), &args).await,
            ToolResult::text(listing),
            "glob {args}: relative to the root folder, in path order, one a line"
        );
    }
}

#[tokio::test]
async fn test_ch8_glob_is_cut_at_the_limit() {
    let folder = sixty_files();
    let tool = GlobTool::new(folder.path());
    let result = called(&tool, &json!({ "pattern": "*.txt", "limit": 3 })).await;
    assert!(
        result.is_truncated
            && result
                .content
                .starts_with("0/0/00.txt\n0/0/12.txt\n0/0/24.txt\n["),
        "the first three in path order are shown, whichever were met first: {}",
        result.content
    );
    assert!(
        result.content.contains("3 of 60 files"),
        "and all are counted: {}",
        result.content
    );
    let result = called(&tool, &json!({ "pattern": "*.txt", "limit": 60.0 })).await;
    assert!(
        !result.is_truncated && result.content.lines().count() == 60,
        "60.0 is an integer to JSON Schema as well, and as many as the limit are shown whole"
    );
}

#[tokio::test]
async fn test_ch8_glob_bad_calls() {
    let folder = project();
    let tool = GlobTool::new(folder.path());
    let none = called(&tool, &json!({ "pattern": "*.py", "path": "src" })).await;
    assert!(
        !none.content.starts_with("error: ")
            && none.content.contains("`*.py`")
            && none.content.contains("`src`")
            && none.content.contains("ignored"),
        "that nothing fits is no error; the answer repeats what was looked for and where, and what was left out: {}",
        none.content
    );
    for (args, says) in [
        (json!({ "pattern": "*.{rs" }), "unclosed"),
        (json!({ "pattern": "" }), "empty"),
        (
            json!({ "pattern": "*", "path": "nowhere" }),
            "there is no `nowhere`",
        ),
        (json!({ "pattern": "*", "path": "../" }), "leads out"),
        (
            json!({ "pattern": "*", "path": "Cargo.toml" }),
            "Cargo.toml",
        ),
        (json!({ "pattern": "*", "limit": 0 }), "at least 1"),
        (json!({ "path": "src" }), "`pattern` is required"),
        (json!({ "glob": "*.rs" }), "`glob` is not known"),
    ] {
        let result = called(&tool, &args).await;
        assert!(
            result.content.starts_with("error: ") && result.content.contains(says),
            "glob {args} should be an error that says {says:?}; the content is {:?}",
            result.content
        );
    }
}

// 8.8 A line that fits

#[test]
fn test_ch8_excerpt_of_a_short_line() {
    for (line, text) in [
        (&b"let a = 1;\n"[..], "let a = 1;"),
        (b"let a = 1;\r\n", "let a = 1;"),
        (b"\tlet a = 1;  ", "\tlet a = 1;  "),
        (b"\n", ""),
        (b"", ""),
        (b"a\rb\n", "a\rb"),
        (b"caf\xe9\n", "caf\u{fffd}"),
    ] {
        assert_eq!(
            excerpt(line, 0),
            text,
            "a short line is shown as it is, without its end; the line is {line:?}"
        );
    }
    let line = "ä".repeat(MAX_LINE);
    assert_eq!(
        excerpt(format!("{line}\r\n").as_bytes(), 0),
        line,
        "{MAX_LINE} characters are shown whole, however many bytes they are"
    );
}

#[test]
fn test_ch8_excerpt_of_a_long_line() {
    let line = format!("{}NEEDLE{}", "ä".repeat(5000), "ö".repeat(5000));
    let text = excerpt(line.as_bytes(), 10_000);
    assert!(
        text.contains("NEEDLE"),
        "the match at byte 10000 is among what is shown: {text}"
    );
    let (shown, remark) = text.split_once(" [").expect("a remark in brackets follows");
    assert_eq!(
        remark, "line of 10006 characters]",
        "the remark says how long the line is"
    );
    let inside = shown.trim_matches('…');
    assert!(
        shown.starts_with('…') && shown.ends_with('…') && inside.chars().count() == MAX_LINE,
        "… on each side where something is missing, and between them {MAX_LINE} characters: {shown}"
    );
    let before = inside
        .find("NEEDLE")
        .map_or(0, |at| inside[..at].chars().count());
    assert!(
        (MAX_LINE / 8..MAX_LINE / 2).contains(&before),
        "what leads up to the match is shown, and more of what follows; before it stand {before} characters"
    );
}

#[test]
fn test_ch8_excerpt_at_the_edges() {
    let line = "x".repeat(MAX_LINE + 50);
    let head = excerpt(line.as_bytes(), 0);
    assert!(
        head.starts_with('x') && head.contains(&format!("{}… [", "x".repeat(MAX_LINE))),
        "at the beginning nothing is missing in front: {head}"
    );
    let tail = excerpt(line.as_bytes(), line.len());
    assert!(
        tail.starts_with(&format!("…{} [", "x".repeat(MAX_LINE))),
        "at the end nothing is missing behind, and the line still fills its room: {tail}"
    );
    let behind = excerpt(line.as_bytes(), line.len() + 7);
    assert_eq!(behind, tail, "a place behind the line's end is its end");
    let broken = [&[0xff; 600][..], b"\n"].concat();
    assert!(
        excerpt(&broken, 300).ends_with("[line of 600 characters]"),
        "bytes that are not UTF-8 do not stop it"
    );
}

// 8.9 Lines in a file

#[test]
fn test_ch8_file_lines() {
    let found = found("a x\nb\nc x x\n", "x", &Shape::default());
    assert_eq!(
        found,
        Hits {
            matches: 2,
            lines: vec![line("1:a x"), line("3:c x x")],
            is_binary: false
        },
        "a line that matches is one match, however often the pattern is in it"
    );
    assert_eq!(
        self::found("a\nx", "x", &Shape::default()).lines,
        [line("2:x")],
        "the last line may lack its end"
    );
    assert_eq!(
        self::found("a\r\nx;\r\n", "x;$", &Shape::default()).lines,
        [line("2:x;")],
        "a line may end in \\r\\n"
    );
    assert_eq!(self::found("", "x", &Shape::default()), Hits::default());
}

#[test]
fn test_ch8_file_lines_around() {
    let text = "1\n2\nx\n4\n5\n6\n7\n8\nx\nx\n11\n";
    for (before, after, lines) in [
        (1, 0, vec!["2-2", "3:x", "--", "8-8", "9:x", "10:x"]),
        (0, 1, vec!["3:x", "4-4", "--", "9:x", "10:x", "11-11"]),
        (
            2,
            3,
            vec![
                "1-1", "2-2", "3:x", "4-4", "5-5", "6-6", "7-7", "8-8", "9:x", "10:x", "11-11",
            ],
        ),
    ] {
        let shape = Shape {
            before,
            after,
            ..Shape::default()
        };
        let found = found(text, "x", &shape);
        let texts: Vec<&str> = found.lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(
            texts, lines,
            "with {before} lines before and {after} after each match; `:` marks a match, `-` a line around it, and `--` stands between groups that do not touch"
        );
        assert_eq!(found.matches, 3, "lines around a match are no matches");
        for line in &found.lines {
            assert_eq!(
                line.is_match,
                line.text.contains(':'),
                "only lines that match are marked as such: {line:?}"
            );
        }
    }
}

#[test]
fn test_ch8_file_modes() {
    let text = "x\nx\nb\nx\n";
    let shape = |mode| Shape {
        mode,
        before: 1,
        after: 1,
        ..Shape::default()
    };
    assert_eq!(
        found(text, "x", &shape(Mode::Count)),
        hits_without_lines(3),
        "for a count no lines are stored"
    );
    assert_eq!(
        found(text, "x", &shape(Mode::Files)),
        hits_without_lines(1),
        "to name a file one match is enough, and the search of it ends"
    );
    let folder = Folder::new(&[("f", text)]);
    let matcher = matcher("x");
    let (query, shape, stop) = (Query::default(), Shape::default(), CancellationToken::new());
    let mut search = Search::new(&matcher, &query, &shape, &stop);
    let path = folder.path().join("f");
    assert_eq!(
        search.file(&path, false).expect("it can be read"),
        hits_without_lines(3),
        "where nothing will be shown, matches are counted and no lines stored"
    );
    assert_eq!(
        search
            .file(&path, true)
            .expect("it can be read")
            .lines
            .len(),
        3,
        "the same search goes on to other files"
    );
}

#[test]
fn test_ch8_file_long_lines() {
    let text = format!("short\n{}NEEDLE{}\n", "a".repeat(9000), "b".repeat(9000));
    let found = found(
        &text,
        "NEEDLE",
        &Shape {
            before: 1,
            ..Shape::default()
        },
    );
    assert_eq!(found.lines.len(), 2);
    assert!(
        found.lines[1].text.starts_with("2:…")
            && found.lines[1].text.contains("NEEDLE")
            && found.lines[1].text.len() < 2 * MAX_LINE,
        "of a long line the part around the match is shown: {}",
        found.lines[1].text
    );
    let text = format!("{}\nNEEDLE\n", "a".repeat(9000));
    let shape = Shape {
        before: 1,
        ..Shape::default()
    };
    let near = &self::found(&text, "NEEDLE", &shape).lines[0].text;
    assert!(
        near.starts_with("1-aaa") && near.len() < 2 * MAX_LINE,
        "a long line near a match is cut as well; this one has {} bytes",
        near.len()
    );
}

#[test]
fn test_ch8_file_is_bounded() {
    let text = "x\n".repeat(10_000);
    let shape = Shape {
        limit: 5,
        ..Shape::default()
    };
    let few = found(&text, "x", &shape);
    assert!(
        few.matches == 10_000 && (5..=6).contains(&few.lines.len()),
        "all are counted; stored are no more than can be shown, and {} are",
        few.lines.len()
    );
    let text = format!("{}\n", "x".repeat(300)).repeat(1000);
    let shape = Shape {
        limit: usize::MAX,
        after: 2,
        ..Shape::default()
    };
    let many = found(&text, "x", &shape);
    let bytes: usize = many.lines.iter().map(|line| line.text.len()).sum();
    assert!(
        many.matches == 1000 && (RESULT_LIMIT / 2..2 * RESULT_LIMIT).contains(&bytes),
        "no more bytes are stored than fill an answer of {RESULT_LIMIT}; {bytes} are"
    );
}

#[test]
fn test_ch8_file_across_lines() {
    let matcher = RegexMatcherBuilder::new()
        .multi_line(true)
        .build("b\nc|x")
        .expect("a pattern");
    let query = Query {
        multiline: true,
        ..Query::default()
    };
    let folder = Folder::new(&[("f", "a\nb\nc\nd\nx\n")]);
    let (shape, stop) = (Shape::default(), CancellationToken::new());
    let found = Search::new(&matcher, &query, &shape, &stop)
        .file(&folder.path().join("f"), true)
        .expect("it can be read");
    assert_eq!(found.matches, 2, "a match over two lines is one match");
    assert_eq!(
        found.lines,
        [
            line("2:b"),
            Line {
                text: "3:c".to_string(),
                is_match: false
            },
            line("5:x")
        ],
        "each of its lines has its number, and the match begins in the first"
    );
}

#[test]
fn test_ch8_file_binary() {
    for text in ["x\n\0\n", "\0x", "x\nx\nx\0"] {
        assert_eq!(
            found(text, "x", &Shape::default()),
            Hits {
                is_binary: true,
                ..Hits::default()
            },
            "a file with a NUL in it is not text, and what was found before does not count; the file is {text:?}"
        );
    }
}

#[test]
fn test_ch8_file_encodings() {
    let folder = Folder::new(&[]);
    let utf16 = |text: &str, little: bool| -> Vec<u8> {
        let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
        let bytes = units.map(|unit| match little {
            true => unit.to_le_bytes(),
            false => unit.to_be_bytes(),
        });
        bytes.flatten().collect()
    };
    let text = "a\ngröße x\n";
    let (shape, stop, query) = (Shape::default(), CancellationToken::new(), Query::default());
    let matcher = matcher("^größe");
    let mut search = Search::new(&matcher, &query, &shape, &stop);
    for (name, bytes) in [
        ("UTF-8", text.as_bytes().to_vec()),
        ("UTF-16, little end first", utf16(text, true)),
        ("UTF-16, big end first", utf16(text, false)),
        (
            "UTF-8 with a mark",
            [&b"\xEF\xBB\xBF"[..], "größe x\n".as_bytes()].concat(),
        ),
    ] {
        let path = folder.path().join("f");
        std::fs::write(&path, bytes).expect("a file");
        let found = search.file(&path, true).expect("it can be read");
        assert!(
            found.matches == 1 && found.lines[0].text.ends_with(":größe x"),
            "a byte order mark says how a file is encoded, and is no part of its first line; in {name} was found {found:?}"
        );
    }
}

#[test]
fn test_ch8_file_errors() {
    let folder = Folder::new(&[("f", "x\n")]);
    let (matcher, query, shape) = (matcher("x"), Query::default(), Shape::default());
    let stop = CancellationToken::new();
    let mut search = Search::new(&matcher, &query, &shape, &stop);
    let gone = search.file(&folder.path().join("gone"), true);
    assert_eq!(
        gone.map_err(|error| error.kind()),
        Err(ErrorKind::NotFound),
        "a file that cannot be opened is an error"
    );
    stop.cancel();
    assert!(
        search.file(&folder.path().join("f"), true).is_err(),
        "a search that was cancelled reads no file: what it found would not be the whole"
    );
}

// 8.10 The tool grep

#[tokio::test]
async fn test_ch8_grep_finds_lines() {
    let folder = project();
    let tool = GrepTool::new(folder.path());
    assert_eq!(tool.definition().name, "grep");
    assert!(
        tool.is_read_only() && tool.is_concurrent_safe(),
        "a search changes nothing"
    );
    assert_eq!(
        tool.summary(&json!({ "pattern": "fn main", "path": "src" })),
        "[grep: fn main in src]",
        "people see the pattern"
    );
    for (args, answer) in [
        (
            json!({ "pattern": "fn main" }),
            "src/bin/tool.rs\n1:fn main() {}\n\nsrc/main.rs\n3:fn main() {",
        ),
        (
            json!({ "pattern": "fn main", "path": "src/main.rs", "context": 1 }),
            "src/main.rs\n2-\n3:fn main() {\n4-    run(1);",
        ),
        (
            json!({ "pattern": "fn main", "path": "src/main.rs", "context": 1, "after": 2, "before": 0 }),
            "src/main.rs\n3:fn main() {\n4-    run(1);\n5-}",
        ),
        (
            json!({ "pattern": "run(1)", "literal": true }),
            "src/main.rs\n4:    run(1);",
        ),
        (
            json!({ "pattern": "CLAW", "ignore_case": true, "type": "toml" }),
            "Cargo.toml\n2:name = \"claw\"",
        ),
        (
            json!({ "pattern": "claw", "glob": "*.md" }),
            "README.md\n1:# claw",
        ),
        (
            json!({ "pattern": "claw", "glob": "*.md", "path": "README.md" }),
            "README.md\n1:# claw",
        ),
        (json!({ "pattern": "KEY", "hidden": true }), ".env\n1:KEY=1"),
        (
            json!({ "pattern": "out", "ignored": true }),
            "target/main.o\n1:out",
        ),
        (
            json!({ "pattern": "\\{\\s+run", "multiline": true }),
            "src/main.rs\n3:fn main() {\n4:    run(1);",
        ),
    ] {
        assert_eq!(
            called(&tool, &args).await,
            ToolResult::text(answer),
            "grep {args}"
        );
    }
}

#[tokio::test]
async fn test_ch8_grep_modes_and_limits() {
    let folder = project();
    let tool = GrepTool::new(folder.path());
    for (mode, answer) in [
        ("files", "src/bin/tool.rs\nsrc/lib.rs\nsrc/main.rs"),
        ("count", "src/bin/tool.rs:1\nsrc/lib.rs:2\nsrc/main.rs:1"),
    ] {
        let args = json!({ "pattern": "fn ", "output_mode": mode });
        assert_eq!(
            called(&tool, &args).await,
            ToolResult::text(answer),
            "grep {args}"
        );
    }
    let folder = sixty_files();
    let tool = GrepTool::new(folder.path());
    for (mode, answer) in [
        (
            "content",
            "0/0/00.txt\n1:x\n3:x\n\n0/0/12.txt\n1:x\n\n[3 of 120 matches",
        ),
        (
            "files",
            "0/0/00.txt\n0/0/12.txt\n0/0/24.txt\n[3 of 60 files",
        ),
        (
            "count",
            "0/0/00.txt:2\n0/0/12.txt:2\n0/0/24.txt:2\n[3 of 60 files",
        ),
    ] {
        let args = json!({ "pattern": "x", "limit": 3, "output_mode": mode });
        let result = called(&tool, &args).await;
        assert!(
            result.is_truncated && result.content.starts_with(answer),
            "grep {args}: the first three in path order are shown, whichever file was searched first: {}",
            result.content
        );
    }
}

#[tokio::test]
async fn test_ch8_grep_finds_nothing() {
    let folder = project();
    let tool = GrepTool::new(folder.path());
    let none = called(&tool, &json!({ "pattern": "klingon", "path": "src" })).await;
    assert!(
        !none.content.starts_with("error: ")
            && none.content.contains("3 of 3 files")
            && none.content.contains("`src`"),
        "that nothing matches is an answer, and it says how much was searched: {}",
        none.content
    );
    let none = called(
        &tool,
        &json!({ "pattern": "fn", "glob": "src/*.py", "type": "py" }),
    )
    .await;
    assert!(
        ["no file", "`src/*.py`", "`py`"]
            .iter()
            .all(|piece| none.content.contains(piece)),
        "that no file was searched is another answer, and it says which were meant: {}",
        none.content
    );
    let none = called(&tool, &json!({ "pattern": "x", "path": "picture.png" })).await;
    assert!(
        none.content.contains("binary"),
        "a file that is not text was not searched, and the model should know: {}",
        none.content
    );
}

#[tokio::test]
async fn test_ch8_grep_bad_calls() {
    let folder = project();
    let tool = GrepTool::new(folder.path());
    for (args, says) in [
        (json!({ "pattern": "main(" }), "`\\(`"),
        (json!({ "pattern": "" }), "empty"),
        (json!({ "pattern": "a", "type": "rs" }), "there is `rust`"),
        (json!({ "pattern": "a", "glob": "*.{rs" }), "unclosed"),
        (
            json!({ "pattern": "a", "path": "nowhere" }),
            "there is no `nowhere`",
        ),
        (json!({ "pattern": "a", "path": "/etc" }), "absolute"),
        (
            json!({ "pattern": "a", "output_mode": "lines" }),
            "\"content\" or \"files\" or \"count\"",
        ),
        (json!({ "pattern": "a", "limit": 0 }), "at least 1"),
        (json!({ "pattern": "a", "context": -1 }), "at least 0"),
        (json!({ "pattern": "a", "context": 1.5 }), "must be integer"),
        (json!({ "query": "a" }), "`pattern` is required"),
    ] {
        let result = called(&tool, &args).await;
        assert!(
            result.content.starts_with("error: ") && result.content.contains(says),
            "grep {args} should be an error that says {says:?}; the content is {:?}",
            result.content
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn test_ch8_grep_gives_one_answer() {
    let folder = sixty_files();
    let tool = GrepTool::new(folder.path());
    let args = json!({ "pattern": "x", "limit": 25, "context": 1 });
    let first = called(&tool, &args).await;
    assert!(
        first.content.contains("0/1/04.txt") && first.content.contains("[25 of 120 matches"),
        "all 60 files are searched, and the first in path order shown: {}",
        first.content
    );
    for _ in 0..8 {
        let again = called(&tool, &args).await;
        assert_eq!(
            again, first,
            "the same call gives the same answer, byte for byte"
        );
    }
}

#[test]
fn test_ch8_grep_stops_when_it_is_dropped() {
    // Far more than can be searched in the time given: many names for one file, and a
    // pattern without a letter to look for, which is slow where letters are not ASCII.
    let text = "Wäre es nicht schön, fände man hier etwas?\n".repeat(25_000);
    let folder = Folder::new(&[("0", &text)]);
    for number in 1..200 {
        let name = folder.path().join(number.to_string());
        if std::fs::hard_link(folder.path().join("0"), name).is_err() {
            return; // This file system has one name a file.
        }
    }
    let tool = GrepTool::new(folder.path());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let mut call = Box::pin(tool.call(json!({ "pattern": "\\b.{9}\\b.[0-9]" })));
        let first = std::future::poll_fn(|context| {
            std::task::Poll::Ready(call.as_mut().poll(context).is_ready())
        });
        assert!(
            !first.await,
            "so much is not searched at once, and not on this thread"
        );
    });
    let begun = Instant::now();
    // Waits for the threads that search, but not for ever.
    runtime.shutdown_timeout(Duration::from_secs(2));
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "the call was dropped, and 2 seconds later its threads still search for an answer that nobody waits for"
    );
}

// What the tests above are made of.

/// A small project with something of everything in it.
fn project() -> Folder {
    Folder::new(&[
        (".git/HEAD", "fn git\n"),
        (".gitignore", "target\n"),
        (".env", "KEY=1\n"),
        ("Cargo.toml", "[package]\nname = \"claw\"\n"),
        ("README.md", "# claw\n"),
        ("picture.png", "x\0\n"),
        ("src/bin/tool.rs", "fn main() {}\n"),
        ("src/lib.rs", "fn one() {}\nfn two() {}\n"),
        ("src/main.rs", "use x;\n\nfn main() {\n    run(1);\n}\n"),
        ("target/main.o", "out\n"),
    ])
}

/// Sixty files in twelve folders, with two lines in each that have an `x` in them.
fn sixty_files() -> Folder {
    let names: Vec<String> = (0..60)
        .map(|n| format!("{}/{}/{n:02}.txt", n % 4, n % 3))
        .collect();
    let files: Vec<(&str, &str)> = names
        .iter()
        .map(|name| (name.as_str(), "x\ny\nx\n"))
        .collect();
    Folder::new(&files)
}

/// What comes of a call on the whole road of chapter 3.
async fn called(tool: &dyn Tool, args: &Value) -> ToolResult {
    run(tool, args).await
}

#[track_caller]
fn described(definition: &ToolDefinition, names: &[&str]) {
    let properties = definition.parameters["properties"]
        .as_object()
        .expect("the parameters are an object schema with properties");
    assert_eq!(
        properties
            .keys()
            .map(String::as_str)
            .collect::<BTreeSet<_>>(),
        names.iter().copied().collect(),
        "the parameters of {}",
        definition.name
    );
    for (name, schema) in properties {
        assert!(
            schema["description"]
                .as_str()
                .is_some_and(|words| words.len() > 10),
            "`{name}` is described to the model"
        );
    }
}

#[track_caller]
fn compiled(args: &Value) -> RegexMatcher {
    compile(&Query::from_args(args))
        .unwrap_or_else(|message| panic!("{args} can be searched for: {message}"))
}

#[track_caller]
fn no_pattern(args: &Value) -> String {
    match compile(&Query::from_args(args)) {
        Err(message) => message,
        Ok(_) => panic!("{args} should be refused"),
    }
}

#[track_caller]
fn filter(glob: &str) -> Filter {
    Filter::new(Path::new("/folder"), Some(glob), None)
        .unwrap_or_else(|message| panic!("`{glob}` is a glob: {message}"))
}

#[track_caller]
fn walked(folder: &Folder, scope: Scope) -> Vec<String> {
    let tree = Tree::open(folder.path(), &scope)
        .unwrap_or_else(|message| panic!("{scope:?} can be searched: {message}"));
    visited(&tree)
}

/// The paths of the files that a walk visits, sorted.
#[track_caller]
fn visited(tree: &Tree) -> Vec<String> {
    let found = Mutex::new(Vec::new());
    tree.visit(&CancellationToken::new(), || {
        |file| {
            let name = match file {
                Ok(path) => tree.relative(path).display().to_string().replace('\\', "/"),
                Err(reason) => reason,
            };
            found.lock().expect("no panic").push(name);
        }
    });
    let mut found = found.into_inner().expect("no panic");
    found.sort();
    found
}

fn paths(kept: &Kept) -> Vec<String> {
    let paths = kept.files.keys();
    paths
        .map(|path| path.display().to_string().replace('\\', "/"))
        .collect()
}

fn line(text: &str) -> Line {
    Line {
        text: text.to_string(),
        is_match: true,
    }
}

/// So many matches, a line each.
fn hits(matches: usize) -> Hits {
    let lines = (1..=matches).map(|number| line(&format!("{number}:x")));
    Hits {
        matches,
        lines: lines.collect(),
        is_binary: false,
    }
}

fn hits_without_lines(matches: usize) -> Hits {
    Hits {
        matches,
        ..Hits::default()
    }
}

/// Puts a file into the answer; a line with a `:` is a match.
fn put(kept: &mut Kept, path: &str, lines: &[&str]) {
    let lines: Vec<Line> = lines
        .iter()
        .map(|text| Line {
            text: text.to_string(),
            is_match: text.contains(':'),
        })
        .collect();
    let matches = lines.iter().filter(|line| line.is_match).count();
    kept.files.insert(
        path.into(),
        Hits {
            matches,
            lines,
            is_binary: false,
        },
    );
    kept.tally.files += 1;
    kept.tally.matches += matches;
}

/// A matcher made without the code of 8.1.
#[track_caller]
fn matcher(pattern: &str) -> RegexMatcher {
    let mut builder = RegexMatcherBuilder::new();
    builder.multi_line(true).crlf(true);
    builder.build(pattern).expect("a pattern")
}

/// What is found in a file with this text.
#[track_caller]
fn found(text: &str, pattern: &str, shape: &Shape) -> Hits {
    let folder = Folder::new(&[("f", text)]);
    let (matcher, query, stop) = (matcher(pattern), Query::default(), CancellationToken::new());
    let mut search = Search::new(&matcher, &query, shape, &stop);
    let found = search.file(&folder.path().join("f"), true);
    found.expect("it can be read")
}

/// A folder of its own for one test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    /// With these files in it, and the folders that hold them.
    fn new(files: &[(&str, &str)]) -> Self {
        let path = std::env::temp_dir().join(format!("claw-ch8-{}", uuid::Uuid::new_v4()));
        std::fs::create_dir_all(&path).expect("a new folder among the temporary files");
        for (file, text) in files {
            let file = path.join(file);
            let above = file.parent().expect("it lies in the new folder");
            std::fs::create_dir_all(above).expect("a new folder");
            std::fs::write(file, text).expect("a new file");
        }
        Self(path)
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Makes a symbolic link, and says whether it could.
fn link(to: &str, at: &Path) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::symlink(to, at).is_ok();
    #[cfg(windows)]
    return std::os::windows::fs::symlink_dir(to, at).is_ok();
    #[cfg(not(any(unix, windows)))]
    return false;
}
