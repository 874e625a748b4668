//! The process of a hook

use std::ffi::OsStr;
use std::process::Command;

use claw_code::hooks::*;
use claw_code::provider::API_KEY_VARIABLES;
use claw_code::tools::shell::find_shell;

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
fn shell_runs_the_command_in_the_folder() {
    let folder = TempFolder::with_files(&[("a.txt", "")]);
    let hook = command_hook("ls | tr a-z A-Z");
    assert_eq!(
        output(hook_process(&hook, &session(folder.path()))),
        "A.TXT\n",
        "a command of the shell, with a pipe"
    );
    let hook = command_hook("\"${CLAUDE_PROJECT_DIR}\"/check");
    let process = hook_process(&hook, &session(folder.path()));
    let args: Vec<&OsStr> = process.get_args().collect();
    assert_eq!(
        args,
        ["-c", "--", hook.command.as_str()],
        "the command as it is: the shell itself expands `${{CLAUDE_PROJECT_DIR}}`"
    );
    let path = std::env::var_os("PATH").unwrap_or_default();
    assert_eq!(
        process.get_program(),
        find_shell(&path),
        "the shell that `find_shell` finds in the agent's `PATH`"
    );
}

#[test]
fn project_folder_is_a_variable() {
    let folder = TempFolder::new();
    let command = "echo \"$CLAUDE_PROJECT_DIR\"";
    let program = CommandHook {
        args: Some(vec!["-c".into(), command.into()]),
        ..command_hook("sh")
    };
    let expected = format!("{}\n", folder.path().display());
    for hook in [command_hook(command), program] {
        assert_eq!(
            output(hook_process(&hook, &session(folder.path()))),
            expected,
            "published hooks find their scripts by `CLAUDE_PROJECT_DIR`: {hook:?}"
        );
    }
}

#[test]
fn arguments_need_no_shell() {
    let folder = TempFolder::with_files(&[("a.txt", "")]);
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
    let hook = CommandHook {
        args: Some(Vec::new()),
        ..command_hook("ls")
    };
    assert_eq!(
        output(hook_process(&hook, &session(folder.path()))),
        "a.txt\n",
        "without a shell too, a hook runs in the session's folder"
    );
}

#[test]
fn hook_has_the_environment_of_the_agent() {
    let folder = TempFolder::new();
    // Cargo sets the first one for tests. The others are set for commands of the model.
    for name in ["CARGO_MANIFEST_DIR", "NO_COLOR", "PAGER"] {
        let hook = command_hook(&format!("echo \"${name}\""));
        let value = std::env::var(name).unwrap_or_default();
        assert_eq!(
            output(hook_process(&hook, &session(folder.path()))),
            format!("{value}\n"),
            "a hook has the agent's environment, without additions: `{name}`"
        );
    }
}

#[test]
fn hook_does_not_see_the_keys() {
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
