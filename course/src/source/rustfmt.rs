//! Formatting with rustfmt.

use std::ffi::OsStr;
use std::fs;
use std::io::{Error, Result, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// Whether rustfmt is installed. Rustup has a program of that name that may start nothing.
pub fn has_rustfmt() -> bool {
    let version = Command::new("rustfmt").arg("--version").output();
    version.is_ok_and(|output| output.status.success())
}

/// `text`, formatted. An error if rustfmt is not installed or can't parse it.
pub fn rustfmt(text: &str) -> Result<String> {
    let mut child = Command::new("rustfmt")
        .args(["--edition", "2024", "--emit", "stdout", "--quiet"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(text.as_bytes())?;
    }
    let output = child.wait_with_output()?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(Error::other("rustfmt failed")),
    }
}

/// The names of those `files` that are not formatted. Each file has a name relative to one folder,
/// and a text; files that no `lib.rs`, `main.rs` or `bin/*.rs` declares are left out. An error if
/// rustfmt is not installed or reports an error.
pub fn unformatted<'a>(
    files: impl IntoIterator<Item = (&'a String, &'a String)>,
) -> Result<Vec<String>> {
    let folder = tempfile::tempdir()?;
    let root = folder.path().canonicalize()?;
    // This file keeps rustfmt from reading the user's own settings.
    fs::write(root.join("rustfmt.toml"), "")?;
    let mut command = Command::new("rustfmt");
    command.args(["--edition", "2024", "--color", "never"]);
    command.args(["--check", "--files-with-diff"]);
    for (name, text) in files {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap_or(&root))?;
        fs::write(&path, text)?;
        let is_root = matches!(name.as_str(), "lib.rs" | "main.rs")
            || Path::new(name).parent() == Some(OsStr::new("bin").as_ref());
        if is_root {
            command.arg(path);
        }
    }
    let output = command.stdin(Stdio::null()).output()?;
    if !output.stderr.is_empty() {
        let text = String::from_utf8_lossy(&output.stderr);
        let text = text.replace(&format!("{}/", root.display()), "");
        return Err(Error::other(text.trim_end()));
    }
    let listed = String::from_utf8_lossy(&output.stdout);
    let names = listed.lines().filter_map(|path| {
        let name = Path::new(path).strip_prefix(&root).ok()?;
        Some(name.to_string_lossy().replace('\\', "/"))
    });
    Ok(names.collect())
}
