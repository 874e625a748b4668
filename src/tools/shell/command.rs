//! Builds the process of a shell command: its arguments, folder, input and environment.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::provider::API_KEY_VARIABLES;

/// The name of the shell: `bash` if a folder of `path` has an executable file of that name,
/// otherwise `sh`. `path` has the format of the variable `PATH`.
pub fn find_shell(path: &OsStr) -> &'static str {
    todo!("non-interactive-command: write find_shell")
}

/// The process that runs `text` in `shell`, in the working directory `folder`. The caller
/// sets its outputs.
///
/// - It leads a new process group.
/// - Its standard input is empty.
/// - It has the agent's environment, with [`ENVIRONMENT`] added and [`SECRETS`] removed.
/// - `text` is always the command, even if it begins with `-`.
pub fn shell_command(shell: &str, text: &str, folder: &Path) -> Command {
    todo!("non-interactive-command: write shell_command")
}

/// The variables that make programs non-interactive: no pager, no colors, no editor, and no
/// password prompt.
pub const ENVIRONMENT: [(&str, &str); 13] = [
    ("TERM", "dumb"),
    ("NO_COLOR", "1"),
    ("CARGO_TERM_COLOR", "never"),
    ("PAGER", "cat"),
    ("GIT_PAGER", "cat"),
    ("MANPAGER", "cat"),
    // `true` is an editor that leaves the text unchanged.
    ("EDITOR", "true"),
    ("VISUAL", "true"),
    ("GIT_EDITOR", "true"),
    ("GIT_TERMINAL_PROMPT", "0"),
    // OpenSSH 8.4 and newer asks this program for a password, and never the terminal.
    ("SSH_ASKPASS_REQUIRE", "force"),
    ("SSH_ASKPASS", "false"),
    ("DEBIAN_FRONTEND", "noninteractive"),
];

/// The variables with the agent's own API keys. A model writes the command and may have read
/// anything: `env` would send the keys into the conversation.
pub const SECRETS: [&str; 4] = API_KEY_VARIABLES;
