//! Section 8.4: The walk

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use claw_code::tools::search::*;
use tokio_util::sync::CancellationToken;

use super::support::*;

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

/// Makes a symbolic link, and says whether it could.
fn link(to: &str, at: &Path) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::symlink(to, at).is_ok();
    #[cfg(windows)]
    return std::os::windows::fs::symlink_dir(to, at).is_ok();
    #[cfg(not(any(unix, windows)))]
    return false;
}
