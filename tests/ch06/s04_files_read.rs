//! Section 6.4: What was read

use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

use claw_code::tools::*;

use super::support::*;

#[test]
fn test_ch6_fingerprints() {
    let print = Fingerprint::of(b"let x = 1;");
    assert_eq!(
        print,
        Fingerprint::of(b"let x = 1;"),
        "same bytes, same print"
    );
    for other in [
        &b"let x = 2;"[..],
        b"",
        b"let x = 1; ",
        b"let  x= 1;",
        b"1 = x tel;",
    ] {
        assert_ne!(
            print,
            Fingerprint::of(other),
            "other bytes have another print, even if there are as many: {:?}",
            String::from_utf8_lossy(other)
        );
    }
}

#[test]
fn test_ch6_workspace_knows_what_was_read() {
    let workspace = Workspace::new("/somewhere");
    assert_eq!(workspace.root(), Path::new("/somewhere"));
    let (a, b) = (Path::new("/somewhere/a.txt"), Path::new("/somewhere/b.txt"));
    let unread = workspace.check(a, "a.txt", b"one");
    says(&unread, "a.txt", &["`a.txt`", "read it first"]);
    let copy = workspace.clone();
    copy.saw(a, b"one");
    assert_eq!(
        workspace.check(a, "a.txt", b"one"),
        Ok(()),
        "a copy of the workspace has seen it, and copies share what they know"
    );
    says(
        &workspace.check(a, "a.txt", b"two"),
        "a.txt",
        &["`a.txt`", "changed", "read it again"],
    );
    says(
        &workspace.check(b, "b.txt", b"one"),
        "b.txt",
        &["`b.txt`", "read it first"],
    );
    workspace.saw(a, b"two");
    assert_eq!(
        workspace.check(a, "a.txt", b"two"),
        Ok(()),
        "what was seen last counts"
    );
}

#[test]
fn test_ch6_one_turn_at_a_time() {
    let workspace = Workspace::new(".");
    let turn = workspace.turn();
    let copy = workspace.clone();
    let (sender, answer) = mpsc::channel();
    std::thread::spawn(move || {
        let _turn = copy.turn();
        let _ = sender.send(());
    });
    assert!(
        answer.recv_timeout(Duration::from_millis(20)).is_err(),
        "while one has the turn, another, even by a copy of the workspace, waits"
    );
    drop(turn);
    assert!(
        answer.recv_timeout(Duration::from_secs(5)).is_ok(),
        "once the turn is given back, the other gets it"
    );
}
