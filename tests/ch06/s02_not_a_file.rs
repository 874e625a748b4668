//! Section 6.2: What is no file

use std::fs;
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Duration;

use claw_code::tools::*;

use super::support::*;

#[test]
fn test_ch6_load_gives_the_bytes() {
    let folder = folder(&[]);
    let place = folder.path().join("a.bin");
    for bytes in [&b""[..], b"two\r\nlines", &[0, 0xff, 0xfe, b'\n']] {
        fs::write(&place, bytes).expect("a file");
        assert_eq!(
            load_file(&place, "a.bin").expect("it can be read"),
            bytes,
            "the bytes come as they are; what they mean is for others to say"
        );
    }
    match load_file(&folder.path().join("gone"), "gone") {
        Err(FileError::Failed(error)) => assert!(
            error.to_string().contains("`gone`"),
            "the error names the path as the model knows it; it says: {error:#}"
        ),
        other => panic!("what can't be opened has Failed; it came to {other:?}"),
    }
}

#[test]
fn test_ch6_load_refuses_folders() {
    let folder = folder(&[("src/main.rs", "")]);
    let message = refused(load_file(&folder.path().join("src"), "src"), "a folder");
    contains(&message, &["`src` is a folder", "`list`"]);
}

#[test]
fn test_ch6_load_never_waits() {
    let folder = folder(&[("plain", "")]);
    load_file(&folder.path().join("plain"), "plain").expect("a file is loaded");
    let mut special: Vec<(PathBuf, &str)> = Vec::new();
    #[cfg(unix)]
    {
        let socket = folder.path().join("socket");
        if std::os::unix::net::UnixListener::bind(&socket).is_ok() {
            special.push((socket, "a socket"));
        }
        special.push(("/dev/zero".into(), "a device"));
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        if made.is_ok_and(|status| status.success()) {
            special.push((pipe, "a pipe"));
        }
    }
    for (place, kind) in special {
        let (sender, answer) = mpsc::channel();
        std::thread::spawn(move || sender.send(load_file(&place, "odd")));
        let loaded = answer.recv_timeout(Duration::from_secs(5));
        let loaded = loaded.unwrap_or_else(|_| {
            panic!("after 5 seconds {kind} has not been refused: opening or reading it waits for somebody. Look at its type first")
        });
        contains(&refused(loaded, kind), &["`odd`", kind]);
    }
}

#[test]
fn test_ch6_load_knows_a_limit() {
    assert_eq!(
        MAX_FILE_BYTES,
        10 * 1024 * 1024,
        "the limit is given; leave it"
    );
    let folder = folder(&[]);
    let place = folder.path().join("big.log");
    let file = fs::File::create(&place).expect("a file");
    file.set_len(MAX_FILE_BYTES as u64).expect("a large file");
    let bytes = load_file(&place, "big.log");
    assert_eq!(
        bytes.map(|bytes| bytes.len()).ok(),
        Some(MAX_FILE_BYTES),
        "a file of just {MAX_FILE_BYTES} bytes is loaded"
    );
    file.set_len(MAX_FILE_BYTES as u64 + 1)
        .expect("a larger file");
    let message = refused(load_file(&place, "big.log"), "a file of one byte more");
    contains(&message, &["`big.log`", "10485761 bytes", "`grep`"]);
}
