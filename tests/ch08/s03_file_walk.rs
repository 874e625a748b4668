//! Section 8.3: The parallel file walk

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use claw_code::tools::search::*;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::support::*;

#[test]
fn test_ch8_walk_skips_hidden_and_ignored_files() {
    assert_eq!(
        walked(&folder_with_ignore_rules(), json!({})),
        ["keep.tmp", "local", "src/main.rs"],
        "without hidden files, and without what .gitignore, .ignore, .rgignore and .git/info/exclude exclude"
    );
}

#[test]
fn test_ch8_walk_includes_hidden_files_on_request() {
    assert_eq!(
        walked(&folder_with_ignore_rules(), json!({ "hidden": true })),
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
        "with hidden files, but never with the files in .git"
    );
}

#[test]
fn test_ch8_walk_includes_ignored_files_on_request() {
    assert_eq!(
        walked(&folder_with_ignore_rules(), json!({ "ignored": true })),
        [
            "a.tmp",
            "by-exclude",
            "by-ignore",
            "by-rgignore",
            "keep.tmp",
            "local",
            "made/out",
            "src/local",
            "src/main.rs"
        ],
        "with ignored files, but without hidden ones"
    );
    let everything = json!({ "ignored": true, "hidden": true });
    assert_eq!(
        walked(&folder_with_ignore_rules(), everything).len(),
        15,
        "with both flags, all files except those in .git"
    );
}

#[test]
fn test_ch8_filter_brings_no_file_back() {
    let folder = TempFolder::with_files(&[
        (".git/HEAD", ""),
        (".gitignore", "target\n"),
        ("target/debug/out.rs", ""),
        (".hidden.rs", ""),
        ("src/main.rs", ""),
        ("src/note.md", ""),
    ]);
    let (sources, all) = (&["src/main.rs"][..], &["src/main.rs", "src/note.md"][..]);
    for (args, expected) in [
        (json!({ "glob": "**/*" }), all),
        (json!({ "glob": "*" }), all),
        (json!({ "glob": "*.rs" }), sources),
        (json!({ "glob": "**/*.rs" }), sources),
        (json!({ "type": "rust" }), sources),
        (
            json!({ "glob": "*.rs", "hidden": true }),
            &[".hidden.rs", "src/main.rs"],
        ),
    ] {
        assert_eq!(
            walked(&folder, args.clone()),
            expected,
            "a filter only excludes: {args} brings no hidden or ignored file back"
        );
    }
}

#[test]
fn test_ch8_walk_starts_at_the_path() {
    let files = ["src/a/x.rs", "src/b.rs", "x.rs", ".env"];
    let folder = TempFolder::with_files(&files.map(|file| (file, "")));
    for (rule, args, expected) in [
        (
            "paths are relative to the root folder, wherever the walk starts",
            json!({ "path": "src" }),
            &["src/a/x.rs", "src/b.rs"] as &[&str],
        ),
        (
            "globs are relative to the path",
            json!({ "path": "src", "glob": "a/*.rs" }),
            &["src/a/x.rs"],
        ),
        (
            "globs are relative to the folder that the path leads to",
            json!({ "path": "./src/../src", "glob": "a/*.rs" }),
            &["src/a/x.rs"],
        ),
        (
            "the path may be a file",
            json!({ "path": "x.rs" }),
            &["x.rs"],
        ),
        (
            "a file given as the path is searched, even if the glob excludes it",
            json!({ "path": ".env", "glob": "*.md" }),
            &[".env"],
        ),
    ] {
        assert_eq!(walked(&folder, args.clone()), expected, "{rule}: {args}");
    }
}

