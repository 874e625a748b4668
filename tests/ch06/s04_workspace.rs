//! Section 6.4: Remember what was read

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use claw_code::tools::*;

use super::support::*;

#[test]
fn test_ch6_fingerprints_identify_content() {
    let fingerprint = Fingerprint::of(b"let x = 1;");
    assert_eq!(
        fingerprint,
        Fingerprint::of(b"let x = 1;"),
        "equal bytes have equal fingerprints"
    );
    for other in [
        &b"let x = 2;"[..],
        b"",
        b"let x = 1; ",
        b"let  x= 1;",
        b"1 = x tel;",
    ] {
        assert_ne!(
            fingerprint,
            Fingerprint::of(other),
            "other bytes, even of the same length, have another fingerprint: {:?}",
            String::from_utf8_lossy(other)
        );
    }
}

#[test]
fn test_ch6_fingerprints_read_all_pieces() {
    let text = "let x = 1;\n".repeat(1_000);
    for piece_bytes in [1, 7, 8192, 65536] {
        let reader = BufReader::with_capacity(piece_bytes, text.as_bytes());
        let fingerprint = Fingerprint::of_reader(reader).expect("a slice can be read");
        assert_eq!(
            fingerprint,
            Fingerprint::of(text.as_bytes()),
            "bytes that come in pieces of {piece_bytes} have the fingerprint of the whole"
        );
    }
}

#[test]
fn test_ch6_a_fingerprint_needs_all_bytes() {
    let folder = TempFolder::new();
    let write_only = File::create(folder.path().join("a.txt")).expect("can be created");
    let fingerprint = Fingerprint::of_reader(BufReader::new(write_only));
    assert!(
        fingerprint.is_err(),
        "a file that can't be read has no fingerprint, got {fingerprint:?}"
    );
}

#[test]
fn test_ch6_check_refuses_unread_and_changed_files() {
    let workspace = Workspace::new("/somewhere");
    assert_eq!(workspace.root(), Path::new("/somewhere"));
    let (a, b) = (
        Path::new("/somewhere/a.txt"),
        Path::new("/somewhere/b/a.txt"),
    );
    for rule in ["an unread file", "an unread file that was checked before"] {
        let checked = workspace.check(a, "a.txt", b"one");
        assert_error(rule, &checked, &["`a.txt`", "read it first"]);
    }
    workspace.remember(a, b"one");
    for rule in ["a changed file", "a changed file that was checked before"] {
        let checked = workspace.check(a, "a.txt", b"two");
        assert_error(rule, &checked, &["`a.txt`", "changed", "read it again"]);
    }
    let checked = workspace.check(b, "b/a.txt", b"one");
    assert_error("another file", &checked, &["`b/a.txt`", "read it first"]);
}

#[test]
fn test_ch6_clones_share_what_was_read() {
    let workspace = Workspace::new("/somewhere");
    let path = Path::new("/somewhere/a.txt");
    workspace.clone().remember(path, b"one");
    assert_eq!(
        workspace.check(path, "a.txt", b"one"),
        Ok(Fingerprint::of(b"one")),
        "a clone has remembered this content, and clones share their state"
    );
    workspace.remember(path, b"two");
    assert_eq!(
        workspace.check(path, "a.txt", b"two"),
        Ok(Fingerprint::of(b"two")),
        "the content that was remembered last counts"
    );
}

#[test]
fn test_ch6_write_lock_survives_a_panic() {
    let workspace = Workspace::new(".");
    drop(workspace.write_lock());
    let clone = workspace.clone();
    let thread = std::thread::spawn(move || {
        let _guard = clone.write_lock();
        panic!("while the lock is held");
    });
    assert!(thread.join().is_err(), "the thread panics");
    let after = std::thread::spawn(move || drop(workspace.write_lock()));
    assert!(
        after.join().is_ok(),
        "one panic must not block every later write; `lock` is given"
    );
}

#[test]
fn test_ch6_one_thread_holds_the_write_lock() {
    let workspace = Workspace::new(".");
    drop(workspace.write_lock());
    let (is_held, overlaps) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for clone in [(); 4].map(|()| workspace.clone()) {
            let (is_held, overlaps) = (&is_held, &overlaps);
            scope.spawn(move || {
                for _ in 0..500 {
                    let _guard = clone.write_lock();
                    let others = usize::from(is_held.swap(true, Ordering::SeqCst));
                    overlaps.fetch_add(others, Ordering::SeqCst);
                    std::thread::yield_now();
                    is_held.store(false, Ordering::SeqCst);
                }
            });
        }
    });
    assert_eq!(
        overlaps.into_inner(),
        0,
        "while one thread has the lock, the threads with clones of the workspace wait for it"
    );
}
