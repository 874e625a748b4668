//! Starting cargo.

use std::process::{Command, Stdio};

use anyhow::anyhow;

/// A `cargo` command. It is the same cargo that started the runner, if cargo did.
///
/// Cargo sets variables that describe the runner's own package, and this removes them. Crates
/// such as `ring` depend on them and would be rebuilt after each plain `cargo test`.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.env("RUST_BACKTRACE", "0").stdin(Stdio::null());
    remove_package_variables(&mut command);
    command
}

/// Removes the variables that describe the runner's own package.
pub fn remove_package_variables(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        let describes_package =
            |name: &str| PACKAGE_VARIABLES.iter().any(|it| name.starts_with(it));
        if name.to_str().is_some_and(describes_package) {
            command.env_remove(name);
        }
    }
}

/// The same command with the lowest priority, where there is a program for that.
pub fn at_low_priority(command: &Command) -> Command {
    let mut slow = match cfg!(unix) {
        true => {
            let mut nice = Command::new("nice");
            nice.args(["-n", "19"]).arg(command.get_program());
            nice
        }
        false => Command::new(command.get_program()),
    };
    slow.args(command.get_args()).stdin(Stdio::null());
    copy_surroundings(command, &mut slow);
    slow
}

/// Gives `to` the folder and the variables of `from`.
pub fn copy_surroundings(from: &Command, to: &mut Command) {
    if let Some(dir) = from.get_current_dir() {
        to.current_dir(dir);
    }
    for (name, value) in from.get_envs() {
        match value {
            Some(value) => to.env(name, value),
            None => to.env_remove(name),
        };
    }
}

/// The error for a `cargo` that could not be started.
pub fn not_started(error: std::io::Error) -> anyhow::Error {
    match error.kind() {
        std::io::ErrorKind::NotFound => anyhow!(
            "`cargo` was not found; install Rust with rustup, open a new terminal and try again"
        ),
        _ => anyhow!("cannot start cargo: {error}"),
    }
}

/// The prefixes of the variables with which `cargo run` describes a package to its program.
const PACKAGE_VARIABLES: [&str; 2] = ["CARGO_MANIFEST_", "CARGO_PKG_"];
