//! Section 6.2: Read a regular file

use std::fs;
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Duration;

use claw_code::tools::*;

use super::support::*;

#[test]
fn test_ch6_load_returns_the_bytes() {
    let folder = TempFolder::new();
    for bytes in [&b""[..], b"two\r\nlines", &[0, 0xff, 0xfe, b'\n']] {
        folder.write("a.bin", bytes);
        assert_eq!(
            load_file(&folder.path().join("a.bin"), "a.bin").expect("a regular file"),
            bytes,
            "load_file returns the bytes on disk, and decodes nothing"
        );
    }
}

#[test]
fn test_ch6_load_fails_for_missing_files() {
    let folder = TempFolder::new();
    match load_file(&folder.path().join("gone"), "gone") {
        Err(FileError::Failed(error)) => {
            assert_contains(
                "a missing file",
                &error.to_string(),
                &["cannot open `gone`"],
            );
        }
        other => panic!("a file that can't be opened should be Failed, got {other:?}"),
    }
}

#[test]
fn test_ch6_load_refuses_folders() {
    let folder = TempFolder::with_files(&[("src/main.rs", "")]);
    let loaded = load_file(&folder.path().join("src"), "src");
    assert_refused("a folder", loaded, &["`src` is a folder", "`list`"]);
}

#[test]
fn test_ch6_load_refuses_special_files_without_waiting() {
    let folder = TempFolder::with_files(&[("plain", "")]);
    load_file(&folder.path().join("plain"), "plain").expect("a regular file is loaded");
    for (kind, path) in special_files(&folder) {
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || sender.send(load_file(&path, "odd")));
        let Ok(loaded) = receiver.recv_timeout(Duration::from_secs(5)) else {
            panic!(
                "load_file still waits for {kind} after 5 seconds. Check the type before you open the file"
            );
        };
        assert_refused(kind, loaded, &["`odd`", kind]);
    }
}

/// The kinds of special files that this system has, and where one of each is.
fn special_files(folder: &TempFolder) -> Vec<(&'static str, PathBuf)> {
    let mut files = Vec::new();
    #[cfg(unix)]
    {
        let socket = folder.path().join("socket");
        if std::os::unix::net::UnixListener::bind(&socket).is_ok() {
            files.push(("a socket", socket));
        }
        files.push(("a device", "/dev/zero".into()));
        let pipe = folder.path().join("pipe");
        let status = std::process::Command::new("mkfifo").arg(&pipe).status();
        if status.is_ok_and(|status| status.success()) {
            files.push(("a pipe", pipe));
        }
    }
    let _ = folder;
    files
}

#[cfg(unix)]
#[test]
fn test_ch6_load_follows_no_link() {
    let folder = TempFolder::with_files(&[("a.txt", "text")]);
    let path = folder.path().join("link");
    if !symlink("a.txt", &path) {
        return; // This file system has no links.
    }
    let rule = "a link that has replaced the file can't be opened: use `open_nonblocking`";
    match load_file(&path, "link") {
        Err(FileError::Failed(error)) => {
            assert_contains(rule, &error.to_string(), &["cannot read `link`"]);
        }
        other => panic!("{rule}; expected Failed, got {other:?}"),
    }
}

#[test]
fn test_ch6_load_limits_the_size() {
    assert_eq!(
        MAX_FILE_BYTES,
        10 * 1024 * 1024,
        "the limit is given, and stays as it is"
    );
    let folder = TempFolder::new();
    let path = folder.path().join("big.log");
    let file = fs::File::create(&path).expect("a new file");
    file.set_len(MAX_FILE_BYTES as u64).expect("a large file");
    let loaded = load_file(&path, "big.log").map(|bytes| bytes.len());
    assert_eq!(
        loaded.ok(),
        Some(MAX_FILE_BYTES),
        "a file of exactly {MAX_FILE_BYTES} bytes is loaded"
    );
    for (rule, size) in [
        ("one byte more", "10485761"),
        ("1000 bytes more", "10486760"),
    ] {
        file.set_len(size.parse().expect("a number"))
            .expect("a larger file");
        let loaded = load_file(&path, "big.log").map(|bytes| bytes.len());
        let parts = ["`big.log`", &format!("{size} bytes"), "`grep`"];
        assert_refused(rule, loaded, &parts);
    }
}
