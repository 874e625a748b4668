//! The safety checks and the sandbox of the program.

use std::fs;

use claw_code_solutions::safety::{Sandbox, SandboxLevel};

use crate::support::temp_folder::TempFolder;
use crate::support::{Run, Workspace};

/// Runs a prompt with the offline model, in mode `default` or with these options instead.
fn ask(workspace: &Workspace, options: &[&str], prompt: &str) -> Run {
    let mode: &[&str] = match options.contains(&"--permission-mode") {
        true => &[],
        false => &["--permission-mode", "default"],
    };
    let arguments = [mode, options, &["--offline", "-p", prompt]].concat();
    workspace.claw(&arguments).run()
}

#[test]
fn a_read_only_command_runs_without_a_question() {
    let workspace = Workspace::with(&[("notes.txt", "alpha\n")]);
    let run = ask(&workspace, &[], "run cat notes.txt | wc -l").succeeds();
    assert!(run.stdout.contains("1"), "{run:?}");
}

#[test]
fn a_command_with_an_unknown_option_needs_a_question() {
    let workspace = Workspace::with(&[("notes.txt", "b\na\n")]);
    ask(&workspace, &[], "run sort -o notes.txt notes.txt").fails(3, "nobody can be asked");
    let text = fs::read_to_string(workspace.path().join("notes.txt")).expect("the file");
    assert_eq!(text, "b\na\n", "nothing ran");
}

#[test]
fn a_program_with_a_harmful_option_is_offered_alone() {
    let workspace = Workspace::new();
    let run = ask(&workspace, &[], "run git log --output=made");
    run.fails(3, "--allow 'bash(git log --output=made)'");
    let rule = ["--allow", "bash(git log --oneline)"];
    ask(&workspace, &rule, "run git log --oneline --output=made").fails(3, "nobody can be asked");
}

#[test]
fn a_destructive_command_needs_a_question_in_auto_mode() {
    let workspace = Workspace::with(&[("notes.txt", "alpha\n")]);
    let auto = ["--permission-mode", "auto"];
    ask(&workspace, &auto, "run rm notes.txt").fails(3, "it may delete data or stop programs");
    assert!(workspace.path().join("notes.txt").exists(), "nothing ran");
}

#[test]
fn a_path_out_of_the_folder_needs_a_question() {
    let workspace = Workspace::new();
    let auto = ["--permission-mode", "auto"];
    ask(&workspace, &auto, "run cat /etc/hostname").fails(3, "leads out of the workspace");
}

#[test]
fn a_protected_file_is_not_written() {
    let workspace = Workspace::with(&[(".git/config", "")]);
    let options = ["--allow", "bash"];
    let run = ask(&workspace, &options, "run echo x > .git/config").succeeds();
    assert!(run.stdout.contains("is git's own data"), "{run:?}");
    let text = fs::read_to_string(workspace.path().join(".git/config")).expect("the file");
    assert_eq!(text, "", "nothing ran");
}

#[test]
fn a_command_writes_only_in_the_folder() {
    let (workspace, outside) = (Workspace::new(), TempFolder::new());
    let file = outside.path().join("file");
    let prompt = format!("run sh -c 'echo x > {}'", file.display());
    let run = ask(&workspace, &["--allow", "bash"], &prompt).succeeds();
    let is_held = Sandbox::level() != SandboxLevel::None;
    assert_eq!(file.exists(), !is_held, "the sandbox holds it: {run:?}");
    let free = ["--allow", "bash", "--no-sandbox"];
    let run = ask(&workspace, &free, &prompt).succeeds();
    assert!(file.exists(), "without the sandbox: {run:?}");
}

#[test]
fn auto_mode_runs_a_command_that_the_sandbox_holds() {
    let workspace = Workspace::new();
    let auto = ["--permission-mode", "auto"];
    let run = ask(&workspace, &auto, "run echo x > made");
    match Sandbox::level() {
        SandboxLevel::None => run.fails(3, "nobody can be asked"),
        _ => run.succeeds(),
    };
    let free = ["--permission-mode", "auto", "--no-sandbox"];
    ask(&workspace, &free, "run echo x > other").fails(3, "nobody can be asked");
    assert!(!workspace.path().join("other").exists(), "nothing holds it");
}

/// Starts a program for which the kernel has no Landlock: its system calls fail with ENOSYS.
const WITHOUT_LANDLOCK: &str = r#"
import ctypes, os, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
def statement(code, jump_true, jump_false, value):
    return struct.pack("HBBI", code, jump_true, jump_false, value)
program = b"".join([
    statement(0x20, 0, 0, 0),            # load the number of the system call
    statement(0x15, 0, 1, 444),          # landlock_create_ruleset?
    statement(0x06, 0, 0, 0x00050026),   # fail with ENOSYS
    statement(0x06, 0, 0, 0x7FFF0000),   # allow
])
buffer = ctypes.create_string_buffer(program)
filter = struct.pack("HxxxxxxP", 4, ctypes.addressof(buffer))
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, ctypes.create_string_buffer(filter), 0, 0) == 0
os.execv(sys.argv[1], sys.argv[1:])
"#;

#[test]
#[cfg(target_os = "linux")]
fn without_a_sandbox_claw_says_so_once_and_asks() {
    let workspace = Workspace::new();
    let run = |prompt: &str| {
        std::process::Command::new("python3")
            .args(["-c", WITHOUT_LANDLOCK, env!("CARGO_BIN_EXE_claw")])
            .args(["--permission-mode", "auto", "--offline", "-p", prompt])
            .current_dir(workspace.path())
            .env("CLAW_HOME", workspace.home())
            .output()
            .expect("python3 runs")
    };
    let output = run("run echo x > made");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "it asks: {errors}");
    assert_eq!(
        errors
            .matches("this system has no sandbox for commands")
            .count(),
        1,
        "once: {errors}"
    );
    assert!(!workspace.path().join("made").exists(), "nothing ran");
    let output = run("run ls");
    assert_eq!(
        output.status.code(),
        Some(0),
        "a read-only command runs: {output:?}"
    );
}