#[test]
fn test_ch8_bad_scope_is_an_error_before_the_walk() {
    let folder = TempFolder::with_files(&[("x.rs", "")]);
    for (rule, args, part) in [
        (
            "the path must exist",
            json!({ "path": "nothing" }),
            "there is no `nothing`",
        ),
        (
            "the path must stay in the root folder",
            json!({ "path": ".." }),
            "leads out",
        ),
        (
            "the path must be relative",
            json!({ "path": "/" }),
            "absolute",
        ),
        (
            "the glob must be valid",
            json!({ "glob": "{" }),
            "the glob is invalid",
        ),
        (
            "the glob must be valid, even if the path is a file",
            json!({ "path": "x.rs", "glob": "{" }),
            "the glob is invalid",
        ),
        (
            "the type must be known, even if the path is a file",
            json!({ "path": "x.rs", "type": "klingon" }),
            "there is no file type",
        ),
    ] {
        let message = FileWalk::new(folder.path(), &Scope::from_args(&args)).err();
        let message = message.unwrap_or_else(|| panic!("{rule}: {args} should be an error"));
        assert!(
            message.contains(part),
            "{rule}: the message about {args} should contain {part:?}; it is: {message}"
        );
    }
}

#[cfg(unix)]
#[test]
fn test_ch8_socket_is_neither_file_nor_folder() {
    let folder = TempFolder::new();
    let socket = std::os::unix::net::UnixListener::bind(folder.path().join("s"));
    let _socket = socket.expect("a socket can be made here");
    let scope = Scope::from_args(&json!({ "path": "s" }));
    let message = FileWalk::new(folder.path(), &scope).err();
    assert!(
        message.as_ref().is_some_and(|it| it.contains("`s`")),
        "a walk that starts at a socket should be an error that names it: {message:?}"
    );
}

#[test]
fn test_ch8_walk_reports_a_path_that_cannot_be_read() {
    let folder = TempFolder::with_files(&[("src/x.rs", "")]);
    let walk = walk(folder.path(), json!({ "path": "src" }));
    std::fs::remove_dir_all(folder.path().join("src")).expect("it can be removed");
    let reasons = visited(&walk);
    assert!(
        reasons.len() == 1 && reasons[0].starts_with("src: "),
        "the visitor should get one reason that begins with the path as results show it: {reasons:?}"
    );
}

#[test]
fn test_ch8_walk_continues_after_an_error() {
    let folder = TempFolder::with_files(&[(".ignore", "{\n"), ("src/x.rs", "")]);
    let found = visited(&walk(folder.path(), json!({ "path": "src" })));
    assert!(
        found.len() == 2 && found[1] == "src/x.rs",
        "the visitor should get the reason why `.ignore` could not be read, and then the file `src/x.rs`: after an error, the walk continues; it got {found:?}"
    );
}

#[test]
fn test_ch8_walk_does_not_follow_links() {
    let folder = linked_folder();
    let root = folder.path().join("root");
    let _ = link("../outside", &root.join("away"))
        && link("src", &root.join("near"))
        && link(".", &root.join("round"))
        && link("../outside/secret.rs", &root.join("file.rs"));
    assert_eq!(
        visited(&walk(&root, json!({}))),
        ["src/a.rs"],
        "the walk follows no link: it stays in the root folder and visits no file twice"
    );
}

#[test]
fn test_ch8_walk_may_start_at_a_link() {
    let folder = linked_folder();
    let root = folder.path().join("root");
    if link("src", &root.join("near")) {
        assert_eq!(
            visited(&walk(&root, json!({ "path": "near" }))),
            ["src/a.rs"],
            "the path may be a link inside the root folder; shown paths contain no links"
        );
    }
    let linked = folder.path().join("linked");
    if link("root", &linked) {
        assert_eq!(
            visited(&walk(&linked, json!({}))),
            ["src/a.rs"],
            "the root folder may be a link; shown paths are relative to its target"
        );
    }
}

#[test]
fn test_ch8_cancelled_walk_visits_no_more_files() {
    let folder = TempFolder::new();
    for number in 0..200 {
        folder.write(&format!("{}/{number}", number % 10), "");
    }
    let walk = walk(folder.path(), json!({}));
    let stop = CancellationToken::new();
    let (threads, visits) = count_cancelling_visits(&walk, &stop);
    assert!(
        visits >= 1 && visits <= threads,
        "the first visit cancels, and each thread visits no other file: of 200 files, {visits} were visited by {threads} threads"
    );
    let (_, visits) = count_cancelling_visits(&walk, &stop);
    assert_eq!(visits, 0, "a walk that starts cancelled visits no file");
    let folder = TempFolder::with_files(&[(".ignore", "{\n"), ("src/x.rs", "")]);
    let walk = self::walk(folder.path(), json!({ "path": "src" }));
    let (_, visits) = count_cancelling_visits(&walk, &stop);
    assert_eq!(
        visits, 0,
        "a walk that starts cancelled reports no error: the visitor gets no call at all"
    );
}

