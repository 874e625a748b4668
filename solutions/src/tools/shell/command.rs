//! How a command is run.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::provider::API_KEY_VARIABLES;

/// The shell: `bash` if a folder of `path` (as in the variable `PATH`) has a program of
/// that name, and `sh` otherwise.
pub fn find_shell(path: &OsStr) -> &'static str {
    let is_program = |file: &Path| {
        let meta = file.metadata();
        meta.is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
    };
    let mut folders = std::env::split_paths(path);
    match folders.any(|folder| is_program(&folder.join("bash"))) {
        true => "bash",
        false => "sh",
    }
}

/// `shell` with `text` as its command, in `folder`. Where its output goes is not yet said.
///
/// - Its processes are a group of their own.
/// - It has nothing to read: standard input is at its end.
/// - [`ENVIRONMENT`] is set, and [`SECRETS`] are not; otherwise it has the agent's.
/// - Text that begins with `-` is a command and no option.
pub fn command(shell: &str, text: &str, folder: &Path) -> Command {
    let mut command = Command::new(shell);
    command
        .args(["-c", "--", text])
        .current_dir(folder)
        .stdin(Stdio::null())
        .envs(ENVIRONMENT)
        .process_group(0);
    for name in SECRETS {
        command.env_remove(name);
    }
    command
}

/// What tells programs that nobody watches and nobody answers: no pager, no colours, no
/// editor, no question for a password.
pub const ENVIRONMENT: [(&str, &str); 13] = [
    ("TERM", "dumb"),
    ("NO_COLOR", "1"),
    ("CARGO_TERM_COLOR", "never"),
    ("PAGER", "cat"),
    ("GIT_PAGER", "cat"),
    ("MANPAGER", "cat"),
    // An editor that leaves the text as it is.
    ("EDITOR", "true"),
    ("VISUAL", "true"),
    ("GIT_EDITOR", "true"),
    ("GIT_TERMINAL_PROMPT", "0"),
    // From OpenSSH 8.4 on: ask this program and never the terminal.
    ("SSH_ASKPASS_REQUIRE", "force"),
    ("SSH_ASKPASS", "false"),
    ("DEBIAN_FRONTEND", "noninteractive"),
];

/// The variables with the agent's own API keys. A model writes the command and may have read
/// anything: `env` would send the keys into the conversation.
pub const SECRETS: [&str; 4] = API_KEY_VARIABLES;
