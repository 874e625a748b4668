//! Section 7.5: A command that cannot ask

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output as Captured, Stdio};
use std::time::{Duration, Instant};

use claw_code::tools::shell::*;

use super::support::*;

#[test]
fn test_ch7_bash_is_found_on_the_path() {
    let folder = Folder::new();
    for name in ["none", "file", "folder", "program"] {
        std::fs::create_dir(folder.path().join(name)).expect("a new folder");
    }
    std::fs::create_dir(folder.path().join("folder/bash")).expect("a new folder");
    for (name, mode) in [("file", 0o644), ("program", 0o755)] {
        let file = folder.path().join(name).join("bash");
        std::fs::write(&file, "").expect("a new file");
        let mode = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(&file, mode).expect("it is ours");
    }
    for (names, found) in [
        (vec!["none"], "sh"),
        (vec!["none", "program"], "bash"),
        (vec!["file"], "sh"),
        (vec!["folder"], "sh"),
        (vec!["gone", "folder", "file", "program"], "bash"),
        (vec![], "sh"),
    ] {
        let folders = names.iter().map(|name| folder.path().join(name));
        let path = std::env::join_paths(folders).expect("no colon is in these");
        assert_eq!(
            find_shell(&path),
            found,
            "`none` has no bash in it, in `file` it can't be executed, in `folder` it is a folder, and `program` has one; the path is {names:?}"
        );
    }
}

#[test]
fn test_ch7_a_command_runs_in_its_folder() {
    let folder = Folder::new();
    std::fs::write(folder.path().join("here.txt"), "").expect("a new file");
    let output = captured("ls; echo \"$0\"", folder.path());
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "here.txt\nsh\n",
        "`ls` shows the folder that the command was given"
    );
    let output = captured("false || exit 3", folder.path());
    assert_eq!(
        output.status.code(),
        Some(3),
        "the text is a command of the shell, with all that belongs to its language"
    );
}

/// Runs itself once more, with a standard input that has nothing in it and does not end:
/// a command that inherits that waits for ever.
#[test]
fn test_ch7_a_command_has_nothing_to_read() {
    const INSIDE: &str = "CLAW_TEST_CH7_INSIDE";
    let folder = Folder::new();
    let mut cat = command("sh", "exec cat", folder.path());
    if std::env::var_os(INSIDE).is_some() {
        let mut child = cat.spawn().expect("there is a shell on every Unix");
        let until = Instant::now() + PATIENCE / 4;
        let mut status = None;
        while status.is_none() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
            status = child.try_wait().expect("it is a child of ours");
        }
        let _ = child.kill();
        let _ = child.wait();
        let status = status.expect("the command waits for somebody to type");
        assert!(status.success(), "`cat` finds the end of its input");
        return;
    }
    let name = concat!(module_path!(), "::test_ch7_a_command_has_nothing_to_read");
    let (_, name) = name.split_once("::").expect("the crate comes first");
    let mut inside = Command::new(std::env::current_exe().expect("this program has a file"))
        .args(["--exact", name])
        .env(INSIDE, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("this program can be started");
    let open = inside.stdin.take();
    let output = inside.wait_with_output().expect("it ends");
    drop(open);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        said.contains("1 passed"),
        "`cat` must find the end of its input at once, and not wait for what somebody types to the agent"
    );
}

#[test]
fn test_ch7_a_command_is_a_group_of_its_own() {
    let folder = Folder::new();
    let output = captured("kill -0 -$$ && echo leader", folder.path());
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "leader\n",
        "a group with the shell's own number exists, so the shell leads it; otherwise a kill of the group would reach the agent"
    );
}

#[test]
fn test_ch7_a_command_knows_that_nobody_watches() {
    let folder = Folder::new();
    let command = command("sh", "true", folder.path());
    let set: BTreeMap<OsString, Option<OsString>> = command
        .get_envs()
        .map(|(name, value)| (name.into(), value.map(Into::into)))
        .collect();
    for (name, value) in ENVIRONMENT {
        assert_eq!(
            set.get(&OsString::from(name)),
            Some(&Some(value.into())),
            "`{name}` is set for the command, as ENVIRONMENT says"
        );
    }
    for name in SECRETS {
        assert_eq!(
            set.get(&OsString::from(name)),
            Some(&None),
            "`{name}` is taken away from the command"
        );
    }
    let output = captured("echo \"$TERM ${HOME:+home} ${PATH:+path}\"", folder.path());
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "dumb home path\n",
        "everything else is as the agent has it"
    );
}

#[test]
fn test_ch7_a_command_is_no_option() {
    let folder = Folder::new();
    let output = captured("-x", folder.path());
    assert_eq!(
        output.status.code(),
        Some(127),
        "a text that begins with `-` is a command like any other, and this one is not found: {output:?}"
    );
}

fn captured(text: &str, folder: &Path) -> Captured {
    let output = command("sh", text, folder).output();
    output.expect("there is a shell on every Unix")
}