#[test]
fn test_ch8_walk_visits_each_file_once() {
    let folder = TempFolder::with_files(&[("a/1", ""), ("b/2", ""), ("c/3", "")]);
    let visits = Mutex::new(Vec::new());
    walk(folder.path(), json!({})).visit(&CancellationToken::new(), || {
        |file| {
            let path = file.expect("the file can be read").to_path_buf();
            visits.lock().expect("no panic").push(path);
        }
    });
    let visits = visits.into_inner().expect("no panic");
    assert_eq!(visits.len(), 3, "three files, three visits: {visits:?}");
    assert!(
        visits.iter().all(|path| path.is_absolute()),
        "visitors get absolute paths, which can be opened: {visits:?}"
    );
}

#[test]
fn test_ch8_walk_makes_a_visitor_per_thread() {
    let folder = TempFolder::with_files(&[("a/1", ""), ("b/2", ""), ("c/3", "")]);
    let visitors = AtomicUsize::new(0);
    walk(folder.path(), json!({})).visit(&CancellationToken::new(), || {
        visitors.fetch_add(1, Ordering::SeqCst);
        |_| {}
    });
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    assert!(
        cores == 1 || visitors.load(Ordering::SeqCst) > 1,
        "each thread should get its own visitor, and this machine has {cores} cores; visitors made: {visitors:?}"
    );
}

fn folder_with_ignore_rules() -> TempFolder {
    TempFolder::with_files(&[
        (".git/config", ""),
        ("src/.git/config", ""),
        ("lib/.git", ""),
        (".gitignore", "made/\n*.tmp\n!keep.tmp\n"),
        (".ignore", "by-ignore\n"),
        (".rgignore", "by-rgignore\n"),
        (".git/info/exclude", "by-exclude\n"),
        ("by-exclude", ""),
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
    ])
}

/// A root folder with one file, and a folder beside it.
fn linked_folder() -> TempFolder {
    TempFolder::with_files(&[("root/src/a.rs", ""), ("outside/secret.rs", "")])
}

/// The walk over the files that these arguments select.
#[track_caller]
fn walk(root: &Path, args: Value) -> FileWalk {
    FileWalk::new(root, &Scope::from_args(&args))
        .unwrap_or_else(|message| panic!("{args} is a valid scope, but: {message}"))
}

#[track_caller]
fn walked(folder: &TempFolder, args: Value) -> Vec<String> {
    visited(&walk(folder.path(), args))
}

/// The paths that the walk shows for the files it visits, and its error messages, sorted.
#[track_caller]
fn visited(walk: &FileWalk) -> Vec<String> {
    let found = Mutex::new(Vec::new());
    walk.visit(&CancellationToken::new(), || {
        |file| {
            let name = match file {
                Ok(path) => walk.relative(path).display().to_string().replace('\\', "/"),
                Err(reason) => reason,
            };
            found.lock().expect("no panic").push(name);
        }
    });
    let mut found = found.into_inner().expect("no panic");
    found.sort();
    found
}

/// Cancels the walk at its first visit. Returns how many threads and visits there were.
fn count_cancelling_visits(walk: &FileWalk, stop: &CancellationToken) -> (usize, usize) {
    let (threads, visits) = (AtomicUsize::new(0), AtomicUsize::new(0));
    walk.visit(stop, || {
        threads.fetch_add(1, Ordering::SeqCst);
        |_| {
            visits.fetch_add(1, Ordering::SeqCst);
            stop.cancel();
        }
    });
    (threads.into_inner(), visits.into_inner())
}

/// Creates a symbolic link. Returns whether the system allows it.
fn link(target: &str, at: &Path) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::symlink(target, at).is_ok();
    #[cfg(windows)]
    return std::os::windows::fs::symlink_dir(target, at).is_ok();
    #[cfg(not(any(unix, windows)))]
    return false;
}
