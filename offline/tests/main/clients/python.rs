//! A Python that has the official clients, and a library for hooks.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The clients, and a library for hooks, in the releases that these tests were last run with.
pub const CLIENTS: [&str; 3] = ["openai==3.54.0", "anthropic==2.12.0", "cchooks==0.1.5"];

/// The path of a Python that has the clients. Creates a virtual environment below `target/`
/// if there is none.
pub fn python() -> Result<PathBuf, String> {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("clients");
    let python = home.join(if cfg!(windows) {
        "Scripts/python.exe"
    } else {
        "bin/python"
    });
    let clients = CLIENTS.join(" ");
    let installed = home.join("installed");
    if std::fs::read_to_string(&installed).is_ok_and(|it| it == clients) {
        return Ok(python);
    }
    let mut venv = Command::new("python3");
    venv.args(["-m", "venv", "--clear"]).arg(&home);
    run("cannot create a virtual environment", &mut venv)?;
    let mut pip = Command::new(&python);
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ]);
    pip.args(["--retries", "2", "--timeout", "15"])
        .args(CLIENTS);
    run("cannot install the clients", &mut pip)?;
    std::fs::write(&installed, clients).map_err(|error| error.to_string())?;
    Ok(python)
}

/// Runs a command. The error starts with `failure`.
fn run(failure: &str, command: &mut Command) -> Result<(), String> {
    let output = command
        .output()
        .map_err(|error| format!("{failure}: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!(
            "{failure}: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        )),
    }
}
