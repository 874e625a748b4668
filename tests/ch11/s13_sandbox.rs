//! Section 11.13: The sandbox

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};

use claw_code::safety::*;

use super::support::system_level;
use crate::support::TempFolder;

/// Does the work in a sandbox that may write in the folder; `None` if this system has none.
fn sandboxed<T: Send>(folder: &TempFolder, work: impl FnOnce() -> T + Send) -> Option<T> {
    let done = Sandbox::new([folder.canonical()]).run(work);
    match done {
        Ok((_, result)) => Some(result),
        Err(error) => {
            assert_eq!(
                system_level(),
                SandboxLevel::None,
                "this system has a sandbox, so the work must be done: {error}"
            );
            eprintln!("this system has no sandbox, so nothing ran in one: {error}");
            None
        }
    }
}

#[test]
fn test_ch11_sandbox_allows_writing_in_its_folders() {
    let folder = TempFolder::new();
    let file = folder.canonical().join("file");
    let new = folder.canonical().join("new");
    let write = || {
        fs::write(&file, "old")?;
        fs::write(&file, "text")?;
        fs::create_dir(&new)?;
        fs::rename(&file, new.join("file"))?;
        fs::copy(new.join("file"), &file)?;
        fs::remove_dir_all(&new)
    };
    if let Some(written) = sandboxed(&folder, write) {
        assert!(
            written.is_ok(),
            "all kinds of writing are allowed in the folder: {written:?}"
        );
        assert_eq!(folder.read("file"), "text");
    }
}

#[test]
fn test_ch11_sandbox_forbids_writing_elsewhere() {
    let folder = TempFolder::new();
    let outside = TempFolder::with_files(&[("old", "text")]);
    let new = outside.path().join("new");
    let old = outside.path().join("old");
    let written = sandboxed(&folder, || {
        let attempts = [
            fs::write(&new, ""),
            fs::write(&old, ""),
            fs::remove_file(&old),
        ];
        attempts.map(|it| it.is_ok())
    });
    assert!(
        written.is_none_or(|it| it == [false; 3]),
        "created, changed, removed: {written:?}"
    );
    assert_eq!(outside.read("old"), "text", "nothing has changed");
}

#[test]
fn test_ch11_sandbox_allows_reading() {
    let outside = TempFolder::with_files(&[("file", "text")]);
    let file = outside.path().join("file");
    let read = sandboxed(&TempFolder::new(), || fs::read_to_string(&file).ok());
    assert!(
        read.is_none_or(|it| it.as_deref() == Some("text")),
        "reading is free"
    );
}

#[test]
fn test_ch11_processes_stay_in_the_sandbox() {
    let outside = TempFolder::new();
    let script = format!("sh -c 'echo x > {}/file'", outside.path().display());
    let run = || Command::new("sh").args(["-c", &script]).output();
    let output = sandboxed(&TempFolder::new(), run);
    if let Some(output) = output {
        let output = output.expect("the shell runs");
        assert!(!output.status.success(), "a child of a child: {output:?}");
        assert!(!outside.path().join("file").exists(), "nothing was written");
    }
}

#[test]
fn test_ch11_sandbox_allows_the_null_device() {
    let written = sandboxed(&TempFolder::new(), || fs::write("/dev/null", "x"));
    assert!(
        written.is_none_or(|it| it.is_ok()),
        "`> /dev/null` is common"
    );
}

#[test]
fn test_ch11_sandbox_forbids_tcp_where_the_system_can() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let used = sandboxed(&TempFolder::new(), || {
        let connected = TcpStream::connect(address).is_ok();
        [connected, TcpListener::bind("127.0.0.1:0").is_ok()]
    });
    let level = system_level();
    if level == SandboxLevel::FilesAndNetwork {
        assert_eq!(
            used,
            Some([false; 2]),
            "TCP is forbidden: connected, listened"
        );
    }
    assert_eq!(Sandbox::level(), level, "the level of this system");
}

#[cfg(target_os = "linux")]
#[test]
fn test_ch11_sandbox_forbids_signals_where_the_system_can() {
    use landlock::{CompatLevel, Compatible, Ruleset, RulesetAttr, Scope};
    let mut outside = Command::new("cat")
        .stdin(Stdio::piped())
        .spawn()
        .expect("every Unix has `cat`");
    let script = format!("kill -0 {}", outside.id());
    let run = || Command::new("sh").args(["-c", &script]).output();
    let signaled = sandboxed(&TempFolder::new(), run);
    let required = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    let can_forbid = required.scope(Scope::Signal).and_then(|it| it.create());
    drop(outside.stdin.take());
    outside.wait().expect("`cat` ends with its input");
    if let (Some(output), Ok(_)) = (signaled, can_forbid) {
        let output = output.expect("the shell runs");
        assert!(
            !output.status.success(),
            "`{script}` reaches a process outside of the sandbox"
        );
    }
}

#[test]
fn test_ch11_calling_thread_is_not_restricted() {
    let outside = TempFolder::new();
    sandboxed(&TempFolder::new(), || ());
    outside.write("file", "x");
    assert_eq!(
        outside.read("file"),
        "x",
        "only the sandbox's own thread is restricted"
    );
}

#[test]
fn test_ch11_sandbox_with_a_missing_folder_does_no_work() {
    let missing = TempFolder::new().path().join("missing");
    let mut has_run = false;
    let done = Sandbox::new([missing]).run(|| has_run = true);
    assert!(done.is_err(), "the folder can't be opened");
    assert!(!has_run, "the work was not done");
}
