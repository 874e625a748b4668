//! A Python that has the official clients.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The clients, in the releases that this was last tried with.
const CLIENTS: [&str; 2] = ["openai==3.54.0", "anthropic==2.12.0"];
/// Set to make the clients' absence a failure.
const REQUIRE: &str = "CLAW_REQUIRE_CLIENTS";

/// Says that the clients are not there, past the test harness, which keeps what a passing
/// test prints to itself.
pub fn skip(lack: &str) {
    let is_required = std::env::var_os(REQUIRE).is_some_and(|value| value == "1");
    assert!(!is_required, "{REQUIRE}=1, and {lack}");
    let _ = writeln!(
        std::io::stderr(),
        "skipped: the official Python clients were not tried: {lack}"
    );
}

/// A Python that has the clients, in a virtual environment below `target/`, made if it is
/// not there.
pub fn python() -> Result<PathBuf, String> {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("clients");
    let python = home.join(if cfg!(windows) {
        "Scripts/python.exe"
    } else {
        "bin/python"
    });
    let wanted = CLIENTS.join(" ");
    let installed = home.join("installed");
    if std::fs::read_to_string(&installed).is_ok_and(|it| it == wanted) {
        return Ok(python);
    }
    let mut venv = Command::new("python3");
    venv.args(["-m", "venv", "--clear"]).arg(&home);
    succeed("a virtual environment cannot be made", &mut venv)?;
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
    succeed("the clients cannot be installed", &mut pip)?;
    std::fs::write(&installed, wanted).map_err(|error| error.to_string())?;
    Ok(python)
}

fn succeed(what: &str, command: &mut Command) -> Result<(), String> {
    let output = command
        .output()
        .map_err(|error| format!("{what}: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!(
            "{what}: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        )),
    }
}
