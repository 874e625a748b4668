//! Packages of npm.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use super::agent::{CLAUDE_CODE, CODEX};

/// The AI SDK in the releases that the tests were last run with: the library, its providers,
/// and the library for its schemas.
pub const AI_SDK: [(&str, &str); 4] = [
    ("ai", "6.0.326"),
    ("@ai-sdk/openai", "3.0.141"),
    ("@ai-sdk/anthropic", "3.0.139"),
    ("zod", "4.6.7"),
];

/// The folder with the packages of all agents and of the AI SDK. The first call installs them,
/// unless an earlier test run has done so.
pub fn install() -> Result<PathBuf, String> {
    static PACKAGES: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    PACKAGES.get_or_init(try_install).clone()
}

fn try_install() -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("npm");
    let packages = folder.join("node_modules");
    let agents = [CODEX, CLAUDE_CODE].map(|it| (it.package, it.version));
    let releases = agents.into_iter().chain(AI_SDK);
    let releases: Vec<String> = releases
        .map(|(name, version)| format!("{name}@{version}"))
        .collect();
    let marker = folder.join("installed");
    if fs::read_to_string(&marker).is_ok_and(|it| it == releases.join(" ")) {
        return Ok(packages);
    }
    let mut npm = Command::new("npm");
    // The programs are in packages of their own, so no install script has to run.
    npm.args(["install", "--ignore-scripts", "--no-audit", "--no-fund"])
        .args(["--loglevel=error", "--fetch-retries=1", "--prefix"])
        .arg(&folder)
        .args(&releases);
    let output = npm
        .output()
        .map_err(|error| format!("npm does not start: {error}"))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(format!("npm cannot install packages: {}", text.trim()));
    }
    let written = fs::write(&marker, releases.join(" "));
    written.map_err(|error| format!("{}: {error}", marker.display()))?;
    Ok(packages)
}
