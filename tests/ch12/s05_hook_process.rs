//! Section 12.5: The process of a hook

use std::ffi::OsStr;
use std::process::Command;

use claw_code::hooks::*;
use claw_code::provider::API_KEY_VARIABLES;

use super::support::*;
use crate::support::TempFolder;

/// The standard output of a process whose input is empty.
#[track_caller]
fn output(mut process: Command) -> String {
    let mut child = process.spawn().expect("the process starts");
    drop(child.stdin.take().expect("standard input is a pipe"));
    let output = child.wait_with_output().expect("it ends");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn test_ch12_shell_runs_the_command_in_the_folder() {
    let folder = TempFolder::with_files(&[("a.txt", "")]);
    let hook = command_hook("ls | tr a-z A-Z");
    assert_eq!(
        output(hook_process(&hook, &session(folder.path()))),
        "A.TXT\n",
        "a command of the shell, with a pipe"
    );
}

#[test]
fn test_ch12_project_folder_is_a_variable() {
    let folder = TempFolder::new();
    let hook = command_hook("echo \"$CLAUDE_PROJECT_DIR\"");
    let expected = format!("{}\n", folder.path().display());
    assert_eq!(
        output(hook_process(&hook, &session(folder.path()))),
        expected,
        "published hooks find their scripts by `CLAUDE_PROJECT_DIR`"
    );
}

#[test]
fn test_ch12_arguments_need_no_shell() {
    let folder = TempFolder::new();
    let hook = CommandHook {
        args: Some(vec![
            "%s\\n".into(),
            "${CLAUDE_PROJECT_DIR}:${CLAUDE_PROJECT_DIR}; a 'b".into(),
        ]),
        ..command_hook("printf")
    };
    assert_eq!(
        output(hook_process(&hook, &session(folder.path()))),
        format!("{0}:{0}; a 'b\n", folder.path().display()),
        "each argument arrives as it is, with the folder filled in"
    );
    let hook = CommandHook {
        command: "${CLAUDE_PROJECT_DIR}/check".into(),
        ..hook
    };
    assert_eq!(
        hook_process(&hook, &session(folder.path())).get_program(),
        folder.path().join("check"),
        "the folder is filled into the program too"
    );
}

#[test]
fn test_ch12_hook_does_not_see_the_keys() {
    let folder = TempFolder::new();
    for args in [None, Some(Vec::new())] {
        let hook = CommandHook {
            args,
            ..command_hook("env")
        };
        let process = hook_process(&hook, &session(folder.path()));
        let removed: Vec<&OsStr> = process
            .get_envs()
            .filter(|(_, value)| value.is_none())
            .map(|(name, _)| name)
            .collect();
        for name in API_KEY_VARIABLES {
            assert!(
                removed.contains(&OsStr::new(name)),
                "`{name}` is a secret of the agent: {removed:?}"
            );
        }
    }
}
