//! Section 7.4: A non-interactive command

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;

use claw_code::tools::shell::*;

use super::support::*;

#[test]
fn test_ch7_bash_is_found_on_the_path() {
    let folder = CommandFolder::new();
    for name in ["none", "folder/bash", "link"] {
        fs::create_dir_all(folder.path().join(name)).expect("a new folder");
    }
    for (name, mode) in [("file/bash", 0o644), ("program/bash", 0o654)] {
        folder.write(name, "");
        let permissions = fs::Permissions::from_mode(mode);
        fs::set_permissions(folder.path().join(name), permissions).expect("the file is ours");
    }
    let link = folder.path().join("link/bash");
    symlink("../program/bash", link).expect("the folder is ours");
    for (rule, names, expected) in [
        ("no bash", vec!["none"], "sh"),
        ("a link to an executable", vec!["link"], "bash"),
        ("an executable", vec!["none", "program"], "bash"),
        ("a file that is not executable", vec!["file"], "sh"),
        ("a folder named `bash`", vec!["folder"], "sh"),
        (
            "the last",
            vec!["gone", "folder", "file", "program"],
            "bash",
        ),
        ("an empty path", vec![], "sh"),
    ] {
        let folders = names.iter().map(|name| folder.path().join(name));
        let path = std::env::join_paths(folders).expect("no colon in these paths");
        assert_eq!(find_shell(&path), expected, "{rule}: {names:?}");
    }
}

#[test]
fn test_ch7_a_command_runs_in_its_folder() {
    let folder = CommandFolder::new();
    folder.write("here.txt", "");
    let output = run("echo *.txt; echo \"$0\"", folder.path());
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "here.txt\nsh\n",
        "the working directory is the given folder"
    );
}

#[test]
fn test_ch7_a_command_is_shell_language() {
    let output = run("false; false || exit 3", Path::new("/"));
    assert_eq!(
        output.status.code(),
        Some(3),
        "the text is a command in the shell's language, with operators and builtins"
    );
}

/// The test runs itself again in a process whose standard input is open and stays empty: a
/// command that inherits this input waits for it.
#[test]
fn test_ch7_a_command_has_empty_standard_input() {
    const INSIDE: &str = "CLAW_TEST_CH7_INSIDE";
    let mut cat = shell_command("sh", "exec cat", Path::new("/"));
    if std::env::var_os(INSIDE).is_some() {
        let mut cat = cat.spawn().expect("every Unix has a shell");
        assert!(cat.stdin.is_none(), "the input is empty, and not a pipe");
        let status = cat.wait().expect("a child of the test");
        assert!(status.success(), "`cat` copies an empty input");
        return;
    }
    let name = concat!(
        module_path!(),
        "::test_ch7_a_command_has_empty_standard_input"
    );
    let (_, name) = name.split_once("::").expect("the crate comes first");
    let mut inside = Command::new(std::env::current_exe().expect("the program's file"))
        .args(["--exact", name])
        .env(INSIDE, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program can be started");
    let input = inside.stdin.take();
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || sender.send(inside.wait_with_output()));
    let output = receiver.recv_timeout(PATIENCE);
    // Ends a `cat` that still waits.
    drop(input);
    let output = output.expect("`cat` must find the end of its input at once, and not wait for what the user types to the agent");
    let stdout = output.expect("the program ends").stdout;
    let stdout = String::from_utf8_lossy(&stdout);
    assert!(stdout.contains("1 passed"), "`cat` failed: {stdout}");
}

#[test]
fn test_ch7_a_command_leads_its_own_process_group() {
    let output = run("kill -0 -$$ && echo leader", Path::new("/"));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "leader\n",
        "a process group with the shell's id must exist; otherwise a signal to the group would reach the agent"
    );
}

#[test]
fn test_ch7_a_command_has_the_environment() {
    let command = shell_command("a-shell", "true", Path::new("/"));
    assert_eq!(command.get_program(), "a-shell", "the given shell runs it");
    let changes: BTreeMap<OsString, Option<OsString>> = command
        .get_envs()
        .map(|(name, value)| (name.into(), value.map(Into::into)))
        .collect();
    for (name, value) in ENVIRONMENT {
        assert_eq!(
            changes.get(&OsString::from(name)),
            Some(&Some(value.into())),
            "`{name}` is set as in ENVIRONMENT"
        );
    }
    for name in SECRETS {
        assert_eq!(
            changes.get(&OsString::from(name)),
            Some(&None),
            "`{name}` is removed from the environment"
        );
    }
    let output = run("echo \"$TERM,${HOME:+home},${PATH:+path}\"", Path::new("/"));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "dumb,home,path\n",
        "all other variables are inherited from the agent"
    );
}

#[test]
fn test_ch7_a_command_is_never_an_option() {
    let output = run("-x", Path::new("/"));
    assert_eq!(
        output.status.code(),
        Some(127),
        "a text that begins with `-` is a command, and this one does not exist: {output:?}"
    );
}

fn run(text: &str, folder: &Path) -> Output {
    let output = shell_command("sh", text, folder).output();
    output.expect("every Unix has a shell")
}
